package sched_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/ir/irtext"
	"shapecheck/codegen/op"
	"shapecheck/codegen/sched"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// random makes a module of nodes that join, change and view what came before.
func random(t *testing.T, r *rand.Rand, nodes int) *ir.Module {
	t.Helper()
	pool := symshape.NewPool()
	m := ir.NewModule("random", pool)
	vec := func(n int64) inference.Type {
		return inference.Type{Kind: onnx.TensorType, Elem: onnx.Float, Ranked: true, Dims: []*symshape.Expr{pool.Const(n)}}
	}
	var values []*ir.Value
	for i := range 2 {
		n := 1 + r.Int64N(20)
		values = append(values, m.AddParam(m.Main, "", vec(n)))
		m.Ins = append(m.Ins, ir.Port{Name: string(rune('a' + i)), Type: vec(n)})
	}
	for range nodes {
		rec := op.Lookup("", []string{"Relu", "Concat", "Concat", "ReduceSum", "RandomNormalLike"}[r.IntN(5)])
		if r.IntN(5) == 0 {
			rec = op.Lookup("vm", "view")
		}
		x, y := values[r.IntN(len(values))], values[r.IntN(len(values))]
		nx, _ := x.Type.Dims[0].Const()
		ny, _ := y.Type.Dims[0].Const()
		n, ins, attrs := nx, []*ir.Value{x}, []*onnx.Attr(nil)
		switch rec.Name {
		case "Concat":
			n, ins, attrs = nx+ny, append(ins, y), []*onnx.Attr{onnx.IntAttr("axis", 0)}
		case "ReduceSum":
			n = 1
		}
		a, err := rec.Schema.Decode(&onnx.Node{Op: rec.Name, Attrs: attrs}, nil)
		if err != nil {
			t.Fatal(err)
		}
		made := m.AddNode(m.Main, nil, ir.Spec{Op: rec, Ins: ins, Attr: a, Types: []inference.Type{vec(n)}, From: ir.Origin{Pass: "test"}})
		values = append(values, made.Outs[0])
	}
	for i := range 2 {
		v := values[len(values)-1-i]
		m.Main.AddResult(v)
		m.Outs = append(m.Outs, ir.Port{Name: string(rune('y' + i)), Type: v.Type})
	}
	return m
}

// peak counts from the definition: at each node, the bytes of all that was made, and is
// used at or after it.
func peak(g *ir.Graph, order []*ir.Node) int64 {
	bytes := func(v *ir.Value) int64 { n, _ := v.Type.Dims[0].Const(); return 4 * n }
	root := func(v *ir.Value) *ir.Value {
		for v.Def != nil && v.Def.Op.Name == "view" {
			v = v.Def.Ins[0]
		}
		return v
	}
	last := map[*ir.Value]int{}
	for _, v := range g.Params {
		last[v] = -1
	}
	for i, n := range order {
		for _, v := range append(slices.Clone(n.Ins), n.Outs...) {
			last[root(v)] = i
		}
	}
	for _, v := range g.Results {
		last[root(v)] = len(order)
	}
	most := int64(0)
	for _, p := range g.Params {
		most += bytes(p)
	}
	for i := range order {
		now := int64(0)
		for _, p := range g.Params {
			if last[p] >= i {
				now += bytes(p)
			}
		}
		for k, n := range order[:i+1] {
			if v := n.Outs[0]; root(v) == v && (last[v] >= i || k == i) {
				now += bytes(v)
			}
		}
		most = max(most, now)
	}
	return most
}

func TestOrdersAreValidAndGreedyIsNeverWorse(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	better := 0
	for range 300 {
		m := random(t, r, 3+r.IntN(30))
		at := sched.PointOf(m, nil)
		naive, greedy := sched.Naive(m, m.Main), sched.Greedy(m, m.Main, at)
		effects := func(list []*ir.Node) (out []int32) {
			for _, n := range list {
				if sched.Effect(n) {
					out = append(out, n.ID)
				}
			}
			return out
		}
		want := effects(m.Main.Nodes)
		var peaks []int64
		for _, order := range [][]*ir.Node{naive, greedy} {
			if !slices.Equal(effects(order), want) {
				t.Fatalf("effects are in another order:\n%s", m)
			}
			m.Main.Reorder(order)
			if err := m.Verify(ir.Scheduled); err != nil {
				t.Fatalf("%v\n%s", err, m)
			}
			p := peak(m.Main, order)
			if u := sched.Simulate(m, at); u.Peak != p || u.Unknown != 0 {
				t.Fatalf("the simulation says %d bytes, %d unknown; counted are %d:\n%s", u.Peak, u.Unknown, p, m)
			}
			peaks = append(peaks, p)
		}
		if peaks[1] > peaks[0] {
			t.Errorf("greedy needs %d bytes, naive %d:\n%s", peaks[1], peaks[0], m)
		}
		if peaks[1] < peaks[0] {
			better++
		}
	}
	if better == 0 {
		t.Error("greedy is never better")
	}
}

const point = `module "p"
sym N 1.. ; port 0 axis 0
sym H 200..300 ; port 0 axis 1
sym K 1.. ; port 1 axis 0
sym u 0.. ; node
const @0 f32[1] base64 AACAPw==
graph(%0 "x": f32[N,H], %1 "v": f32[K]) {
  %2: f32[N,H] = Exp(%0)  # - | "a"
  %3: f32[u] = vm::fill(@0)  # - | "late"
  %4: i64[1,u] = NonZero(%1) binds u  # - | "b"
  %5: seq(f32[...]) = SequenceConstruct(%2)  # - | "s"
  return %2 "y", %3 "z", %5 "s"
}
`

// The node that binds a size comes before those that have it, sizes that nobody gave are
// usual ones within their ranges, and values of unknown size are counted as such.
func TestSizesOfNodesAndThePoint(t *testing.T) {
	text := point
	i, j := 0, 0
	for k := range text { // the fill stands before the node that binds u: put it behind
		if text[k:k+4] == "  %3" {
			i = k
		}
		if text[k:k+4] == "  %4" {
			j = k
			break
		}
	}
	end := j
	for text[end] != '\n' {
		end++
	}
	text = text[:i] + text[j:end+1] + text[i:j] + text[end+1:]
	m, err := irtext.Parse(text, op.Lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.BindSymbols(); err != nil {
		t.Fatal(err)
	}
	at := sched.PointOf(m, map[string]int64{"u": 7})
	if at["N"] != 1 || at["H"] != 200 || at["K"] != 128 || at["u"] != 7 {
		t.Errorf("the point is %v", at)
	}
	m.Main.Reorder(sched.Greedy(m, m.Main, at))
	if err := m.Verify(ir.Scheduled); err != nil {
		t.Errorf("%v\n%s", err, m)
	}
	if u := sched.Simulate(m, at); u.Unknown != 1 {
		t.Errorf("%+v", u)
	}
}
