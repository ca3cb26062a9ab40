package kernel

// This file pools images of one to three spatial axes: maxima and means of windows. Those of a volume are pooled in each slice, and then
// along them.

import (
	"errors"
	"fmt"
	"math"
	"unsafe"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// A pooling is MaxPool or AveragePool over one to three axes of space: a window in two is a kernel over planes
// that are laid out with their borders, and the third axis is a loop around it.
type pooling struct {
	t   Tier
	f   tile.Rows
	max bool
}

// A pooled is one signature.
type pooled struct {
	*plane
	d       window // along the slices of a volume
	volume  bool
	planes  int // of the result
	perTile int
	// counts has for each output the number of elements of its window; nil: all are the same.
	counts []float32
	same   float32
	narrow bool  // the image and the result are of bf16
	deep   []int // how many slices are counted for each of the result's
	// columns are those of maxima of bf16 that are found straight from the image; nil: there are none.
	columns []*tile.DepthColumns
	near    int // planes whose images and results are in the first cache together
}

// pools makes the entries. Positions of maxima (the second result of MaxPool) are left to the reference.
func pools(t Tier) []*Entry {
	var out []*Entry
	for _, name := range []string{"MaxPool", "AveragePool"} {
		k := pooling{t, tile.RowsOf(t), name == "MaxPool"}
		out = append(out, &Entry{Op: isa.Lookup("", name), Name: name + ".f32.planes", Shape: k.shape, Match: k.match,
			Cost:    func(s *Sig) float64 { return 300 + 0.3*float64(s.In[0].Len()) + float64(s.Out[0].Len()) },
			Scratch: func(s *Sig) int64 { return 4 * int64(k.mustPlan(s).memory()) },
			Split: func(s *Sig) Grid {
				p := k.mustPlan(s)
				return Grid{Tiles: (p.planes + p.perTile - 1) / p.perTile}
			},
			Prepare: func(s *Sig) any { return k.mustPlan(s) }, Run: k.run})
	}
	return out
}

// windowOf reads one spatial axis of a pool. out is (in + before + after - extent)/stride + 1,
// rounded down, or up in ceil mode unless the last window would begin behind the image and its
// padding in front. SAME paddings follow the sizes, with the odd element behind for SAME_UPPER.
// Errors: a kernel of other axes, numbers out of range, a kernel larger than the padded image.
func windowOf(s *Sig, axis, spatial int, in int64) (window, error) {
	kernel := s.Inst.Ints("kernel_shape")
	if len(kernel) != spatial {
		return window{}, errors.New("the kernel has not the image's axes")
	}
	d := window{in: int(in), kernel: int(kernel[axis]), stride: int(attrOr(s.Inst.Ints("strides"), axis, 1)),
		dilation: int(attrOr(s.Inst.Ints("dilations"), axis, 1)),
		before:   int(attrOr(s.Inst.Ints("pads"), axis, 0)), after: int(attrOr(s.Inst.Ints("pads"), spatial+axis, 0))}
	if d.kernel < 1 || d.stride < 1 || d.dilation < 1 || d.before < 0 || d.after < 0 ||
		max(d.kernel, d.dilation, d.stride, d.before, d.after) > isa.MaxTaps {
		return d, errors.New("a kernel, stride, dilation or padding is out of range")
	}
	extent := (d.kernel-1)*d.dilation + 1
	switch auto := s.Inst.Str("auto_pad", "NOTSET"); auto {
	case "NOTSET", "":
	case "VALID":
		d.before, d.after = 0, 0
	case "SAME_UPPER", "SAME_LOWER":
		out := (d.in + d.stride - 1) / d.stride
		total := max((out-1)*d.stride+extent-d.in, 0)
		d.before, d.after = total/2, total-total/2
		if auto == "SAME_LOWER" {
			d.before, d.after = d.after, d.before
		}
	default:
		return d, fmt.Errorf("the padding %s", auto)
	}
	room := d.in + d.before + d.after - extent
	if room < 0 {
		return d, fmt.Errorf("a kernel of %d in %d", extent, d.in+d.before+d.after)
	}
	d.out = room/d.stride + 1
	if s.Inst.Int("ceil_mode", 0) != 0 && room%d.stride != 0 && d.out*d.stride < d.in+d.before {
		d.out++
	}
	return d, nil
}

// plan reads window, strides and borders. A convolution has the same plane, so that borders are laid out by one
// piece of code. AveragePool divides by the number of elements that are no border, which count has made once,
// unless borders are to be counted. It gives the sizes of the result, or says why this kernel
// does not compute the signature.
func (k pooling) plan(s *Sig) ([]int64, *pooled, error) {
	if len(s.In) != 1 || s.In[0].Absent || len(s.In[0].Dims) < 3 || len(s.In[0].Dims) > 5 {
		return nil, nil, errors.New("an image of one to three axes is needed")
	}
	x := s.In[0].Dims
	spatial := len(x) - 2
	axes, out := [3]window{{1, 1, 1, 1, 1, 0, 0}, {1, 1, 1, 1, 1, 0, 0}}, []int64{x[0], x[1]}
	for i := range spatial {
		d, err := windowOf(s, i, spatial, x[2+i])
		if err != nil {
			return nil, nil, err
		}
		axes[3-spatial+i], out = d, append(out, int64(d.out))
	}
	d := axes[0]
	p, ok := newPlane(axes[1], axes[2])
	if !ok {
		return nil, nil, errors.New("the planes are large")
	}
	if d.kernel > 1<<12 {
		return nil, nil, errors.New("the kernel is large")
	}
	m := &pooled{plane: p, d: d, volume: spatial == 3, planes: int(x[0]*x[1]) * d.out,
		perTile: max(1, planeWork/max(d.kernel*p.n*(len(p.offs)+4), 1))}
	if m.narrow = s.In[0].narrow(); m.narrow && k.max {
		m.straight(k.t)
	}
	if !k.max {
		m.count(s.Inst.Int("count_include_pad", 0) != 0)
	}
	return out, m, nil
}

// straight looks whether maxima of bf16 are found straight from the image: of windows of 2 or 3 rows and columns and strides of 2.
func (m *pooled) straight(t Tier) {
	h, w := m.h, m.w
	if !tile.HasBF16(t) || m.volume || h.in == 0 || w.in == 0 || h.kernel != w.kernel || w.kernel < 2 || w.kernel > 3 ||
		h.stride != 2 || w.stride != 2 || h.dilation != 1 || w.dilation != 1 {
		return
	}
	for x := 0; x < w.out; x += tile.WovenColumns(w.stride) {
		m.columns = append(m.columns, tile.NewWovenColumns(min(tile.WovenColumns(w.stride), w.out-x), w.kernel, w.stride, x*w.stride-w.before,
			w.in))
	}
	m.near = max(1, 6*page/max(h.in*w.in+h.out*w.out, 1))
}

// largest finds the maxima of planes straight from the image.
func (m *pooled) largest(k pooling, c *Call, first, end int) {
	in, size := m.h.in*m.w.in, m.h.out*m.w.out
	for ; first < end; first += m.near {
		at := 0
		for _, columns := range m.columns {
			p := tile.Depth{X: unsafe.Pointer(&c.In[0][2*first*in]), Col: uintptr(2 * (at*m.w.stride - m.w.before)),
				RowX: uintptr(2 * m.w.in), PlaneX: uintptr(2 * in), Height: m.h.in, First: -m.h.before,
				Y: unsafe.Pointer(&c.Out[0][2*(first*size+at)]), RowY: uintptr(2 * m.w.out), PlaneY: uintptr(2 * size), Rows: m.h.out,
				Channels: min(m.near, end-first), Narrow: true, Largest: true}
			p.Run(k.t, columns)
			at += columns.N
		}
	}
}

// count counts the elements of windows, with those in the padding or without. The number of a
// window is the product of its numbers along the axes. If all are equal a single divisor is kept.
func (m *pooled) count(padding bool) {
	along := func(d window) []int {
		out := make([]int, d.out)
		for o := range out {
			for k := range d.kernel {
				at := o*d.stride + k*d.dilation - d.before
				if padding && at < d.in+d.after || !padding && at >= 0 && at < d.in {
					out[o]++
				}
			}
		}
		return out
	}
	ys, xs := along(m.h), along(m.w)
	m.deep = along(m.d)
	ask(4 * int64(len(ys)) * int64(len(xs)))
	all := make([]float32, 0, len(ys)*len(xs))
	same := true
	for _, y := range ys {
		for _, x := range xs {
			all = append(all, float32(y*x))
			same = same && all[len(all)-1] == all[0]
		}
	}
	if len(all) > 0 && same {
		m.same = all[0]
		return
	}
	m.counts, m.same = all, 1
}

// mustPlan is plan where shape has found no error.
func (k pooling) mustPlan(s *Sig) *pooled {
	_, p, _ := k.plan(s) // shape has seen that there is no error
	return p
}

func (k pooling) shape(s *Sig) ([][]int64, error) {
	out, _, err := k.plan(s)
	if err != nil {
		return nil, err
	}
	if k.max {
		return [][]int64{out, out}, nil
	}
	return [][]int64{out}, nil
}

// match takes float32, and half precision for maxima, which need no arithmetic.
func (k pooling) match(s *Sig) bool {
	if len(s.Out) > 1 && !s.Out[1].Absent { // places of maxima
		return false
	}
	narrow := k.max && len(s.In[0].Dims) < 5 && s.In[0].narrow() && s.Out[0].narrow()
	return (narrow || s.In[0].DType == tensor.Float32 && s.Out[0].DType == tensor.Float32) && s.Out[0].Len() > 0
}

// memory is the elements of scratch: what a plane needs, and a slice of the result.
func (m *pooled) memory() int {
	n := m.scratch()
	if m.volume {
		n += m.h.out * m.w.out
	}
	if m.narrow {
		n += m.h.in*m.w.in + m.h.out*m.w.out
	}
	return n
}

// run pools some planes; one of half precision goes another way, as maxima of its patterns can be compared as
// integers.
func (k pooling) run(c *Call, worker, index int) {
	m := c.State.(*pooled)
	size := m.h.out * m.w.out
	scratch := floats(c.Scratch[worker])
	first, end := index*m.perTile, min((index+1)*m.perTile, m.planes)
	if m.columns != nil {
		m.largest(k, c, first, end)
		return
	}
	for g := first; g < end; g++ {
		if m.narrow {
			k.halves(m, c, g, scratch)
			continue
		}
		out := floats(c.Out[0])[g*size : (g+1)*size]
		if !m.volume {
			k.slice(m, floats(c.In[0]), g, scratch, out, m.same)
			if m.counts != nil {
				k.f.Two(tile.Div, out, m.counts, out)
			}
			continue
		}
		k.slices(m, floats(c.In[0]), g, scratch, out)
	}
}

// halves finds the maxima of a plane of bf16.
func (k pooling) halves(m *pooled, c *Call, plane int, scratch []float32) {
	in, size := m.h.in*m.w.in, m.h.out*m.w.out
	x, y := take(&scratch, in), take(&scratch, size)
	tile.BF16.Widen(k.t, halves(c.In[0])[plane*in:][:in], x)
	k.slice(m, x, 0, scratch, y, m.same)
	tile.BF16.Narrow(k.t, y, halves(c.Out[0])[plane*size:][:size])
}

// slices pools a slice of a result: the slices of the image that its windows reach. g is a slice
// of the result: its plane times the slices of a plane plus its own number. Windows in the border
// alone give -∞ or 0.
func (k pooling) slices(m *pooled, x []float32, g int, scratch, out []float32) {
	part, join := take(&scratch, len(out)), tile.Add
	if k.max {
		join = tile.Max
	}
	first := true
	for z := range m.d.kernel {
		at := g%m.d.out*m.d.stride + z*m.d.dilation - m.d.before
		if at < 0 || at >= m.d.in {
			continue
		}
		at += g / m.d.out * m.d.in
		if first {
			k.slice(m, x, at, scratch, out, 1)
			first = false
			continue
		}
		k.slice(m, x, at, scratch, part, 1)
		k.f.Two(join, out, part, out)
	}
	switch {
	case k.max:
		if first {
			set(out, float32(math.Inf(-1)))
		}
		return
	case first:
		clear(out)
	}
	deep := float32(m.deep[g%m.d.out])
	if m.counts == nil {
		k.f.Divide(out, out, m.same*deep)
		return
	}
	k.f.Two(tile.Div, out, m.counts, out)
	k.f.Divide(out, out, deep)
}

// slice pools a plane of the image; sums are divided by a number. x is the whole image, of which
// plane is taken; by is 1 where the caller divides.
func (k pooling) slice(m *pooled, x []float32, plane int, scratch, out []float32, by float32) {
	in := m.h.in * m.w.in
	temp, laid := scratch[:m.temp()], scratch[m.temp():]
	laid, wide := laid[:m.size], laid[m.size:]
	border, do := float32(0), total
	if k.max {
		border, do = float32(math.Inf(-1)), largest
	}
	m.lay(k.t, k.f, x[plane*in:(plane+1)*in], laid, temp, border)
	rec := tile.Window{Bias: by}
	if m.dense() {
		m.plane.run(k.f, do, laid, out, rec)
		return
	}
	m.plane.run(k.f, do, laid, wide, rec)
	m.compact(wide, out)
}
