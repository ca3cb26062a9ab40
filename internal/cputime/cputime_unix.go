//go:build unix

package cputime

// This file asks Unix.

import (
	"runtime"
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

// Peak is the most memory that the process has held, in bytes; 0 where that is not measured.
func Peak() int64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	if runtime.GOOS == "darwin" { // which counts bytes
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
