package kernel

// This file reduces axes of elements of all types that Go has, and makes products and logarithms of sums.
//
// The common reductions of f32 have kernels of vector instructions elsewhere; these here are
// generic and are written for exact agreement with the reference evaluator. The order of the
// additions is the reference's, one after another in the order of memory: a pairwise sum would be
// more precise and other bits.

import (
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// A folding is how an element joins those before it. The kinds are a closed list instead of
// functions, so that the compiler can put the two most common ones inline in the loops.
type folding int

const (
	foldSum folding = iota
	foldProduct
	foldLargest
	foldSmallest
	foldSquares
	foldAbs
	foldExp // of what is above the largest element
)

// A numberFold is a reduction of elements of type T that are joined in A. T is what is stored and
// A what is summed up in: products of f32 are accumulated in f64.
type numberFold[T, A number] struct {
	name  string
	how   folding
	start A
	last  func(v A, n int) A // nil: nothing
}

// foldRow joins the elements of a row with those before it; less is what foldExp takes away. The
// elements are step apart; n is their number.
func foldRow[T, A number](how folding, acc A, x []T, step, n int, less A) A {
	if step == 1 {
		x = x[:n]
	}
	switch {
	case how == foldSum && step == 1:
		for _, v := range x {
			acc += A(v)
		}
		return acc
	case how == foldProduct && step == 1:
		for _, v := range x {
			acc *= A(v)
		}
		return acc
	}
	for k, at := 0, 0; k < n; k, at = k+1, at+step {
		acc = join(how, acc, A(x[at]), less)
	}
	return acc
}

// foldColumns joins each element of a row with those before it of its column. less is read by
// foldExp alone.
func foldColumns[T, A number](how folding, acc []A, x []T, less []A) {
	x = x[:len(acc)]
	switch how {
	case foldSum:
		for k, v := range x {
			acc[k] += A(v)
		}
	case foldProduct:
		for k, v := range x {
			acc[k] *= A(v)
		}
	case foldExp:
		for k, v := range x {
			acc[k] = join(how, acc[k], A(v), less[k])
		}
	default:
		for k, v := range x {
			acc[k] = join(how, acc[k], A(v), 0)
		}
	}
}

// join adds one element to a reduction. The last kind is log-sum-exp, where less is the largest
// element. max and min of Go give NaN if either operand is NaN, which is what the reference does.
func join[A number](how folding, acc, v, less A) A {
	switch how {
	case foldSum:
		return acc + v
	case foldProduct:
		return acc * v
	case foldLargest:
		return max(acc, v)
	case foldSmallest:
		return min(acc, v)
	case foldSquares:
		return acc + v*v
	case foldAbs:
		if v < 0 {
			v = -v
		}
		return acc + v
	}
	return acc + A(math.Exp(float64(v-less)))
}

// folded lists the reductions of a type that are the same for integers and f64; low and high are
// its bounds. The start of a maximum is the lowest value of the type, and so the result for an
// axis with no element; entries ask for at least one element though.
func folded[T number](low, high T) []*Entry {
	var out []*Entry
	for _, f := range []numberFold[T, T]{{"ReduceSum", foldSum, 0, nil}, {"ReduceProd", foldProduct, 1, nil},
		{"ReduceMax", foldLargest, low, nil},
		{"ReduceMin", foldSmallest, high, nil}, {"ReduceSumSquare", foldSquares, 0, nil}, {"ReduceL1", foldAbs, 0, nil}} {
		out = append(out, f.entry(typed[T]()))
	}
	return out
}

// sqrtLast, logLast and meanLast make results of the sums, over n elements.
func sqrtLast(v float64, _ int) float64 { return math.Sqrt(v) }
func logLast(v float64, _ int) float64  { return math.Log(v) }
func meanLast(v float64, n int) float64 { return v / float64(n) }

// foldings lists the reductions of other elements than those of f32, and those of f32 that are
// computed in f64. Bools are reduced as bytes of 0 and 1, for which the largest is "any" and the
// smallest "all".
func foldings() []*Entry {
	var out []*Entry
	for _, list := range [][]*Entry{folded(math.Inf(-1), math.Inf(1)), folded[int64](math.MinInt64, math.MaxInt64),
		folded[int32](math.MinInt32, math.MaxInt32),
		folded[uint64](0, math.MaxUint64), folded[uint32](0, math.MaxUint32)} {
		out = append(out, list...)
	}
	for _, f := range []numberFold[float64, float64]{{"ReduceMean", foldSum, 0, meanLast}, {"ReduceL2", foldSquares, 0, sqrtLast},
		{"ReduceLogSum", foldSum, 0, logLast},
		{"ReduceLogSumExp", foldExp, 0, logLast}} {
		out = append(out, f.entry(tensor.Float64))
	}
	for _, f := range []numberFold[float32, float64]{{"ReduceProd", foldProduct, 1, nil}, {"ReduceLogSum", foldSum, 0, logLast}} {
		out = append(out, f.entry(tensor.Float32))
	}
	for _, d := range []tensor.DType{tensor.Uint8, tensor.Bool} {
		for _, f := range []numberFold[uint8, uint8]{{"ReduceMax", foldLargest, 0, nil}, {"ReduceMin", foldSmallest, math.MaxUint8, nil}} {
			out = append(out, f.entry(d))
		}
	}
	for _, f := range []numberFold[int8, int8]{{"ReduceMax", foldLargest, math.MinInt8, nil}, {"ReduceMin", foldSmallest, math.MaxInt8, nil}} {
		out = append(out, f.entry(tensor.Int8))
	}
	return out
}

// entry reduces elements of a type, in the reference's order. Results whose elements lie side by
// side in memory go through columns, others through overRows. Log-sum-exp needs two passes over
// its elements: the first finds the largest, which is subtracted in the second so that no
// exponential overflows: log Σ exp(x) = m + log Σ exp(x - m).
func (r numberFold[T, A]) entry(d tensor.DType) *Entry {
	plan := func(s *Sig) *reducing {
		red, _ := reducedAxes(s) // shape has seen that there is no error
		p := planReduce(s.In[0].Dims, red)
		if r.how == foldExp { // takes four times as long
			p.perTile = max(1, p.perTile/4)
			p.results.cut(max(rowWork/4/max(p.n, 1), 64))
		}
		return p
	}
	size := int64(typed[A]().Bits() / 8)
	return &Entry{Op: isa.Lookup("", r.name), Name: r.name + "." + d.String(), Values: []int{1},
		Cost:  func(s *Sig) float64 { return 200 + float64(s.In[0].Len()) },
		Shape: reducedShape(reducedAxes, keepsDims),
		Match: func(s *Sig) bool {
			return s.In[0].DType == d && s.Out[0].DType == d && s.In[0].Len() > 0
		},
		Scratch: func(s *Sig) int64 {
			if p := plan(s); p.columns {
				return 2 * size * int64(p.results.piece)
			}
			return 0
		},
		Split:   func(s *Sig) Grid { return plan(s).grid() },
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, worker, tile int) {
			p := c.State.(*reducing)
			x, y := elems[T](c.In[0]), elems[T](c.Out[0])
			if p.columns {
				r.columns(c, p, x, y, elems[A](c.Scratch[worker]), tile)
				return
			}
			for k := tile * p.perTile; k < min((tile+1)*p.perTile, p.results.rows*p.length); k++ {
				own := x[p.place(k):]
				less := A(0)
				if r.how == foldExp {
					less = finite(overRows(c, p, foldLargest, A(own[0]), own, 0))
				}
				y[k] = T(r.end(overRows(c, p, r.how, r.start, own, less), less, p.n))
			}
		}}
}

// overRows joins the elements of a result. Long rows are cut into parts, between which the call
// looks whether the run was cancelled; it returns early then, and the result is not used.
func overRows[T, A number](c *Call, p *reducing, how folding, acc A, x []T, less A) A {
	step, pace := p.inner.unit[0], c.pace()
	for t := range p.inner.grid().Tiles {
		for it := p.inner.begin(t); it.next(); {
			if it.n <= rowPart {
				acc = foldRow(how, acc, x[it.at[0]:], step, it.n, less)
			} else if row := x[it.at[0]:]; !c.parts(it.n, func(from, to int) { acc = foldRow(how, acc, row[from*step:], step, to-from, less) }) {
				return acc
			}
			if pace.over(it.n) {
				return acc
			}
		}
	}
	return acc
}

// columns joins rows of elements whose results lie side by side. own is the worker's scratch
// memory: two arrays, of results and of what is subtracted.
func (r numberFold[T, A]) columns(c *Call, p *reducing, x, y []T, own []A, tile int) {
	for it := p.results.begin(tile); it.next(); {
		n, from := it.n, it.at[0]
		acc, less := own[:n], own[p.results.piece:][:n]
		clear(less)
		if r.how == foldExp {
			for k := range less {
				less[k] = A(x[from+k])
			}
			overColumns(c, p, foldLargest, less, x[from:], nil)
			for k, v := range less {
				less[k] = finite(v)
			}
		}
		for k := range acc {
			acc[k] = r.start
		}
		overColumns(c, p, r.how, acc, x[from:], less)
		for k, v := range acc {
			y[it.y+k] = T(r.end(v, less[k], p.n))
		}
	}
}

// overColumns folds rows into an array of results: elements lie side by side along the axis that stays.
func overColumns[T, A number](c *Call, p *reducing, how folding, acc []A, x []T, less []A) {
	pace := c.pace()
	for t := range p.inner.grid().Tiles {
		for it := p.inner.begin(t); it.next(); {
			for k := range it.n {
				if pace.over(len(acc) + callSteps) {
					return
				}
				foldColumns(how, acc, x[it.at[0]+k*p.inner.unit[0]:], less)
			}
		}
	}
}

// end makes the result of n elements. less is 0 but for log-sum-exp, to whose logarithm the
// largest element is added again.
func (r numberFold[T, A]) end(v, less A, n int) A {
	if r.last != nil {
		v = r.last(v, n)
	}
	return v + less
}

// finite is 0 instead of an infinity, which nothing is above or below of by a number. Without it
// inf - inf would be NaN: a lane of nothing but -inf must give log 0 = -inf, one with inf must
// give inf.
func finite[A number](v A) A {
	if math.IsInf(float64(v), 0) {
		return 0
	}
	return v
}
