//go:build unix

package infer_test

// This file measures processor time, which tells more than a clock where other
// programs run.

import (
	"syscall"
	"time"
)

// cpuTime is the user time that the process has used.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano())
}
