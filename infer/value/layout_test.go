package value

import (
	"fmt"
	"testing"
)

// Tables that begin with a layout say what tables without one say, whatever is written, deleted and rolled back.
func TestNameLayout(t *testing.T) {
	var h Heap
	names := []string{"a", "b", "c"}
	layout := NewNameLayout(names...)
	with, without := h.NewAttrs(), h.NewAttrs()
	with.Begin(&h, layout, []Value{Int(0), Int(1), Int(2)})
	for i, n := range names {
		without.Set(&h, n, Int(i))
	}
	same := func(when string) {
		t.Helper()
		if with.Len() != without.Len() {
			t.Fatalf("%s: %d names, want %d", when, with.Len(), without.Len())
		}
		for i := range 40 {
			for _, n := range []string{string(rune('a' + i%26)), fmt.Sprint("n", i)} {
				v, ok := with.Get(n)
				if w, want := without.Get(n); ok != want || v != w {
					t.Fatalf("%s: %s is %v, %v, want %v, %v", when, n, v, ok, w, want)
				}
			}
		}
	}
	same("at first")
	m := h.Mark()
	for i := range 20 { // beyond what is found without an index
		with.Set(&h, fmt.Sprint("n", i), Int(i))
		without.Set(&h, fmt.Sprint("n", i), Int(i))
		same(fmt.Sprint("with n", i))
	}
	h.Rollback(m)
	h.Close(m)
	same("rolled back")
	for _, a := range []*Attrs{with, without} {
		a.Delete(&h, "b")
		a.Set(&h, "d", Int(3))
	}
	same("without b")
	if other := h.NewAttrs(); true {
		other.Begin(&h, layout, []Value{Int(7), Int(8), Int(9)})
		if v, _ := other.Get("b"); v != Value(Int(8)) {
			t.Errorf("b of another table is %v", v)
		}
	}
}
