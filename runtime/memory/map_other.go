//go:build !linux

package memory

func mapPages(int) []byte { return nil }

func unmapPages([]byte) {}
