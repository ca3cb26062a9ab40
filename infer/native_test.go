package infer

import (
	"testing"

	"shapecheck/infer/value"
)

// TestNativeCodeIsLeftAtALimit has a function of Go make objects or entries for ever, which looks at no error, itself and below a
// function of Python and a generator that it calls.
func TestNativeCodeIsLeftAtALimit(t *testing.T) {
	for name, work := range map[string]func(h *value.Heap) func(i int){
		"objects": func(h *value.Heap) func(int) { return func(int) { h.NewList(nil) } },
		"entries of a dict": func(h *value.Heap) func(int) {
			d := h.NewDict()
			return func(i int) { d.Set(h, int64(i), value.Int(i), value.None) }
		},
		"elements of a set": func(h *value.Heap) func(int) {
			s := h.NewSet()
			return func(i int) { s.Add(h, int64(i), value.Int(i)) }
		},
	} {
		t.Run(name, func(t *testing.T) { leaveNativeCode(t, work) })
	}
}

func leaveNativeCode(t *testing.T, work func(h *value.Heap) func(i int)) {
	in := newInterp(&Config{MaxSteps: 10_000})
	endless := &value.Builtin{Name: "endless", Fn: func(th value.Thread, _ []value.Value, _ []value.Kw) (value.Value, error) {
		more := work(th.Heap())
		for i := range 100 * 10_000 * objectsPerStep {
			more(i)
		}
		t.Error("the code is not left")
		return value.None, nil
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
