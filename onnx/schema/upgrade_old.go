package schema

// This file holds the operators that opset 7 replaced or changed: two operands were
// aligned by attributes, numbers were attributes or floats, and nodes trained unless
// they said that they test.

import (
	"fmt"

	"shapecheck/onnx"
)

// ones gives a list with a one for each dimension that a shape has from a place on.
func (u *upgrade) ones(of string, from int64) string {
	return u.filled(u.value("Shape", []string{u.value("Shape", []string{of}, onnx.IntAttr("start", from))}))
}

// filled gives a list of ones whose length is the element of a list.
func (u *upgrade) filled(length string) string {
	return u.value("ConstantOfShape", []string{length}, onnx.TensorAttr("value", onnx.NewInts(nil, 1)))
}

// extended gives a tensor with more dimensions at the end, which a list has.
func (u *upgrade) extended(x, dims string) string {
	shape := u.value("Concat", []string{u.value("Shape", []string{x}), dims}, onnx.IntAttr("axis", 0))
	return u.value("Reshape", []string{x, shape}, onnx.IntAttr("allowzero", 1))
}

// upgradeAligned is an operator on two operands that broadcasts the second one: its
// dimensions are those of the first from the attribute axis on, by default the last ones,
// which is how operands are aligned today.
func upgradeAligned(u *upgrade) {
	y := u.in(1)
	if u.a.Bool("broadcast") && u.a.Has("axis") {
		rank := func(x string, attrs ...*onnx.Attr) string { // as a list of one
			return u.value("Shape", []string{u.value("Shape", []string{x}, attrs...)})
		}
		missing := u.value("Sub", []string{rank(u.in(0), onnx.IntAttr("start", u.a.Int("axis"))), rank(y)})
		y = u.extended(y, u.filled(missing))
	}
	u.node(u.n.Op, []string{u.in(0), y}, u.n.Outputs)
}

// upgradePRelu: the slopes were those of the channels.
func upgradePRelu(u *upgrade) {
	u.node("PRelu", []string{u.in(0), u.extended(u.in(1), u.ones(u.in(0), 2))}, u.n.Outputs)
}

// upgradeGemm drops the permission to broadcast.
func upgradeGemm(u *upgrade) { u.node("Gemm", u.n.Inputs, u.n.Outputs, u.keep("Gemm")...) }

// upgradeRecurrent drops output_sequence: a result that nobody names is not wanted.
func upgradeRecurrent(u *upgrade) { u.node(u.n.Op, u.n.Inputs, u.n.Outputs, u.keep(u.n.Op)...) }

// tested reports whether a node of a version that trains unless is_test says otherwise
// tests; it is an error when it trains.
func (u *upgrade) tested() bool {
	if u.a.op.Attr("is_test") != nil && !u.a.Bool("is_test") {
		u.err = fmt.Errorf("training as it was before opset 7 has no newer form")
	}
	return u.err == nil
}

// upgradeCast: the type was a word.
func upgradeCast(u *upgrade) {
	to := u.a.String("to")
	d, ok := namedTypes[to]
	if !ok {
		u.err = fmt.Errorf("attribute to is %q: expected the name of an element type", to)
		return
	}
	u.node("Cast", u.n.Inputs, u.n.Outputs, onnx.IntAttr("to", int64(d)))
}

// namedTypes has the element types of the first versions as they are written there.
var namedTypes = map[string]onnx.DType{"FLOAT": onnx.Float, "UINT8": onnx.Uint8, "INT8": onnx.Int8, "UINT16": onnx.Uint16,
	"INT16": onnx.Int16, "INT32": onnx.Int32,
	"INT64": onnx.Int64, "BOOL": onnx.Bool, "FLOAT16": onnx.Float16, "DOUBLE": onnx.Double, "UINT32": onnx.Uint32, "UINT64": onnx.Uint64}

// upgradeReshape: the shape was an attribute.
func upgradeReshape(u *upgrade) {
	u.node("Reshape", []string{u.in(0), u.ints("shape", u.a.Ints("shape")...)}, u.n.Outputs)
}

// upgradeConcat: the dimension was the second one by default.
func upgradeConcat(u *upgrade) {
	axis := int64(1)
	if u.a.Given("axis") {
		axis = u.a.Int("axis")
	}
	u.node("Concat", u.n.Inputs, u.n.Outputs, onnx.IntAttr("axis", axis))
}

// upgradeTile: one dimension was repeated; which and how often were numbers of the
// input's type.
func upgradeTile(u *upgrade) {
	integer := func(i int) string { // as a list of one
		x := u.value("Cast", []string{u.in(i)}, onnx.IntAttr("to", int64(onnx.Int64)))
		return u.value("Reshape", []string{x, u.ints("one", 1)})
	}
	repeats := u.value("ScatterElements", []string{u.ones(u.in(0), 0), integer(2), integer(1)})
	u.node("Tile", []string{u.in(0), repeats}, u.n.Outputs)
}

// upgradePower: the exponent of a norm was a float.
func upgradePower(u *upgrade) {
	p := u.a.Float("p")
	if p != float32(int32(p)) || p < 1 {
		u.err = fmt.Errorf("attribute p is %g: the newest form takes whole numbers from 1 on", p)
		return
	}
	u.node(u.n.Op, u.n.Inputs, u.n.Outputs, append(u.keep(u.n.Op, "p"), onnx.IntAttr("p", int64(p)))...)
}
