package pass_test

// This file runs recorded models before and after passes.

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"strings"
	"sync"
	"testing"

	"shapecheck/codegen/interp"
	"shapecheck/codegen/ir"
	"shapecheck/codegen/pass"
	"shapecheck/codegen/read"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

// A model is one whose outputs are known.
type model struct {
	name string
	file []byte
	ins  []eval.Value
	want []eval.Value // by the interpreter, before all passes
}

// module reads the model anew.
func (m *model) module(t *testing.T) *ir.Module {
	t.Helper()
	x, err := onnx.Unmarshal(m.file)
	if err != nil {
		t.Fatal(err)
	}
	mod, err := read.Model(t.Context(), x, read.Options{})
	if err != nil {
		t.Fatal(m.name, err)
	}
	return mod
}

var archive = sync.OnceValues(func() (fs.FS, error) {
	return evaltest.Archive("../../onnx/eval/testdata/onnx1.23.tar.gz")
})

// nodeModels are the cases of ONNX's own node tests that can be compiled, each one of
// every so many.
func nodeModels(t *testing.T, every int) []*model {
	t.Helper()
	fsys, err := archive()
	if err != nil {
		t.Fatal(err)
	}
	dirs, err := evaltest.List(fsys)
	if err != nil {
		t.Fatal(err)
	}
	var out []*model
	for i, dir := range dirs {
		if i%every != 0 {
			continue
		}
		c, err := evaltest.Load(fsys, dir)
		if err != nil || len(c.Sets) == 0 {
			continue
		}
		m := &model{name: c.Name}
		if m.file, err = fs.ReadFile(fsys, dir+"/model.onnx"); err != nil {
			t.Fatal(err)
		}
		mod, err := read.Model(t.Context(), c.Model, read.Options{})
		if err != nil {
			continue // operators that are refused
		}
		for _, p := range mod.Ins {
			m.ins = append(m.ins, c.Sets[0].Inputs[p.Name])
		}
		if _, err := pass.Run(context.Background(), mod, pass.Passes()[:1], pass.Options{}); err != nil { // Scan
			continue
		}
		if m.want, err = interp.Module(mod, m.ins, eval.Config{}); err != nil {
			if !strings.Contains(err.Error(), "not computed") {
				t.Errorf("%s: %v", m.name, err)
			}
			continue
		}
		out = append(out, m)
	}
	return out
}

// same compares the bits of two values; what says where they differ.
func same(got, want eval.Value) (what string) {
	switch w := want.(type) {
	case *eval.Tensor:
		g, ok := got.(*eval.Tensor)
		if !ok || g == nil || g.DType != w.DType || fmt.Sprint(g.Dims) != fmt.Sprint(w.Dims) {
			return fmt.Sprintf("%v instead of %v", got, want)
		}
		for i := range w.F {
			if math.Float64bits(g.F[i]) != math.Float64bits(w.F[i]) && !(math.IsNaN(g.F[i]) && math.IsNaN(w.F[i])) {
				return fmt.Sprintf("element %d is %v instead of %v", i, g.F[i], w.F[i])
			}
		}
		for i := range w.I {
			if g.I[i] != w.I[i] {
				return fmt.Sprintf("element %d is %v instead of %v", i, g.I[i], w.I[i])
			}
		}
		for i := range w.C {
			if g.C[i] != w.C[i] {
				return fmt.Sprintf("element %d is %v instead of %v", i, g.C[i], w.C[i])
			}
		}
	case *eval.Sequence:
		g, ok := got.(*eval.Sequence)
		if !ok || len(g.Items) != len(w.Items) {
			return fmt.Sprintf("%v instead of %v", got, want)
		}
		for i := range w.Items {
			if s := same(g.Items[i], w.Items[i]); s != "" {
				return fmt.Sprintf("item %d: %s", i, s)
			}
		}
	case *eval.Optional:
		g, ok := got.(*eval.Optional)
		if !ok || (g.Of == nil) != (w.Of == nil) {
			return fmt.Sprintf("%v instead of %v", got, want)
		}
		if w.Of != nil {
			return same(g.Of, w.Of)
		}
	}
	return ""
}

// compareNear compares values up to rounding: floats within tol of the largest one.
func compareNear(got, want eval.Value, tol float64) string {
	w, ok := want.(*eval.Tensor)
	if !ok || w.F == nil || tol == 0 {
		return same(got, want)
	}
	g, ok := got.(*eval.Tensor)
	if !ok || g.DType != w.DType || fmt.Sprint(g.Dims) != fmt.Sprint(w.Dims) {
		return fmt.Sprintf("%v instead of %v", got, want)
	}
	most := 0.0
	for _, x := range w.F {
		if !math.IsInf(x, 0) && !math.IsNaN(x) {
			most = max(most, math.Abs(x))
		}
	}
	for i, x := range w.F {
		y := g.F[i]
		if x != y && !(math.IsNaN(x) && math.IsNaN(y)) && !(math.Abs(x-y) <= tol*most) {
			return fmt.Sprintf("element %d is %v instead of %v", i, y, x)
		}
	}
	return ""
}

// tolerance of a model's floats after passes that may round otherwise.
func tolerance(v eval.Value) float64 {
	if t, ok := v.(*eval.Tensor); ok && (t.DType == onnx.Float16 || t.DType == onnx.BFloat16) {
		return 1e-2
	}
	return 1e-5
}

// after runs passes over a model and compares its outputs with those from before: in bits,
// or up to rounding at the level fast.
func (m *model) after(t *testing.T, list []*pass.Pass, o pass.Options) {
	t.Helper()
	mod := m.module(t)
	o.Verify = true
	if _, err := pass.Run(context.Background(), mod, list, o); err != nil {
		t.Errorf("%s: %v", m.name, err)
		return
	}
	m.check(t, mod, o)
}

func (m *model) check(t *testing.T, mod *ir.Module, o pass.Options) {
	t.Helper()
	got, err := interp.Module(mod, m.ins, eval.Config{})
	if err != nil {
		t.Errorf("%s, without %v: %v\n%s", m.name, o.Disable, err, mod)
		return
	}
	for i, w := range m.want {
		tol := 0.0
		if o.Level == pass.Fast {
			tol = tolerance(w)
		}
		if what := compareNear(got[i], w, tol); what != "" {
			t.Errorf("%s, without %v: output %d: %s\n%s", m.name, o.Disable, i, what, mod)
		}
	}
}

func TestNodesMeanTheSameAfterThePasses(t *testing.T) {
	models := nodeModels(t, 4)
	if len(models) < 250 {
		t.Errorf("only %d models", len(models))
	}
	for _, m := range models {
		m.after(t, pass.Passes(), pass.Options{Level: pass.ExactO})
		m.after(t, pass.Passes(), pass.Options{Level: pass.Fast})
	}
}

// Peaks and work as expressions have the simulated values at the sizing point.
func TestMemoryAsExpressionsIsWhatTheSimulationCounts(t *testing.T) {
	compared := 0
	for _, m := range nodeModels(t, 7) {
		rep, err := pass.Run(context.Background(), m.module(t), pass.Passes(), pass.Options{})
		if err != nil {
			t.Fatal(m.name, err)
		}
		u := rep.Memory
		at := func(s string) (int64, bool) { n, ok := u.Point[s]; return n, ok }
		if u.Unknown == 0 && u.PeakExpr != nil {
			compared++
			if n, err := u.PeakExpr.Eval(at); err != nil || n != u.Peak {
				t.Errorf("%s: the peak %s is %d (%v), not %d", m.name, u.PeakExpr, n, err, u.Peak)
			}
		}
		if u.UnknownFlops == 0 && u.FlopsExpr != nil {
			if n, err := u.FlopsExpr.Eval(at); err != nil || n != u.Flops {
				t.Errorf("%s: the work %s is %d (%v), not %d", m.name, u.FlopsExpr, n, err, u.Flops)
			}
		}
		if u.Peak > u.Naive {
			t.Errorf("%s: the order needs %d bytes, the naive one %d", m.name, u.Peak, u.Naive)
		}
	}
	if compared < 100 {
		t.Errorf("%d models were compared", compared)
	}
}
