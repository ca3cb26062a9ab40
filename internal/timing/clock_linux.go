package timing

// This file asks Linux for the time of a thread.

import (
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the thread on which the caller runs, and the processor time that it has used; false where that is not measured.
func threadTime() (id int, used time.Duration, ok bool) {
	var now unix.Timespec
	before := syscall.Gettid()
	if err := unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &now); err != nil {
		return 0, 0, false
	}
	return before, time.Duration(now.Nano()), true
}
