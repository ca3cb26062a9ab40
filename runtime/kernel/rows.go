package kernel

// This file computes what goes row by row: softmax and norms.
//
// Each function of a row reads it two or three times: for the extreme or the mean, for the sum,
// and to write. A row is therefore the unit of a tile, and stays in the cache; long rows are read
// in parts (part.go), between which the run may end, whose results are joined in a fixed order.

import (
	"math"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// rowFunctions lists the entries of this file.
func rowFunctions(t Tier) []*Entry {
	f := tile.RowsOf(t)
	return []*Entry{
		softmaxEntry(f, "Softmax", false), softmaxEntry(f, "LogSoftmax", true), layerNormEntry(f, "LayerNormalization", true),
		layerNormEntry(f, "RMSNormalization", false),
		batchNormEntry(f), groupNormEntry(f, "InstanceNormalization"), groupNormEntry(f, "GroupNormalization"), responseEntry(),
	}
}

// axisOf gives an axis from 0 on, or -1 for one that is not there. Negative axes count from the
// end. def is the operator's default.
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

// A cutRows is a cut of rows into tiles. length is in elements, perTile in rows.
type cutRows struct {
	rows, length, perTile int
	eps                   float64
}

func cut(rows, length int) cutRows {
	return cutRows{rows: rows, length: length, perTile: max(1, rowWork/max(length, 1))}
}

func (c cutRows) grid() Grid {
	if c.length == 0 {
		return Grid{}
	}
	return Grid{Tiles: (c.rows + c.perTile - 1) / c.perTile}
}

// each calls f with where each row of a tile begins.
func (c cutRows) each(i int, f func(at int)) {
	for r := i * c.perTile; r < min((i+1)*c.perTile, c.rows); r++ {
		f(r * c.length)
	}
}

// A softmax is along an axis: rows of length elements that lie at the step inner. A row along an
// inner axis has stride inner; it is gathered to scratch memory, computed there and scattered
// back, since the vector functions need elements side by side.
type softmax struct {
	rows, length, inner int
	perTile             int
}

// softmaxEntry computes Softmax, or its logarithm.
func softmaxEntry(f tile.Rows, name string, log bool) *Entry {
	plan := func(s *Sig) *softmax {
		axis := axisOf(s, -1)
		p := &softmax{rows: 1, length: int(s.In[0].Dims[axis]), inner: 1}
		for i, d := range s.In[0].Dims {
			switch {
			case i < axis:
				p.rows *= int(d)
			case i > axis:
				p.inner *= int(d)
			}
		}
		p.rows *= p.inner
		p.perTile = max(1, rowWork/max(p.length, 1))
		return p
	}
	return &Entry{Op: isa.Lookup("", name), Name: name + ".f32.rows", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			return allPlain(s, tensor.Float32) && len(s.In[0].Dims) > 0 && axisOf(s, -1) >= 0
		},
		Scratch: func(s *Sig) int64 {
			if p := plan(s); p.inner > 1 {
				return 4 * int64(p.length)
			}
			return 0
		},
		Split: func(s *Sig) Grid {
			p := plan(s)
			if p.length == 0 {
				return Grid{}
			}
			return Grid{Tiles: (p.rows + p.perTile - 1) / p.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, worker, index int) {
			p := c.State.(*softmax)
			x, y := floats(c.In[0]), floats(c.Out[0])
			for r := index * p.perTile; r < min((index+1)*p.perTile, p.rows); r++ {
				if p.inner == 1 {
					p.row(c, f, x[r*p.length:(r+1)*p.length], y[r*p.length:(r+1)*p.length], log)
					continue
				}
				base := r/p.inner*p.length*p.inner + r%p.inner
				line := floats(c.Scratch[worker])[:p.length]
				c.parts(len(line), func(from, to int) {
					for k := from; k < to; k++ {
						line[k] = x[base+k*p.inner]
					}
				})
				p.row(c, f, line, line, log)
				c.parts(len(line), func(from, to int) {
					for k := from; k < to; k++ {
						y[base+k*p.inner] = line[k]
					}
				})
			}
		}}
}

// row computes one row; y may be x. Softmax is e^(x-m)/Σe^(x-m) with m the largest element, which
// cannot overflow and has at least one term of 1, so the sum is never zero. The logarithm is x -
// m - log Σe^(x-m); its sum is kept in float64, and the exponentials themselves are not needed
// and go to a buffer.
func (p *softmax) row(c *Call, f tile.Rows, x, y []float32, log bool) {
	most := c.join(len(x), tile.Max, func(from, to int) float32 { return f.Max(x[from:to]) })
	if !log {
		sum := c.join(len(x), tile.Add, func(from, to int) float32 { return f.ExpSum(x[from:to], y[from:to], most) })
		c.parts(len(x), func(from, to int) { f.Divide(y[from:to], y[from:to], sum) })
		return
	}
	var buf [512]float32
	sum := 0.0
	c.parts(len(x), func(from, to int) {
		for k := from; k < to; k += len(buf) {
			part := x[k:min(k+len(buf), to)]
			sum += float64(f.ExpSum(part, buf[:len(part)], most))
		}
	})
	off := float32(math.Log(sum))
	c.parts(len(x), func(from, to int) {
		f.Right(tile.Sub, x[from:to], most, y[from:to])
		f.Right(tile.Sub, y[from:to], off, y[from:to])
	})
}

// moments gives the mean of a row, 0 where it is not centred, and the mean of the squares of the
// differences from it. The variance is computed in a second pass from the differences: the
// formula E[x²] - E[x]² loses all digits when the mean is large against the deviation.
func (c *Call) moments(f tile.Rows, x []float32, centred bool) (mean, variance float32) {
	if centred {
		mean = c.join(len(x), tile.Add, func(from, to int) float32 { return f.Sum(x[from:to]) }) / float32(len(x))
	}
	sum := c.join(len(x), tile.Add, func(from, to int) float32 { return f.SumSquares(x[from:to], mean) })
	return mean, sum / float32(len(x))
}

// firstAlone reports whether only the first result is wanted.
func firstAlone(s *Sig) bool {
	for _, o := range s.Out[1:] {
		if !o.Absent {
			return false
		}
	}
	return true
}

// layerNormEntry computes LayerNormalization and RMSNormalization with the first result alone. Mean and
// variance are those of the whole row, the variance of the differences from the mean. ONNX's axis
// says from where on axes are normalised together; scale and shift must have exactly their sizes
// (broadcast ones are left to the reference). The results Mean and InvStdDev are for training,
// and with them the entry does not match.
func layerNormEntry(f tile.Rows, name string, centred bool) *Entry {
	whole := func(s *Sig) cutRows { return cut(rowsFrom(s.In[0].Dims, axisOf(s, -1))) }
	return &Entry{Op: isa.Lookup("", name), Name: name + ".f32.rows", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			axis := axisOf(s, -1)
			if !allPlain(s, tensor.Float32) || axis < 0 || len(s.In) < 2 || s.In[1].Absent || !firstAlone(s) {
				return false
			}
			norm := s.In[0].Dims[axis:]
			return sameDims(s.In[1].Dims, norm) && (s.Opt(2).Absent || sameDims(s.In[2].Dims, norm))
		},
		Split: func(s *Sig) Grid { return whole(s).grid() },
		Prepare: func(s *Sig) any {
			n := whole(s)
			n.eps = s.Inst.Float("epsilon", 1e-5)
			return &n
		},
		Run: func(c *Call, _, i int) {
			n := c.State.(*cutRows)
			scale := floats(c.In[1])
			var shift []float32
			if !c.Sig.Opt(2).Absent {
				shift = floats(c.In[2])
			}
			n.each(i, func(at int) {
				x, y := floats(c.In[0])[at:at+n.length], floats(c.Out[0])[at:at+n.length]
				mean, variance := c.moments(f, x, centred)
				if outOfRange(variance, n.eps) {
					mean, inv := c.widely(x, centred, n.eps)
					c.parts(len(x), func(from, to int) {
						for k := from; k < to; k++ {
							z := (float64(x[k]) - mean) * inv * float64(scale[k])
							if shift != nil {
								z += float64(shift[k])
							}
							y[k] = float32(z)
						}
					})
					return
				}
				inv := float32(1 / math.Sqrt(float64(variance)+n.eps))
				c.parts(len(x), func(from, to int) {
					var off []float32
					if shift != nil {
						off = shift[from:to]
					}
					f.NormalizeAffine(x[from:to], y[from:to], mean, inv, scale[from:to], off)
				})
			})
		}}
}

// outOfRange reports whether squares were too large for f32, or so small that digits are lost: such rows are
// computed in f64. The comparison is negated so that NaN is out of range as well.
func outOfRange(variance float32, eps float64) bool {
	return !(variance <= math.MaxFloat32) || variance < leastSquare && float64(variance)+eps < leastSquare
}

// leastSquare is the least sum of squares of f32 in which their digits are.
const leastSquare = 1e-28

// widely gives, of a row, the mean (0 where it is not centred) and the inverse of the deviation from it, in f64.
func (c *Call) widely(x []float32, centred bool, eps float64) (mean, inv float64) {
	if centred {
		c.parts(len(x), func(from, to int) {
			for _, v := range x[from:to] {
				mean += float64(v)
			}
		})
		mean /= float64(len(x))
	}
	sum := 0.0
	c.parts(len(x), func(from, to int) {
		for _, v := range x[from:to] {
			sum += (float64(v) - mean) * (float64(v) - mean)
		}
	})
	return mean, 1 / math.Sqrt(sum/float64(len(x))+eps)
}

// A channels is a walk over the channels of images: planes of inner elements. planes is batch
// times count; inner is the elements of a plane.
type channels struct {
	planes, count, inner int
	perTile              int
	eps                  float64
	group                int // channels that are normalised together
}

// channelsOf reads a tensor as planes of channels, whose parameters are those of axis 1.
func channelsOf(s *Sig) *channels {
	d := s.In[0].Dims
	p := &channels{planes: int(d[0] * d[1]), count: int(d[1]), inner: 1, eps: s.Inst.Float("epsilon", 1e-5), group: 1}
	for _, n := range d[2:] {
		p.inner *= int(n)
	}
	return p
}

// perChannel reports whether the operands from 1 on are vectors of the channels. Images without
// elements are refused, as a mean of nothing is not defined.
func perChannel(s *Sig, operands int) bool {
	if !allPlain(s, tensor.Float32) || len(s.In) < operands || len(s.In[0].Dims) < 2 || s.Out[0].Len() == 0 {
		return false
	}
	for i := 1; i < operands; i++ {
		if s.In[i].Absent || !sameDims(s.In[i].Dims, s.In[0].Dims[1:2]) {
			return false
		}
	}
	return true
}

// batchNormEntry computes BatchNormalization outside of training. y = x·a + b with a =
// scale/√(var + ε) and b = shift - mean·a, in float64 and rounded once: two operations for each
// element instead of four.
func batchNormEntry(f tile.Rows) *Entry {
	plan := func(s *Sig) *channels {
		p := channelsOf(s)
		p.perTile = max(1, rowWork/max(p.inner, 1))
		return p
	}
	return &Entry{Op: isa.Lookup("", "BatchNormalization"), Name: "BatchNormalization.f32.planes", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool { return perChannel(s, 5) && s.Inst.Int("training_mode", 0) == 0 && firstAlone(s) },
		Split: func(s *Sig) Grid {
			p := plan(s)
			return Grid{Tiles: (p.planes + p.perTile - 1) / p.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, index int) {
			p := c.State.(*channels)
			scale, shift, mean, variance := floats(c.In[1]), floats(c.In[2]), floats(c.In[3]), floats(c.In[4])
			for g := index * p.perTile; g < min((index+1)*p.perTile, p.planes); g++ {
				k := g % p.count
				a := float64(scale[k]) / math.Sqrt(float64(variance[k])+p.eps)
				b := float64(shift[k]) - float64(mean[k])*a
				x, y := floats(c.In[0])[g*p.inner:(g+1)*p.inner], floats(c.Out[0])[g*p.inner:(g+1)*p.inner]
				c.parts(p.inner, func(from, to int) { f.One(tile.Affine, x[from:to], y[from:to], float32(a), float32(b)) })
			}
		}}
}

// groupNormEntry computes InstanceNormalization and GroupNormalization. A group is
// count/num_groups neighbouring channels, whose planes lie side by side in memory: mean and
// variance are those of the whole group, scale and shift those of each channel. Instance
// normalisation has groups of one channel. A number of groups that does not divide the channels
// is refused, and the reference reports it.
func groupNormEntry(f tile.Rows, name string) *Entry {
	plan := func(s *Sig) *channels {
		p := channelsOf(s)
		if name == "GroupNormalization" {
			groups := s.Inst.Int("num_groups", 0)
			if groups < 1 || int64(p.count)%groups != 0 {
				return nil
			}
			p.group = p.count / int(groups)
		}
		p.perTile = max(1, rowWork/max(p.inner*p.group, 1))
		return p
	}
	return &Entry{Op: isa.Lookup("", name), Name: name + ".f32.planes", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool { return perChannel(s, 3) && plan(s) != nil },
		Split: func(s *Sig) Grid {
			p := plan(s)
			return Grid{Tiles: (p.planes/p.group + p.perTile - 1) / p.perTile}
		},
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, index int) {
			p := c.State.(*channels)
			scale, shift := floats(c.In[1]), floats(c.In[2])
			size := p.inner * p.group
			for g := index * p.perTile; g < min((index+1)*p.perTile, p.planes/p.group); g++ {
				x, y := floats(c.In[0])[g*size:(g+1)*size], floats(c.Out[0])[g*size:(g+1)*size]
				mean, variance := c.moments(f, x, true)
				if outOfRange(variance, p.eps) {
					mean, inv := c.widely(x, true, p.eps)
					c.parts(len(x), func(from, to int) {
						for k := from; k < to; k++ {
							ch := (g*p.group + k/p.inner) % p.count
							y[k] = float32((float64(x[k])-mean)*inv*float64(scale[ch]) + float64(shift[ch]))
						}
					})
					continue
				}
				inv := 1 / math.Sqrt(float64(variance)+p.eps)
				for k, pace := 0, c.pace(); k < p.group && !pace.over(p.inner); k++ {
					ch := (g*p.group + k) % p.count
					x, y := x[k*p.inner:(k+1)*p.inner], y[k*p.inner:(k+1)*p.inner]
					c.parts(p.inner, func(from, to int) {
						part := y[from:to]
						f.Normalize(x[from:to], part, mean, float32(inv*float64(scale[ch])))
						f.Right(tile.Add, part, shift[ch], part)
					})
				}
			}
		}}
}

// responsePart is the most places that LRN computes at a time.
const responsePart = 256

// A responding is LRN at its sizes: planes of channels, whose places are cut into parts. scale is
// alpha/size and shift the operator's bias.
type responding struct {
	count, inner       int
	before, behind     int // channels of a window
	part, parts        int // places of a tile, tiles of an image
	scale, beta, shift float64
}

// responseEntry computes LRN, in f64: each element is divided by a power of the sum of squares of
// the channels around it. The operator is y[c] = x[c]/(bias + alpha/size·Σx[j]²)^beta over
// channels j from c - ⌊(size-1)/2⌋ to c + ⌈(size-1)/2⌉ that are there. The sums of a part of the
// places are made anew for each channel; a running sum would be faster for wide windows, but
// subtracts what it has added and loses digits.
func responseEntry() *Entry {
	plan := func(s *Sig) *responding {
		p := channelsOf(s)
		size := s.Inst.Int("size", 1)
		around := min(size-1, 1<<31)
		r := &responding{count: p.count, inner: p.inner, before: int(around / 2), behind: int((around + 1) / 2),
			beta: s.Inst.Float("beta", 0.75), shift: s.Inst.Float("bias", 1)}
		r.scale = s.Inst.Float("alpha", 1e-4) / float64(size)
		r.part = min(responsePart, max(16, rowWork/8/max(r.count, 1)), max(r.inner, 1))
		r.parts = (r.inner + r.part - 1) / r.part
		return r
	}
	return &Entry{Op: isa.Lookup("", "LRN"), Name: "LRN.f32.planes", Shape: sameShape, Cost: elementCost,
		Match: func(s *Sig) bool {
			return allPlain(s, tensor.Float32) && len(s.In[0].Dims) >= 2 && s.Inst.Int("size", 1) >= 1 && (len(s.Out) < 2 || s.Out[1].Absent)
		},
		Split:   func(s *Sig) Grid { p := plan(s); return Grid{Tiles: int(s.In[0].Dims[0]) * p.parts} },
		Prepare: func(s *Sig) any { return plan(s) },
		Run: func(c *Call, _, index int) {
			p := c.State.(*responding)
			image := index / p.parts * p.count * p.inner
			first := index % p.parts * p.part
			n := min(p.part, p.inner-first)
			var sums [responsePart]float64
			pace := c.pace()
			for k := range p.count {
				clear(sums[:n])
				for j := max(k-p.before, 0); j <= min(k+p.behind, p.count-1); j++ {
					if pace.over(n) {
						return
					}
					for i, v := range floats(c.In[0])[image+j*p.inner+first:][:n] {
						sums[i] += float64(v) * float64(v)
					}
				}
				at := image + k*p.inner + first
				y := floats(c.Out[0])[at:][:n]
				for i, v := range floats(c.In[0])[at:][:n] {
					y[i] = float32(float64(v) / power(p.shift+p.scale*sums[i], p.beta))
				}
			}
		}}
}

// power is x to the power of y; three quarters, which most have, are two roots.
func power(x, y float64) float64 {
	if y == 0.75 {
		root := math.Sqrt(x)
		return root * math.Sqrt(root)
	}
	return math.Pow(x, y)
}
