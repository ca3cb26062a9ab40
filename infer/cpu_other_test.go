//go:build !unix

package infer_test

// This file stands for cpu_unix_test.go where processor time is not measured.

import "time"

func cpuTime() time.Duration { return 0 }
