//go:build !race

package vm

const slower = 1
