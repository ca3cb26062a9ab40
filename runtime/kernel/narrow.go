package kernel

// This file says which images lie in bf16 between instructions that compute in bf16 on the processor's tiles: there
// the memory of images is what takes the time. What the next convolution would round is rounded when it is written.

import (
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel/tile"
	"shapecheck/runtime/tensor"
)

// NarrowResult stands for an instruction's result among its operands.
const NarrowResult = -1

// A Narrowing says which operands of an instruction, and whether its result, may be of bf16 where they are of f32 in
// the program: those of Any each for itself, those of Same all or none.
type Narrowing struct{ Any, Same []int }

// Has reports whether an operand is listed.
func (n Narrowing) Has(operand int) bool {
	return slices.Contains(n.Any, operand) || slices.Contains(n.Same, operand)
}

// Narrows reports whether images lie in bf16 on a tier's processor.
func Narrows(t Tier) bool { return tile.HasBlocks(t) }

// Narrow gives an instruction's, whose second operand is a constant of these sizes where there are some. It depends
// on nothing else, so that it is the same whatever the sizes of images are.
func Narrow(i *isa.Instruction, weights []int64) Narrowing {
	operands := func() (all []int) {
		for k := range i.In {
			all = append(all, k)
		}
		return append(all, NarrowResult)
	}
	switch op := isa.Op(i.Op); op {
	case isa.Conv, isa.Lookup("", "Conv"):
		return narrowConv(i, weights)
	case isa.Lookup("", "ConvTranspose"):
		if wovenBlocks(i, weights) {
			return Narrowing{Any: []int{0, NarrowResult}}
		}
	case isa.Lookup("", "Concat"):
		return Narrowing{Same: operands()}
	case isa.Lookup("", "MaxPool"):
		if len(i.Out) == 1 {
			return Narrowing{Same: operands()}
		}
	case isa.Lookup("", "ReduceMean"), isa.Lookup("", "GlobalAveragePool"): // they read little
		return Narrowing{Any: []int{0}}
	}
	return Narrowing{}
}

// narrowConv is that of a convolution: of one that takes tiles, and of one of single channels in the form that reads images as they lie.
func narrowConv(i *isa.Instruction, w []int64) Narrowing {
	groups := i.Int("groups", i.Int("group", 1))
	if auto := i.Str("auto_pad", "NOTSET"); auto != "NOTSET" && auto != "VALID" || len(w) < 3 || len(w) > 4 {
		return Narrowing{}
	}
	last := w[len(w)-1]
	if w[1] == 1 {
		strides, dilations := i.Ints("strides"), i.Ints("dilations")
		stride := attrOr(strides, 0, 1)
		if len(w) != 4 || groups != w[0] || len(i.In) > 3 || w[2] != last || last != 3 && last != 5 || stride > 2 ||
			attrOr(strides, 1, 1) != stride ||
			attrOr(dilations, 0, 1) != 1 || attrOr(dilations, 1, 1) != 1 {
			return Narrowing{}
		}
		return Narrowing{Same: []int{0, NarrowResult}}
	}
	chain := (w[1] + 2*tile.BlockPairs - 1) / (2 * tile.BlockPairs)
	for _, d := range w[2:] {
		chain *= d
	}
	if groups > 1 && w[1] < fewChannels || chain > blockChain {
		return Narrowing{}
	}
	n := Narrowing{Same: []int{NarrowResult}}
	if last == 1 || w[1]*last > 2*tile.BlockPairs { // else channels are spread from f32
		n.Any = []int{0}
	}
	if len(i.In) > 3 && i.In[3] != -1 {
		n.Same = append(n.Same, 3)
	}
	return n
}

// wovenBlocks reports whether a transposed convolution takes tiles, and each place of its result has one tap, two of them side by side.
func wovenBlocks(i *isa.Instruction, w []int64) bool {
	if len(w) != 4 || w[0] < 2 || w[0] > 2*tile.BlockPairs*transposedSteps || w[3] != 2 ||
		i.Int("group", 1) != 1 || i.Ints("output_shape") != nil || i.Str("auto_pad", "NOTSET") != "NOTSET" {
		return false
	}
	for a := range 2 {
		if attrOr(i.Ints("strides"), a, 1) != w[2+a] || attrOr(i.Ints("dilations"), a, 1) != 1 || attrOr(i.Ints("output_padding"), a, 0) != 0 ||
			attrOr(i.Ints("pads"), a, 0) != 0 || attrOr(i.Ints("pads"), 2+a, 0) != 0 {
			return false
		}
	}
	return true
}

// narrowed reports whether a signature is of f32 but for results and some operands, which may be of bf16 where no constants are.
func narrowed(s *Sig, operands ...int) bool {
	for k := range s.In {
		o := &s.In[k]
		bf16 := o.DType == tensor.BFloat16 && o.Const == nil && slices.Contains(operands, k)
		if !o.Absent && o.DType != tensor.Float32 && !bf16 {
			return false
		}
	}
	for k := range s.Out {
		o := &s.Out[k]
		if !o.Absent && o.DType != tensor.Float32 && o.DType != tensor.BFloat16 {
			return false
		}
	}
	return true
}

// narrow reports whether an operand or result is of bf16.
func (o *Operand) narrow() bool { return o.DType == tensor.BFloat16 }
