package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// The forms of a convolution, pixels or output channels in the vectors, have the same bits: either may be chosen.
func TestFormsOfAConvolutionHaveTheSameBits(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 150 {
		spatial, groups := 1+r.IntN(2), pick[int64](r, 1, 1, 1, 2)
		ch, outs := int64(1+r.IntN(40)), int64(1+r.IntN(150))
		if n%30 == 7 {
			ch, outs = 700, 70 // more than one part of the chain
		}
		xd, wd := []int64{int64(r.IntN(3)), ch * groups}, []int64{outs * groups, ch}
		var strides, dilations, before, after []int64
		for range spatial {
			kernel, dilation, b, a := pick[int64](r, 1, 1, 2, 3), 1+r.Int64N(2), r.Int64N(3), r.Int64N(3)
			switch r.IntN(6) {
			case 0, 1:
				b, a = 0, 0
			case 2: // what is negative is cut off
				b, a = r.Int64N(3)-2, r.Int64N(3)-2
			}
			wd, strides, dilations, before, after = append(wd, kernel), append(strides, 1+r.Int64N(2)), append(dilations, dilation),
				append(before, b), append(after, a)
			xd = append(xd, max((kernel-1)*dilation+1-a-b, 1)+r.Int64N(20))
		}
		c := testCase{isa.Conv, []*isa.Attr{isa.StringAttrOf("act", pick(r, "none", "relu")), isa.IntsAttrOf("dilations", dilations...),
			isa.IntAttrOf("groups", groups), isa.IntsAttrOf("pads", append(before, after...)...),
			isa.IntsAttrOf("strides", strides...)}, []*tensor.Tensor{random(r, xd...), random(r, wd...), nil}, 1}
		if r.IntN(2) == 0 {
			c.in[2] = random(r, wd[0])
		}
		if r.IntN(2) == 0 {
			c.in = append(c.in, random(r, outputOf(t, c)...))
		}
		if r.IntN(8) == 0 && c.in[0].Len() > 0 {
			c.in[0].SetFloat(r.IntN(c.in[0].Len()), pick(r, math.NaN(), math.Inf(1), math.Copysign(0, -1)))
		}
		for _, tier := range tiers() {
			lists := [][]*Entry{Entries(tier)}
			if list := BF16(tier); list != nil && ch%2 == 0 {
				lists = append(lists, list)
			}
			for _, list := range lists {
				form := func(name string, workers int) []float32 {
					var of []*Entry
					for _, e := range list {
						if e.Op == isa.Conv && strings.HasSuffix(e.Name, name) {
							of = append(of, e)
						}
					}
					e, _, got := executeOn(t, of, tier, c, workers)
					if len(of) != 1 || e == nil && c.in[0].Len() > 0 {
						t.Fatalf("%d on %s: %s by %s is not computed by %s", n, tier, c.in[0].Type(), c.in[1].Type(), name)
					}
					return got
				}
				want := form("columns", 1)
				for workers := 1; workers < 4; workers += 2 {
					for i, v := range form("vectors", workers) {
						if math.Float32bits(v) != math.Float32bits(want[i]) && (v == v || want[i] == want[i]) {
							t.Fatalf("%d on %s, %s: %s by %s, strides %v, dilations %v, pads %v %v, groups %d: element %d is %v, not %v", n, tier,
								list[0].Name, c.in[0].Type(), c.in[1].Type(),
								strides, dilations, before, after, groups, i, v, want[i])
						}
					}
				}
			}
		}
	}
}

// The weights are where the kernel reads them, and come back from there.
func TestPanelsOfWeightsHoldThem(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		groups, ch, outs := pick[int64](r, 1, 1, 3), 1+r.Int64N(9), 1+r.Int64N(200)
		w := random(r, outs*groups, ch, 1+r.Int64N(3), 1+r.Int64N(3))
		s := &Sig{Inst: &isa.Instruction{Op: uint32(isa.Conv), Attr: []*isa.Attr{isa.IntAttrOf("groups", groups)}},
			In: []Operand{{DType: tensor.Float32, Dims: []int64{1, ch * groups, 5, 5}}, {DType: tensor.Float32, Dims: w.Dims(), Const: w.Bytes()}}}
		for _, tier := range tiers() {
			k := convVectors{conv{t: tier, f: tile.RowsOf(tier)}}
			form, back := make([]byte, k.packSize(s)), make([]byte, len(w.Bytes()))
			for i := range floats(form) {
				floats(form)[i] = float32(math.NaN())
			}
			for part := range k.parts(s) {
				k.pack(s, w.Bytes(), form, part)
			}
			for _, v := range floats(form) {
				if v != v {
					t.Fatalf("%s: a part of the form of %s is not written", tier, w.Type())
				}
			}
			if k.unpack(s, form, back); string(back) != string(w.Bytes()) {
				t.Fatalf("%s: the form of %s has other elements", tier, w.Type())
			}
		}
	}
}

// A convolution without output channels has a result, which is empty.
func TestConvolutionsWithoutOutputs(t *testing.T) {
	s := &Sig{Inst: &isa.Instruction{Op: uint32(isa.Conv)}, In: []Operand{{DType: tensor.Float32, Dims: []int64{1, 3, 5, 5}},
		{DType: tensor.Float32, Dims: []int64{0, 3, 1, 1}}}}
	for _, tier := range tiers() {
		for _, e := range Entries(tier) {
			if e.Op != isa.Conv {
				continue
			}
			if shape, err := e.Shape(s); err != nil || fmt.Sprint(shape) != "[[1 0 5 5]]" {
				t.Errorf("%s on %s: %v, %v", e.Name, tier, shape, err)
			}
		}
	}
}

// A small image with few panels of weights is cut along its pixels as well: no thread has much more than another. One
// with many is not, as each block reads the weights again.
func TestFewPanelsAreCutAlongPixels(t *testing.T) {
	for _, c := range []struct{ size, channels, outs, blocks int64 }{{7, 960, 160, 2}, {7, 960, 320, 2}, {7, 160, 960, 1}, {4, 960, 160, 1},
		{7, 4, 0, 1}} {
		k := convVectors{conv{t: AVX512, f: tile.RowsOf(AVX512)}}
		m := k.plan(&Sig{Inst: &isa.Instruction{Op: uint32(isa.Conv)},
			In: []Operand{{DType: tensor.Float32, Dims: []int64{1, c.channels, c.size, c.size}},
				{DType: tensor.Float32, Dims: []int64{c.outs, c.channels, 1, 1}}}})
		if m == nil || int64(m.blocks) != c.blocks {
			t.Errorf("%d to %d channels of %d²: %+v instead of %d blocks", c.channels, c.outs, c.size, m, c.blocks)
		}
	}
}
