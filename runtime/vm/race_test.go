//go:build race

package vm

// slower is how much longer a piece of work takes, at most, because the race detector watches it.
const slower = 20
