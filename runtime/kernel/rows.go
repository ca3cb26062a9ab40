package kernel

// This file computes what goes row by row: functions of elements, softmax and LayerNorm.

import (
	"errors"
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// rowWork is the elements of a tile, well below 100 µs.
const rowWork = 32 << 10

// rowFunctions lists the entries of this file.
func rowFunctions(t Tier) []*Entry {
	f := tile.RowsOf(t)
	return []*Entry{
		mapEntry("Exp", f.Exp), mapEntry("Tanh", f.Tanh), mapEntry("Erf", f.Erf), mapEntry("Sigmoid", f.Sigmoid),
		softmaxEntry(f), layerNormEntry(f),
	}
}

// sameShape is the shape of an operation whose result is like its first operand.
func sameShape(s *Sig) ([][]int64, error) {
	if len(s.In) == 0 || s.In[0].Absent {
		return nil, errors.New("the operand is missing")
	}
	return [][]int64{s.In[0].Dims}, nil
}

func elementCost(s *Sig) float64 { return 100 + 0.3*float64(s.Out[0].Len()) }

func mapEntry(op string, f func(x, y []float32)) *Entry {
	return &Entry{Op: isa.Lookup("", op), Name: op + ".f32.rows", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool { return allPlain(s, tensor.Float32) },
		Split: func(s *Sig) Grid { return Grid{int((s.Out[0].Len() + rowWork - 1) / rowWork)} },
		Run: func(c *Call, _, i int) {
			x, y := floats(c.In[0]), floats(c.Out[0])
			lo, hi := i*rowWork, min((i+1)*rowWork, len(x))
			f(x[lo:hi], y[lo:hi])
		}}
}

// axisOf gives an axis from 0 on, or -1 for one that is not there.
func axisOf(s *Sig, def int64) int {
	a, rank := s.Inst.Int("axis", def), int64(len(s.In[0].Dims))
	if a < 0 {
		a += rank
	}
	if a < 0 || a >= rank {
		return -1
	}
	return int(a)
}

// rowsFrom gives the number of rows and their length when the axes from axis on are one.
func rowsFrom(dims []int64, axis int) (rows, length int) {
	rows, length = 1, 1
	for i, d := range dims {
		if i < axis {
			rows *= int(d)
		} else {
			length *= int(d)
		}
	}
	return rows, length
}

// A cutRows is a cut of rows into tiles.
type cutRows struct{ rows, length, perTile int }

func cut(rows, length int) cutRows { return cutRows{rows, length, max(1, rowWork/max(length, 1))} }

func (c cutRows) grid() Grid {
	if c.length == 0 {
		return Grid{}
	}
	return Grid{(c.rows + c.perTile - 1) / c.perTile}
}

// each calls f with where each row of a tile begins.
func (c cutRows) each(i int, f func(at int)) {
	for r := i * c.perTile; r < min((i+1)*c.perTile, c.rows); r++ {
		f(r * c.length)
	}
}

func softmaxEntry(f tile.Rows) *Entry {
	last := func(s *Sig) cutRows { return cut(rowsFrom(s.In[0].Dims, len(s.In[0].Dims)-1)) }
	return &Entry{Op: isa.Lookup("", "Softmax"), Name: "Softmax.f32.rows", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			return allPlain(s, tensor.Float32) && len(s.In[0].Dims) > 0 && axisOf(s, -1) == len(s.In[0].Dims)-1
		},
		Split:   func(s *Sig) Grid { return last(s).grid() },
		Prepare: func(s *Sig) any { return last(s) },
		Run: func(c *Call, _, i int) {
			n := c.State.(cutRows)
			n.each(i, func(at int) {
				x, y := floats(c.In[0])[at:at+n.length], floats(c.Out[0])[at:at+n.length]
				f.Divide(y, y, f.ExpSum(x, y, f.Max(x)))
			})
		}}
}

// layerNormEntry computes LayerNormalization with its first result alone. Mean and variance are
// those of the whole row, the variance of the differences from the mean.
func layerNormEntry(f tile.Rows) *Entry {
	whole := func(s *Sig) cutRows { return cut(rowsFrom(s.In[0].Dims, axisOf(s, -1))) }
	return &Entry{Op: isa.Lookup("", "LayerNormalization"), Name: "LayerNormalization.f32.rows", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			axis := axisOf(s, -1)
			if !allPlain(s, tensor.Float32) || axis < 0 || len(s.In) < 2 || s.In[1].Absent {
				return false
			}
			for _, o := range s.Out[1:] {
				if !o.Absent {
					return false
				}
			}
			norm := s.In[0].Dims[axis:]
			return sameDims(s.In[1].Dims, norm) && (s.Opt(2).Absent || sameDims(s.In[2].Dims, norm))
		},
		Split:   func(s *Sig) Grid { return whole(s).grid() },
		Prepare: func(s *Sig) any { return whole(s) },
		Run: func(c *Call, _, i int) {
			n := c.State.(cutRows)
			scale := floats(c.In[1])
			var shift []float32
			if !c.Sig.Opt(2).Absent {
				shift = floats(c.In[2])
			}
			eps := c.Sig.Inst.Float("epsilon", 1e-5)
			n.each(i, func(at int) {
				x, y := floats(c.In[0])[at:at+n.length], floats(c.Out[0])[at:at+n.length]
				mean := f.Sum(x) / float32(n.length)
				variance := f.SumSquares(x, mean) / float32(n.length)
				f.Normalize(x, y, mean, float32(1/math.Sqrt(float64(variance)+eps)))
				for k := range y {
					y[k] = float32(y[k] * scale[k])
				}
				for k := range shift {
					y[k] += shift[k]
				}
			})
		}}
}
