package lower

// This file writes types.

import (
	"shapecheck/infer/graph"
	"shapecheck/lower/aten"
	"shapecheck/onnx"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// info makes the declaration of a value.
func (l *lowerer) info(name string, v *graph.Value) *onnx.ValueInfo {
	typ := typeOf(v)
	l.types[name] = typ
	return &onnx.ValueInfo{Name: name, Type: typ}
}

// typeOf is the ONNX type of a value; nil when its element type is not known.
func typeOf(v *graph.Value) *onnx.Type {
	t := tensorTypeOf(v)
	if t == nil {
		return nil
	}
	switch v.Kind {
	case graph.SequenceKind:
		return &onnx.Type{Kind: onnx.SequenceType, Of: t}
	case graph.OptionalKind:
		return &onnx.Type{Kind: onnx.OptionalType, Of: t}
	}
	return t
}

// tensorTypeOf is the type of a tensor, of the element of a list, or of an
// optional tensor that is there. A number without a dtype is an integer.
func tensorTypeOf(v *graph.Value) *onnx.Type {
	d, ok := aten.DTypeOf(v.Type.DType)
	part, paired := aten.Stored(v.Type.DType)
	if paired {
		d = part
	}
	if v.Kind == graph.ScalarKind && v.Type.DType == dtype.Unknown {
		d, ok = onnx.Int64, true
	}
	if !ok {
		return nil
	}
	t := &onnx.Type{Kind: onnx.TensorType, Elem: d}
	switch {
	case v.Kind == graph.ScalarKind:
		t.Shape = &onnx.Shape{}
	case v.Type.Ranked:
		t.Shape = &onnx.Shape{Dims: make([]onnx.Dim, len(v.Type.Shape))}
		for i, dim := range v.Type.Shape {
			t.Shape.Dims[i] = dimOf(dim)
		}
		if paired {
			t.Shape.Dims = append(t.Shape.Dims, onnx.Static(2))
		}
	}
	return t
}

// dimOf is a dimension: a constant, or an expression over symbols.
func dimOf(d symshape.Dim) onnx.Dim {
	if n, ok := d.Const(); ok {
		return onnx.Static(n)
	}
	if d.Expr == nil {
		return onnx.Dim{}
	}
	return onnx.Sym(d.Expr.String())
}
