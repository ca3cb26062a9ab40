package value

import (
	"testing"
)

// entered counts how often a recursion over lists goes into one.
func entered(w *Visit, v Value) int {
	l, ok := v.(*List)
	if !ok || !w.Enter(v) {
		return 0
	}
	defer w.Leave()
	n := 1
	for _, e := range l.Elems {
		n += entered(w, e)
	}
	return n
}

func TestVisitEntersEachValueOnce(t *testing.T) {
	var h Heap
	l := h.NewList([]Value{Int(1), nil})
	l.Elems[1] = l
	if n := entered(new(Visit), l); n != 1 {
		t.Errorf("a list in itself is entered %d times", n)
	}
	shared := h.NewList(nil)
	for range 60 {
		shared = h.NewList([]Value{shared, shared})
	}
	if n := entered(new(Visit), shared); n != 61 {
		t.Errorf("61 lists that share each other are entered %d times", n)
	}
	if n := entered(&Visit{Repeats: 1000}, shared); n < 400 || n > 1200 {
		t.Errorf("with 1000 repeats they are entered %d times", n)
	}
}

func TestVisitAndWalkHaveALimitOfDepth(t *testing.T) {
	var h Heap
	deep := h.NewList([]Value{Str("end")})
	for range 5 * MaxNesting {
		deep = h.NewList([]Value{deep})
	}
	if n := entered(new(Visit), deep); n != MaxNesting {
		t.Errorf("%d lists inside each other are entered", n)
	}
	if got := texts(deep, Deep, AllParts); got != "end" {
		t.Errorf("a walk over lists that are nested deep: %q", got)
	}
}

func TestMemoComputesOnce(t *testing.T) {
	var h Heap
	v := h.NewList([]Value{Int(1)})
	for range 60 {
		v = h.NewList([]Value{v, v})
	}
	n := 0
	var m Memo[int]
	var size func(v Value) int
	size = func(v Value) int {
		return m.Of(v, 0, func() int {
			n++
			sum := 1
			if l, ok := v.(*List); ok {
				for _, e := range l.Elems {
					sum += size(e)
				}
			}
			return sum % 1000
		})
	}
	size(v)
	if n != 62 {
		t.Errorf("computed %d times for 61 lists and a number", n)
	}
}
