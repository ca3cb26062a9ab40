package vm

// This file computes NonZero, the size of whose result the elements say.

import (
	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
	"shapecheck/runtime/tensor"
)

var nonZero = isa.Lookup("", "NonZero")

// nonZeroKernel is the name that hooks hear.
const nonZeroKernel = "NonZero.places"

// nonZero gives the places of an instruction's operand that are not zero; false: the operand's type is the reference's.
func (f *frame) nonZero(i *isa.Instruction) (tensor.Value, bool, error) {
	x, ok := f.args[0].(*tensor.Tensor)
	if !ok {
		return nil, false, nil
	}
	is := kernel.TruthOf(x.DType(), x.Bytes())
	if is == nil {
		return nil, false, nil
	}
	f.names(nonZeroKernel)
	n := is.Count(x.Len())
	dims := []int64{int64(len(x.Dims())), int64(n)}
	if err := f.room(dims, tensor.Int64); err != nil {
		return nil, true, err
	}
	y, b, err := f.memory(i.Out[0], tensor.Int64, dims, -1, i)
	if err != nil {
		return nil, true, err
	}
	f.results = append(f.results, b)
	is.Places(x.Dims(), y.Bytes(), n)
	return y, true, nil
}
