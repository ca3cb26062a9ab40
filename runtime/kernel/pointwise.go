package kernel

// This file computes functions of elements of operands that are broadcast. Those of f32 run on
// the row functions of the tier.

import (
	"errors"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// rowWork is the elements of a tile, well below 100 µs.
const rowWork = 32 << 10

// pointwise lists the entries of this file and of number.go.
func pointwise(t Tier) []*Entry {
	f := tile.RowsOf(t)
	var out []*Entry
	for _, x := range []struct {
		name string
		op   tile.Binary
	}{{"Add", tile.Add}, {"Sub", tile.Sub}, {"Mul", tile.Mul}, {"Div", tile.Div}, {"Max", tile.Max}, {"Min", tile.Min}} {
		out = append(out, binaryEntry(f, x.name, x.op))
	}
	out = append(out, floatMaps(f)...)
	return append(out, numberEntries()...)
}

// broadcastShape is the shape of operations on operands that are broadcast.
func broadcastShape(s *Sig) ([][]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	dims := s.In[0].Dims
	for i := 1; i < len(s.In); i++ {
		if s.In[i].Absent {
			return nil, errors.New("an operand is missing")
		}
		var err error
		if dims, err = broadcast(dims, s.In[i].Dims); err != nil {
			return nil, err
		}
	}
	return [][]int64{dims}, nil
}

// sameShape is the shape of an operation whose result is like its first operand.
func sameShape(s *Sig) ([][]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	return [][]int64{s.In[0].Dims}, nil
}

func elementCost(s *Sig) float64 { return 100 + 0.3*float64(s.Out[0].Len()) }

// stretch is the walk over a result whose operands are broadcast.
func stretch(s *Sig) *walk {
	var steps [][]int
	for i := range s.In {
		steps = append(steps, stretched(s.In[i].Dims, s.Out[0].Dims))
	}
	return newWalk(s.Out[0].Dims, rowWork, steps...)
}

// walks gives an entry the cut of its walk.
func walks(e *Entry, make func(*Sig) *walk) *Entry {
	e.elementwise = true
	e.Split = func(s *Sig) Grid { return make(s).grid() }
	e.Prepare = func(s *Sig) any { return make(s) }
	return e
}

// A pairing is a function of two elements.
type pairing struct {
	*walk
	op tile.Binary
}

// binaryEntry makes the entry of an operator with two operands that broadcast: an operand whose axis is
// stretched has a step of 0 there.
func binaryEntry(f tile.Rows, name string, op tile.Binary) *Entry {
	return &Entry{elementwise: true, Split: func(s *Sig) Grid { return stretch(s).grid() },
		Prepare: func(s *Sig) any { return &pairing{stretch(s), op} },
		Op:      isa.Lookup("", name), Name: name + ".f32.rows", Shape: broadcastShape, Cost: elementCost, InPlace: always,
		Match: func(s *Sig) bool { return len(s.In) == 2 && allPlain(s, tensor.Float32) },
		Run: func(c *Call, _, i int) {
			w := c.State.(*pairing).walk
			x, z, y := floats(c.In[0]), floats(c.In[1]), floats(c.Out[0])
			if w.single() { // small ones spend more on a cursor than on the elements
				w.two(f, op, x, z, y)
				return
			}
			for it := w.begin(i); it.next(); {
				w.two(f, op, x[it.at[0]:], z[it.at[1]:], y[it.y:it.y+it.n])
			}
		}}
}

// two computes a row y of elements of x and z.
func (w *walk) two(f tile.Rows, op tile.Binary, x, z, y []float32) {
	n := len(y)
	switch {
	case w.unit[0] == 1 && w.unit[1] == 1:
		f.Two(op, x[:n], z[:n], y)
	case w.unit[0] == 1:
		f.Right(op, x[:n], z[0], y)
	case w.unit[1] == 1:
		f.Left(op, x[0], z[:n], y)
	default: // one element, or an axis along which both are broadcast
		v := op.Do(x[0], z[0])
		for k := range y {
			y[k] = v
		}
	}
}

// flat is the walk over all elements as one row.
func flat(s *Sig) *walk { return newWalk([]int64{s.Out[0].Len()}, rowWork) }

// A mapping is a function of one element, with its numbers.
type mapping struct {
	w    *walk
	op   tile.Unary
	a, b float32
}

// floatMaps lists functions of one element of f32.
func floatMaps(f tile.Rows) []*Entry {
	var out []*Entry
	add := func(name string, op tile.Unary, numbers func(*Sig) (a, b float32, ok bool)) {
		out = append(out, &Entry{Op: isa.Lookup("", name), Name: suffix(name+".f32.rows", op), Shape: sameShape, Cost: elementCost,
			InPlace: always,
			Match: func(s *Sig) bool {
				if numbers != nil {
					if _, _, ok := numbers(s); !ok {
						return false
					}
				}
				return s.In[0].DType == tensor.Float32 && s.Out[0].DType == tensor.Float32
			},
			Split: func(s *Sig) Grid { return flat(s).grid() },
			Prepare: func(s *Sig) any {
				m := &mapping{w: flat(s), op: op}
				if numbers != nil {
					m.a, m.b, _ = numbers(s)
				}
				return m
			},
			Run: func(c *Call, _, i int) {
				m := c.State.(*mapping)
				x, y := floats(c.In[0]), floats(c.Out[0])
				if m.w.single() {
					f.One(m.op, x, y, m.a, m.b)
					return
				}
				for it := m.w.begin(i); it.next(); {
					n, to := it.n, it.y
					f.One(m.op, x[to:to+n], y[to:to+n], m.a, m.b)
				}
			}})
	}
	inf := float32(math.Inf(1))
	attr := func(name string, def float64) func(*Sig) (float32, float32, bool) {
		return func(s *Sig) (float32, float32, bool) { return float32(s.Inst.Float(name, def)), 0, true }
	}
	add("Exp", tile.Exp, nil)
	add("Tanh", tile.Tanh, nil)
	add("Erf", tile.Erf, nil)
	add("Sigmoid", tile.Sigmoid, nil)
	add("Relu", tile.Clip, func(*Sig) (float32, float32, bool) { return 0, inf, true })
	add("Clip", tile.Clip, clipBounds)
	add("Abs", tile.Abs, nil)
	add("Neg", tile.Neg, nil)
	add("Sqrt", tile.Sqrt, nil)
	add("Floor", tile.Floor, nil)
	add("Ceil", tile.Ceil, nil)
	add("Round", tile.Even, nil)
	add("LeakyRelu", tile.Leaky, attr("alpha", 0.01))
	add("HardSigmoid", tile.Hard, func(s *Sig) (float32, float32, bool) {
		return float32(s.Inst.Float("alpha", 0.2)), float32(s.Inst.Float("beta", 0.5)), true
	})
	add("HardSwish", tile.HardSwish, func(*Sig) (float32, float32, bool) { return 1.0 / 6, 0.5, true })
	add("Swish", tile.Silu, attr("alpha", 1))
	add("Gelu", tile.Gelu, func(s *Sig) (float32, float32, bool) { return 0, 0, s.Inst.Str("approximate", "none") != "tanh" })
	add("Gelu", tile.GeluTanh, func(s *Sig) (float32, float32, bool) { return 0, 0, s.Inst.Str("approximate", "none") == "tanh" })
	for _, e := range out {
		e.elementwise = true
		if e.Op == isa.Lookup("", "Clip") {
			e.Values = []int{1, 2}
		}
	}
	return out
}

// suffix tells the two forms of Gelu apart.
func suffix(name string, op tile.Unary) string {
	if op == tile.GeluTanh {
		return name + ".tanh"
	}
	return name
}

// clipBounds are those of Clip, which must have one element each.
func clipBounds(s *Sig) (lo, hi float32, ok bool) {
	lo, hi = float32(math.Inf(-1)), float32(math.Inf(1))
	for i, b := range []*float32{&lo, &hi} {
		o := s.Opt(1 + i)
		if o.Absent {
			continue
		}
		if o.DType != tensor.Float32 || o.Len() != 1 || len(o.Elems) != 4 {
			return 0, 0, false
		}
		*b = floats(o.Elems)[0]
	}
	return lo, hi, lo == lo && hi == hi // a bound that is no number makes all results that
}
