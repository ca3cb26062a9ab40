package contract

// This file says what the symbols of an entry are, by the types of its arguments, and which size each usually has.

import (
	"slices"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A Kind is what a size counts.
type Kind uint8

// The kinds of sizes.
const (
	Other   Kind = iota // channels, features, numbers
	Batch               // the samples of a batch
	Spatial             // the pixels of an axis
	Time                // tokens, steps, samples of a signal
)

// Sizes that are usual, where an axis is free.
const (
	usualPixels  = 224
	usualVoxels  = 64
	usualFrames  = 16
	usualTokens  = 128
	usualSamples = 16000
	usualOther   = 4
)

// A symbol is a size of the arguments.
type symbol struct {
	name   string
	kind   Kind
	usual  int64
	lo, hi int64 // its bounds
	grid   int   // which argument's axes it belongs to, where it is spatial
}

// symbolsOf are the symbols of a run's arguments and conditions, in the order in which they were declared.
func symbolsOf(r *infer.Result, c *Contract) []symbol {
	met := map[string]symbol{}
	for i, v := range r.Graph.Inputs {
		if !v.Type.Ranked {
			continue
		}
		for j, u := range usualOf(&v.Type) {
			if name, ok := symbolAt(&v.Type, j); ok && (u.kind > met[name].kind || met[name].name == "") {
				u.name, u.grid = name, i
				met[name] = u
			}
		}
	}
	var out []symbol
	wanted := func(e *symshape.Expr) bool {
		return slices.ContainsFunc(c.Conditions, func(x Condition) bool { return slices.Contains(x.Cond.Symbols(), e) }) ||
			slices.ContainsFunc(c.Given, func(x *symshape.Cond) bool { return slices.Contains(x.Symbols(), e) })
	}
	for _, e := range r.Pool.Symbols() {
		name, _ := e.IsSymbol()
		s, isSize := met[name]
		if !isSize {
			if e.IsFresh() || !wanted(e) {
				continue
			}
			s = symbol{name: name, usual: usualOther}
		}
		s.lo, s.hi = e.Bounds()
		s.usual = min(max(s.usual, s.lo), s.hi)
		out = append(out, s)
	}
	return out
}

// symbolAt is the symbol that the size of an axis is.
func symbolAt(t *graph.TensorType, axis int) (string, bool) {
	if e := t.Shape[axis].Expr; e != nil {
		return e.IsSymbol()
	}
	return "", false
}

// usualOf says what each axis of an argument counts: [B,3,H,W] are images, [B,T] numbers are tokens.
func usualOf(t *graph.TensorType) []symbol {
	n := len(t.Shape)
	out := make([]symbol, n)
	for i := range out {
		out[i].usual = usualOther
	}
	set := func(kind Kind, usual int64, axes ...int) {
		for _, i := range axes {
			out[i].kind, out[i].usual = kind, usual
		}
	}
	number := func(i int) int64 {
		if e := t.Shape[i].Expr; e != nil {
			if v, ok := e.Const(); ok {
				return v
			}
		}
		return 0
	}
	few := func(i int) bool { v := number(i); return v > 0 && v <= 4 }
	named := func(i int) bool {
		name, ok := symbolAt(t, i)
		return ok && strings.Contains("TLS", name[:1])
	}
	called := func(i int, letter string) bool { name, ok := symbolAt(t, i); return ok && name == letter }
	if n > 1 {
		set(Batch, 1, 0)
	}
	switch {
	case (n == 2 || n == 3) && called(0, "H") && called(1, "W"): // [H,W,3]
		set(Spatial, usualPixels, 0, 1)
	case n == 5 && number(1) == 0 && number(2) > 0: // [B,T,3,H,W]
		set(Time, usualFrames, 1)
		set(Spatial, usualPixels, 3, 4)
	case n == 5:
		set(Spatial, usualVoxels, 2, 3, 4)
	case n == 4 && number(3) > 0 && number(1) == 0: // [B,H,W,3]
		set(Spatial, usualPixels, 1, 2)
	case n == 4:
		set(Spatial, usualPixels, 2, 3)
	case n == 3 && few(0): // [3,H,W]
		set(Spatial, usualPixels, 1, 2)
	case n == 3 && few(1): // [B,1,T]
		set(Time, usualSamples, 2)
	case n == 3 && number(2) == 0 && (number(1) > 0 || named(2)): // [B,64,T]
		set(Time, usualTokens, 2)
	case n == 3: // [B,T,64]
		set(Time, usualTokens, 1)
	case n == 2 && t.DType.IsIntegralOrBool():
		set(Time, usualTokens, 1)
	case n == 2 && named(1):
		set(Time, usualSamples, 1)
	case n == 1 && named(0):
		set(Time, usualSamples, 0)
	}
	return out
}
