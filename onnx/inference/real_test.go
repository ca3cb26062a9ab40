package inference

// This file tests sizes that are computed with floats, as exporters write them. What
// is expected is the arithmetic of the types: binary32 holds integers up to 2^24, and
// 0.7 is no fraction of it.

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

func TestSizesThroughFloats(t *testing.T) {
	f32 := func(name string, f float32) *onnx.Node {
		return node("Constant -> "+name, onnx.FloatAttr("value_float", f))
	}
	f64 := func(name string, f float64) *onnx.Node {
		x, err := onnx.NewScalar(onnx.Double, f)
		if err != nil {
			t.Fatal(err)
		}
		return node("Constant -> "+name, onnx.TensorAttr("value", x))
	}
	cast := func(from, to string, d onnx.DType) *onnx.Node {
		return node("Cast "+from+" -> "+to, onnx.IntAttr("to", int64(d)))
	}
	// h is the third size of x as a float, w the fourth; v becomes the result's size.
	open := func(d onnx.DType) []*onnx.Node {
		return []*onnx.Node{node("Shape x -> s"), node("Gather s two -> h0"), node("Gather s three -> w0"), cast("h0", "h", d),
			cast("w0", "w", d)}
	}
	close := []*onnx.Node{cast("v", "i", onnx.Int64), node("ConstantOfShape i -> y")}
	for _, c := range []struct {
		want  string
		elem  onnx.DType
		nodes []*onnx.Node
	}{
		{"H//2", onnx.Float, []*onnx.Node{f32("c", 0.5), node("Mul h c -> m"), node("Floor m -> v")}},
		{"H//2", onnx.Float, []*onnx.Node{f32("c", 0.5), node("Mul h c -> v")}}, // the conversion rounds towards zero
		{"ceil(H/2)", onnx.Float, []*onnx.Node{f32("c", 2), node("Div h c -> m"), node("Ceil m -> v")}},
		{"2*H", onnx.Float, []*onnx.Node{f32("c", 2), node("Mul h c -> m"), node("Floor m -> v")}},
		{"H+H//4", onnx.Float, []*onnx.Node{f32("c", 1.25), node("Mul h c -> m"), node("Floor m -> v")}},
		{"H//3", onnx.Float, []*onnx.Node{f32("c", 3), node("Div h c -> m"), node("Floor m -> v")}}, // rounded, but not to the next integer
		{"ceil(H/3)", onnx.Float, []*onnx.Node{f32("c", 3), node("Div h c -> m"), node("Ceil m -> v")}},
		{"H-ceil(H/3)", onnx.Float, []*onnx.Node{f32("c", 3), f32("d", 2), node("Div h c -> m"), node("Mul m d -> v")}},
		{"H//W", onnx.Float, []*onnx.Node{node("Div h w -> m"), node("Floor m -> v")}},
		{"3", onnx.Float, []*onnx.Node{f32("c", 3), node("Mul h c -> m"), node("Div m h -> v")}},
		{"H//2+1", onnx.Float, []*onnx.Node{f32("c", 0.5), f32("d", 1), node("Mul h c -> m"), node("Add m d -> v")}},
		{"(H+W)//2", onnx.Float, []*onnx.Node{f32("c", 0.5), node("Mul h c -> m"), node("Mul w c -> n"), node("Add m n -> v")}},
		{"max(H,W)", onnx.Float, []*onnx.Node{node("Max h w -> v")}},
		{"ceil(H/2)+(H+2)//4-ceil(H/4)", onnx.Float, []*onnx.Node{f32("c", 0.5), node("Mul h c -> m"), node("Round m -> v")}},
		// What binary32 rounds, or may round, is not known.
		{"unk0", onnx.Float, []*onnx.Node{f32("c", 0.7), node("Mul h c -> m"), node("Floor m -> v")}},
		{"unk0", onnx.Float, []*onnx.Node{f32("c", 3), node("Div h c -> m"), node("Mul m c -> v")}},
		{"unk0", onnx.Float, []*onnx.Node{node("Mul h w -> m"), f32("c", 0.5), node("Mul m c -> v")}},
		{"unk0", onnx.Float, []*onnx.Node{f32("c", 1.0009765625), node("Mul h c -> v")}},
		{"unk0", onnx.Float, []*onnx.Node{f32("c", 0.7), node("Mul h c -> m"), node("Sub m h -> v")}},
		// Equal computations have equal results, which a number of their own stands for.
		{"0", onnx.Float, []*onnx.Node{f32("c", 0.7), node("Mul h c -> m"), node("Floor m -> a"), node("Mul h c -> n"), node("Floor n -> b"),
			node("Sub a b -> v")}},
		{"2*unk0", onnx.Float, []*onnx.Node{f32("c", 0.7), node("Mul h c -> m"), node("Floor m -> a"), node("Add a a -> v")}},
		// in binary64 it is 6
		{"7", onnx.Float, []*onnx.Node{f32("c", 0.7), f32("d", 10), node("Mul c d -> m"), node("Floor m -> n"), node("Unsqueeze n zero -> v")}},
		// binary64 is what Python computes with.
		{"int(H*0.7)", onnx.Double, []*onnx.Node{f64("c", 0.7), node("Mul h c -> v")}},
		{"ceil(H*0.3)", onnx.Double, []*onnx.Node{f64("c", 0.3), node("Mul h c -> m"), node("Ceil m -> v")}},
		{"(H*W)//2", onnx.Double, []*onnx.Node{f64("c", 0.5), node("Mul h w -> m"), node("Mul m c -> v")}},
		{"H//2", onnx.Double, []*onnx.Node{f64("c", 0.5), node("Mul h c -> m"), cast("m", "n", onnx.Float), node("Floor n -> v")}},
	} {
		m := model([]*onnx.ValueInfo{input("x", onnx.Float, "N", "C", "H", "W")}, map[string][]int64{"two": {2}, "three": {3}, "zero": {0}},
			append(append(open(c.elem), c.nodes...), close...)...)
		res := infer(t, m)
		if got := fmt.Sprint(res.Errors, res.Graphs[m.Graph]["y"]); got != "[] f32["+c.want+"]" {
			t.Errorf("got %s, want %s", got, c.want)
		}
	}
}

// TestFloatsAreWhatTheTypesCompute computes random chains of operators both ways.
func TestFloatsAreWhatTheTypesCompute(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	consts := []float64{0.5, 2, 3, 0.7, 1.5, 0.25, 7, 1, 10, 0.1, 0.75, 5}
	known := 0
	for _, d := range []onnx.DType{onnx.Float, onnx.Double} {
		for range 1500 {
			e := &engine{pool: symshape.NewPool(), owns: map[ownKey]int{}, wholes: map[ownKey]expr{}}
			var sizes [2]int64
			x := [2]real{e.realOf(d, e.pool.Symbol("H")), e.realOf(d, e.pool.Symbol("W"))}
			type step struct {
				how string
				k   int // an operand: H, W, the number so far, or a constant
			}
			var steps []step
			for range 1 + r.IntN(4) {
				if r.IntN(3) == 0 {
					steps = append(steps, step{[...]string{"floor", "ceil", "round"}[r.IntN(3)], 0})
				} else {
					steps = append(steps, step{[...]string{"mul", "div", "add", "sub", "max", "min"}[r.IntN(6)], r.IntN(3 + len(consts))})
				}
			}
			how := [...]string{"floor", "ceil", "round", "trunc"}[r.IntN(4)]
			at := x[0]
			for _, s := range steps {
				switch {
				case floatFunctions[s.how] != nil:
					at = e.applyReal(s.how, d, at)
				case s.k < 2:
					at = e.combineReals(s.how, d, at, x[s.k])
				case s.k == 2:
					at = e.combineReals(s.how, d, at, at)
				default:
					at = e.combineReals(s.how, d, at, number(rounded(d, consts[s.k-3])))
				}
			}
			n := e.roundReal(how, d, at)
			if n == nil || unknownDim(n) {
				continue
			}
			known++
			for range 40 {
				sizes = [2]int64{1 + r.Int64N(3000), 1 + r.Int64N(3000)}
				got, err := n.Eval(func(s string) (int64, bool) { return sizes[map[string]int{"H": 0, "W": 1}[s]], true })
				if err != nil {
					t.Fatal(err)
				}
				f := float64(sizes[0])
				for _, s := range steps {
					switch {
					case floatFunctions[s.how] != nil:
						f = floatFunctions[s.how](f)
					case s.k < 2:
						f = rounded(d, floatOps[s.how](f, float64(sizes[s.k])))
					case s.k == 2:
						f = rounded(d, floatOps[s.how](f, f))
					default:
						f = rounded(d, floatOps[s.how](f, rounded(d, consts[s.k-3])))
					}
				}
				want := map[string]func(float64) float64{"floor": math.Floor, "ceil": math.Ceil, "round": math.RoundToEven, "trunc": math.Trunc}[how](f)
				if math.IsNaN(want) || math.IsInf(want, 0) {
					continue
				}
				if float64(got) != want {
					t.Fatalf("%s: H %v, %s: %s gives %d at %v; computed %v", d, steps, how, n, got, sizes, want)
				}
			}
		}
	}
	if known < 1500 {
		t.Errorf("%d results are known", known)
	}
}
