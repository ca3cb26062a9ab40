package infer

import (
	"testing"

	"shapecheck/infer/value"
)

// TestNativeCodeIsLeftAtALimit has a function of Go make objects for ever, which looks at no error, itself and below a
// function of Python and a generator that it calls.
func TestNativeCodeIsLeftAtALimit(t *testing.T) {
	in := newInterp(&Config{MaxSteps: 10_000})
	endless := &value.Builtin{Name: "endless", Fn: func(th value.Thread, _ []value.Value, _ []value.Kw) (value.Value, error) {
		for {
			th.Heap().NewList(nil)
		}
	}}
	nested := &value.Builtin{Name: "nested", Fn: func(th value.Thread, _ []value.Value, _ []value.Kw) (value.Value, error) {
		_, err := th.Call(endless, nil, nil)
		if err == nil {
			t.Error("the call below has no error")
		}
		return nil, err
	}}
	if _, err := in.Call(nested, nil, nil); err == nil || err != in.spent.over {
		t.Errorf("%v, want the end of the run", err)
	}
	if in.spent.native != 0 || in.spent.nested != 0 {
		t.Errorf("native code is not ended: %d, %d", in.spent.native, in.spent.nested)
	}
	for range 10 * madeForLook { // the interpreter itself is not left
		in.heap.NewList(nil)
	}
}

// madeForLook is about how many objects are made between two looks at the limits.
const madeForLook = checkSteps * objectsPerStep
