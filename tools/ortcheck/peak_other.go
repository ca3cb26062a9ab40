//go:build !linux

package main

// This file stands in where the unit of the kernel's figure is another one.

import (
	"os"
	"time"
)

func peak(*os.ProcessState) int64 { return 0 }

// processorTime is not known here.
func processorTime(int) time.Duration { return 0 }
