package symshape

// This file tests that shared parts cannot make an expression explode.

import (
	"fmt"
	"testing"
)

func TestSharedPartsAreBounded(t *testing.T) {
	p := NewPool()
	e := p.Symbol("H")
	steps := 0
	for range 60 {
		// every step uses the one before twice, and neither division goes away
		if e = p.FloorDiv(p.Add(p.FloorDiv(e, p.Const(3)), p.FloorDiv(e, p.Const(5))), p.Const(7)); e == nil {
			break
		}
		if e.weight > maxWeight {
			t.Fatalf("an atom of weight %d", e.weight)
		}
		steps++
	}
	if e != nil || steps < 5 {
		t.Errorf("unknown after %d steps; an expression that doubles 60 times must be, one that doubles 5 times not", steps)
	}
}

func TestChainsOfFactsAreBounded(t *testing.T) {
	p := NewPool()
	var f Facts
	ok := true
	x := p.Symbol("A0")
	for i := range 16 {
		y := p.Symbol(fmt.Sprintf("A%d", i+1))
		prod := p.Mul(p.Add(p.FloorDiv(x, p.Const(3)), y), p.Add(x, y))
		if f, ok = f.Assume(p.Divides(p.Const(35), prod)); !ok {
			t.Fatal("contradiction")
		}
		if f, ok = f.Assume(p.Divides(p.Const(3), p.Add(p.FloorDiv(x, p.Const(2)), y))); !ok {
			t.Fatal("contradiction")
		}
		x = y
	}
}
