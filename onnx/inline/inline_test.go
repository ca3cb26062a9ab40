package inline

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/onnx"
)

func node(op string, ins, outs string, attrs ...*onnx.Attr) *onnx.Node {
	domain, name, ok := strings.Cut(op, "::")
	if !ok {
		domain, name = "", op
	}
	split := func(s string) []string {
		if s == "" {
			return nil
		}
		return strings.Split(s, ",")
	}
	return &onnx.Node{Domain: domain, Op: name, Inputs: split(ins), Outputs: split(outs), Attrs: attrs}
}

func function(name, ins, outs string, nodes ...*onnx.Node) *onnx.Function {
	return &onnx.Function{Domain: "f", Name: name, Inputs: strings.Split(ins, ","), Outputs: strings.Split(outs, ","), Nodes: nodes,
		Opsets: []onnx.Opset{{Version: 18}}}
}

func model(nodes []*onnx.Node, functions ...*onnx.Function) *onnx.Model {
	return &onnx.Model{Opsets: []onnx.Opset{{Version: 18}, {Domain: "f", Version: 1}}, Functions: functions, Graph: &onnx.Graph{
		Inputs: []*onnx.ValueInfo{{Name: "x"}}, Outputs: []*onnx.ValueInfo{{Name: "y"}}, Nodes: nodes,
	}}
}

// text writes nodes in one line each: "t/c = Mul(x, x) {axis}".
func text(list []*onnx.Node) string {
	var b strings.Builder
	for _, n := range list {
		b.WriteString(strings.Join(n.Outputs, ",") + "=" + n.Op + "(" + strings.Join(n.Inputs, ",") + ")")
		for _, a := range n.Attrs {
			b.WriteString(" " + a.Name)
			switch {
			case a.Ref != "":
				b.WriteString("@" + a.Ref)
			case a.Type == onnx.AttrInt:
				b.WriteByte('=')
				b.WriteString(string(rune('0' + a.Int)))
			case a.Graph != nil:
				b.WriteString("{" + text(a.Graph.Nodes))
				for _, o := range a.Graph.Outputs {
					b.WriteString(" ->" + o.Name)
				}
				b.WriteByte('}')
			}
		}
		b.WriteByte(';')
	}
	return b.String()
}

func TestInline(t *testing.T) {
	sub := &onnx.Graph{Name: "g", Nodes: []*onnx.Node{node("Add", "a,t", "u"), node("f::twice", "u", "v")},
		Outputs: []*onnx.ValueInfo{{Name: "v"}, {Name: "a"}}}
	twice := function("twice", "a", "b", node("Add", "a,a", "b"))
	cases := []struct {
		name  string
		model *onnx.Model
		want  string
	}{
		{"results_keep_the_call's_names", model([]*onnx.Node{node("f::twice", "x", "y")}, twice), "y=Add(x,x);"},
		{"inner_values_are_renamed", model([]*onnx.Node{node("f::g", "x", "t"), node("f::g", "t", "y")},
			function("g", "a", "c", node("Neg", "a", "t"), node("Abs", "t", "c"))),
			"t/t=Neg(x);t=Abs(t/t);y/t=Neg(t);y=Abs(y/t);"},
		{"nested", model([]*onnx.Node{node("f::four", "x", "y")}, twice,
			function("four", "a", "c", node("f::twice", "a", "t"), node("f::twice", "t", "c"))),
			"y/t=Add(x,x);y=Add(y/t,y/t);"},
		{"attribute_of_the_call", model([]*onnx.Node{node("f::s", "x", "y", onnx.IntAttr("dim", 2))},
			function("s", "a", "b", node("Softmax", "a", "b", onnx.RefAttr("axis", onnx.AttrInt, "dim")))),
			"y=Softmax(x) axis=2;"},
		{"attribute_that_is_not_given_vanishes", model([]*onnx.Node{node("f::s", "x", "y")},
			function("s", "a", "b", node("Softmax", "a", "b", onnx.RefAttr("axis", onnx.AttrInt, "dim")))),
			"y=Softmax(x);"},
		{"absent_optional_input", model([]*onnx.Node{node("f::clip", "x", "y")}, function("clip", "a,lo,hi", "b", node("Clip", "a,lo,hi", "b"))),
			"y=Clip(x,,);"},
		{"result_is_an_input", model([]*onnx.Node{node("f::id", "x", "y")}, function("id", "a", "a")), "y=Identity(x);"},
		{"one_value_is_two_results", model([]*onnx.Node{node("f::two", "x", "y,z")}, function("two", "a", "b,b", node("Neg", "a", "b"))),
			"y=Neg(x);z=Identity(y);"},
		{"unwanted_result", model([]*onnx.Node{node("f::two", "x", ",y")},
			function("two", "a", "b,c", node("Neg", "a", "b"), node("Abs", "b", "c"))), "y/b=Neg(x);y=Abs(y/b);"},
		{"subgraph_sees_the_body", model([]*onnx.Node{node("f::g", "x", "y,z")}, twice,
			function("g", "a", "b,c", node("Neg", "a", "t"), node("If", "t", "b,c", onnx.GraphAttr("then_branch", sub)))),
			"y/t=Neg(x);y,z=If(y/t) then_branch{y/u=Add(x,y/t);y/v=Add(y/u,y/u); ->y/v ->x};"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			kept, err := Model(t.Context(), c.model)
			if err != nil {
				t.Fatal(err)
			}
			if got := text(c.model.Graph.Nodes); got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if len(kept)+len(c.model.Functions) > 0 || c.model.Opset("f") != 0 {
				t.Errorf("functions or their domain are left: %v", c.model.Opsets)
			}
		})
	}
}

func TestDefaultsOfAttributes(t *testing.T) {
	f := function("s", "a", "b", node("Softmax", "a", "b", onnx.RefAttr("axis", onnx.AttrInt, "dim")))
	f.Defaults = []*onnx.Attr{onnx.IntAttr("dim", 3)}
	m := model([]*onnx.Node{node("f::s", "x", "t"), node("f::s", "t", "y", onnx.IntAttr("dim", 1))}, f)
	if _, err := Model(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	if got, want := text(m.Graph.Nodes), "t=Softmax(x) axis=3;y=Softmax(t) axis=1;"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestFunctionOfOtherVersionStays(t *testing.T) {
	old := function("old", "a", "b", node("f::twice", "a", "b"))
	old.Opsets[0].Version = 11
	m := model([]*onnx.Node{node("f::old", "x", "y")}, function("twice", "a", "b", node("Add", "a,a", "b")), old)
	kept, err := Model(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(kept, []*onnx.Function{old}) || text(m.Graph.Nodes) != "y=old(x);" || m.Opset("f") == 0 {
		t.Errorf("kept %v, nodes %s", kept, text(m.Graph.Nodes))
	}
}

func TestRefusals(t *testing.T) {
	double := []*onnx.Function{function("f0", "a", "b", node("Neg", "a", "b"))}
	for i := range 40 {
		prev := "f::" + double[i].Name
		double = append(double, function("f"+strings.Repeat("i", i+1), "a", "b", node(prev, "a", "t"), node(prev, "t", "b")))
	}
	cases := map[string]struct {
		model *onnx.Model
		want  string
	}{
		"recursion":   {model([]*onnx.Node{node("f::r", "x", "y")}, function("r", "a", "b", node("f::r", "a", "b"))), "calls itself"},
		"too many":    {model([]*onnx.Node{node("f::"+double[40].Name, "x", "y")}, double...), "more than"},
		"inputs":      {model([]*onnx.Node{node("f::t", "x,x", "y")}, function("t", "a", "b", node("Neg", "a", "b"))), "2 inputs"},
		"two of them": {model(nil, double[0], double[0]), "twice"},
	}
	for name, c := range cases {
		if _, err := Model(t.Context(), c.model); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}
