package op

// This file lists the operators that work element by element.

import "shapecheck/codegen/ir"

const (
	pure  = ir.Pure
	point = ir.Pure | ir.Pointwise
)

// unary makes rows of functions of one element.
func unary(names ...string) []row {
	var out []row
	for _, n := range names {
		out = append(out, row{name: n, traits: point})
	}
	return out
}

// binary makes rows of functions of two elements.
func binary(more ir.Traits, names ...string) []row {
	var out []row
	for _, n := range names {
		out = append(out, row{name: n, traits: point | more})
	}
	return out
}

// pointwiseOps are the operators of single elements, whose records differ in few traits; via
// names the operator that another one is rewritten to.
func pointwiseOps() []row {
	return join(
		unary("Abs", "Acos", "Acosh", "Asin", "Asinh", "Atan", "Atanh", "BitwiseNot", "Ceil", "Celu", "Cos", "Cosh", "Elu", "Erf", "Exp",
			"Floor", "Gelu",
			"HardSigmoid", "HardSwish", "Identity", "IsInf", "IsNaN", "LeakyRelu", "Log", "Mish", "Neg", "Not", "Reciprocal", "Relu", "Round",
			"Selu", "Shrink",
			"Sigmoid", "Sign", "Sin", "Sinh", "Softplus", "Softsign", "Sqrt", "Swish", "Tan", "Tanh", "ThresholdedRelu"),
		binary(ir.Commutative, "Add", "And", "BitwiseAnd", "BitwiseOr", "BitwiseXor", "Equal", "Mul", "Or", "Xor"),
		binary(0, "BitShift", "Div", "Greater", "GreaterOrEqual", "Less", "LessOrEqual", "Mod", "PRelu", "Pow", "Sub"),
		[]row{
			{name: "BitCast", traits: point},
			{name: "Cast", traits: point},
			{name: "CastLike", traits: point, via: "Cast"},
			{name: "Clip", traits: point},
			{name: "Max", traits: point | ir.Commutative},
			{name: "Mean", traits: point | ir.Commutative},
			{name: "Min", traits: point | ir.Commutative},
			{name: "Sum", traits: point | ir.Commutative},
			{name: "Where", traits: point},
		},
	)
}

func join(lists ...[]row) []row {
	var out []row
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}
