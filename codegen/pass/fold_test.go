package pass_test

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/pass"
)

// folded runs the pass fold and compares what the module computes before and after it.
func folded(t *testing.T, text string) *ir.Module {
	t.Helper()
	m := parsed(t, text)
	list := slices.DeleteFunc(pass.Passes(), func(p *pass.Pass) bool { return p.Name != "fold" })[:1]
	if _, err := pass.Run(context.Background(), m, list, pass.Options{Verify: true}); err != nil {
		t.Fatal(err)
	}
	compare(t, parsed(t, text), m, rand.New(rand.NewPCG(1, 2)))
	return m
}

// A transposed copy of large weights is not made where products take them as they are.
func TestTransposesOfLargeWeightsAreLeftToProducts(t *testing.T) {
	weights := "const f32[128,200] 1 2 3\nin f32[4,200]\n%1: f32[200,128] = Transpose(@0) {perm=[1,0]}\n%2: f32[4,128] = MatMul(%0, %1)\n"
	has(t, folded(t, modText(t, weights+"out %2")).String(), "Transpose(@0)")
	has(t, run(t, "merge", modText(t, weights+"out %2"), pass.Options{}), "vm::matmul(%0, @0) {tb=1}")
	// Others need the elements in their order, and a copy of small weights costs nothing.
	for _, other := range []string{
		weights + "%3: f32[200,128] = Relu(%1)\nout %2, %3",
		weights + "out %2, %1",
		"const f32[8,9] 1 2 3\nin f32[4,9]\n%1: f32[9,8] = Transpose(@0) {perm=[1,0]}\n%2: f32[4,8] = MatMul(%0, %1)\nout %2",
		"const f32[128,200] 1 2 3\nin f32[128,4]\n%1: f32[200,128] = Transpose(@0) {perm=[1,0]}\n%2: f32[200,4] = MatMul(%1, %0)\nout %2",
		"const f64[128,200] 1 2 3\nin f64[4,200]\n%1: f64[200,128] = Transpose(@0) {perm=[1,0]}\n%2: f64[4,128] = MatMul(%0, %1)\nout %2",
	} {
		lacks(t, folded(t, modText(t, other)).String(), "Transpose(@0)")
	}
}

// What is a part of a constant as it lies in memory stays there.
func TestPartsOfConstantsAreNotCopied(t *testing.T) {
	for _, c := range []struct {
		name, text string
		shared     int // constants that lie in the memory of the first
	}{
		{"split", "const f32[6,2] 1 2 3 4 5 6 7 8 9\nconst i64[3] 1 3 2\nin f32[2]\n%1: f32[1,2], %2: f32[3,2], %3: f32[2,2] = Split(@0, @1)\n" +
			"%4: f32[1,2] = Add(%0, %1)\n%5: f32[3,2] = Add(%0, %2)\n%6: f32[2,2] = Add(%0, %3)\nout %4, %5, %6", 3},
		{"split of an inner axis", "const f32[2,4] 1 2 3 4 5 6 7 8\nconst i64[2] 1 3\nin f32[1]\n%1: f32[2,1], %2: f32[2,3] = Split(@0, @1) {axis=1}\n" +
			"%3: f32[2,1] = Add(%0, %1)\n%4: f32[2,3] = Add(%0, %2)\nout %3, %4", 0},
		{"reshape", "const f32[6,2] 1 2 3 4 5 6 7 8 9\nconst i64[2] 3 4\nin f32[4]\n%1: f32[3,4] = Reshape(@0, @1)\n%2: f32[3,4] = Add(%0, %1)\nout %2", 1},
		{"slice", "const f32[1,6,2] 1 2 3 4 5 6 7 8 9\nconst i64[1] 2\nconst i64[1] 9\nconst i64[1] 1\nin f32[2]\n%1: f32[1,4,2] = Slice(@0, @1, @2, @3)\n" +
			"%2: f32[1,4,2] = Add(%0, %1)\nout %2", 1},
		{"slice of an inner axis", "const f32[3,4] 1 2 3 4 5 6 7 8\nconst i64[1] 1\nconst i64[1] -1\nin f32[2]\n%1: f32[3,2] = Slice(@0, @1, @2, @2)\n" +
			"%2: f32[3,2] = Add(%0, %1)\nout %2", 0},
		{"slice from the end", "const f32[6] 1 2 3 4 5 6\nconst i64[1] -4\nconst i64[1] 9\nin f32[4]\n%1: f32[4] = Slice(@0, @1, @2)\n%2: f32[4] = Add(%0, %1)\nout %2", 0},
		{"slice in steps", "const f32[5] 1 2 3 4 5\nconst i64[1] 0\nconst i64[1] 5\nconst i64[1] 2\nin f32[3]\n%1: f32[3] = Slice(@0, @1, @2, @1, @3)\n" +
			"%2: f32[3] = Add(%0, %1)\nout %2", 0},
		{"concat", "const f32[2,2] 1 2 3 4\nconst f32[2,3] 5 6 7 8 9 10\nin f32[5]\n%1: f32[2,5] = Concat(@0, @1) {axis=-1}\n%2: f32[2,5] = Add(%0, %1)\nout %2", 0},
		{"concat of rows", "const f16[1,2] 1 2\nconst f16[2,2] 3 4 5 6\nin f16[2]\n%1: f16[3,2] = Concat(@0, @1) {axis=0}\n%2: f16[3,2] = Add(%0, %1)\nout %2", 0},
		{"bool", "const bool[4] 1 0 1 1\nconst i64[2] 2 2\nin bool[2]\n%1: bool[2,2] = Reshape(@0, @1)\n%2: bool[2,2] = And(%0, %1)\nout %2", 0},
	} {
		m := folded(t, modText(t, c.text))
		whole := m.Consts.List[0].Tensor.Raw
		shared := 0
		for _, k := range m.Consts.List[1:] {
			for i := range whole {
				if len(k.Tensor.Raw) > 0 && &k.Tensor.Raw[0] == &whole[i] {
					shared++
				}
			}
		}
		if lacks(t, m.String(), "Split", "Reshape", "Slice", "Concat"); shared != c.shared {
			t.Errorf("%s: %d constants lie in the first one, not %d", c.name, shared, c.shared)
		}
	}
}
