//go:build unix

package cputime

// This file asks Unix.

import (
	"syscall"
	"time"
)

// Used is the time that the process has used of its processors, its own and the
// system's for it; 0 where that is not measured.
func Used() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
