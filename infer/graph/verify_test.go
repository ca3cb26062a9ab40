package graph

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"

	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

func val(b *Builder) *Value { return b.NewValue(TensorKind, TensorType{}, source.Span{}) }

func TestVerifyAcceptsARegionThatUsesOuterValues(t *testing.T) {
	b := NewBuilder()
	x := b.Input("x", TensorType{}, source.Span{})
	then, els := &Region{}, &Region{}
	y, z := val(b), val(b)
	outer := b.Enter(then)
	b.Emit(&Node{Op: "f", Args: []Arg{{Name: "x", Value: x}}, Outputs: []*Value{y}})
	b.Leave(outer)
	then.Results, els.Results = []Operand{y}, []Operand{x}
	b.Emit(&Node{Op: "if", Args: []Arg{{Name: "cond", Value: Bool(true)}}, Regions: []*Region{then, els}, Outputs: []*Value{z}})
	g := b.Graph()
	g.Output = z
	if err := Verify(g); err != nil {
		t.Error(err)
	}
}

// TestReadingsComeAfterTheirNode: a rule that makes a scalar of its output reads its
// truth before the node of the output is there.
func TestReadingsComeAfterTheirNode(t *testing.T) {
	b := NewBuilder()
	x, y := b.Input("x", TensorType{}, source.Span{}), val(b)
	b.Emit(&Node{Op: Truth, Args: []Arg{{Name: "input", Value: x}}, Outputs: []*Value{b.Scalar(nil, source.Span{})}})
	b.Emit(&Node{Op: Truth, Args: []Arg{{Name: "input", Value: y}}, Outputs: []*Value{b.Scalar(nil, source.Span{})}})
	b.Emit(&Node{Op: "f", Outputs: []*Value{y}})
	if err := Verify(b.Graph()); err != nil {
		t.Error(err)
	}
	if got := b.Graph().Body.Nodes; got[0].Op != Truth || got[1].Op != "f" {
		t.Errorf("%s, %s", got[0].Op, got[1].Op)
	}
}

func TestVerifyRejectsWhatIsNotWellFormed(t *testing.T) {
	for _, c := range []struct {
		name, want string
		build      func(b *Builder)
	}{
		{"use before definition", "before it is defined", func(b *Builder) {
			x, y := val(b), val(b)
			b.Emit(&Node{Op: "g", Args: []Arg{{Name: "x", Value: x}}, Outputs: []*Value{y}})
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
		}},
		{"two definitions", "defined twice", func(b *Builder) {
			x := val(b)
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
		}},
		{"a value of a region used outside", "before it is defined", func(b *Builder) {
			x, y := val(b), val(b)
			r := &Region{}
			outer := b.Enter(r)
			b.Emit(&Node{Op: "f", Outputs: []*Value{x}})
			b.Leave(outer)
			emitLoop(b, r)
			b.Emit(&Node{Op: "g", Args: []Arg{{Name: "x", Value: x}}, Outputs: []*Value{y}})
		}},
		{"results that do not fit the outputs", "results for", func(b *Builder) {
			b.Emit(&Node{Op: "if", Args: []Arg{{Name: "cond", Value: Bool(true)}}, Regions: []*Region{{}, {}}, Outputs: []*Value{val(b)}})
		}},
		{"an if without a condition", "one argument", func(b *Builder) {
			b.Emit(&Node{Op: "if", Args: []Arg{{Name: "cond", Value: nil}}, Regions: []*Region{{}, {}}})
		}},
		{"a tensor that one branch does not give", "no optional", func(b *Builder) {
			x := b.Input("x", TensorType{}, source.Span{})
			b.Emit(&Node{Op: "if", Args: []Arg{{Name: "cond", Value: x}}, Regions: []*Region{{Results: []Operand{x}}, {Results: []Operand{nil}}},
				Outputs: []*Value{val(b)}})
		}},
		{"a loop without the number of the iteration", "values before it", func(b *Builder) {
			b.Emit(&Node{Op: "loop", Args: []Arg{{Name: "trips", Value: nil}, {Name: "init", Value: List{}}}, Regions: []*Region{{Results: []Operand{Bool(true)}}}})
		}},
		{"a number that is used where it is not bound", "uses the number", func(b *Builder) {
			n := symshape.NewPool().FreshIn("n", 0, 9)
			r := &Region{}
			outer := b.Enter(r)
			b.Emit(&Node{Op: "item", Args: []Arg{{Name: "input", Value: Bool(true)}}, Outputs: []*Value{b.Scalar(n, source.Span{})}})
			b.Leave(outer)
			emitLoop(b, r)
			b.Emit(&Node{Op: "f", Args: []Arg{{Name: "size", Value: Dim{Dim: symshape.Dim{Expr: n}}}}})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := NewBuilder()
			c.build(b)
			if err := Verify(b.Graph()); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want one with %q", err, c.want)
			}
		})
	}
}

// emitLoop adds a loop with a body that carries nothing.
func emitLoop(b *Builder, body *Region) {
	body.Params = []*Value{b.Scalar(nil, source.Span{})}
	body.Results = []Operand{Bool(true)}
	b.Emit(&Node{Op: "loop", Args: []Arg{{Name: "trips", Value: Int(3)}, {Name: "init", Value: List{}}}, Regions: []*Region{body}})
}

func TestExportGivesValuesAWayOut(t *testing.T) {
	b := NewBuilder()
	x := b.Input("x", TensorType{}, source.Span{})
	n := symshape.NewPool().FreshIn("n", 0, 9)
	body, then := &Region{}, &Region{}
	y := val(b)
	outer := b.Enter(body)
	in := b.Enter(then)
	b.Emit(&Node{Op: "f", Args: []Arg{{Name: "x", Value: x}}, Outputs: []*Value{y}})
	b.Emit(&Node{Op: "item", Args: []Arg{{Name: "input", Value: x}}, Outputs: []*Value{b.Scalar(n, source.Span{})}})
	b.Leave(in)
	b.Emit(&Node{Op: "if", Args: []Arg{{Name: "cond", Value: x}}, Regions: []*Region{then, {}}})
	b.Leave(outer)
	emitLoop(b, body)
	b.Emit(&Node{Op: "g", Args: []Arg{{Name: "x", Value: y}, {Name: "size", Value: Dim{Dim: symshape.Dim{Expr: n}}}}})
	g := b.Graph()
	g.Output = List{y}
	if Verify(g) == nil {
		t.Fatal("the graph is right before Export")
	}
	b.Export()
	if err := Verify(g); err != nil {
		t.Fatal(err)
	}
	if v := g.Output.(List)[0].(*Value); v.Kind != OptionalKind || v.Def.Op != "loop" {
		t.Errorf("the value leaves the loop as %v of %v", v.Kind, v.Def.Op)
	}
}

// TestEveryBuiltinIsHeldToItsRow gives each built-in operation one argument too many, an
// argument of another name, and a region or output that it does not have.
func TestEveryBuiltinIsHeldToItsRow(t *testing.T) {
	for i := range builtins {
		b := &builtins[i]
		good := func() *Node {
			n := &Node{Op: b.op, Regions: make([]*Region, b.regions)}
			for _, a := range b.args {
				n.Args = append(n.Args, Arg{Name: a, Value: Bool(true)})
			}
			for range max(0, b.outputs) {
				n.Outputs = append(n.Outputs, &Value{Kind: b.kind})
			}
			return n
		}
		bad := func(what string, change func(n *Node)) {
			n := good()
			change(n)
			if form(n) == nil {
				t.Errorf("%s: %s is not noticed", b.op, what)
			}
		}
		if b.form == nil {
			if err := form(good()); err != nil {
				t.Errorf("%s: %v", b.op, err)
			}
		}
		bad("a missing argument", func(n *Node) { n.Args = n.Args[1:] })
		bad("an argument of another name", func(n *Node) { n.Args[0].Name = "?" })
		bad("a region more", func(n *Node) { n.Regions = append(n.Regions, &Region{}) })
		if b.outputs >= 0 {
			bad("an output more", func(n *Node) { n.Outputs = append(n.Outputs, &Value{Kind: b.kind}) })
		}
		if b.outputs == 1 {
			bad("an output of another kind", func(n *Node) { n.Outputs[0].Kind = OptionalKind })
		}
	}
}

// operandsOfEachType has an operand of each type that there is, with its text.
var operandsOfEachType = []struct {
	o    Operand
	text string
}{
	{nil, "None"}, {&Value{ID: 7}, "%7"}, {Int(-3), "-3"}, {Float(0.5), "0.5"}, {Complex(1 + 2i), "(1+2i)"}, {Bool(true), "True"},
	{Str("a"), `"a"`},
	{DType{dtype.F32}, "f32"}, {Opaque("set"), "<set>"}, {Dim{symshape.Dim{Val: 4, Known: true}}, "4"}, {Real{}, "float"},
	{Cond{symshape.NewPool().Bool(true)}, "True"}, {List{Int(1), nil}, "[1, None]"}, {Tuple{Int(1)}, "(1)"},
	{Dict{{Name: "k", Value: Bool(false)}}, `{"k": False}`},
	{Slice{Start: Int(1)}, "1:"}, {Ellipsis{}, "..."},
}

// TestEachTypeOfOperandIsRead holds the readers of this package to all types of
// operands: those with the method operand in operand.go.
func TestEachTypeOfOperandIsRead(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "operand.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	declared := map[string]bool{"<nil>": true}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil && f.Name.Name == "operand" {
			declared[strings.Replace(types.ExprString(f.Recv.List[0].Type), "*", "*graph.", 1)] = true
		}
	}
	for _, c := range operandsOfEachType {
		name := strings.TrimPrefix(fmt.Sprintf("%T", c.o), "graph.")
		if !declared[name] {
			t.Errorf("operand.go does not declare %s, or it stands here twice", name)
		}
		delete(declared, name)
		if got := OperandString(c.o); got != c.text {
			t.Errorf("%s is written %s, not %s", name, got, c.text)
		}
		g := &Graph{Body: &Region{}, Output: c.o}
		if err := Verify(g); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if h, _ := g.Clone(); OperandString(h.Output) != c.text {
			t.Errorf("a copy of %s is %s", name, OperandString(h.Output))
		}
	}
	for name := range declared {
		t.Errorf("no operand of type %s is tried", name)
	}
}

func TestVerifyRejectsOperandsThatSayNothing(t *testing.T) {
	for _, o := range []Operand{(*Value)(nil), Cond{}, List{Tuple{Cond{}}}, Dict{{Name: "k", Value: (*Value)(nil)}}, Slice{Stop: Cond{}}, new(Int)} {
		if Verify(&Graph{Body: &Region{}, Output: o}) == nil {
			t.Errorf("%#v is accepted", o)
		}
	}
}
