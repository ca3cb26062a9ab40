package lint

// This file defines the provenance of axes.

import (
	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A birth says how an axis came to be.
type birth uint8

const (
	made     birth = iota // by an operation: nothing is known of its meaning
	argument              // as an axis of an argument of the entry, or of other data: see inputs
	layer                 // as the outputs of a layer: Linear, a convolution, an embedding
	joined                // by cat, pad or a slice: its size is that of an axis and something more or less
	part                  // by a reshape that splits an axis
	kept                  // of size 1 by a reduction, with keepdim=True
)

// An origin is an axis where it was born. Arguments whose axes have one symbol
// share its origin.
type origin struct {
	birth birth
	size  symshape.Dim
	arg   *graph.Value // argument: the first with it
	index int          // argument: which axis
	of    *origin      // part: of which axis
	// drawn: of random numbers in place of data.
	drawn bool
	// within says that its size stands in one argument more than once.
	within bool
}

// root is the axis that o is a part of, or o.
func (o *origin) root() *origin {
	for o.birth == part && o.of != nil {
		o = o.of
	}
	return o
}

// An axis is what one dimension of a tensor is made of, outermost first: an axis of
// its own has one origin, batch and time joined by a reshape have two. An axis of
// size 1 keeps the origin that tells who made it.
type axis []*origin

// single returns the only origin of an axis, or nil.
func (a axis) single() *origin {
	if len(a) == 1 {
		return a[0]
	}
	return nil
}

// sameAxis reports whether both are the same axis of the same data.
func sameAxis(a, b axis) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// rank orders provenances by what they tell.
func (a axis) rank() int {
	best := 0
	for _, o := range a {
		switch o.birth {
		case argument:
			best = max(best, 2)
		case layer, part:
			best = max(best, 1)
		}
	}
	return best
}

// fresh is a new axis of a size. A size that is a symbol of the arguments is their
// axis: torch.zeros(x.size(0), …) has one row for each sample. What was padded or
// cut to that size is not.
func (l *linter) fresh(d symshape.Dim, b birth) axis {
	if o := l.symbols[d.Expr]; o != nil && d.Expr != nil && b != joined {
		return axis{o}
	}
	return axis{{birth: b, size: d}}
}

// of returns the provenance of a tensor; nil when its rank is not known.
func (l *linter) of(v *graph.Value) []axis {
	if v == nil || !v.Type.Ranked {
		return nil
	}
	if a, ok := l.axes[v]; ok {
		return a
	}
	b := made
	if v.Param {
		b = layer
	}
	a := l.freshAll(v, b)
	l.axes[v] = a
	return a
}

func (l *linter) freshAll(v *graph.Value, b birth) []axis {
	a := make([]axis, len(v.Type.Shape))
	l.Spend(len(a))
	for i, d := range v.Type.Shape {
		a[i] = l.fresh(d, b)
	}
	return a
}

// inputs makes the axes of the arguments, and of the batches of loaders.
func (l *linter) inputs() {
	for _, v := range l.Graph.Inputs {
		if !v.Type.Ranked {
			continue
		}
		a := make([]axis, len(v.Type.Shape))
		for i, d := range v.Type.Shape {
			o := l.inputOrigin(v, i, d)
			a[i] = axis{o}
			if _, number := d.Const(); number && i > 0 && d.Expr == v.Type.Shape[0].Expr {
				a[0][0].within = true
			}
		}
		l.axes[v] = a
	}
	for _, b := range l.Batches {
		var first *origin
		for _, v := range b {
			l.ofLoader[v] = true
			if _, ok := l.axes[v]; ok {
				continue // the tensor was an argument, or in a batch already
			}
			a := l.dataAxes(v)
			if first == nil {
				first = a[0][0]
				l.loaded = append(l.loaded, first)
			}
			a[0] = axis{first}
			l.axes[v] = a
		}
	}
}

// dataAxes are the axes of data that is born inside of the program.
func (l *linter) dataAxes(v *graph.Value) []axis {
	a := make([]axis, len(v.Type.Shape))
	for i, d := range v.Type.Shape {
		if o := l.symbols[d.Expr]; o != nil && d.Expr != nil {
			a[i] = axis{o}
		} else {
			a[i] = axis{{birth: argument, size: d, arg: v, index: i}}
		}
	}
	return a
}

// inputOrigin is the origin of an axis of an argument: for a symbol one for all;
// for a number that of the first argument that begins with the same number.
func (l *linter) inputOrigin(v *graph.Value, i int, d symshape.Dim) *origin {
	_, symbol := d.Expr.IsSymbol()
	if symbol {
		if o := l.symbols[d.Expr]; o != nil {
			o.within = o.within || o.arg == v
			return o
		}
	} else if n, ok := d.Const(); ok && i == 0 && n > 1 {
		for _, w := range l.Graph.Inputs {
			if a := l.axes[w]; w != v && len(a) > 0 && a[0][0].size.Expr == d.Expr {
				return a[0][0]
			}
		}
	}
	o := &origin{birth: argument, size: d, arg: v, index: i}
	if symbol {
		l.symbols[d.Expr] = o
	}
	return o
}

// isConst reports whether a size is the number n for all sizes.
func isConst(d symshape.Dim, n int64) bool {
	c, ok := d.Const()
	return ok && c == n
}

// equal reports whether two sizes are certainly equal.
func (l *linter) equal(a, b *symshape.Expr) bool { return a != nil && b != nil && l.Facts.Equal(a, b) }
