package isa

// This file writes attributes of instructions as ONNX has them.

import "shapecheck/onnx"

// ONNX is the attribute as ONNX has it, if it is a number, a text or a list of these; nil else.
func (a *Attr) ONNX() *onnx.Attr {
	out := &onnx.Attr{Name: a.Name}
	switch v := a.V.(type) {
	case *Attr_I:
		out.Type, out.Int = onnx.AttrInt, v.I
	case *Attr_F:
		out.Type, out.Float = onnx.AttrFloat, float32(v.F)
	case *Attr_S:
		out.Type, out.String = onnx.AttrString, v.S
	case *Attr_Ints:
		out.Type, out.Ints = onnx.AttrInts, v.Ints.GetList()
	case *Attr_Floats:
		out.Type = onnx.AttrFloats
		for _, x := range v.Floats.GetList() {
			out.Floats = append(out.Floats, float32(x))
		}
	case *Attr_Strings:
		out.Type, out.Strings = onnx.AttrStrings, v.Strings.GetList()
	default:
		return nil
	}
	return out
}
