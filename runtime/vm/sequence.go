package vm

// This file computes the operators on sequences and optionals that do not look into tensors,
// in both engines: their time does not depend on the elements.

import (
	"fmt"
	"slices"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

// onSequences reports whether sequence computes an operator.
func onSequences(name string) bool {
	switch name {
	case "SequenceEmpty", "SequenceConstruct", "SequenceLength", "SequenceInsert", "SequenceAt", "SequenceErase":
		return true
	case "Optional", "OptionalHasElement", "OptionalGetElement":
		return true
	}
	return false
}

// sequence computes an operator of this file, and reports whether it is one.
func (f *frame) sequence(i *isa.Instruction, op isa.Op) ([]tensor.Value, bool, error) {
	done := func(v tensor.Value, err error) ([]tensor.Value, bool, error) {
		f.outs = append(f.outs[:0], v)
		return f.outs, true, err
	}
	switch op.String() {
	case "SequenceEmpty":
		return done(emptySequence, nil)
	case "SequenceConstruct":
		return done(tensor.NewSequence(f.args...), nil)
	case "SequenceLength":
		return done(tensor.Scalar(int64(f.args[0].(*tensor.Sequence).Len())), nil)
	case "SequenceInsert":
		if r, ok := f.args[0].(*rows); ok {
			return done(f.appendRow(i, r, f.args[1]))
		}
		s := f.args[0].(*tensor.Sequence)
		k, err := f.place(s, 2, s.Len())
		if err != nil {
			return done(nil, err)
		}
		return done(s.Insert(k, f.args[1]), nil)
	case "SequenceAt", "SequenceErase":
		s := f.args[0].(*tensor.Sequence)
		k, err := f.place(s, 1, s.Len()-1)
		if err != nil {
			return done(nil, err)
		}
		if op.String() == "SequenceAt" {
			return done(s.At(k), nil)
		}
		return done(s.Erase(k), nil)
	case "Optional":
		if len(f.args) == 0 {
			return done(&tensor.Optional{}, nil)
		}
		return done(&tensor.Optional{Of: f.args[0]}, nil)
	case "OptionalHasElement":
		has := len(f.args) > 0 && f.args[0] != nil
		if o, ok := firstOf(f.args).(*tensor.Optional); ok {
			has = o.Of != nil
		}
		return done(tensor.Scalar(has), nil)
	case "OptionalGetElement":
		o, ok := f.args[0].(*tensor.Optional)
		if !ok {
			return done(f.args[0], nil)
		}
		if o.Of == nil {
			return done(nil, fmt.Errorf("the optional has no value"))
		}
		return done(o.Of, nil)
	}
	return nil, false, nil
}

// emptySequence is every one that is empty: sequences never change.
var emptySequence = &tensor.Sequence{}

func firstOf(list []tensor.Value) tensor.Value {
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// place reads a position, which may count from the end; absent: last.
func (f *frame) place(s *tensor.Sequence, arg, last int) (int, error) {
	if arg >= len(f.args) || f.args[arg] == nil {
		if last < 0 {
			return 0, fmt.Errorf("the sequence is empty")
		}
		return last, nil
	}
	t := f.args[arg].(*tensor.Tensor)
	if t.Len() != 1 {
		return 0, fmt.Errorf("the position is %s and has not one element", t.Type())
	}
	k, n := t.Int(0), int64(s.Len())
	if k < 0 {
		k += n
	}
	if k < 0 || k > int64(last) {
		return 0, fmt.Errorf("the position %d is not within a sequence of %d", t.Int(0), n)
	}
	return int(k), nil
}

// stack joins the tensors of a sequence along a new axis; of none, the result has the
// program's dimensions.
func (f *frame) stack(i *isa.Instruction) (tensor.Value, error) {
	t := i.Out[0].Type
	r, isRows := f.args[0].(*rows)
	if isRows && r.n > 0 {
		return f.joined(i, r)
	}
	s, _ := f.args[0].(*tensor.Sequence)
	if isRows || s.Len() == 0 {
		dims, err := f.elements(t)
		if err != nil {
			return nil, err
		}
		return tensor.New(tensor.DType(t.Elem), dims...)
	}
	first, ok := s.At(0).(*tensor.Tensor)
	axis := int(i.Int("axis", 0))
	if !ok || axis > len(first.Dims()) {
		return nil, fmt.Errorf("%s cannot be stacked along axis %d", s.At(0).Type(), axis)
	}
	inner := 1
	for _, d := range first.Dims()[axis:] {
		inner *= int(d)
	}
	dims := append(append(append([]int64{}, first.Dims()[:axis]...), int64(s.Len())), first.Dims()[axis:]...)
	y, err := tensor.New(first.DType(), dims...)
	if err != nil {
		return nil, err
	}
	for k, v := range s.All {
		x, ok := v.(*tensor.Tensor)
		if !ok || x.DType() != first.DType() || !slices.Equal(x.Dims(), first.Dims()) {
			return nil, fmt.Errorf("element %d is %s and not %s as the first", k, v.Type(), first.Type())
		}
		if bits := x.DType().Bits(); bits%8 == 0 {
			row := inner * bits / 8
			for e := 0; row > 0 && e < len(x.Bytes()); e += row {
				copy(y.Bytes()[(e/row*s.Len()+k)*row:], x.Bytes()[e:e+row])
			}
			continue
		}
		for e := range x.Len() {
			y.CopyElem((e/inner*s.Len()+k)*inner+e%inner, x, e)
		}
	}
	return y, nil
}
