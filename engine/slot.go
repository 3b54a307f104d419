package engine

import (
	"context"
	"sync"
	"time"

	"linkpace/engine/model"
)

const (
	// maxQueue is how many tests may wait for the one that runs.
	maxQueue = 3
	// queueTime is how long each of them waits.
	queueTime = 60 * time.Second
)

// slot lets one test run at a time: two would measure each other. The zero
// value is free.
type slot struct {
	mu       sync.Mutex
	held     bool
	queue    []chan struct{}
	proposes string // the peer that the holder is asking, until it has answered
}

// take waits for the slot. It fails at once when the queue is full, and after
// queueTime. waiting is called when there is a wait.
func (s *slot) take(ctx context.Context, waiting func()) (release func(), err error) {
	s.mu.Lock()
	if !s.held {
		s.held = true
		s.mu.Unlock()
		return s.release(), nil
	}
	if len(s.queue) >= maxQueue {
		s.mu.Unlock()
		return nil, busy("is in a test and others are waiting already")
	}
	turn := make(chan struct{})
	s.queue = append(s.queue, turn)
	s.mu.Unlock()
	waiting()

	timer := time.NewTimer(queueTime)
	defer timer.Stop()
	select {
	case <-turn:
		return s.release(), nil
	case <-timer.C:
		err = busy("is still in another test")
	case <-ctx.Done():
		err = context.Cause(ctx)
	}
	s.leave(turn)
	return nil, err
}

// leave gives up a place in the queue, or the turn that came in the same moment.
func (s *slot) leave(turn chan struct{}) {
	s.mu.Lock()
	for i, other := range s.queue {
		if other == turn {
			s.queue = append(s.queue[:i], s.queue[i+1:]...)
			s.mu.Unlock()
			return
		}
	}
	s.mu.Unlock()
	s.release()()
}

func (s *slot) release() func() {
	return sync.OnceFunc(func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.proposes = ""
		if len(s.queue) == 0 {
			s.held = false
			return
		}
		close(s.queue[0])
		s.queue = s.queue[1:]
	})
}

// propose notes whom the holder of the slot is asking; "" when it is answered.
func (s *slot) propose(peerID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.proposes = peerID
}

// proposing reports whether the holder is asking this very peer.
func (s *slot) proposing(peerID string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held && s.proposes == peerID
}

func (s *slot) busyNow() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.held
}

func busy(what string) *model.Problem {
	return &model.Problem{Side: model.Remote, Op: "ask", Code: model.CodeBusy,
		Text: "The other computer " + what + ". Try again in a minute."}
}
