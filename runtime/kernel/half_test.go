package kernel

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
)

// halved gives a sample with operands of a half instead of f32, and whether it has any.
func halved(s sample, d tensor.DType) (sample, bool) {
	s.in = slices.Clone(s.in)
	some := false
	for i, x := range s.in {
		if x == nil || x.DType() != tensor.Float32 || s.op == "Resize" && i > 0 {
			continue
		}
		some = true
		y, err := tensor.New(d, x.Dims()...)
		if err != nil {
			panic(err)
		}
		for k := range x.Len() {
			y.SetFloat(k, x.Float(k))
			// The tests of f32 have such numbers. In attention an infinity times a weight that f32 does not hold is NaN.
			if math.IsInf(y.Float(k), 0) && (!math.IsInf(x.Float(k), 0) || s.op == "Attention" && i < 3) {
				y.SetFloat(k, 300)
			}
		}
		s.in[i] = y
	}
	return s, some
}

// Entries for halves give the reference's results, rounded once behind sums in f32; more workers, and results in the place of an operand,
// give the same bits.
func TestHalvesAgreeWithTheReference(t *testing.T) {
	leftOut := strings.Fields(
		"QuantizeLinear DequantizeLinear DynamicQuantizeLinear MatMulInteger QLinearMatMul ConvInteger QLinearConv Range BitwiseAnd BitwiseOr BitwiseXor BitwiseNot BitShift And Or Xor Not RoiAlign")
	met := 0
	lists := map[Tier][]*Entry{}
	for _, tier := range tiers() {
		list := Entries(tier)
		lists[tier] = append(list, Halves(tier, list)...)
	}
	for _, g := range slices.Concat(generators, integerGenerators) {
		for _, op := range strings.Fields(g.ops) {
			if slices.Contains(leftOut, op) {
				continue
			}
			for d, unit := range map[tensor.DType]float64{tensor.Float16: 0x1p-10, tensor.BFloat16: 0x1p-7} {
				r := rand.New(rand.NewPCG(uint64(len(op)), 11))
				found, missed := 0, 0
				for n := range 20 {
					s, some := halved(g.make(r, op), d)
					if op == "Cast" && n%2 == 0 {
						s.attrs, some = []*isa.Attr{isa.IntAttrOf("to", int64(d))}, s.in[0].DType() != tensor.Float64
					}
					if !some {
						continue
					}
					want := s.reference(t)
					for _, tier := range tiers() {
						list := lists[tier]
						e, outs := runSample(t, list, tier, &s, want, 1, -1)
						if e == nil {
							missed++
							continue
						}
						found++
						if strings.HasSuffix(e.Name, ".halves") {
							met++
						}
						_, again := runSample(t, list, tier, &s, want, 3, -1)
						for i := range outs {
							if why := differHalves(outs[i], want[i], unit, s.tol, s.abs); why != "" {
								t.Fatalf("%d: %s on %s, by %s: result %d: %s", n, &s, tier, e.Name, i, why)
							}
							if string(outs[i].Bytes()) != string(again[i].Bytes()) {
								t.Fatalf("%d: %s on %s: three workers give other bits", n, &s, tier)
							}
						}
						for _, at := range isa.InPlaceOf("", op) {
							if e.InPlace == nil || at >= len(s.in) || s.in[at] == nil || s.in[at].Type() != outs[0].Type() {
								continue
							}
							if _, over := runSample(t, list, tier, &s, want, 2, at); string(over[0].Bytes()) != string(outs[0].Bytes()) {
								t.Fatalf("%d: %s on %s: in the place of operand %d it gives other bits", n, &s, tier, at)
							}
						}
					}
				}
				if found == 0 || missed > found {
					t.Errorf("%s of %s: %d calls have an entry, %d none", op, d, found, missed)
				}
			}
		}
	}
	if met < 1500 {
		t.Errorf("only %d calls are computed in f32", met)
	}
}

// differHalves says how a result is not the reference's: by more than the last digit and what sums in f32 may differ.
func differHalves(got *tensor.Tensor, want *eval.Tensor, unit, tol, abs float64) string {
	if !tensor.IsFloat(got.DType()) || got.DType() == tensor.Float32 || got.DType() == tensor.Float64 {
		return differ(got, want, max(tol, 1e-6), abs)
	}
	return differ(got, want, tol+unit, abs+0x1p-24)
}
