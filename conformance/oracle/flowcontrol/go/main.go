// Replays reservations and cancellations on the token bucket of client-go's rate limiter, one case per line of JSON, and prints the delay of
// each reservation and the tokens after each step.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/client-go/util/flowcontrol"
)

type step struct {
	// Nanoseconds since the start.
	At int64 `json:"at"`
	// The index of the step whose reservation is cancelled; absent for a reservation.
	Cancel *int `json:"cancel,omitempty"`
}

type bucketCase struct {
	ID    string  `json:"id"`
	QPS   float64 `json:"qps"`
	Burst int     `json:"burst"`
	Steps []step  `json:"steps"`
}

type stepResult struct {
	// Nanoseconds; absent for a cancellation.
	Delay  *int64  `json:"delay,omitempty"`
	Tokens float64 `json:"tokens"`
}

type result struct {
	ID    string       `json:"id"`
	Steps []stepResult `json:"steps"`
}

var start = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)

// stoppedClock has a time that is set, and records sleeps.
type stoppedClock struct {
	now   time.Time
	slept time.Duration
}

func (c *stoppedClock) Now() time.Time                  { return c.now }
func (c *stoppedClock) Since(t time.Time) time.Duration { return c.now.Sub(t) }
func (c *stoppedClock) Sleep(d time.Duration)           { c.slept = d }

func replay(in bucketCase) result {
	limiter := rate.NewLimiter(rate.Limit(float32(in.QPS)), in.Burst)
	clock := &stoppedClock{}
	accepting := flowcontrol.NewTokenBucketRateLimiterWithClock(float32(in.QPS), in.Burst, clock)
	reservations := map[int]*rate.Reservation{}
	hasCancelled := false
	out := result{ID: in.ID, Steps: []stepResult{}}
	for i, each := range in.Steps {
		now := start.Add(time.Duration(each.At))
		if each.Cancel != nil {
			hasCancelled = true
			reservations[*each.Cancel].CancelAt(now)
			out.Steps = append(out.Steps, stepResult{Tokens: limiter.TokensAt(now)})
			continue
		}
		reservations[i] = limiter.ReserveN(now, 1)
		delay := reservations[i].DelayFrom(now)
		clock.now = now
		accepting.Accept()
		if !hasCancelled && clock.slept != delay {
			panic(fmt.Sprintf("%s: client-go sleeps %v, the bucket says %v", in.ID, clock.slept, delay))
		}
		nanoseconds := int64(delay)
		out.Steps = append(out.Steps, stepResult{Delay: &nanoseconds, Tokens: limiter.TokensAt(now)})
	}
	return out
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(make([]byte, 1<<20), 1<<26)
	encoder := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		var in bucketCase
		if err := json.Unmarshal(lines.Bytes(), &in); err != nil {
			panic(err)
		}
		if err := encoder.Encode(replay(in)); err != nil {
			panic(err)
		}
	}
}
