//go:build !linux && !darwin && !windows

package memory

// This file is for systems that are not asked for their memory.

// bounds lists nothing: without SetLimit there is no limit.
func bounds() []int64 { return nil }

// resident is 0: it is not asked for here.
func resident() int64 { return 0 }
