package inference

// This file replays the evaluator's recorded runs (../eval/testdata: ONNX's own node tests, and
// variants of them). What is recorded of a run is the truth: an inferred type must be that of the
// recorded output, for the recorded sizes, whatever of the inputs is told to the inference; and
// known elements must be the recorded ones. How much is known is counted, by operator, in
// testdata/counts.txt: a rule that knows less than before is a line of a diff.

import (
	"errors"
	"flag"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
	"shapecheck/symshape"
	"shapecheck/tools/counts"
)

var updateCounts = flag.Bool("update-counts", false,
	"write what was counted into testdata/counts.txt, and the messages into testdata/faults.txt")

const countsFile = "../../testdata/counts.txt"

// A tally counts facts about the outputs of an operator: element type, rank and each dimension are
// one each, and each element of a small tensor.
type tally struct{ known, unknown, elements, open int }

func (a *tally) fact(known bool) {
	if known {
		a.known++
	} else {
		a.unknown++
	}
}

// A replayed is a run with the name of its operator.
type replayed struct {
	*evaltest.Case
	archive, op string
}

// eachCase reads the cases of archives anew: what is told to the inference changes models.
func eachCase(t *testing.T, f func(load func() replayed), archives ...string) {
	t.Helper()
	for _, name := range archives {
		fsys, err := evaltest.Archive("../eval/testdata/" + name + ".tar.gz")
		if err != nil {
			t.Fatal(err)
		}
		dirs, err := evaltest.List(fsys)
		if err != nil || len(dirs) == 0 {
			t.Fatal(name, dirs, err)
		}
		for _, dir := range dirs {
			f(func() replayed {
				c, err := evaltest.Load(fsys, dir)
				if err != nil {
					t.Fatal(dir, err)
				}
				for _, o := range c.Model.Graph.Outputs {
					o.Type = nil
				}
				c.Model.Graph.Values = nil
				r := replayed{c, name, "several"}
				if len(c.Model.Graph.Nodes) == 1 {
					n := c.Model.Graph.Nodes[0]
					if r.op = n.Op; n.Domain != "" {
						r.op = n.Domain + "." + n.Op
					}
				}
				return r
			})
		}
	}
}

// tell is a way to tell the inference of the inputs; it gives the values of symbols.
type tell struct {
	name string
	f    func(c replayed) map[string]int64
}

var tells = []tell{
	{"as they are", replayed.symbols},
	{"symbolic sizes", func(c replayed) map[string]int64 {
		bind := map[string]int64{}
		c.eachInput(func(i int, v *onnx.ValueInfo, x *eval.Tensor) {
			for j, n := range x.Dims {
				if v.Type.Shape.Dims[j] = onnx.Static(n); n >= 1 { // a symbol of an input is at least 1
					name := fmt.Sprintf("d%d_%d", i, j)
					bind[name] = n
					v.Type.Shape.Dims[j] = onnx.Sym(name)
				}
			}
		})
		return bind
	}},
	{"sizes unknown", func(c replayed) map[string]int64 {
		c.eachInput(func(_ int, v *onnx.ValueInfo, x *eval.Tensor) {
			v.Type.Shape.Dims = make([]onnx.Dim, len(x.Dims))
		})
		return nil
	}},
	{"ranks unknown", func(c replayed) map[string]int64 {
		c.eachInput(func(_ int, v *onnx.ValueInfo, _ *eval.Tensor) { v.Type.Shape = nil })
		return nil
	}},
	{"every second rank unknown", func(c replayed) map[string]int64 {
		bind := c.symbols()
		c.eachInput(func(i int, v *onnx.ValueInfo, _ *eval.Tensor) {
			if i%2 == 0 {
				v.Type.Shape = nil
			}
		})
		return bind
	}},
	{"small inputs bound", func(c replayed) map[string]int64 { bind := c.symbols(); c.bindSmall(); return bind }},
}

// symbols gives the values of the model's own symbols.
func (c replayed) symbols() map[string]int64 {
	bind := map[string]int64{}
	c.eachInput(func(_ int, v *onnx.ValueInfo, x *eval.Tensor) {
		for j, d := range v.Type.Shape.Dims {
			if d.Param != "" {
				bind[d.Param] = x.Dims[j]
			}
		}
	})
	return bind
}

// eachInput goes over the inputs that are tensors of known rank.
func (c replayed) eachInput(f func(i int, v *onnx.ValueInfo, x *eval.Tensor)) {
	if len(c.Sets) == 0 {
		return
	}
	for i, v := range c.Model.Graph.Inputs {
		x, ok := c.Sets[0].Inputs[v.Name].(*eval.Tensor)
		if ok && v.Type != nil && v.Type.Shape != nil && len(v.Type.Shape.Dims) == len(x.Dims) {
			f(i, v, x)
		}
	}
}

// bindSmall makes constants of small inputs, as sizes and scales often are.
func (c replayed) bindSmall() {
	g := c.Model.Graph
	if len(c.Sets) == 0 {
		return
	}
	g.Inputs = slices.DeleteFunc(g.Inputs, func(v *onnx.ValueInfo) bool {
		x, ok := c.Sets[0].Inputs[v.Name].(*eval.Tensor)
		if !ok || !(isInt(x.DType) && x.Len() <= maxData || x.DType == onnx.Float && x.Len() <= 8 && len(x.Dims) < 2) {
			return false
		}
		w := constantOf(x)
		w.Name = v.Name
		g.Initializers = append(g.Initializers, w)
		return true
	})
}

// constantOf makes a constant; elements that are no numbers stay outside.
func constantOf(x *eval.Tensor) *onnx.Tensor {
	w := &onnx.Tensor{DType: x.DType, Dims: x.Dims}
	switch x.DType {
	case onnx.Int64:
		w.Int64s = x.I
	case onnx.Uint32, onnx.Uint64:
		for _, n := range x.I {
			w.Uint64s = append(w.Uint64s, uint64(n))
		}
	case onnx.Bool, onnx.Int8, onnx.Int16, onnx.Int32, onnx.Uint8, onnx.Uint16:
		for _, n := range x.I {
			w.Int32s = append(w.Int32s, int32(n))
		}
	case onnx.Float, onnx.Double, onnx.Float16:
		if y, err := onnx.NewFloats(x.DType, x.Dims, x.F); err == nil {
			return y
		}
		fallthrough
	default:
		w.IsExternal = true
	}
	return w
}

func TestInferenceAgreesWithRecordedOutputs(t *testing.T) {
	tallies := map[string]*tally{}
	eachCase(t, func(load func() replayed) {
		for _, how := range tells {
			c := load()
			if len(c.Sets) == 0 || slices.ContainsFunc(c.Model.Graph.Inputs,
				func(v *onnx.ValueInfo) bool { return c.Sets[0].Inputs[v.Name] == nil }) {
				return
			}
			key := c.op
			if tallies[key] == nil {
				tallies[key] = &tally{}
			}
			bind := how.f(c)
			res := infer(t, c.Model)
			for _, e := range res.Errors {
				t.Errorf("%s (%s): %s", c.Name, how.name, e)
			}
			for i, o := range c.Model.Graph.Outputs {
				got := res.Graphs[c.Model.Graph][o.Name]
				if err := tallies[key].judge(c.Sets[0].Outputs[i], got, bind); err != nil {
					t.Errorf("%s (%s): %s is %s: %v", c.Name, how.name, o.Name, got, err)
				}
			}
		}
		if c := load(); len(c.Model.Graph.Nodes) == 1 && len(c.Model.Functions) == 0 {
			applyNode(t, c, tallies[c.op])
		}
	}, "onnx1.23", "old", "varied")
	var rows []counts.Row
	for op, n := range tallies {
		rows = append(rows, counts.Row{Name: op, Counts: []counts.Count{{Name: "known", N: n.known}, {Name: "unknown", N: n.unknown},
			{Name: "elements", N: n.elements}, {Name: "open", N: n.open}}})
	}
	slices.SortFunc(rows, func(a, b counts.Row) int { return strings.Compare(a.Name, b.Name) })
	if err := counts.Check(countsFile, "inference of recorded nodes", rows, *updateCounts); err != nil {
		t.Errorf("%v\n(go test ./onnx/inference -update-counts writes the file)", err)
	}
}

// judge compares a type with what was recorded: nothing may differ, but something may be unknown.
func (a *tally) judge(want eval.Value, got *Type, bind map[string]int64) error {
	kind := onnx.TensorType
	var inside []eval.Value
	switch w := want.(type) {
	case *eval.Sequence:
		kind, inside = onnx.SequenceType, w.Items
	case *eval.Optional:
		if kind = onnx.OptionalType; w.Of != nil {
			inside = []eval.Value{w.Of}
		}
	}
	if got == nil || got.Kind == onnx.NoType {
		a.fact(false)
		return nil
	}
	if got.Kind != kind {
		return errors.New("it is another kind of value")
	}
	a.fact(true)
	w, ok := want.(*eval.Tensor)
	if !ok {
		for _, v := range inside {
			if err := a.judge(v, got.Of, bind); err != nil {
				return err
			}
		}
		return nil
	}
	if a.fact(got.Elem != onnx.Undefined); got.Elem != onnx.Undefined && got.Elem != w.DType {
		return fmt.Errorf("recorded elements are %s", w.DType)
	}
	if a.fact(got.Ranked); !got.Ranked {
		return nil
	}
	if len(got.Dims) != len(w.Dims) {
		return fmt.Errorf("recorded sizes are %v", w.Dims)
	}
	for i, d := range got.Dims {
		n, known, err := valueOf(d, bind)
		if a.fact(known); err != nil || known && n != w.Dims[i] {
			return fmt.Errorf("recorded sizes are %v, dimension %d is %d by the type; %w", w.Dims, i, n, err)
		}
	}
	return nil
}

// valueOf computes an expression, if it has no unknowns.
func valueOf(x *symshape.Expr, bind map[string]int64) (n int64, known bool, err error) {
	if slices.ContainsFunc(x.Symbols(), (*symshape.Expr).IsFresh) {
		return 0, false, nil
	}
	n, err = x.Eval(symshape.Env(bind))
	return n, true, err
}

// applyNode runs the only node of a model with elements of its inputs: as they were recorded, and
// as symbols that have these values.
func applyNode(t *testing.T, c replayed, a *tally) {
	g := c.Model.Graph
	n := g.Nodes[0]
	subgraphs := false
	n.Subgraphs(func(string, *onnx.Graph) { subgraphs = true })
	if subgraphs {
		return
	}
	version := onnx.OpsetVersion(c.Model.Opsets, n.Domain)
	for _, low := range []int64{symshape.PosInf, 1, 0, symshape.NegInf} {
		s := NewSession(symshape.NewPool())
		bind := map[string]int64{}
		ins := make([]*Value, len(n.Inputs))
		for i, name := range n.Inputs {
			x, ok := c.Sets[0].Inputs[name].(*eval.Tensor)
			for _, init := range g.Initializers {
				if init.Name == name {
					y, err := eval.FromONNX(init)
					if err != nil {
						t.Fatal(c.Name, err)
					}
					x, ok = y, true
				}
			}
			if !ok {
				if name != "" {
					return
				}
				continue
			}
			v, err := s.Constant(constantOf(x))
			if err != nil {
				t.Fatal(c.Name, err)
			}
			v.symbolic(s, low, fmt.Sprintf("e%d", i), x, bind)
			ins[i] = v
		}
		outs, errs := s.Apply(n, version, ins)
		for _, e := range errs {
			t.Errorf("%s, elements from %d on: %s", c.Name, low, e)
		}
		at := 0
		for i, name := range n.Outputs {
			if name == "" || len(errs) > 0 {
				continue
			}
			want, v := c.Sets[0].Outputs[at], outs[i]
			if at++; a.judge(want, v.Type, bind) != nil {
				t.Errorf("%s, elements from %d on: %s is %s: %v", c.Name, low, name, v.Type, a.judge(want, v.Type, bind))
			}
			if w, ok := want.(*eval.Tensor); ok && v.Kind == onnx.TensorType {
				if err := a.elementsOf(w, v, bind); err != nil {
					t.Errorf("%s, elements from %d on: %s: %v", c.Name, low, name, err)
				}
			}
		}
	}
}

// symbolic makes symbols of the elements that are at least low, and of sizes; with the greatest
// number all stay constants.
func (v *Value) symbolic(s *Session, low int64, prefix string, x *eval.Tensor, bind map[string]int64) {
	if low == symshape.PosInf {
		return
	}
	for k := range v.ints {
		if n := x.I[k]; n >= low && x.DType != onnx.Bool {
			name := fmt.Sprintf("%s_%d", prefix, k)
			bind[name] = n
			v.ints[k] = s.e.pool.Declare(name, low, symshape.PosInf)
		}
	}
	// Sizes of what has no known elements: at least 2 where they are, or at least 0.
	if least := int64(2); v.ints == nil && low <= 0 {
		if low == symshape.NegInf {
			least = 0
		}
		v.floats = nil
		for j, n := range x.Dims {
			name := fmt.Sprintf("%s_d%d", prefix, j)
			bind[name] = n
			v.Dims[j] = s.e.pool.Declare(name, min(n, least), symshape.PosInf)
		}
	}
	if low != 1 || !isFloat(v.Elem) || len(v.floats) == 0 {
		return
	}
	reals, some := v.allReals(), false
	for k, f := range v.floats {
		if n := int64(f); float64(n) == f && n >= 1 && n < 1<<20 {
			name := fmt.Sprintf("%s_%d", prefix, k)
			bind[name] = n
			reals[k], some = s.e.realOf(v.Elem, s.e.pool.Declare(name, 1, symshape.PosInf)), true
		}
	}
	if some {
		v.floats, v.reals = nil, reals
	}
}

// elementsOf compares known elements with the recorded ones.
func (a *tally) elementsOf(want *eval.Tensor, v *Value, bind map[string]int64) error {
	if want.Len() > maxData {
		return nil
	}
	switch {
	case v.ints != nil:
		if len(v.ints) != len(want.I) {
			return fmt.Errorf("%d elements are known of %d", len(v.ints), len(want.I))
		}
		for k, x := range v.ints {
			if x == nil {
				a.open++
				continue
			}
			n, known, err := valueOf(x, bind)
			if err != nil || known && n != want.I[k] {
				return fmt.Errorf("element %d is %s, recorded %d; %w", k, x, want.I[k], err)
			}
			if a.elements++; !known {
				a.elements, a.open = a.elements-1, a.open+1
			}
		}
	case v.hasReals():
		for k, f := range want.F {
			r := v.real(k)
			if r.kind != constReal {
				a.open++
				continue
			}
			if a.elements++; math.Abs(r.x-f) > 1e-5*math.Abs(f) {
				return fmt.Errorf("element %d is %v, recorded %v", k, r.x, f)
			}
		}
	default:
		a.open += want.Len()
	}
	return nil
}
