package onnx

import (
	"slices"
	"testing"
)

func TestDimsAreNamedAndExpanded(t *testing.T) {
	value := func(name string, dims ...string) *ValueInfo {
		s := &Shape{}
		for _, d := range dims {
			s.Dims = append(s.Dims, Sym(d))
		}
		return &ValueInfo{Name: name, Type: &Type{Kind: SequenceType, Of: &Type{Kind: TensorType, Elem: Float, Shape: s}}}
	}
	shared := &ValueInfo{Name: "again", Type: value("", "W - 1").Type}
	sub := &Graph{Name: "body", Values: []*ValueInfo{value("v", "H//2 + 1", "N")}}
	m := &Model{Graph: &Graph{
		Name: "g", Inputs: []*ValueInfo{value("x", "N", "dim_1", "H//2 + 1", "int", "größe")},
		Outputs: []*ValueInfo{value("y", "W - 1", ""), shared, {Name: "z", Type: shared.Type}},
		Nodes:   []*Node{{Op: "Loop", Attrs: []*Attr{{Name: "body", Type: AttrGraph, Graph: sub}}}},
	}, Functions: []*Function{{Name: "f", Values: []*ValueInfo{value("w", "2*N")}}}, Metadata: []Entry{{Key: "contract", Value: "N >= 2"}}}
	list := func() (out []string) {
		eachDim(m, func(d *Dim) { out = append(out, d.Param) })
		return out
	}
	before := list()
	NameDims(m)
	want := []string{"N", "dim_1", "dim_2", "dim_3", "dim_4", "dim_5", "", "dim_5", "dim_5", "dim_2", "N", "dim_6"}
	if got := list(); !slices.Equal(got, want) {
		t.Errorf("sizes %q, want %q", got, want)
	}
	table, _ := Meta(m.Metadata, DimsKey)
	if table != "dim_2 = H//2 + 1\ndim_3 = int\ndim_4 = größe\ndim_5 = W - 1\ndim_6 = 2*N" {
		t.Errorf("table %q", table)
	}
	for _, d := range list() {
		if d != "" && !isC90(d) {
			t.Errorf("%q is no identifier", d)
		}
	}
	if !ExpandDims(m) || !slices.Equal(list(), before) || len(m.Metadata) != 1 {
		t.Errorf("expanded: %q, want %q; metadata %v", list(), before, m.Metadata)
	}
	if ExpandDims(m) {
		t.Error("there is no table any more")
	}
}
