//go:build !race

package infer_test

const slower = 1
