package kernel

// This file makes logarithms of sums of exponentials of f32.

import (
	"math"

	"shapecheck/runtime/kernel/tile"
)

// logSumExpEntry computes ReduceLogSumExp: the largest element is taken away first, and added to the logarithm.
func logSumExpEntry(f tile.Rows) *Entry {
	most, sum := folds["ReduceMax"], fold{join: tile.Add}
	e := foldEntry(f, "ReduceLogSumExp", fold{}, []int{1}, reducedAxes, keepsDims)
	e.Cost = func(s *Sig) float64 { return 200 + float64(s.In[0].Len()) }
	e.Run = func(c *Call, _, i int) {
		p := c.State.(*reducing)
		x, y := floats(c.In[0]), floats(c.Out[0])
		var buf [512]float32
		if p.columns {
			less := &buf
			for it := p.results.begin(i); it.next(); {
				for j := 0; j < it.n; j += len(less) {
					n := min(len(less), it.n-j)
					from, out := x[it.at[0]+j:], y[it.y+j:it.y+j+n]
					p.column(c, f, most, from, less[:n], nil)
					for k, v := range less[:n] {
						less[k] = finite(v)
					}
					p.column(c, f, sum, from, out, less[:n])
					for k, v := range out {
						out[k] = float32(math.Log(float64(v)) + float64(less[k]))
					}
				}
			}
			return
		}
		first, end := i*p.perTile, min((i+1)*p.perTile, p.results.rows*p.length)
		if p.line() && p.n <= shortSum {
			p.shortLogSumExp(f, x, y, first, end)
			return
		}
		for r := first; r < end; r++ {
			own := x[p.place(r):]
			less := finite(p.row(c, f, most, own))
			y[r] = float32(math.Log(p.expSum(c, f, own, less, buf[:])) + float64(less))
		}
	}
	return e
}

// shortSum is the most elements of rows that cost more in calls than in elements.
const shortSum = 32

// shortLogSumExp computes results of short rows, many of them in one call.
func (p *reducing) shortLogSumExp(f tile.Rows, x, y []float32, first, end int) {
	var buf, less [512]float32
	for step := len(buf) / p.n; first < end; first += step {
		rows := min(step, end-first)
		for k := range rows {
			own := x[p.place(first+k):][:p.n]
			most := own[0]
			for _, v := range own {
				most = max(most, v)
			}
			less[k] = finite(most)
			to := buf[k*p.n:][:p.n]
			for j, v := range own {
				to[j] = v - less[k]
			}
		}
		f.Exp(buf[:rows*p.n], buf[:rows*p.n])
		for k := range rows {
			sum := 0.0
			for _, v := range buf[k*p.n:][:p.n] {
				sum += float64(v)
			}
			y[first+k] = float32(math.Log(sum) + float64(less[k]))
		}
	}
}

// expSum adds up the exponentials of what the elements of the result whose elements begin at x are above less, in pieces
// as long as buf.
func (p *reducing) expSum(c *Call, f tile.Rows, x []float32, less float32, buf []float32) float64 {
	sum, pace := 0.0, c.pace()
	if p.line() {
		for k := 0; k < p.n && !pace.over(len(buf)); k += len(buf) {
			part := x[k:min(k+len(buf), p.n)]
			sum += float64(f.ExpSum(part, buf[:len(part)], less))
		}
		return sum
	}
	step := p.inner.unit[0]
	for t := range p.inner.grid().Tiles {
		for it := p.inner.begin(t); it.next(); {
			for k := 0; k < it.n && !pace.over(len(buf)); k += len(buf) {
				part := buf[:min(len(buf), it.n-k)]
				from := x[it.at[0]+k*step:]
				if step == 1 {
					from = from[:len(part)]
				} else {
					for j := range part {
						part[j] = from[j*step]
					}
					from = part
				}
				sum += float64(f.ExpSum(from, part, less))
			}
		}
	}
	return sum
}
