package onnx

// This file holds short constructors.

// Static and Sym make dimensions.
func Static(n int64) Dim  { return Dim{Known: true, Value: n} }
func Sym(expr string) Dim { return Dim{Param: expr} }

// TensorOf makes the type of a ranked tensor.
func TensorOf(d DType, dims ...Dim) *Type {
	return &Type{Kind: TensorType, Elem: d, Shape: &Shape{Dims: dims}}
}

// Constructors of attributes.
func IntAttr(name string, i int64) *Attr     { return &Attr{Name: name, Type: AttrInt, Int: i} }
func IntsAttr(name string, l ...int64) *Attr { return &Attr{Name: name, Type: AttrInts, Ints: l} }
func FloatAttr(name string, f float32) *Attr { return &Attr{Name: name, Type: AttrFloat, Float: f} }
func FloatsAttr(name string, l ...float32) *Attr {
	return &Attr{Name: name, Type: AttrFloats, Floats: l}
}
func StringAttr(name, s string) *Attr { return &Attr{Name: name, Type: AttrString, String: []byte(s)} }
func StringsAttr(name string, l ...string) *Attr {
	a := &Attr{Name: name, Type: AttrStrings}
	for _, s := range l {
		a.Strings = append(a.Strings, []byte(s))
	}
	return a
}
func TensorAttr(name string, t *Tensor) *Attr { return &Attr{Name: name, Type: AttrTensor, Tensor: t} }
func GraphAttr(name string, g *Graph) *Attr   { return &Attr{Name: name, Type: AttrGraph, Graph: g} }

// RefAttr makes an attribute whose value is an attribute of the enclosing
// function.
func RefAttr(name string, t AttrType, ref string) *Attr { return &Attr{Name: name, Type: t, Ref: ref} }
