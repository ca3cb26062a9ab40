package inline

import (
	"testing"

	"shapecheck/onnx"
)

func constant(name string, list ...int64) *onnx.Node {
	return node("Constant", "", name, onnx.TensorAttr("value", onnx.NewInts(nil, list...)))
}

func TestConstantsAreMerged(t *testing.T) {
	inner := &onnx.Graph{Name: "then", Nodes: []*onnx.Node{
		constant("e", 1), constant("f", 3), constant("g", 2), constant("h", 3), node("Add", "e,h", "i"), node("Add", "i,f", "j"),
	}, Outputs: []*onnx.ValueInfo{{Name: "g"}, {Name: "j"}}}
	m := model([]*onnx.Node{
		constant("a", 1), constant("b", 1), constant("c", 1, 1), constant("d", 2), node("Add", "a,b", "k"),
		node("If", "k", "l,m", onnx.GraphAttr("then_branch", inner)),
		constant("n", 3), constant("y", 1), node("Add", "c,d", "o"),
	})
	m.Graph.Values = []*onnx.ValueInfo{{Name: "a"}, {Name: "b"}}
	Constants(m)
	// A result stays; what a subgraph has is not seen outside of it.
	want := "a=Constant() value;c=Constant() value;d=Constant() value;k=Add(a,a);l,m=If(k) then_branch{f=Constant() value;g=Constant() value;i=Add(a,f);j=Add(i,f); ->g ->j};" +
		"n=Constant() value;y=Constant() value;o=Add(c,d);"
	if got := text(m.Graph.Nodes); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if len(m.Graph.Values) != 1 || m.Graph.Values[0].Name != "a" {
		t.Errorf("declared: %v, want a only", m.Graph.Values)
	}
}
