package isa

// This file describes the opcodes of the machine itself, one row each.

// MaxTaps bounds strides, dilations, paddings and kernel sizes of one axis.
const MaxTaps = 1 << 20

// activations are the functions that an epilogue may end with.
var activations = []string{"none", "relu", "clip"}

// algorithms are ways to compute a convolution.
var algorithms = []string{"direct", "winograd"}

// epilogue are the attributes of opcodes with an epilogue: after the product, the bias and
// the residual operand are added, then act is applied; clip has the bounds lo and hi.
var epilogue = []AttrSpec{{Name: "act", Kind: StringAttr, Enum: activations}, {Name: "hi", Kind: FloatAttr}, {Name: "lo", Kind: FloatAttr}}

// machineOps lists the rows.
func machineOps() []Info {
	return []Info{
		{Op: In, Name: "in", Out: []Operand{{Name: "value", Kinds: AnyKind}},
			Attrs: []AttrSpec{{Name: "port", Kind: IntAttr, Required: true, Lo: 0, Hi: MaxPorts}},
			Doc:   "the value of an input port"},
		{Op: Out, Name: "out", In: []Operand{{Name: "value", Kinds: AnyKind}},
			Attrs: []AttrSpec{{Name: "port", Kind: IntAttr, Required: true, Lo: 0, Hi: MaxPorts}},
			Doc:   "makes a value the result of an output port; it stays set until it is freed"},
		{Op: Free, Name: "free", In: []Operand{{Name: "value", Kinds: AnyKind}}, Doc: "ends a value's life"},
		{Op: Copy, Name: "copy", In: []Operand{{Name: "x", Kinds: AnyKind, Var: "T"}}, Out: []Operand{{Name: "y", Kinds: AnyKind, Var: "T"}},
			Alias: true, InPlace: []int{0},
			Doc: "the same value under another name; with binds, symbols get the sizes that it turns out to have"},
		{Op: Const, Name: "const", In: []Operand{{Name: "c", Kinds: Tensors, Constant: true, Var: "T"}},
			Out: []Operand{{Name: "y", Kinds: Tensors, Var: "T"}}, Alias: true,
			Doc: "a constant as a value, for a state of a loop, the result of an arm, or an output"},
		{Op: Fill, Name: "fill", In: []Operand{{Name: "value", Kinds: Tensors, Var: "T"}}, Out: []Operand{{Name: "y", Kinds: Tensors, Var: "T"}},
			Doc: "a tensor of the result's dims whose elements are all the operand's only one"},
		{Op: View, Name: "view", In: []Operand{{Name: "x", Kinds: Tensors, Var: "T"}}, Out: []Operand{{Name: "y", Kinds: Tensors, Var: "T"}},
			Alias: true, InPlace: []int{0},
			Doc: "the same elements in the same order under the result's dims"},
		{Op: Bind, Name: "bind", In: []Operand{{Name: "x", Kinds: Tensors, Elem: intElem}},
			Doc: "symbols get the operand's elements, as many as it has"},
		{Op: Jmp, Name: "jmp", Doc: "ends the first arm of an If region: goes to the region's end"},
		{Op: Jmpt, Name: "jmpt", In: []Operand{{Name: "cond", Kinds: Tensors, Elem: boolElem}},
			Doc: "begins an If region: goes to its middle when the operand's only element is true; after loop.next: goes back to the loop's body"},
		{Op: Jmpf, Name: "jmpf", In: []Operand{{Name: "cond", Kinds: Tensors, Elem: boolElem}},
			Doc: "begins an If region: goes to its middle when the operand's only element is false; after loop.begin: goes to the loop's end"},
		{Op: LoopBegin, Name: "loop.begin", In: []Operand{{Name: "trips", Kinds: Tensors, Elem: int64Elem, Optional: true},
			{Name: "cond", Kinds: Tensors, Elem: boolElem, Optional: true},
			{Name: "init", Kinds: AnyKind, Variadic: true}},
			Out: []Operand{{Name: "i", Kinds: Tensors, Elem: int64Elem}, {Name: "go", Kinds: Tensors, Elem: boolElem},
				{Name: "state", Kinds: AnyKind, Variadic: true}},
			Doc: "i = 0; go = trips (absent: without limit) is positive and cond (absent: true) holds; each state is its init. A jmpf on go to the end follows"},
		{Op: LoopNext, Name: "loop.next", In: []Operand{{Name: "i", Kinds: Tensors, Elem: int64Elem},
			{Name: "trips", Kinds: Tensors, Elem: int64Elem, Optional: true},
			{Name: "cond", Kinds: Tensors, Elem: boolElem, Optional: true}, {Name: "next", Kinds: AnyKind, Variadic: true}},
			Out: []Operand{{Name: "i", Kinds: Tensors, Elem: int64Elem}, {Name: "go", Kinds: Tensors, Elem: boolElem},
				{Name: "state", Kinds: AnyKind, Variadic: true}},
			Doc: "i = i+1; go as in loop.begin; all states become their next values at once. A jmpt on go to the body follows"},
		{Op: LoopEnd, Name: "loop.end", In: []Operand{{Name: "i", Kinds: Tensors, Elem: int64Elem}, {Name: "go", Kinds: Tensors, Elem: boolElem}},
			Doc: "ends the lives of i and go; the states are the loop's results"},
		{Op: SeqStack, Name: "seq.stack", In: []Operand{{Name: "s", Kinds: Sequences}}, Out: []Operand{{Name: "y", Kinds: Tensors}},
			Attrs: []AttrSpec{{Name: "axis", Kind: IntAttr, Lo: 0, Hi: MaxRank}},
			Doc:   "tensors of one shape joined along a new axis; of no tensors, an empty tensor of the result's type"},
		{Op: Sizes, Name: "sizes", Out: []Operand{{Name: "y", Kinds: Tensors, Elem: intElem}},
			Attrs: []AttrSpec{{Name: "of", Kind: SizesAttr, Required: true}},
			Doc:   "a tensor of the result's dims whose elements are sizes"},
		{Op: Conv, Name: "conv", In: []Operand{{Name: "x", Kinds: Tensors, Elem: floatElem, Var: "T"}, {Name: "w", Kinds: Tensors, Var: "T"},
			{Name: "bias", Kinds: Tensors, Var: "T", Optional: true},
			{Name: "residual", Kinds: Tensors, Var: "T", Optional: true}},
			Out: []Operand{{Name: "y", Kinds: Tensors, Var: "T"}}, InPlace: []int{3},
			Attrs: append([]AttrSpec{{Name: "algo", Kind: StringAttr, Enum: algorithms}, {Name: "dilations", Kind: IntsAttr, Lo: 1, Hi: MaxTaps},
				{Name: "groups", Kind: IntAttr, Lo: 1, Hi: MaxTaps}, {Name: "pads", Kind: IntsAttr, Lo: -MaxTaps, Hi: MaxTaps},
				{Name: "strides", Kind: IntsAttr, Lo: 1, Hi: MaxTaps}}, epilogue...),
			Doc: "ONNX's Conv with explicit pads, then the epilogue; algo winograd allows roundings of up to 2e-4 of the result's root mean square, and NaN around a NaN or infinity"},
		{Op: MatMul, Name: "matmul", In: []Operand{{Name: "a", Kinds: Tensors, Elem: floatElem, Var: "T"},
			{Name: "b", Kinds: Tensors, Var: "T"}, {Name: "bias", Kinds: Tensors, Var: "T", Optional: true},
			{Name: "residual", Kinds: Tensors, Var: "T", Optional: true}},
			Out: []Operand{{Name: "y", Kinds: Tensors, Var: "T"}}, InPlace: []int{3},
			Attrs: append([]AttrSpec{{Name: "alpha", Kind: FloatAttr}, {Name: "ta", Kind: IntAttr, Lo: 0, Hi: 1},
				{Name: "tb", Kind: IntAttr, Lo: 0, Hi: 1}}, epilogue...),
			Doc: "alpha (1) times the product of stacks of matrices, as ONNX's MatMul, with the last two axes of a or b exchanged when ta or tb is 1, then the epilogue"},
	}
}
