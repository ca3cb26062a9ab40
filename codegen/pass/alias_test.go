package pass_test

import (
	"context"
	"testing"

	"shapecheck/codegen/pass"
)

// Results take the memory of operands that end with them and that nothing else has.
func TestAliases(t *testing.T) {
	for _, c := range []struct {
		text string
		has  []string
	}{
		// an input is the caller's
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[4] = Neg(%1)\nout %2", []string{"Exp(%0) order 1  #", "Neg(%1) order 2 reuse 0"}},
		// also a result
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[4] = Neg(%1)\nout %2, %1", []string{"Neg(%1) order 2  #"}},
		// twice an operand
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[4] = Mul(%1, %1)\nout %2", []string{"Mul(%1, %1) order 2  #"}},
		// the other operand
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[4] = Sub(%0, %1)\nout %2", []string{"Sub(%0, %1) order 2 reuse 1"}},
		// of another size
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f64[4] = Cast(%1) {to=11}\nout %2", []string{"{to=11} order 2  #"}},
		// broadcast
		{"in f32[3,4]\n%1: f32[4] = ReduceSum(%0, @0) {keepdims=0}\n%2: f32[3,4] = Add(%0, %1)\nout %2\nconst i64[1] 0", []string{"order 2  #"}},
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[2,2] = vm::view(%1)\n%3: f32[2,2] = Neg(%2)\nout %3",
			[]string{"view(%1) order 2 reuse 0", "Neg(%2) order 3 reuse 0"}},
		{"in f32[4]\n%1: f32[4] = Exp(%0)\n%2: f32[2,2] = vm::view(%1)\n%3: f32[2,2] = Neg(%2)\n%4: f32[4] = Add(%1, %0)\nout %3, %4",
			[]string{"Neg(%2) order 3  #", "Add(%1, %0) order 4 reuse 0"}},
		{"in f32[4]\n%1: f32[2,2] = vm::view(%0)\n%2: f32[2,2] = Neg(%1)\nout %2", []string{"view(%0) order 1 reuse 0", "Neg(%1) order 2  #"}},
		{"in f32[4], bool[]\n%2: f32[4] = If(%1, %0) captured 1\ngraph(%3: f32[4]) {\n%4: f32[4] = Neg(%3)\n%5: f32[4] = Exp(%4)\nreturn %5\n}\ngraph(%6: f32[4]) {\nreturn %6\n}\n%7: f32[4] = Abs(%2)\nout %7",
			[]string{"Neg(%3) order 1  #", "Exp(%4) order 2 reuse 0", "Abs(%2) order 2  #"}},
	} {
		m := parsed(t, modText(t, c.text))
		m.Main.Reorder(m.Main.Nodes)
		for _, n := range m.Main.Nodes {
			for _, g := range n.Graphs {
				g.Reorder(g.Nodes)
			}
		}
		var list []*pass.Pass
		for _, p := range pass.Passes() {
			if p.Name == "alias" {
				list = append(list, p)
			}
		}
		if _, err := pass.Run(context.Background(), m, list, pass.Options{Verify: true}); err != nil {
			t.Fatal(err)
		}
		text := m.String()
		has(t, text, c.has...)
		if again := parsed(t, text).String(); again != text {
			t.Errorf("read back as\n%s\nwritten as\n%s", again, text)
		}
	}
}
