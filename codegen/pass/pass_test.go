package pass_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/ir/irtext"
	"shapecheck/codegen/op"
	"shapecheck/codegen/pass"
)

func TestThePassesAreInOrder(t *testing.T) {
	list := pass.Passes()
	if err := pass.CheckOrder(list); err != nil {
		t.Error(err)
	}
	seen := map[string]bool{}
	for _, p := range list {
		if p.Doc == "" || p.Run == nil {
			t.Errorf("%s is not whole", p.Name)
		}
		seen[p.Name] = true
	}
	wrong := []*pass.Pass{{Name: "b", After: []string{"a"}}, {Name: "a"}}
	if pass.CheckOrder(wrong) == nil {
		t.Error("a wrong order is accepted")
	}
}

// run parses a module, runs one pass, and gives the text of the graph.
func run(t *testing.T, name, text string, o pass.Options) string {
	t.Helper()
	m, err := irtext.Parse(text, op.Lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.BindSymbols(); err != nil {
		t.Fatal(err)
	}
	if err := m.Verify(ir.Building); err != nil {
		t.Fatal(err)
	}
	var list []*pass.Pass
	for _, p := range pass.Passes() {
		if p.Name == name {
			list = append(list, p)
			break
		}
	}
	if len(list) == 0 {
		t.Fatalf("there is no pass %s", name)
	}
	o.Verify = true
	if _, err := pass.Run(context.Background(), m, list, o); err != nil {
		t.Fatal(err)
	}
	return m.String()
}

// has checks that a text has all lines, each as a part of one of its lines.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("there is no %q in\n%s", p, text)
		}
	}
}

func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("there is %q in\n%s", p, text)
		}
	}
}

const deadCode = `module "dead"
sym N 1.. ; port 0 axis 0
sym u 0.. ; node
graph(%0 "x": f32[N], %1 "c": bool[]) {
  %2: f32[N] = Relu(%0)  # - | "dead"
  %3: f32[N] = Neg(%2)  # - | "dead_too"
  %4: i64[1,u] = NonZero(%0) binds u  # - | "binds"
  %5: f32[N] = If(%1, %0, %0) captured 2  # - | "if"
    graph(%6: f32[N], %7: f32[N]) {
      return %6
    }
    graph(%8: f32[N], %9: f32[N]) {
      %10: f32[N] = Abs(%8)  # - | "inner"
      return %8
    }
  %11: f32[u] = vm::fill(@0)  # - | "needs_u"
  return %5 "y", %11 "z"
}
`

func TestDeadNodesGoUnlessTheyBindASize(t *testing.T) {
	text := strings.Replace(deadCode, "graph(%0", "const @0 f32[1] base64 AACAPw==\ngraph(%0", 1)
	got := run(t, "dce", text, pass.Options{})
	has(t, got, "NonZero", "captured 1", "return %5")
	lacks(t, got, "Relu", "Neg", "Abs")
	if off := run(t, "dce", text, pass.Options{Disable: []string{"dce:dead"}}); !strings.Contains(off, "Relu") {
		t.Error("a rule that is turned off was applied")
	}
}

const scanCode = `module "scan"
sym T 1.. ; port 0 axis 1
graph(%0 "x": f32[3,T,4], %1 "s": f32[4], %2 "w": f32[4]) {
  %3: f32[4], %4: f32[4,T] = Scan(%1, %0, %2) {num_scan_inputs=1 scan_input_axes=[1] scan_input_directions=[1] scan_output_axes=[1] scan_output_directions=[1]} captured 1  # - | "scan"
    graph(%5: f32[4], %6: f32[3,4], %7: f32[4]) {
      %8: f32[4] = ReduceSum(%6, @0) {keepdims=0}  # - | "sum"
      %9: f32[4] = Add(%8, %5)  # - | "add"
      %10: f32[4] = Mul(%9, %7)  # - | "mul"
      return %9, %10
    }
  return %3 "last", %4 "all"
}
`

func TestScansBecomeLoops(t *testing.T) {
	got := run(t, "loops", strings.Replace(scanCode, "graph(%0", "const @0 i64[1] base64 AAAAAAAAAAA=\ngraph(%0", 1), pass.Options{})
	has(t, got, "= Loop(", "i64[]{T} = vm::sizes()", "captured 2", "Gather(", "{axis=1}", "Sub(", "f32[T,4]", "Slice(", "Transpose(",
		"perm=[1,0]")
	lacks(t, got, "Scan(")
}

func TestUnknownPassesAreRefused(t *testing.T) {
	m, err := irtext.Parse(scanCode[:strings.Index(scanCode, "graph(")]+"graph(%0 \"x\": f32[T,T]) {\n  return %0 \"y\"\n}\n", op.Lookup, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := pass.Run(context.Background(), m, pass.Passes(), pass.Options{Disable: []string{"nope:rule"}}); err == nil {
		t.Error("a pass that does not exist is turned off without an error")
	}
}

const foldCode = `module "fold"
sym N 1.. ; port 0 axis 0
const @0 f32[2] base64 AACAPwAAAEA=
const @1 i64[1] base64 AAAAAAAAAAA=
const @2 i64[2] base64 0AcAAAAAAADQBwAAAAAAAA==
graph(%0 "x": f32[N,2]) {
  %1: f32[2] = Exp(@0)  # - | "exp"
  %2: f32[] = ReduceSum(%1, @1) {keepdims=0}  # - | "sum"
  %3: f32[N,2] = Add(%0, %2)  # - | "add"
  %4: f32[2] = RandomNormalLike(@0) {seed=1.}  # - | "random"
  %5: f32[N,2] = Mul(%3, %4)  # - | "mul"
  %6: f32[2000,2000] = RandomUniform() {seed=1. shape=[2000,2000]}  # - | "big"
  return %5 "y", %2 "s"
}
`

func TestConstantsAreComputed(t *testing.T) {
	got := run(t, "fold", foldCode, pass.Options{})
	has(t, got, "Add(%0, @", "RandomNormalLike", "RandomUniform", "return %5 \"y\", @")
	lacks(t, got, "Exp", "ReduceSum")
}

// Nodes that are too much work stay, and do not keep the compiler busy.
func TestFoldingIsBounded(t *testing.T) {
	text := "in f32[1]\n%1: f32[1024,1024] = vm::fill(@0)\nconst f32[1] 1\n"
	for i := range 100 {
		text += fmt.Sprintf("%%%d: f32[8,8] = Div(@1, @1)\n", 10+i)
	}
	text += "const f32[8,8] 3\nout %1, %10"
	has(t, run(t, "fold", modText(t, text), pass.Options{}), "vm::fill(@0)", `return %1 "y0", @`)

	big := "const f32[2048,2048] 1\nin f32[1]\n"
	for i := range 40 {
		big += fmt.Sprintf("%%%d: f32[2048,2048] = MatMul(@0, @0)\n", 10+i)
	}
	start := time.Now()
	got := run(t, "fold", modText(t, big+"out %49"), pass.Options{})
	if has(t, got, "MatMul(@0, @0)"); time.Since(start) > 30*time.Second {
		t.Errorf("folding took %v", time.Since(start))
	}
}
