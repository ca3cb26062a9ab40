package kernel

// This file holds every finder against the reference evaluator.

import (
	"math/rand/v2"
	"slices"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/memory/fence"
	"shapecheck/runtime/tensor"
)

// everyNumber are the types that finders have.
var everyNumber = append(slices.Clone(numberTypes), tensor.Bool)

// repeated copies some elements to other places.
func repeated(r *rand.Rand, x *tensor.Tensor) *tensor.Tensor {
	if few := 1 + r.IntN(8); r.IntN(2) == 0 {
		for i := few; i < x.Len(); i++ {
			x.CopyElem(i, x, r.IntN(few))
		}
	}
	return x
}

var finderGenerators = map[string]func(r *rand.Rand) sample{
	"NonZero": func(r *rand.Rand) sample {
		d := pick(r, append(everyNumber, tensor.Float16, tensor.BFloat16)...)
		x := filled(r, d, true, dimsOf(r, r.IntN(5), 9)...)
		for i := range x.Len() {
			if r.IntN(3) == 0 {
				x.SetInt(i, 0)
			}
		}
		return sample{in: []*tensor.Tensor{x}}
	},
	"Compress": func(r *rand.Rand) sample {
		d := dimsOf(r, 1+r.IntN(4), 9)
		x := filled(r, pick(r, append(everyNumber, tensor.Float16, tensor.Complex64)...), false, d...)
		s := sample{in: []*tensor.Tensor{x, nil}}
		n := int64(x.Len())
		if axis := r.IntN(len(d)); r.IntN(3) > 0 {
			s.attrs, n = []*isa.Attr{isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d))))}, d[axis]
		}
		s.in[1] = filled(r, tensor.Bool, false, max(0, n-r.Int64N(3))) // the rest is not chosen
		if few := r.IntN(2) == 0; few {                                // is copied by a list of the places
			for i := range s.in[1].Len() {
				if r.IntN(12) > 0 {
					s.in[1].SetInt(i, 0)
				}
			}
		}
		return s
	},
	"Unique": func(r *rand.Rand) sample {
		d := dimsOf(r, r.IntN(4), pick(r, 3, 30))
		s := sample{outs: 4, attrs: []*isa.Attr{isa.IntAttrOf("sorted", int64(r.IntN(2)))}}
		if len(d) > 0 && r.IntN(2) == 0 {
			axis := r.IntN(len(d))
			for i := range d {
				if i != axis {
					d[i] = min(d[i], pick[int64](r, 1, 2, 4))
				}
			}
			s.attrs = append(s.attrs, isa.IntAttrOf("axis", int64(pick(r, axis, axis-len(d)))))
		}
		s.in = []*tensor.Tensor{repeated(r, filled(r, pick(r, everyNumber...), true, d...))}
		return s
	},
	"NonMaxSuppression": func(r *rand.Rand) sample {
		batch, boxes, classes := int64(r.IntN(3)), int64(r.IntN(60)), int64(r.IntN(3))
		b, scores := filled(r, tensor.Float32, r.IntN(4) == 0, batch, boxes, 4),
			repeated(r, filled(r, tensor.Float32, r.IntN(4) == 0, batch, classes, boxes))
		centre := int64(r.IntN(2))
		if centre == 1 && r.IntN(4) > 0 { // sides are mostly positive
			for i := range b.Len() {
				if i%4 > 1 && b.Float(i) < 0 {
					b.SetFloat(i, -b.Float(i))
				}
			}
		}
		s := sample{in: []*tensor.Tensor{b, scores, intsTensor(int64(r.IntN(12)) - 1),
			tensor.Of([]float32{pick[float32](r, 0, 0.3, 0.5, 1)}, 1), tensor.Of([]float32{pick[float32](r, -1, 0, 1)}, 1)},
			attrs: []*isa.Attr{isa.IntAttrOf("center_point_box", centre)}}
		s.in = s.in[:pick(r, 2, 3, 4, 5, 5, 5)]
		if len(s.in) > 3 && r.IntN(4) == 0 {
			s.in[3] = nil
		}
		return s
	},
}

// find runs a finder on a sample; nil: it is the reference's.
func (s *sample) find(t *testing.T, over func() bool) []*tensor.Tensor {
	sig := &Sig{Inst: &isa.Instruction{Op: uint32(isa.Lookup("", s.op)), Attr: s.attrs}}
	memory := fence.New(t, fence.Side(true))
	defer memory.Free()
	var in [][]byte
	for _, x := range s.in {
		if x == nil {
			sig.In, in = append(sig.In, Operand{Absent: true}), append(in, nil)
			continue
		}
		b := memory.Bytes(len(x.Bytes()))
		copy(b, x.Bytes())
		sig.In, in = append(sig.In, Operand{DType: x.DType(), Dims: x.Dims()}), append(in, b)
	}
	found := FinderOf(sig.Op()).Find(sig, in, over)
	if found == nil {
		return nil
	}
	var outs [][]byte
	for _, o := range found.Out {
		outs = append(outs, memory.Bytes(int(o.Len())*o.DType.Bits()/8))
	}
	found.Write(outs, over)
	if !memory.Whole() {
		t.Fatalf("%s: memory outside is written", s)
	}
	var list []*tensor.Tensor
	for k, o := range found.Out {
		x, err := tensor.Wrap(o.DType, o.Dims, slices.Clone(outs[k]))
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, x)
	}
	if s.op == "Unique" { // of which nobody needs results
		found.Write(make([][]byte, len(outs)), over)
	}
	return list
}

func TestFindersAgreeWithTheReference(t *testing.T) {
	never := func() bool { return false }
	for op := range finders() {
		name := op.String()
		r, missed, many := rand.New(rand.NewPCG(5, uint64(len(name)))), 0, 0
		const rounds = 400
		for range rounds {
			s := finderGenerators[name](r)
			s.op = name
			want := s.reference(t)
			got := s.find(t, never)
			if got == nil {
				missed++
				continue
			}
			for k := range got {
				if why := differ(got[k], want[k], 0, 0); why != "" || got[k].DType() != want[k].DType {
					t.Fatalf("%s: result %d: %s", &s, k, why)
				}
			}
			if got[0].Len() > 1 {
				many++
			}
		}
		if missed > rounds/10 || many < rounds/5 {
			t.Errorf("%s: %d calls are the reference's, %d have several elements", name, missed, many)
		}
	}
}

// A run that has ended ends a finder: it asks at least once in so many elements.
func TestFindersAskWhetherTheRunIsOver(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	const n = 4 * findWork
	x := filled(r, tensor.Float32, true, n)
	boxes := filled(r, tensor.Float32, false, 1, 3000, 4)
	for i := range boxes.Len() {
		boxes.SetFloat(i, float64(i)) // none overlap
	}
	for _, s := range []sample{{op: "NonZero", in: []*tensor.Tensor{x}}, {op: "Unique", in: []*tensor.Tensor{x}},
		{op: "Compress", in: []*tensor.Tensor{x, filled(r, tensor.Bool, false, n)}},
		{op: "NonMaxSuppression", in: []*tensor.Tensor{boxes, filled(r, tensor.Float32, false, 1, 1, 3000), intsTensor(3000)}}} {
		asked := 0
		s.find(t, func() bool { asked++; return false })
		if asked < 4 {
			t.Errorf("%s: asked %d times", s.op, asked)
		}
		for _, end := range []int{0, asked / 2, asked - 1} {
			more := 0
			s.find(t, func() bool { more++; return more > end })
			if more > end+2 { // and once more when it writes
				t.Errorf("%s: asked %d times behind the end", s.op, more-end)
			}
		}
	}
}
