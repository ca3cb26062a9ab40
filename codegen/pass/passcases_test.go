package pass_test

// This file has a case of each pass, and compares what the pass does to numbers with its class.

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"shapecheck/codegen/interp"
	"shapecheck/codegen/pass"
	"shapecheck/onnx/eval"
)

// A passCase is a module that a pass changes.
type passCase struct {
	pass       string
	text       string // in the form of modText
	first      string // a pass that runs before it
	has, lacks []string
	// apart says that the module is not run before: the interpreter has no Scan, whose loops random graphs compare.
	apart bool
}

var passCases = []passCase{
	{pass: "loops", text: "in f32[2], f32[3,2]\n%2: f32[2], %3: f32[3,2] = Scan(%0, %1) {num_scan_inputs=1}\ngraph(%4: f32[2], %5: f32[2]) {\n%6: f32[2] = Add(%4, %5)\nreturn %6, %4\n}\nout %2, %3",
		has: []string{"= Loop("}, lacks: []string{"Scan("}, apart: true},
	{pass: "sizes", text: "sym N 0.0\nin f32[N,2]\n%1: i64[2]{N,2} = Shape(%0)\n%2: i64[2]{2*N,4} = Add(%1, %1)\nout %2",
		has: []string{"return %4", "%4: i64[2]{2*N,4} = vm::sizes()"}},
	{pass: "canon", text: "in f32[2]\n%1: f32[2] = Identity(%0)\n%2: f32[2] = Neg(%1)\nout %2", has: []string{"Neg(%0)"},
		lacks: []string{"Identity"}},
	{pass: "fold", text: "const f32[2] 1 2\nin f32[2]\n%1: f32[2] = Exp(@0)\n%2: f32[2] = Mul(%0, %1)\nout %2", has: []string{"Mul(%0, @"},
		lacks: []string{"Exp"}},
	{pass: "control", text: "const bool[] 1\nin f32[2]\n%1: f32[2] = If(@0, %0) captured 1\ngraph(%2: f32[2]) {\n%3: f32[2] = Neg(%2)\nreturn %3\n}\ngraph(%4: f32[2]) {\nreturn %4\n}\nout %1",
		has: []string{"Neg("}, lacks: []string{"If("}},
	{pass: "cse", text: "in f32[2]\n%1: f32[2] = Exp(%0)\n%2: f32[2] = Exp(%0)\n%3: f32[2] = Sub(%1, %2)\nout %3",
		has: []string{"Sub(%1, %1)"}},
	{pass: "dce", text: "in f32[2]\n%1: f32[2] = Exp(%0)\n%2: f32[2] = Neg(%0)\nout %2", has: []string{"Neg(%0)"}, lacks: []string{"Exp"}},
	{pass: "recognise", text: "in f32[1,2,3,4], f32[1,2,4,3], f32[1,2,3,4]\n%3: f32[1,2,3,3] = MatMul(%0, %1)\n%4: f32[1,2,3,3] = Softmax(%3)\n%5: f32[1,2,3,4] = MatMul(%4, %2)\nout %5",
		has: []string{"= Attention(", "return %7"}},
	{pass: "merge", text: "const f32[2,1,1,1] 2\nin f32[1,1,3,3]\n%1: f32[1,2,3,3] = Conv(%0, @0)\n%2: f32[1,2,3,3] = Relu(%1)\nout %2",
		has: []string{`act="relu"`}, lacks: []string{"Relu("}},
	{pass: "algorithm", text: wideHead + "in f32[1,32,5,6]\n%1: f32[1,32,5,6] = Conv(%0, @0, @1) {pads=[1,1,1,1]}\nout %1",
		has: []string{`algo="winograd"`}},
	{pass: "schedule", text: "in f32[2]\n%1: f32[2] = Exp(%0)\n%2: f32[2] = Neg(%1)\nout %2",
		has: []string{"Exp(%0) order 1", "Neg(%1) order 2"}},
	{pass: "alias", first: "schedule", text: "in f32[2]\n%1: f32[2] = Exp(%0)\n%2: f32[2] = Neg(%1)\nout %2",
		has: []string{"order 2 reuse 0"}},
	{pass: "simulate", first: "schedule", text: "in f32[2]\n%1: f32[2] = Exp(%0)\n%2: f32[2] = Neg(%1)\nout %2"},
}

// Every pass has a case. What it may do is what its class says: exact passes give the same bits; those that round otherwise do nothing
// at the level exact, and nearly give the same numbers; those of no class leave the graph alone.
func TestEveryPassHasACase(t *testing.T) {
	tested := map[string]bool{}
	for _, c := range passCases {
		tested[c.pass] = true
		t.Run(c.pass, c.check)
	}
	for _, p := range pass.Passes() {
		if !tested[p.Name] {
			t.Errorf("no case shows what the pass %s does", p.Name)
		}
	}
	for _, c := range passCases {
		if named(c.pass) == nil {
			t.Errorf("there is no pass %s", c.pass)
		}
	}
}

// named gives a pass; nil: there is none.
func named(name string) *pass.Pass {
	for _, p := range pass.Passes() {
		if p.Name == name {
			return p
		}
	}
	return nil
}

func (c *passCase) check(t *testing.T) {
	p := named(c.pass)
	if p == nil {
		return // which is an error of its own
	}
	text := modText(t, c.text)
	before := parsed(t, text)
	if c.first != "" {
		if _, err := pass.Run(context.Background(), before, []*pass.Pass{named(c.first)}, pass.Options{}); err != nil {
			t.Fatal(err)
		}
	}
	list := []*pass.Pass{p}
	if c.first != "" {
		list = []*pass.Pass{named(c.first), p}
	}
	m := parsed(t, text)
	rep, err := pass.Run(context.Background(), m, list, pass.Options{Verify: true})
	if err != nil {
		t.Fatal(err)
	}
	after := m.String()
	has(t, after, c.has...)
	lacks(t, after, c.lacks...)
	switch p.Class {
	case pass.None:
		if after != before.String() || rep.Memory == nil {
			t.Errorf("a pass of no class has no report, or changes the graph:\n%s", after)
		}
	case pass.Rounding:
		exact := parsed(t, text)
		if _, err := pass.Run(context.Background(), exact, list, pass.Options{Level: pass.ExactO}); err != nil {
			t.Fatal(err)
		}
		if exact.String() != before.String() {
			t.Errorf("a pass that rounds otherwise runs at the level exact:\n%s", exact)
		}
		fallthrough
	default:
		if after == before.String() {
			t.Errorf("nothing changes:\n%s", after)
		}
	}
	if c.apart {
		return
	}
	r := rand.New(rand.NewPCG(7, 8))
	for k := range 6 {
		ins := randomInputs(t, before, r, k >= 3)
		want, err := interp.Module(before, ins, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		got, err := interp.Module(m, ins, eval.Config{})
		if err != nil {
			t.Fatal(err)
		}
		for i := range want {
			what := ""
			switch {
			case p.Class != pass.Rounding:
				what = same(got[i], want[i])
			case k < 3:
				what = compareNear(got[i], want[i], tolerance(want[i]))
			}
			if what != "" {
				t.Errorf("output %d: %s\n%s", i, what, strings.TrimSpace(after))
			}
		}
	}
}
