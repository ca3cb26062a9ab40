//go:build race

package infer_test

// slower is how much longer an analysis takes, at most, because the race detector watches it.
const slower = 5
