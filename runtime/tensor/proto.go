package tensor

// This file converts to and from ONNX's messages: TensorProto, SequenceProto and
// OptionalProto.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"shapecheck/onnx"
)

// FromProto reads the elements of a TensorProto, which must be in the message. Elements in
// raw data are used as they lie in it where possible: the message must not change afterwards. It returns an error if
// they are in another file, if tensors here have no such type or so many dimensions, or if there are not as many
// elements as the dimensions say.
func FromProto(p *onnx.Tensor) (*Tensor, error) {
	if p.IsExternal || p.Source != nil {
		return nil, onnx.ErrExternal
	}
	if _, err := sizeOf(p.DType, p.Dims); err != nil {
		return nil, err
	}
	raw, err := p.RawData()
	if err != nil {
		return nil, err
	}
	return fromLittle(p.DType, p.Dims, raw)
}

// fromLittle makes a tensor of elements in little endian order.
func fromLittle(d DType, dims []int64, raw []byte) (*Tensor, error) {
	if d == Bool && slices.ContainsFunc(raw, func(b byte) bool { return b > 1 }) {
		raw = slices.Clone(raw)
		for i, b := range raw {
			raw[i] = min(b, 1)
		}
	}
	return Wrap(d, dims, swapped(raw, wordBytes(d)))
}

// swapped reverses the bytes of each word on a big endian machine; elsewhere it gives b itself.
func swapped(b []byte, word int) []byte {
	if word == 1 || binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return b
	}
	b = slices.Clone(b)
	for i := 0; i+word <= len(b); i += word {
		slices.Reverse(b[i : i+word])
	}
	return b
}

// littleEndian gives the elements as files have them.
func (t *Tensor) littleEndian() []byte { return swapped(t.data, wordBytes(t.dtype)) }

// Proto makes a TensorProto with raw data, which shares the tensor's memory.
func (t *Tensor) Proto(name string) *onnx.Tensor {
	return &onnx.Tensor{Name: name, DType: t.dtype, Dims: t.dims, Raw: t.littleEndian(), HasRaw: true}
}

// MarshalProto writes a value as the message that ONNX's test data have for its kind:
// TensorProto, SequenceProto or OptionalProto. It returns an error if the items of a sequence are of different kinds.
func MarshalProto(name string, v Value) ([]byte, error) {
	switch v := v.(type) {
	case *Tensor:
		return onnx.MarshalTensor(v.Proto(name))
	case *Sequence:
		return marshalList(name, sequenceProto, v.All)
	case *Optional:
		return marshalList(name, optionalProto, func(yield func(int, Value) bool) {
			if v.Of != nil {
				yield(0, v.Of)
			}
		})
	}
	return nil, fmt.Errorf("a value of type %T cannot be written", v)
}

// A listProto is SequenceProto or OptionalProto: their fields have the same numbers.
type listProto struct{ what string }

// Numbers of fields and of kinds are those of onnx-data.proto: 1 tensor, 3 sequence, 5 optional
// in elem_type of SequenceProto, and in that of OptionalProto as well.
var (
	sequenceProto = listProto{"a SequenceProto"}
	optionalProto = listProto{"an OptionalProto"}
)

const (
	protoName, protoElemType                         = 1, 2
	protoTensors, protoSequences, protoOptionals     = 3, 5, 7
	protoElemTensor, protoElemSequence, protoElemOpt = 1, 3, 5
)

// marshalList writes a SequenceProto or OptionalProto, whose elements must be of one kind, as the
// message says that kind once.
func marshalList(name string, form listProto, all func(func(int, Value) bool)) (b []byte, err error) {
	kind := uint64(0)
	var body []byte
	for _, v := range all {
		field, k := protowire.Number(protoTensors), uint64(protoElemTensor)
		switch v.(type) {
		case *Sequence:
			field, k = protoSequences, protoElemSequence
		case *Optional:
			field, k = protoOptionals, protoElemOpt
		}
		if kind != 0 && kind != k {
			return nil, errors.New("the elements of " + form.what + " are of one kind")
		}
		kind = k
		one, err := MarshalProto("", v)
		if err != nil {
			return nil, err
		}
		body = protowire.AppendTag(body, field, protowire.BytesType)
		body = protowire.AppendBytes(body, one)
	}
	if name != "" {
		b = protowire.AppendTag(b, protoName, protowire.BytesType)
		b = protowire.AppendString(b, name)
	}
	b = protowire.AppendTag(b, protoElemType, protowire.VarintType)
	b = protowire.AppendVarint(b, kind)
	return append(b, body...), nil
}

// A Kind says which message a file holds; the file itself does not tell.
type Kind uint8

// The kinds.
const (
	TensorKind Kind = iota
	SequenceKind
	OptionalKind
)

// maxNesting bounds sequences within sequences.
const maxNesting = 32

// UnmarshalProto reads the message of a value of that kind. It returns an error if b is no valid message of that kind,
// has an element that is not supported, nests more than maxNesting deep, or has elements that FromProto refuses.
func UnmarshalProto(b []byte, kind Kind) (Value, error) { return unmarshal(b, kind, 0) }

// unmarshal reads a value of a kind, which the bytes themselves do not say. depth counts values
// within values.
func unmarshal(b []byte, kind Kind, depth int) (Value, error) {
	if depth > maxNesting {
		return nil, fmt.Errorf("values are nested more than %d deep", maxNesting)
	}
	switch kind {
	case TensorKind:
		p, err := onnx.UnmarshalTensor(b)
		if err != nil {
			return nil, err
		}
		return FromProto(p)
	case SequenceKind:
		list, err := unmarshalList(b, sequenceProto, depth)
		if err != nil {
			return nil, err
		}
		return NewSequence(list...), nil
	case OptionalKind:
		list, err := unmarshalList(b, optionalProto, depth)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 {
			return nil, errors.New("an OptionalProto has more than one value")
		}
		if len(list) == 0 {
			return &Optional{}, nil
		}
		return &Optional{list[0]}, nil
	}
	return nil, fmt.Errorf("kind %d is not known", kind)
}

// unmarshalList reads the elements of a SequenceProto or OptionalProto; the field that an element
// is in says its kind. Maps and sparse tensors are refused.
func unmarshalList(b []byte, form listProto, depth int) (list []Value, err error) {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, fmt.Errorf("%s: %w", form.what, protowire.ParseError(n))
		}
		b = b[n:]
		kind := TensorKind
		switch num {
		case protoTensors:
		case protoSequences:
			kind = SequenceKind
		case protoOptionals:
			kind = OptionalKind
		case protoName, protoElemType:
			if n = protowire.ConsumeFieldValue(num, typ, b); n < 0 {
				return nil, fmt.Errorf("%s: %w", form.what, protowire.ParseError(n))
			}
			b = b[n:]
			continue
		default:
			return nil, fmt.Errorf("%s has values that are not supported (field %d)", form.what, num)
		}
		if typ != protowire.BytesType {
			return nil, fmt.Errorf("%s: field %d is no message", form.what, num)
		}
		one, n := protowire.ConsumeBytes(b)
		if n < 0 {
			return nil, fmt.Errorf("%s: %w", form.what, protowire.ParseError(n))
		}
		b = b[n:]
		v, err := unmarshal(one, kind, depth+1)
		if err != nil {
			return nil, fmt.Errorf("%s, element %d: %w", form.what, len(list), err)
		}
		list = append(list, v)
	}
	return list, nil
}
