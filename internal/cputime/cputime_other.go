//go:build !unix

package cputime

// This file stands for cputime_unix.go where processor time is not measured.

import "time"

// Used is 0.
func Used() time.Duration { return 0 }

// Peak is 0.
func Peak() int64 { return 0 }
