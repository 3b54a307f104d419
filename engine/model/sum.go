package model

import "time"

// SumSamples adds up samples of one way that were taken at the same moment, one
// for each flow: counters are summed, Jitter is the mean, TCP is as in SumTCP. The fields that say
// what was read where are left to the caller.
func SumSamples(each []Sample) Sample {
	var sum Sample
	var jitter time.Duration
	var told []TCPInfo
	for i := range each {
		s := &each[i]
		sum.Bytes += s.Bytes
		sum.Packets += s.Packets
		sum.Lost += s.Lost
		sum.Late += s.Late
		sum.Duplicated += s.Duplicated
		sum.Dropped += s.Dropped
		jitter += s.Jitter
		if s.TCP != nil {
			told = append(told, *s.TCP)
		}
	}
	if len(each) > 0 {
		sum.Jitter = jitter / time.Duration(len(each))
	}
	if len(told) > 0 {
		all := SumTCP(told)
		sum.TCP = &all
	}
	return sum
}
