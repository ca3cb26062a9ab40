//go:build !js

package infer

import "runtime/metrics"

// Live is the number of bytes that the program's objects took when they were last collected.
func Live() int64 {
	s := [...]metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s[:])
	return int64(s[0].Value.Uint64())
}

// footprint is the number of bytes that the program's objects and stacks take, with
// what was not collected yet.
func footprint() int64 {
	s := [...]metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s[:])
	return int64(s[0].Value.Uint64() + s[1].Value.Uint64())
}
