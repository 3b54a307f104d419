// Package engine runs tests. An Engine starts them towards a Peer, answers
// those that other computers start, and hands out each as a Run, an append-only
// log that any number of readers follow at their own pace.
//
// Data goes one way: the goroutines that move payload add to their own
// counters, one sampler per run reads all counters at each interval and appends
// to the log, readers pull. Only three things flow back: start, cancel, and the
// answer to "may they?".
package engine

import "errors"

var errCancelled = errors.New("cancelled")
