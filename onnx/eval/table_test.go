package eval_test

// This file holds the kernels against ONNX's operators.

import (
	"testing"

	"shapecheck/onnx/eval"
	"shapecheck/onnx/schema"
)

// TestEveryOperatorHasAKernel requires of each operator a kernel or the reason why it is not
// computed, and of each kernel an operator, though it may be deprecated.
func TestEveryOperatorHasAKernel(t *testing.T) {
	computed, known := map[eval.Op]bool{}, map[eval.Op]bool{}
	for _, op := range eval.Supported() {
		computed[op] = true
	}
	for _, s := range schema.Ops() {
		op := eval.Op{Domain: s.Domain, Name: s.Name}
		known[op] = true
		if schema.Last(s.Domain, s.Name) != s || s.Deprecated {
			continue
		}
		if why := eval.Unsupported(op); computed[op] == (why != "") {
			t.Errorf("%v: it has a kernel: %v; the reason why it has none: %q", op, computed[op], why)
		}
	}
	for op := range computed {
		if !known[op] {
			t.Errorf("%v has a kernel and is no operator", op)
		}
	}
}
