package op

// This file lists the operators that draw random numbers, make tensors of nothing, or
// quantise, and what belongs to no other family.

import "shapecheck/codegen/ir"

var randomOps = []row{
	{name: "Bernoulli", traits: ir.Effect},
	{name: "Dropout", traits: ir.Effect, doc: "without effect, and pure, when it does not train"},
	{name: "Multinomial", traits: ir.Effect},
	{name: "RandomNormal", traits: ir.Effect},
	{name: "RandomNormalLike", traits: ir.Effect},
	{name: "RandomUniform", traits: ir.Effect},
	{name: "RandomUniformLike", traits: ir.Effect},

	{name: "BlackmanWindow", traits: pure, sizes: []int{0}},
	{name: "Constant", traits: pure, via: "a constant"},
	{name: "ConstantOfShape", traits: pure, sizes: []int{0}, unranked: true},
	{name: "EyeLike", traits: pure},
	{name: "HammingWindow", traits: pure, sizes: []int{0}},
	{name: "HannWindow", traits: pure, sizes: []int{0}},
	{name: "MelWeightMatrix", traits: pure},
	{name: "Range", traits: bound, sizes: []int{0, 1, 2}},

	{name: "DequantizeLinear", traits: pure},
	{name: "DynamicQuantizeLinear", traits: pure},
	{name: "QuantizeLinear", traits: pure},

	{name: "NonMaxSuppression", traits: bound},
	{name: "TfIdfVectorizer", traits: pure},
}
