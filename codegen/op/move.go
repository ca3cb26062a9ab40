package op

// This file lists the operators that move elements: views, transpositions, selections.

import "shapecheck/codegen/ir"

const (
	view  = ir.Pure | ir.View
	moves = ir.Pure | ir.Injective
	bound = ir.Pure | ir.DataSized
)

var moveOps = []row{
	{name: "Flatten", traits: view, via: "view"},
	{name: "Reshape", traits: view, sizes: []int{1}, unranked: true, via: "view, where the sizes are known"},
	{name: "Squeeze", traits: view, sizes: []int{1}, unranked: true, via: "view"},
	{name: "Unsqueeze", traits: view, sizes: []int{1}, unranked: true, via: "view"},

	{name: "CenterCropPad", traits: pure, sizes: []int{1}},
	{name: "Col2Im", traits: pure, sizes: []int{1, 2}, unranked: true},
	{name: "Compress", traits: bound},
	{name: "Concat", traits: pure},
	{name: "DepthToSpace", traits: moves},
	{name: "Expand", traits: moves, sizes: []int{1}, unranked: true},
	{name: "Gather", traits: pure},
	{name: "GatherElements", traits: pure},
	{name: "GatherND", traits: pure, unranked: true},
	{name: "NonZero", traits: bound},
	{name: "OneHot", traits: pure, sizes: []int{1}},
	{name: "Pad", traits: pure, sizes: []int{1, 3}},
	{name: "ReverseSequence", traits: pure},
	{name: "ScatterElements", traits: pure},
	{name: "ScatterND", traits: pure},
	{name: "Shape", traits: pure, via: "sizes"},
	{name: "Size", traits: pure, via: "sizes"},
	{name: "Slice", traits: moves, sizes: []int{1, 2, 3, 4}},
	{name: "SpaceToDepth", traits: moves},
	{name: "Split", traits: moves, sizes: []int{1}},
	{name: "TensorScatter", traits: pure},
	{name: "Tile", traits: moves, sizes: []int{1}},
	{name: "TopK", traits: pure, sizes: []int{1}},
	{name: "Transpose", traits: moves},
	{name: "Trilu", traits: pure},
	{name: "Unique", traits: bound},

	{name: "AffineGrid", traits: pure, sizes: []int{1}},
	{name: "GridSample", traits: pure, perElement: 8},
	{name: "Resize", traits: pure, sizes: []int{2, 3}, perElement: 8},
	{name: "Upsample", traits: pure, sizes: []int{1}, via: "Resize"},
	{name: "Scatter", traits: pure, via: "ScatterElements"},
}
