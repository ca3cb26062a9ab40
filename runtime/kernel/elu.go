package kernel

// This file computes the exponential units of f32, alpha·(exp(x) - 1) below zero and x above, by row functions.

import (
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// An exponentialUnit is gamma·(max(x, 0) + alpha·(exp(by·min(x, 0)) - 1)).
type exponentialUnit struct {
	w                *walk
	alpha, gamma, by float32
}

// exponentialUnits lists the entries of this file. The defaults of attributes are ONNX's.
func exponentialUnits(t Tier) []*Entry {
	f := tile.RowsOf(t)
	var out []*Entry
	for name, numbers := range map[string]func(*isa.Instruction) (alpha, gamma, by float64){
		"Elu": func(i *isa.Instruction) (float64, float64, float64) { return i.Float("alpha", 1), 1, 1 },
		"Celu": func(i *isa.Instruction) (float64, float64, float64) {
			alpha := i.Float("alpha", 1)
			return alpha, 1, 1 / alpha
		},
		"Selu": func(i *isa.Instruction) (float64, float64, float64) {
			return i.Float("alpha", 1.67326319217681884765625), i.Float("gamma", 1.05070102214813232421875), 1
		},
	} {
		out = append(out, &Entry{Op: isa.Lookup("", name), Name: name + ".f32.rows", Shape: sameShape, Cost: elementCost, InPlace: always,
			Match: func(s *Sig) bool {
				_, _, by := numbers(s.Inst)
				return allPlain(s, tensor.Float32) && by > 0 && !math.IsInf(by, 0)
			},
			Scratch: func(*Sig) int64 { return 4 * rowWork },
			Split:   func(s *Sig) Grid { return flat(s).grid() },
			Prepare: func(s *Sig) any {
				alpha, gamma, by := numbers(s.Inst)
				return &exponentialUnit{flat(s), float32(alpha), float32(gamma), float32(by)}
			},
			Run: func(c *Call, worker, i int) {
				u := c.State.(*exponentialUnit)
				for it := u.w.begin(i); it.next(); {
					u.row(f, floats(c.In[0])[it.y:it.y+it.n], floats(c.Out[0])[it.y:it.y+it.n], floats(c.Scratch[worker])[:it.n])
				}
			}})
	}
	return out
}

// row writes the unit of x to y, which may be x.
func (u *exponentialUnit) row(f tile.Rows, x, y, below []float32) {
	inf := float32(math.Inf(1))
	f.One(tile.Clip, x, below, -inf, 0)
	f.Right(tile.Mul, below, u.by, below)
	f.Exp(below, below)
	f.One(tile.Affine, below, below, u.alpha*u.gamma, -u.alpha*u.gamma)
	f.One(tile.Clip, x, y, 0, inf)
	f.Right(tile.Mul, y, u.gamma, y)
	f.Two(tile.Add, y, below, y)
}
