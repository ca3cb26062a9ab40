//go:build unix

package hostile

// This file asks Unix for the memory of a process that ended.

import (
	"os"
	"runtime"
	"syscall"
)

// peak is the largest number of bytes that were resident at once.
func peak(s *os.ProcessState) int64 {
	u, ok := s.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		return int64(u.Maxrss)
	}
	return int64(u.Maxrss) << 10
}
