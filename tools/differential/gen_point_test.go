package differential

// This file makes pointwise nodes, conversions and reductions.

import "shapecheck/onnx"

var pointMakers = []maker{
	{14, unary}, {12, arithmetic}, {4, comparison}, {4, selection}, {6, conversion}, {3, clip}, {3, several}, {3, powers}, {2, bits},
	{2, logic}, {2, slopes}, {3, factor}, {2, quantised},
}

var floatUnary = []string{"Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "Ceil", "Cos", "Cosh", "Erf", "Exp", "Floor",
	"HardSwish", "Identity", "Log", "Mish", "Neg",
	"Reciprocal", "Relu", "Round", "Sigmoid", "Sign", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Tan", "Tanh", "Relu", "Neg",
	"Identity", "Sigmoid", "Exp", "Relu", "IsNaN", "IsInf"}

func unary(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	switch d := x.dtype(); {
	case isFloat(d) && b.IntN(5) == 0:
		op := []string{"Celu", "Elu", "LeakyRelu", "Selu", "ThresholdedRelu", "HardSigmoid", "Gelu", "Shrink", "Swish"}[b.IntN(9)]
		var attrs []*onnx.Attr
		switch {
		case op == "Gelu" && b.IntN(2) == 0:
			attrs = append(attrs, onnx.StringAttr("approximate", "tanh"))
		case op == "Shrink":
			attrs = append(attrs, onnx.FloatAttr("bias", 0.25), onnx.FloatAttr("lambd", 0.75))
		case op != "Gelu" && b.IntN(2) == 0:
			attrs = append(attrs, onnx.FloatAttr("alpha", float32(1+b.IntN(3))/4))
		}
		b.add(op, []*val{x}, attrs...)
	case isFloat(d):
		b.add(floatUnary[b.IntN(len(floatUnary))], []*val{x})
	case d == onnx.Bool:
		b.add([]string{"Not", "Identity"}[b.IntN(2)], []*val{x})
	default:
		b.add([]string{"Abs", "Neg", "Sign", "BitwiseNot", "Identity", "Relu"}[b.IntN(6)], []*val{x})
	}
}

// partner finds or makes an operand of the same type that can be broadcast with x.
func (b *builder) partner(x *val) *val {
	d := x.dtype()
	switch b.IntN(4) {
	case 0: // a constant along some of the axes
		var dims []int64
		for _, n := range x.dims()[b.IntN(len(x.dims())+1):] {
			if b.IntN(3) == 0 {
				n = 1
			}
			dims = append(dims, n)
		}
		return b.drawnConst(d, dims...)
	case 1:
		return b.full(d, []float64{0, 1, 2, -1, 0.5, 3}[b.IntN(6)], make([]int64, 0)...)
	}
	return b.pick(func(v *val) bool { return v.dtype() == d && broadcasts(v.dims(), x.dims()) })
}

func broadcasts(a, b []int64) bool {
	for i := 1; i <= min(len(a), len(b)); i++ {
		if m, n := a[len(a)-i], b[len(b)-i]; m != n && m != 1 && n != 1 {
			return false
		}
	}
	return true
}

// swapped gives two operands in one of both orders.
func (b *builder) swapped(x, y *val) []*val {
	if b.IntN(2) == 0 {
		x, y = y, x
	}
	return []*val{x, y}
}

func arithmetic(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	y := b.partner(x)
	if y == nil {
		return
	}
	op := []string{"Add", "Sub", "Mul", "Div", "Add", "Mul", "Mod", "Max", "Min"}[b.IntN(9)]
	if op == "Mod" && isFloat(x.dtype()) {
		b.add(op, b.swapped(x, y), onnx.IntAttr("fmod", 1))
		return
	}
	b.add(op, b.swapped(x, y))
}

func comparison(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	if y := b.partner(x); y != nil {
		b.add([]string{"Equal", "Greater", "Less", "GreaterOrEqual", "LessOrEqual"}[b.IntN(5)], b.swapped(x, y))
	}
}

func selection(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	y := b.partner(x)
	c := b.pick(func(v *val) bool { return aBool(v) && broadcasts(v.dims(), x.dims()) })
	if c == nil && b.IntN(2) == 0 {
		c = b.drawnConst(onnx.Bool, x.dims()...)
	}
	if y != nil && c != nil {
		b.add("Where", append([]*val{c}, b.swapped(x, y)...))
	}
}

func conversion(b *builder) {
	x := b.pick(anyTensor)
	if x == nil {
		return
	}
	list := append([]onnx.DType{onnx.Bool}, intTypes...)
	if !isFloat(x.dtype()) || b.IntN(2) == 0 {
		list = append(list, floatTypes...)
	}
	if b.IntN(8) == 0 {
		if y := b.pick(anyTensor); y != nil && (!isFloat(x.dtype()) || isFloat(y.dtype())) {
			b.add("CastLike", []*val{x, y})
		}
		return
	}
	to := list[b.IntN(len(list))]
	if isFloat(x.dtype()) && !isFloat(to) && (b.special || b.IntN(2) == 0) {
		return // what is out of range has no meaning that must not change with rounding
	}
	b.add("Cast", []*val{x}, onnx.IntAttr("to", int64(to)))
}

func clip(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	ins := []*val{x, nil, nil}
	for i := range 2 {
		if b.IntN(3) > 0 {
			ins[1+i] = b.number(x.dtype(), float64(b.IntN(3)+2*i))
		}
	}
	for ins[len(ins)-1] == nil {
		ins = ins[:len(ins)-1]
	}
	b.add("Clip", ins)
}

func several(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	op := []string{"Max", "Min"}[b.IntN(2)]
	if isFloat(x.dtype()) {
		op = []string{"Max", "Min", "Sum", "Mean", "Sum"}[b.IntN(5)]
	}
	ins := []*val{x}
	for range b.IntN(4) {
		if y := b.partner(x); y != nil {
			ins = append(ins, y)
		}
	}
	b.add(op, ins)
}

func powers(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	d := x.dtype()
	if b.IntN(3) == 0 {
		d = []onnx.DType{onnx.Float, onnx.Int64, onnx.Int32}[b.IntN(3)]
	}
	list := []float64{2, 0.5, -1, 1, 3, 0, -2}
	if isInt(d) || isInt(x.dtype()) {
		list = []float64{2, 1, 3, 0}
	}
	var dims []int64
	if b.IntN(3) == 0 {
		dims = []int64{1}
	}
	b.add("Pow", []*val{x, b.full(d, list[b.IntN(len(list))], dims...)})
}

func bits(b *builder) {
	x := b.pick(anInt)
	if x == nil {
		return
	}
	y := b.partner(x)
	if y == nil {
		return
	}
	if isUnsigned(x.dtype()) && b.IntN(2) == 0 {
		b.add("BitShift", []*val{x, y}, onnx.StringAttr("direction", []string{"LEFT", "RIGHT"}[b.IntN(2)]))
		return
	}
	b.add([]string{"BitwiseAnd", "BitwiseOr", "BitwiseXor"}[b.IntN(3)], []*val{x, y})
}

func logic(b *builder) {
	x := b.pick(aBool)
	if x == nil {
		return
	}
	if y := b.partner(x); y != nil {
		b.add([]string{"And", "Or", "Xor", "Equal"}[b.IntN(4)], []*val{x, y})
	}
}

func slopes(b *builder) {
	x := b.pick(rankAtLeast(1, aFloat))
	if x == nil {
		return
	}
	n := x.dims()[len(x.dims())-1]
	if b.IntN(2) == 0 {
		n = 1
	}
	b.add("PRelu", []*val{x, b.drawnConst(x.dtype(), n)})
}

// factor makes the pairs that rules know: a division by a constant, a double negation, a cast
// there and back.
func factor(b *builder) {
	x := b.pick(aFloat)
	if x == nil {
		return
	}
	switch b.IntN(5) {
	case 0:
		b.add("Div", []*val{x, b.number(x.dtype(), []float64{8, 0.25, 3, -2, 1, 0}[b.IntN(6)])})
	case 1:
		if y := b.add("Neg", []*val{x}); y != nil {
			b.add("Neg", []*val{y})
		}
	case 2:
		if y := b.add("Cast", []*val{x}, onnx.IntAttr("to", int64(onnx.Double))); y != nil {
			b.add("Cast", []*val{y}, onnx.IntAttr("to", int64(floatTypes[b.IntN(len(floatTypes))])))
		}
	case 3:
		op := []string{"Relu", "Floor", "Ceil", "Round", "Sign", "Abs"}[b.IntN(6)]
		if y := b.add(op, []*val{x}); y != nil {
			b.add(op, []*val{y})
		}
	case 4:
		ins := []*val{x}
		if b.IntN(2) == 0 {
			ins = append(ins, b.number(onnx.Float, 0.5), b.number(onnx.Bool, 0))
		}
		b.add("Dropout", ins)
	}
}

func quantised(b *builder) {
	if x := b.pick(func(v *val) bool { return v.dtype() == onnx.Uint8 || v.dtype() == onnx.Int8 }); x != nil && b.IntN(2) == 0 {
		b.add("DequantizeLinear", []*val{x, b.number(onnx.Float, 0.125), b.number(x.dtype(), 3)})
		return
	}
	x := b.pick(func(v *val) bool { return v.dtype() == onnx.Float })
	if x == nil {
		return
	}
	if b.IntN(4) == 0 {
		b.addN("DynamicQuantizeLinear", []*val{x}, 3)
		return
	}
	d := []onnx.DType{onnx.Uint8, onnx.Int8}[b.IntN(2)]
	b.add("QuantizeLinear", []*val{x, b.number(onnx.Float, []float64{0.125, 0.1}[b.IntN(2)]), b.number(d, 3)})
}

var reduceMakers = []maker{{9, reduction}, {3, position}, {2, cumulated}, {4, softmax}, {2, largest}, {5, norm}}

// axes draws some axes of a value, also negative ones.
func (b *builder) axes(x *val) []int64 {
	rank := len(x.dims())
	var list []int64
	for i := range rank {
		if b.IntN(2) == 0 {
			list = append(list, int64(i-b.IntN(2)*rank))
		}
	}
	return list
}

// axis draws an axis of a value that has one.
func (b *builder) axis(x *val) int64 {
	rank := len(x.dims())
	return int64(b.IntN(rank) - b.IntN(2)*rank)
}

func reduction(b *builder) {
	x := b.pick(aNumber)
	if x == nil {
		return
	}
	ops := []string{"ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
		"ReduceLogSumExp", "ReduceSumSquare", "ReduceSum", "ReduceMean"}
	var attrs []*onnx.Attr
	ins := []*val{x}
	if list := b.axes(x); b.IntN(4) > 0 && len(list) > 0 {
		ins = append(ins, b.ints(list...))
	} else if b.IntN(4) == 0 {
		attrs = append(attrs, onnx.IntAttr("noop_with_empty_axes", 1))
		if b.IntN(2) == 0 {
			ins = append(ins, b.ints())
		}
	}
	if b.IntN(2) == 0 {
		attrs = append(attrs, onnx.IntAttr("keepdims", int64(b.IntN(2))))
	}
	b.add(ops[b.IntN(len(ops))], ins, attrs...)
}

func position(b *builder) {
	x := b.pick(filled(rankAtLeast(1, aNumber)))
	if x == nil {
		return
	}
	b.add([]string{"ArgMax", "ArgMin"}[b.IntN(2)], []*val{x}, onnx.IntAttr("axis", b.axis(x)), onnx.IntAttr("keepdims", int64(b.IntN(2))),
		onnx.IntAttr("select_last_index", int64(b.IntN(2))))
}

func cumulated(b *builder) {
	x := b.pick(rankAtLeast(1, aNumber))
	if x == nil {
		return
	}
	b.add("CumSum", []*val{x, b.scalar(b.axis(x))}, onnx.IntAttr("exclusive", int64(b.IntN(2))), onnx.IntAttr("reverse", int64(b.IntN(2))))
}

func softmax(b *builder) {
	x := b.pick(rankAtLeast(1, aFloat))
	if x == nil {
		return
	}
	op := []string{"Softmax", "LogSoftmax", "Softmax", "Hardmax", "LpNormalization"}[b.IntN(5)]
	b.add(op, []*val{x}, onnx.IntAttr("axis", b.axis(x)))
}

func largest(b *builder) {
	x := b.pick(filled(rankAtLeast(1, aNumber)))
	if x == nil {
		return
	}
	axis := b.axis(x)
	n := x.dims()[(int(axis)+len(x.dims()))%len(x.dims())]
	b.addN("TopK", []*val{x, b.ints(b.Int64N(n + 1))}, 2, onnx.IntAttr("axis", axis), onnx.IntAttr("largest", int64(b.IntN(2))))
}

func norm(b *builder) {
	x := b.pick(rankAtLeast(2, aFloat))
	if x == nil {
		return
	}
	d, dims := x.dtype(), x.dims()
	c := dims[1]
	switch b.IntN(8) {
	case 0, 1:
		axis := 1 + b.IntN(len(dims)-1)
		ins := []*val{x, b.drawnConst(d, dims[axis:]...)}
		if b.IntN(2) == 0 {
			ins = append(ins, b.drawnConst(d, dims[axis:]...))
		}
		b.add("LayerNormalization", ins, onnx.IntAttr("axis", int64(axis)))
	case 2:
		b.add("RMSNormalization", []*val{x, b.drawnConst(d, dims[len(dims)-1])})
	case 3:
		b.add("InstanceNormalization", []*val{x, b.drawnConst(d, c), b.drawnConst(d, c)})
	case 4:
		for _, g := range []int64{2, 3, 1} {
			if c > 0 && c%g == 0 {
				b.add("GroupNormalization", []*val{x, b.drawnConst(d, c), b.drawnConst(d, c)}, onnx.IntAttr("num_groups", g))
				return
			}
		}
	case 5:
		b.add("MeanVarianceNormalization", []*val{x})
	case 6:
		b.add("LRN", []*val{x}, onnx.IntAttr("size", int64(1+2*b.IntN(2))))
	default:
		b.batchNorm(x)
	}
}

// batchNorm is a batch normalization with constants, as inference has it.
func (b *builder) batchNorm(x *val) *val {
	d, c := x.dtype(), x.dims()[1]
	v := drawn(b.Rand, d, []int64{c}, false)
	for i := range v.F {
		v.F[i] = 0.25 + v.F[i]*v.F[i]
		v.F[i] = roundTo(d, v.F[i])
	}
	return b.add("BatchNormalization", []*val{x, b.drawnConst(d, c), b.drawnConst(d, c), b.drawnConst(d, c), b.constant(v)})
}
