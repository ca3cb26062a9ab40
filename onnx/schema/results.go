package schema

// This file tells the element types of results.

import "shapecheck/onnx"

// ResultDType gives the element type of a node's result: that of the inputs with the
// same type variable; the only one that the result may have; what an attribute says, as
// Cast's to; or, of what makes sequences and optional values of tensors and takes them
// apart, that of the first input. ins are the element types of the inputs, Undefined for
// absent ones, and those of the elements for sequences. The result is Undefined where
// something else decides, as a subgraph does.
func (op *Op) ResultDType(i int, ins []onnx.DType, n *onnx.Node) onnx.DType {
	p := op.Output(i)
	if p == nil {
		return onnx.Undefined
	}
	if d := op.attrDType(n); d != onnx.Undefined && p.Types.elements().Has(d) && i == 0 {
		return d
	}
	if p.Var != "" && !p.Mixed {
		for j, d := range ins {
			if in := op.Input(j); d != onnx.Undefined && in != nil && in.Var == p.Var && !in.Mixed {
				return d
			}
		}
	}
	if d := op.Attr("dtype"); d != nil && d.DType && d.Default == nil && len(ins) > 0 && p.Types.elements().Has(ins[0]) {
		return ins[0] // without the attribute, as the input: EyeLike, the random numbers
	}
	if list := p.Types.elements().List(); len(list) == 1 {
		return list[0]
	}
	if len(ins) > 0 && !p.Mixed && len(op.Inputs) > 0 && op.Inputs[0].Types.holds() != p.Types.holds() && p.Types.elements().Has(ins[0]) {
		return ins[0]
	}
	return onnx.Undefined
}

// attrDType is the element type that a node's attributes name: a number of one, or a
// tensor or number that the result is filled with.
func (op *Op) attrDType(n *onnx.Node) onnx.DType {
	for i := range op.Attrs {
		def := &op.Attrs[i]
		x := n.Attr(def.Name)
		if x == nil {
			x = def.Default
		}
		switch {
		case x == nil || x.Ref != "":
		case def.DType && (def.Name == "to" || def.Name == "dtype" || def.Name == "output_dtype" || def.Name == "output_datatype"):
			if d := onnx.DType(x.Int); d != onnx.Undefined {
				return d
			}
		case def.Name == "value" && def.Type == onnx.AttrTensor && x.Tensor != nil:
			return x.Tensor.DType
		case op.Name == "Constant" && (def.Type == onnx.AttrInt || def.Type == onnx.AttrInts):
			return onnx.Int64
		case op.Name == "Constant" && (def.Type == onnx.AttrString || def.Type == onnx.AttrStrings):
			return onnx.String
		case op.Name == "Constant" && (def.Type == onnx.AttrFloat || def.Type == onnx.AttrFloats):
			return onnx.Float
		}
	}
	if op.Name == "ConstantOfShape" {
		return onnx.Float // what its value is without the attribute
	}
	return onnx.Undefined
}

// elements are the element types of all kinds.
func (t *Types) elements() DTypes {
	return t.Tensors | t.Sequences | t.Optionals | t.OptionalSequences
}

// holds tells the kinds apart: which of them are in the set.
func (t *Types) holds() [4]bool {
	return [4]bool{t.Tensors != 0, t.Sequences != 0, t.Optionals != 0, t.OptionalSequences != 0}
}
