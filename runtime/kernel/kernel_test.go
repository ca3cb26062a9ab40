package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"time"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/memory/fence"
	"shapecheck/runtime/tensor"
)

func tiers() (list []Tier) {
	for t := Portable; t <= Best(); t++ {
		list = append(list, t)
	}
	return list
}

func bytesOf(x []float32) []byte { return tensor.Of(x).Bytes() }

// A testCase is an instruction with operands; nil ones are absent.
type testCase struct {
	op    isa.Op
	attrs []*isa.Attr
	in    []*tensor.Tensor
	konst int // the operand that is a constant; -1: none
}

func random(r *rand.Rand, dims ...int64) *tensor.Tensor {
	t, err := tensor.New(tensor.Float32, dims...)
	if err != nil {
		panic(err)
	}
	x := floats(t.Bytes())
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return t
}

// execute runs the entry that is chosen, on that number of workers, in results full of NaN. Memory lies against fences:
// behind it with one worker, before it with more.
func execute(t *testing.T, tier Tier, c testCase, workers int) (*Entry, []int64, []float32) {
	t.Helper()
	return executeOn(t, Entries(tier), tier, c, workers)
}

func executeOn(t *testing.T, list []*Entry, tier Tier, c testCase, workers int) (*Entry, []int64, []float32) {
	t.Helper()
	return executeOver(t, list, tier, c, workers, 0)
}

// executeOver is executeOn with the result in the memory of an operand, where the entry allows it; 0: of none.
func executeOver(t *testing.T, list []*Entry, tier Tier, c testCase, workers, over int) (*Entry, []int64, []float32) {
	t.Helper()
	s := &Sig{Inst: &isa.Instruction{Op: uint32(c.op), Attr: c.attrs}}
	call := &Call{Sig: s}
	memory := fence.New(t, fence.Side(workers > 1)) // callers take one, and more
	defer memory.Free()
	for i, x := range c.in {
		if x == nil {
			s.In = append(s.In, Operand{Absent: true})
			call.In = append(call.In, nil)
			continue
		}
		o := Operand{DType: x.DType(), Dims: x.Dims()}
		if i == c.konst {
			o.Const = x.Bytes()
		}
		s.In = append(s.In, o)
		b := memory.Bytes(len(x.Bytes()))
		copy(b, x.Bytes())
		call.In = append(call.In, b)
	}
	var dims []int64
	for _, e := range list {
		if e.Op == c.op {
			shape, err := e.Shape(s)
			if err != nil {
				t.Fatalf("%s: %v", e.Name, err)
			}
			dims = shape[0]
		}
	}
	s.Out = []Operand{{DType: tensor.Float32, Dims: dims}}
	e := Choose(list, s)
	if e == nil {
		return nil, dims, nil
	}
	if e.Prepare != nil {
		call.State = e.Prepare(s)
	}
	for _, p := range e.Packs {
		if c.konst != p.Operand {
			call.Packed = append(call.Packed, nil)
			continue
		}
		packed := memory.Bytes(int(p.Size(s)))
		for part := range p.Count(s) {
			p.Write(s, c.in[c.konst].Bytes(), packed, part)
		}
		call.Packed = append(call.Packed, packed)
		if !memory.Whole() {
			t.Errorf("%s: packing writes outside", e.Name)
		}
	}
	for range workers {
		n := int64(0)
		if e.Scratch != nil {
			n = e.Scratch(s)
		}
		call.Scratch = append(call.Scratch, memory.Bytes(int(n)))
	}
	n := int64(1)
	for _, d := range dims {
		n *= d
	}
	out := memory.Floats(int(n))
	call.Out = [][]byte{bytesOf(out)}
	if over > 0 && e.InPlace != nil && e.InPlace(s, over) {
		copy(call.Out[0], call.In[over])
		call.In[over] = call.Out[0]
	}
	if e.Shared != nil {
		call.Shared = memory.Bytes(int(e.Shared(s)))
	}
	grid := e.Split(s)
	for i := range grid.Tiles * max(grid.Phases, 1) {
		e.Run(call, i%workers, i)
	}
	if !memory.Whole() {
		t.Errorf("%s %v: written outside", e.Name, dims)
	}
	switch call.State.(type) { // of several entries, which share what is below it
	case *image, *panelling, *tiling, *rowsCut, *depths:
		s.Done()
		if !reflect.DeepEqual(e.Prepare(s), call.State) {
			t.Errorf("%s %v: what was read of the signature has changed", e.Name, dims)
		}
	}
	return e, dims, slices.Clone(out)
}

// compare runs a case on all tiers and holds it against want, within tol of the results' rms
// or an absolute 1e-6; one and three workers must have the same bits.
func compare(t *testing.T, name string, c testCase, want func() []float64, tol float64) {
	t.Helper()
	var exact []float64
	for _, tier := range tiers() {
		e, dims, got := execute(t, tier, c, 1)
		if e == nil {
			t.Errorf("%s: no entry matches", name)
			return
		}
		_, _, again := execute(t, tier, c, 3)
		if exact == nil {
			exact = want()
		}
		if len(exact) != len(got) {
			t.Fatalf("%s: %d elements, not %d", name, len(got), len(exact))
		}
		rms := 0.0
		for _, w := range exact {
			if !math.IsNaN(w) && !math.IsInf(w, 0) {
				rms += w * w
			}
		}
		rms = math.Sqrt(rms / float64(max(len(exact), 1)))
		for i := range got {
			if math.Float32bits(got[i]) != math.Float32bits(again[i]) {
				t.Fatalf("%s on %s: three workers give other bits", name, tier)
			}
			g, w := float64(got[i]), exact[i]
			if math.IsNaN(g) != math.IsNaN(w) || math.Abs(g-w) > tol*rms+1e-6 && g != w {
				t.Fatalf("%s on %s %v: element %d is %v, not %v", name, tier, dims, i, g, w)
			}
		}
	}
}

func TestMatMulIsASumOfProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 150 {
		m, k, cols := r.IntN(40), r.IntN(90), r.IntN(150)
		if n%30 == 29 {
			m, k, cols = 3, 5000, 70
		}
		if n%30 == 28 {
			m, k, cols = 700, 33, 17
		}
		tb, konst := r.IntN(2) == 1, []int{-1, 1}[r.IntN(2)]
		var batchA, batchB []int64
		switch r.IntN(4) {
		case 0:
			batchA = []int64{2, 3}
		case 1:
			batchA, batchB = []int64{2, 1}, []int64{3}
		case 2:
			batchB = []int64{2}
		}
		bd := []int64{int64(k), int64(cols)}
		if tb {
			bd = []int64{int64(cols), int64(k)}
		}
		a, b := random(r, append(batchA, int64(m), int64(k))...), random(r, append(batchB, bd...)...)
		batch, err := broadcast(batchA, batchB)
		if err != nil {
			t.Fatal(err)
		}
		c := testCase{isa.MatMul, nil, []*tensor.Tensor{a, b}, konst}
		if tb {
			c.attrs = append(c.attrs, isa.IntAttrOf("tb", 1))
		}
		var bias, res *tensor.Tensor
		if r.IntN(2) == 0 {
			bias = random(r, int64(cols))
		}
		if r.IntN(2) == 0 {
			res = random(r, append(batch, int64(m), int64(cols))...)
		}
		c.in = append(c.in, bias, res)
		relu := r.IntN(2) == 0
		if relu {
			c.attrs = append([]*isa.Attr{isa.StringAttrOf("act", "relu")}, c.attrs...)
		}
		name := fmt.Sprintf("%d: %s·%s tb=%v const=%d", n, a.Type(), b.Type(), tb, konst)
		compare(t, name, c, func() []float64 {
			var out []float64
			ao, bo := offsets(batch, batchA, m*k), offsets(batch, batchB, k*cols)
			for x := range ao {
				for i := range m {
					for j := range cols {
						s := 0.0
						for kk := range k {
							at := kk*cols + j
							if tb {
								at = j*k + kk
							}
							s += a.Float(ao[x]+i*k+kk) * b.Float(bo[x]+at)
						}
						if bias != nil {
							s += bias.Float(j)
						}
						if res != nil {
							s += res.Float(len(out))
						}
						if relu {
							s = math.Max(s, 0)
						}
						out = append(out, s)
					}
				}
			}
			return out
		}, 2e-5)
	}
}

// What a row is does not depend on the rows beside it, and the vector tiers agree in bits.
func TestRowsOfAProductDoNotDependOnTheirNeighbours(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	a, b := random(r, 37, 2500), random(r, 2500, 131)
	var first []float32
	for _, tier := range tiers() {
		_, _, all := execute(t, tier, testCase{isa.MatMul, nil, []*tensor.Tensor{a, b}, 1}, 1)
		for _, konst := range []int{1, -1} {
			for i := range 37 {
				one := tensor.Of(floats(a.Bytes())[i*2500:(i+1)*2500], 1, 2500)
				_, _, row := execute(t, tier, testCase{isa.MatMul, nil, []*tensor.Tensor{one, b}, konst}, 1)
				for j := range row {
					if row[j] != all[i*131+j] {
						t.Fatalf("%s: row %d alone has other bits", tier, i)
					}
				}
			}
		}
		if tier == Portable {
			continue
		}
		if first == nil {
			first = all
		}
		for i := range all {
			if all[i] != first[i] {
				t.Fatalf("%s: element %d differs from the tier below", tier, i)
			}
		}
	}
}

func TestConvIsASumOfProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for n := range 120 {
		spatial := 1 + r.IntN(2)
		groups := []int64{1, 1, 2, 3}[r.IntN(4)]
		ch, outs := int64(1+r.IntN(5)), int64(1+r.IntN(9))
		if n%40 == 39 {
			groups, ch, outs = 1, 140, 70
		}
		if n%20 == 18 { // depthwise
			groups, ch, outs = 7, 1, 1
		}
		xd, wd := []int64{int64(r.IntN(3)), ch * groups}, []int64{outs * groups, ch}
		var strides, dilations, before, after []int64
		for range spatial {
			kernel, dilation := int64(1+r.IntN(4)), int64(1+r.IntN(2))
			wd = append(wd, kernel)
			strides, dilations = append(strides, int64(1+r.IntN(3))), append(dilations, dilation)
			b, a := int64(r.IntN(4)), int64(r.IntN(4))
			before, after = append(before, b), append(after, a)
			xd = append(xd, max((kernel-1)*dilation+1-a-b, 1)+int64(r.IntN(15)))
		}
		x, w := random(r, xd...), random(r, wd...)
		c := testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("dilations", dilations...), isa.IntAttrOf("groups", groups),
			isa.IntsAttrOf("pads", append(before, after...)...),
			isa.IntsAttrOf("strides", strides...)}, []*tensor.Tensor{x, w}, 1}
		bias := random(r, wd[0])
		c.in = append(c.in, bias)
		var residual *tensor.Tensor
		if n%3 == 0 {
			residual = random(r, outputOf(t, c)...)
			c.in = append(c.in, residual)
		}
		clip := n%4 < 2
		if clip {
			c.attrs = append([]*isa.Attr{isa.StringAttrOf("act", "clip"), isa.FloatAttrOf("hi", 1), isa.FloatAttrOf("lo", -0.5)}, c.attrs...)
		}
		name := fmt.Sprintf("%d: %s by %s, strides %v dilations %v pads %v %v groups %d", n, x.Type(), w.Type(), strides, dilations, before,
			after, groups)
		compare(t, name, c, func() []float64 {
			out := plainConv(x, w, bias, int(groups), strides, dilations, before, after)
			for i := range out {
				if residual != nil {
					out[i] += residual.Float(i)
				}
				if clip {
					out[i] = min(max(out[i], -0.5), 1)
				}
			}
			return out
		}, 2e-5)
	}
}

// A Winograd convolution is the convolution but for roundings; the bits of an image depend neither on its neighbours in the
// batch nor on what is beside a tile.
func TestWinogradIsAConvolution(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 40 {
		ch, outs := int64(1+r.IntN(40)), int64(1+r.IntN(40))
		h, w := int64(1+r.IntN(30)), int64(1+r.IntN(30))
		switch n {
		case 7:
			h, w = 1, 150
		case 8:
			ch, outs, h, w = 200, 190, 14, 14 // cut into slices
		case 9:
			ch, outs, h, w = 3, 2, 70, 75
		}
		pads := []int64{int64(r.IntN(3)), int64(r.IntN(3)), int64(r.IntN(3)), int64(r.IntN(3))}
		h, w = max(h, 3-pads[0]-pads[2]), max(w, 3-pads[1]-pads[3])
		x, weights := random(r, int64(r.IntN(3)), ch, h, w), random(r, outs, ch, 3, 3)
		c := testCase{isa.Conv, []*isa.Attr{isa.StringAttrOf("algo", "winograd"), isa.IntsAttrOf("pads", pads...)},
			[]*tensor.Tensor{x, weights, nil}, 1}
		bias := make([]float32, outs)
		if n%4 != 0 {
			c.in[2] = random(r, outs)
			copy(bias, floats(c.in[2].Bytes()))
		}
		var residual *tensor.Tensor
		if n%3 == 0 {
			residual = random(r, outputOf(t, c)...)
			c.in = append(c.in, residual)
		}
		clip := n%4 < 2
		if clip {
			c.attrs = append([]*isa.Attr{isa.StringAttrOf("act", "clip"), isa.FloatAttrOf("hi", float64(3*ch)), isa.FloatAttrOf("lo", -5)},
				c.attrs...)
		}
		if e, _, _ := execute(t, Portable, c, 1); x.Len() > 0 && e.Name != "conv.f32.winograd" {
			t.Fatalf("%s is computed by %s", x.Type(), e.Name)
		}
		compare(t, fmt.Sprintf("%d: %s by %s, pads %v", n, x.Type(), weights.Type(), pads), c, func() []float64 {
			out := plainConv(x, weights, tensor.Of(bias, outs), 1, []int64{1, 1}, []int64{1, 1}, pads[:2], pads[2:])
			for i := range out {
				if residual != nil {
					out[i] += residual.Float(i)
				}
				if clip {
					out[i] = min(max(out[i], -5), float64(3*ch))
				}
			}
			return out
		}, 2e-4)
		if x.Dims()[0] != 2 || residual != nil {
			continue
		}
		for _, tier := range tiers() {
			_, _, both := execute(t, tier, c, 1)
			second := c
			second.in = slices.Clone(c.in)
			second.in[0] = tensor.Of(floats(x.Bytes())[x.Len()/2:], 1, ch, h, w)
			_, _, alone := execute(t, tier, second, 1)
			for i, v := range alone {
				if math.Float32bits(v) != math.Float32bits(both[len(both)/2+i]) {
					t.Fatalf("%d on %s: an image alone has other bits", n, tier)
				}
			}
		}
	}
}

// A result has the same bits in the place of what is added to it.
func TestResultsInThePlaceOfWhatIsAdded(t *testing.T) {
	r := rand.New(rand.NewPCG(10, 10))
	taken := map[string]bool{}
	for n := range 40 {
		var c testCase
		switch ch, outs := 1+r.Int64N(40), 1+r.Int64N(90); n % 4 {
		case 0:
			rows := 1 + r.Int64N(9)
			c = testCase{op: isa.MatMul, in: []*tensor.Tensor{random(r, rows, ch), random(r, ch, outs), nil, random(r, rows, outs)}, konst: 1}
		default:
			k, h, w := pick[int64](r, 1, 3), 3+r.Int64N(20), 3+r.Int64N(20)
			pads := isa.IntsAttrOf("pads", k/2, k/2, k/2, k/2)
			c = testCase{op: isa.Conv, attrs: []*isa.Attr{isa.StringAttrOf("act", "relu"), pads},
				in: []*tensor.Tensor{random(r, 1, ch, h, w), random(r, outs, ch, k, k), random(r, outs), random(r, 1, outs, h, w)}, konst: 1}
			if n%4 == 1 {
				c.attrs = []*isa.Attr{isa.StringAttrOf("algo", "winograd"), pads}
			}
		}
		for _, tier := range tiers() {
			for _, e := range append(Entries(tier), bothBF16(tier)...) {
				s := &Sig{Inst: &isa.Instruction{Op: uint32(c.op), Attr: c.attrs}}
				for i, x := range c.in {
					if x == nil {
						s.In = append(s.In, Operand{Absent: true})
						continue
					}
					s.In = append(s.In, Operand{DType: x.DType(), Dims: x.Dims()})
					if i == c.konst {
						s.In[i].Const = x.Bytes()
					}
				}
				s.Out = []Operand{{DType: tensor.Float32, Dims: c.in[3].Dims()}}
				if e.Op != c.op || e.InPlace == nil || !e.Match(s) {
					continue
				}
				taken[e.Name] = taken[e.Name] || e.InPlace(s, 3)
				_, _, want := executeOn(t, []*Entry{e}, tier, c, 1)
				if _, _, got := executeOver(t, []*Entry{e}, tier, c, 1, 3); !slices.Equal(got, want) {
					t.Errorf("%d on %s: %s gives other bits in the place of the operand", n, tier, e.Name)
				}
			}
		}
	}
	for _, name := range []string{"matmul.f32.panel", "conv.f32.columns", "conv.f32.vectors", "conv.f32.winograd"} {
		if !taken[name] {
			t.Errorf("%s never takes the place of an operand", name)
		}
	}
}

// outputOf gives the sizes of a case's result.
func outputOf(t *testing.T, c testCase) []int64 {
	s := &Sig{Inst: &isa.Instruction{Op: uint32(c.op), Attr: c.attrs}}
	for _, x := range c.in {
		if x == nil {
			s.In = append(s.In, Operand{Absent: true})
			continue
		}
		s.In = append(s.In, Operand{DType: x.DType(), Dims: x.Dims()})
	}
	dims, err := conv{t: Portable}.shape(s)
	if err != nil {
		t.Fatal(err)
	}
	return dims[0]
}

// plainConv is the definition, for one and two axes.
func plainConv(x, w, bias *tensor.Tensor, groups int, strides, dilations, before, after []int64) (out []float64) {
	dim := func(list []int64, i, n, def int) int { // of axis i of two, where one axis is the second
		if i += n - 2; i < 0 {
			return def
		}
		return int(list[i])
	}
	xd, wd := x.Dims(), w.Dims()
	n := len(xd) - 2
	var in, kernel, size [2]int
	for i := range 2 {
		in[i], kernel[i] = dim(xd[2:], i, n, 1), dim(wd[2:], i, n, 1)
		size[i] = (in[i]+dim(before, i, n, 0)+dim(after, i, n, 0)-(kernel[i]-1)*dim(dilations, i, n, 1)-1)/dim(strides, i, n, 1) + 1
	}
	ch, outs := int(wd[1]), int(wd[0])/groups
	for b := range int(xd[0]) {
		for o := range outs * groups {
			for oy := range size[0] {
				for ox := range size[1] {
					s := bias.Float(o)
					for c := range ch {
						for ky := range kernel[0] {
							for kx := range kernel[1] {
								y := oy*dim(strides, 0, n, 1) + ky*dim(dilations, 0, n, 1) - dim(before, 0, n, 0)
								z := ox*dim(strides, 1, n, 1) + kx*dim(dilations, 1, n, 1) - dim(before, 1, n, 0)
								if y >= 0 && y < in[0] && z >= 0 && z < in[1] {
									s += x.Float(((b*ch*groups+o/outs*ch+c)*in[0]+y)*in[1]+z) * w.Float(((o*ch+c)*kernel[0]+ky)*kernel[1]+kx)
								}
							}
						}
					}
					out = append(out, s)
				}
			}
		}
	}
	return out
}

func TestSoftmaxAndLayerNorm(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for n := range 60 {
		rows, length := r.IntN(50), r.IntN(300)
		if n%20 == 19 {
			rows, length = 3, 20000
		}
		x := random(r, int64(rows), int64(length))
		elems := floats(x.Bytes())
		if len(elems) > 0 {
			switch n % 4 {
			case 1:
				elems[r.IntN(len(elems))] = float32(math.Inf(-1))
			case 2:
				elems[r.IntN(len(elems))] = float32(math.NaN())
			}
		}
		compare(t, fmt.Sprintf("softmax %d×%d", rows, length), testCase{isa.Lookup("", "Softmax"), nil, []*tensor.Tensor{x}, -1},
			func() (out []float64) {
				for i := range rows {
					m, sum := math.Inf(-1), 0.0
					for j := range length {
						m = math.Max(m, x.Float(i*length+j))
					}
					for j := range length {
						sum += math.Exp(x.Float(i*length+j) - m)
					}
					for j := range length {
						out = append(out, math.Exp(x.Float(i*length+j)-m)/sum)
					}
				}
				return out
			}, 2e-6)
		scale, shift := random(r, int64(length)), random(r, int64(length))
		in := []*tensor.Tensor{x, scale, shift}
		if n%2 == 0 {
			in[2] = nil
		}
		if length < 2 {
			continue // the variance is a rounding error
		}
		compare(t, fmt.Sprintf("LayerNormalization %d×%d", rows, length), testCase{isa.Lookup("", "LayerNormalization"), nil, in, -1},
			func() (out []float64) {
				for i := range rows {
					sum, squares := 0.0, 0.0
					for j := range length {
						sum += x.Float(i*length + j)
					}
					mean := sum / float64(length)
					for j := range length {
						squares += (x.Float(i*length+j) - mean) * (x.Float(i*length+j) - mean)
					}
					for j := range length {
						v := (x.Float(i*length+j) - mean) / math.Sqrt(squares/float64(length)+1e-5) * scale.Float(j)
						if in[2] != nil {
							v += shift.Float(j)
						}
						out = append(out, v)
					}
				}
				return out
			}, 1e-5)
	}
	for _, op := range []string{"Exp", "Tanh", "Erf", "Sigmoid"} {
		f := map[string]func(float64) float64{"Exp": math.Exp, "Tanh": math.Tanh, "Erf": math.Erf,
			"Sigmoid": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }}[op]
		for _, dims := range [][]int64{{}, {0}, {1}, {3, 5}, {100000}} {
			x := random(r, dims...)
			compare(t, op, testCase{isa.Lookup("", op), nil, []*tensor.Tensor{x}, -1}, func() (out []float64) {
				for i := range x.Len() {
					out = append(out, f(x.Float(i)))
				}
				return out
			}, 1e-6)
		}
	}
}

func TestShapesThatDoNotFitAreErrors(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range []testCase{
		{isa.MatMul, nil, []*tensor.Tensor{random(r, 2, 3), random(r, 4, 5)}, -1},
		{isa.MatMul, nil, []*tensor.Tensor{random(r), random(r, 4, 5)}, -1},
		{isa.MatMul, nil, []*tensor.Tensor{random(r, 2, 1, 3), random(r, 3, 3, 5)}, -1},
		{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 3, 2, 2), random(r, 4, 3, 3, 3)}, 1},
		{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 3, 9, 9), random(r, 4, 2, 3, 3)}, 1},
		{isa.Conv, []*isa.Attr{isa.IntAttrOf("groups", 3)}, []*tensor.Tensor{random(r, 1, 3, 9, 9), random(r, 4, 1, 3, 3)}, 1},
		{isa.Conv, nil, []*tensor.Tensor{random(r, 3), random(r, 4)}, 1},
	} {
		s := &Sig{Inst: &isa.Instruction{Op: uint32(c.op), Attr: c.attrs}}
		for _, x := range c.in {
			s.In = append(s.In, Operand{DType: x.DType(), Dims: x.Dims()})
		}
		for _, e := range Entries(Portable) {
			if e.Op != c.op {
				continue
			}
			shape, err := e.Shape(s)
			if err == nil {
				t.Errorf("%s of %s and %s has the shape %v", e.Name, c.in[0].Type(), c.in[1].Type(), shape)
			}
		}
	}
}

func TestTiersAreChosenByName(t *testing.T) {
	t.Setenv(TierEnv, "portable")
	if tier, err := ChooseTier(""); err != nil || tier != Portable {
		t.Errorf("%v, %v", tier, err)
	}
	if tier, err := ChooseTier(Best().String()); err != nil || tier != Best() {
		t.Errorf("%v, %v", tier, err)
	}
	if _, err := ChooseTier("sse9"); err == nil {
		t.Error("an unknown tier is taken")
	}
}

func TestNamesOfEntriesAreUnique(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Entries(Best()) {
		if seen[e.Name] || e.Op == 0 || e.Match == nil || e.Shape == nil || e.Cost == nil || e.Split == nil || e.Run == nil {
			t.Errorf("%s is there twice or lacks a part", e.Name)
		}
		seen[e.Name] = true
	}
}

// minimum is the least time of some runs: what the machine can do beside its other work.
func minimum(n int, f func()) time.Duration {
	best := time.Hour
	for range n {
		start := time.Now()
		f()
		best = min(best, time.Since(start))
	}
	return best
}

func BenchmarkKernels(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct {
		name  string
		c     testCase
		flops float64
	}{
		{"matmul 197×768×768", testCase{isa.MatMul, nil, []*tensor.Tensor{random(r, 197, 768), random(r, 768, 768)}, 1}, 2 * 197 * 768 * 768},
		{"matmul 1×768×3072", testCase{isa.MatMul, nil, []*tensor.Tensor{random(r, 1, 768), random(r, 768, 3072)}, 1}, 2 * 768 * 3072},
		{"conv 64→64 56² 3×3", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1)},
			[]*tensor.Tensor{random(r, 1, 64, 56, 56), random(r, 64, 64, 3, 3)}, 1}, 2 * 56 * 56 * 64 * 64 * 9},
		{"conv winograd 64→64 56² 3×3", testCase{isa.Conv, []*isa.Attr{isa.StringAttrOf("algo", "winograd"),
			isa.IntsAttrOf("pads", 1, 1, 1, 1)}, []*tensor.Tensor{random(r, 1, 64, 56, 56), random(r, 64, 64, 3, 3)}, 1}, 2 * 56 * 56 * 64 * 64 * 9},
		{"conv winograd 128→128 28² 3×3", testCase{isa.Conv, []*isa.Attr{isa.StringAttrOf("algo", "winograd"),
			isa.IntsAttrOf("pads", 1, 1, 1, 1)}, []*tensor.Tensor{random(r, 1, 128, 28, 28), random(r, 128, 128, 3, 3)}, 1},
			2 * 28 * 28 * 128 * 128 * 9},
		{"conv winograd 256→256 14² 3×3", testCase{isa.Conv, []*isa.Attr{isa.StringAttrOf("algo", "winograd"),
			isa.IntsAttrOf("pads", 1, 1, 1, 1)}, []*tensor.Tensor{random(r, 1, 256, 14, 14), random(r, 256, 256, 3, 3)}, 1},
			2 * 14 * 14 * 256 * 256 * 9},
		{"conv 256→64 56² 1×1", testCase{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 256, 56, 56), random(r, 64, 256, 1, 1)}, 1},
			2 * 56 * 56 * 64 * 256},
		{"conv 256→256 14² 3×3", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1)},
			[]*tensor.Tensor{random(r, 1, 256, 14, 14), random(r, 256, 256, 3, 3)}, 1}, 2 * 14 * 14 * 256 * 256 * 9},
		{"conv 512→512 7² 3×3", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1)},
			[]*tensor.Tensor{random(r, 1, 512, 7, 7), random(r, 512, 512, 3, 3)}, 1}, 2 * 7 * 7 * 512 * 512 * 9},
		{"conv 128→128 56² 3×3 by 2", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1), isa.IntsAttrOf("strides", 2, 2)},
			[]*tensor.Tensor{random(r, 1, 128, 56, 56), random(r, 128, 128, 3, 3)}, 1},
			2 * 28 * 28 * 128 * 128 * 9},
		{"conv 3→64 224² 7×7 by 2", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 3, 3, 3, 3), isa.IntsAttrOf("strides", 2, 2)},
			[]*tensor.Tensor{random(r, 1, 3, 224, 224), random(r, 64, 3, 7, 7)}, 1},
			2 * 112 * 112 * 64 * 147},
		{"conv 16→16 256² 3×3", testCase{isa.Conv, []*isa.Attr{isa.IntsAttrOf("pads", 1, 1, 1, 1)},
			[]*tensor.Tensor{random(r, 1, 16, 256, 256), random(r, 16, 16, 3, 3)}, 1}, 2 * 256 * 256 * 16 * 16 * 9},
		{"conv 64→256 56² 1×1 with residual", testCase{isa.Conv, nil,
			[]*tensor.Tensor{random(r, 1, 64, 56, 56), random(r, 256, 64, 1, 1), random(r, 256), random(r, 1, 256, 56, 56)}, 1},
			2 * 56 * 56 * 64 * 256},
		{"conv 256→1024 14² 1×1 with residual", testCase{isa.Conv, nil,
			[]*tensor.Tensor{random(r, 1, 256, 14, 14), random(r, 1024, 256, 1, 1), random(r, 1024), random(r, 1, 1024, 14, 14)}, 1},
			2 * 14 * 14 * 1024 * 256},
		{"conv 512→2048 7² 1×1", testCase{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 512, 7, 7), random(r, 2048, 512, 1, 1)}, 1},
			2 * 49 * 512 * 2048},
		{"conv depthwise 144 56² 3×3", testCase{isa.Conv, []*isa.Attr{isa.IntAttrOf("groups", 144), isa.IntsAttrOf("pads", 1, 1, 1, 1)},
			[]*tensor.Tensor{random(r, 1, 144, 56, 56), random(r, 144, 1, 3, 3)}, 1}, 2 * 144 * 56 * 56 * 9},
		{"conv depthwise 96 112² 3×3 by 2", testCase{isa.Conv, []*isa.Attr{isa.IntAttrOf("groups", 96), isa.IntsAttrOf("pads", 1, 1, 1, 1),
			isa.IntsAttrOf("strides", 2, 2)},
			[]*tensor.Tensor{random(r, 1, 96, 112, 112), random(r, 96, 1, 3, 3)}, 1}, 2 * 96 * 56 * 56 * 9},
		{"conv 16→96 112² 1×1", testCase{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 16, 112, 112), random(r, 96, 16, 1, 1)}, 1},
			2 * 112 * 112 * 16 * 96},
		{"conv 144→24 56² 1×1", testCase{isa.Conv, nil, []*tensor.Tensor{random(r, 1, 144, 56, 56), random(r, 24, 144, 1, 1)}, 1},
			2 * 56 * 56 * 144 * 24},
		{"softmax 768×197", testCase{isa.Lookup("", "Softmax"), nil, []*tensor.Tensor{random(r, 768, 197)}, -1}, 768 * 197},
	} {
		for _, tier := range tiers() {
			b.Run(c.name+"/"+tier.String(), func(b *testing.B) {
				bench(b, Entries(tier), c.c, c.flops)
			})
		}
		if list := BF16(Best()); list != nil && c.c.op != isa.Lookup("", "Softmax") {
			b.Run(c.name+"/bf16", func(b *testing.B) { bench(b, append(Entries(Best()), list...), c.c, c.flops) })
		}
	}
}

func bench(b *testing.B, list []*Entry, c testCase, flops float64) {
	s := &Sig{Inst: &isa.Instruction{Op: uint32(c.op), Attr: c.attrs}}
	call := &Call{Sig: s, Scratch: make([][]byte, 1)}
	var arena memory.Arena // as in the machine: its pages are huge
	defer arena.Free()
	room := func(n int64) []byte {
		m, err := arena.Take(n)
		if err != nil {
			b.Fatal(err)
		}
		return m
	}
	for i, x := range c.in {
		o := Operand{DType: x.DType(), Dims: x.Dims()}
		if i == c.konst {
			o.Const = x.Bytes()
		}
		m := room(int64(len(x.Bytes())))
		copy(m, x.Bytes())
		s.In, call.In = append(s.In, o), append(call.In, m)
	}
	for _, e := range list {
		if e.Op != c.op || s.Out != nil {
			continue
		}
		shape, err := e.Shape(s)
		if err != nil {
			b.Fatal(err)
		}
		s.Out = []Operand{{DType: tensor.Float32, Dims: shape[0]}}
		call.Out = [][]byte{room(4 * s.Out[0].Len())}
		e = Choose(list, s)
		if e.Scratch != nil {
			call.Scratch[0] = room(e.Scratch(s))
		}
		if e.Prepare != nil {
			call.State = e.Prepare(s)
		}
		for _, pack := range e.Packs {
			p := room(pack.Size(s))
			for part := range pack.Count(s) {
				pack.Write(s, c.in[c.konst].Bytes(), p, part)
			}
			call.Packed = append(call.Packed, p)
		}
		if e.Shared != nil {
			call.Shared = room(e.Shared(s))
		}
		tiles := e.Split(s).Tiles * max(e.Split(s).Phases, 1)
		best := time.Hour
		for b.Loop() {
			best = min(best, minimum(1, func() {
				for i := range tiles {
					e.Run(call, 0, i)
				}
			}))
		}
		b.ReportMetric(flops/float64(best.Nanoseconds()), "best-GFLOP/s")
	}
}
