package opstest

// This file makes values of recorded arguments. Tests of rules run records of PyTorch's and NumPy's
// own behaviour, in JSON: each has the arguments of a call and the type of its result. A Builder
// makes the arguments once with their numbers and, with Symbolic, a second time with symbols in
// place of sizes; then the rule must give the same sizes for the example values.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/symshape/dtype"
)

// An UnsupportedError names a kind of argument that cannot be built here.
type UnsupportedError struct{ What string }

func (e *UnsupportedError) Error() string { return "argument " + e.What }

// A Builder makes values on a thread. It is used for one call after the other; Floats adds up.
type Builder struct {
	Th value.Thread
	// Symbolic makes each size above 1 of an argument a symbol with that example
	// value, the same symbol for the same size. Sizes of 0 and 1 stay numbers, as they decide about
	// broadcasting.
	Symbolic bool
	// Free leaves the example values out. Only together with Symbolic.
	Free bool
	// Floats counts the tensors with contents that are not known. A rule that needs contents may be
	// less precise for these.
	Floats int
}

// Value builds the value of a recorded argument. It returns an error where m is not the valid JSON of a value, and
// *UnsupportedError for a kind of argument that cannot be built here. Texts, numbers, bools and
// null stand for themselves; a list is a list, and an object has a kind.
func (b *Builder) Value(m json.RawMessage) (value.Value, error) {
	m = bytes.TrimSpace(m)
	if len(m) == 0 {
		return nil, fmt.Errorf("empty value")
	}
	switch m[0] {
	case '{':
		var o map[string]json.RawMessage
		if err := json.Unmarshal(m, &o); err != nil {
			return nil, err
		}
		return b.object(o)
	case '[':
		elems, err := b.list(m)
		if err != nil {
			return nil, err
		}
		return b.Th.Heap().NewList(elems), nil
	case '"':
		var s string
		if err := json.Unmarshal(m, &s); err != nil {
			return nil, err
		}
		return value.Str(s), nil
	}
	switch s := string(m); s {
	case "null":
		return value.None, nil
	case "true":
		return value.Bool(true), nil
	case "false":
		return value.Bool(false), nil
	default:
		return number(s)
	}
}

// Integers of any length, or a float. An error is a text that is no number.
func number(s string) (value.Value, error) {
	if !strings.ContainsAny(s, ".eE") {
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			return value.Int(n), nil
		}
		if n, ok := new(big.Int).SetString(s, 10); ok {
			return value.FromBig(n), nil
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return value.Float(f), err
}

// The elements are built in order.
func (b *Builder) list(m json.RawMessage) ([]value.Value, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(m, &raw); err != nil {
		return nil, err
	}
	elems := make([]value.Value, len(raw))
	for i, r := range raw {
		v, err := b.Value(r)
		if err != nil {
			return nil, err
		}
		elems[i] = v
	}
	return elems, nil
}

// object makes the value of a recorded JSON object, whose single key names its kind: tensors, arrays and
// numpy scalars by their type, sequences, dtypes, devices, numbers, slices, dicts. A kind that is not
// supported is an UnsupportedError.
func (b *Builder) object(o map[string]json.RawMessage) (value.Value, error) {
	if _, ok := o["t"]; ok {
		return b.tensor(o)
	}
	if _, ok := o["np"]; ok {
		return b.array(o)
	}
	if m, ok := o["npscalar"]; ok {
		return b.scalar(m, o["value"])
	}
	// There is a single key of these.
	for k, m := range o {
		switch k {
		case "tuple", "size":
			elems, err := b.list(m)
			if err != nil {
				return nil, err
			}
			t := value.NewTuple(elems...)
			if k == "size" {
				t.Class = b.Th.Class("torch.Size")
			}
			return t, nil
		case "dtype":
			d, ok := dtype.Parse(text(m))
			if !ok {
				return nil, &UnsupportedError{"dtype " + text(m)}
			}
			return value.DType{D: d}, nil
		case "device":
			return value.Device{Name: text(m)}, nil
		// inf and nan are texts in JSON.
		case "float":
			f, err := strconv.ParseFloat(text(m), 64)
			return value.Float(f), err
		case "complex":
			elems, err := b.list(m)
			if err != nil || len(elems) != 2 {
				return nil, fmt.Errorf("complex %s", m)
			}
			re, _ := value.AsFloat(elems[0])
			im, _ := value.AsFloat(elems[1])
			return value.Complex(complex(re, im)), nil
		case "slice", "range":
			elems, err := b.list(m)
			if err != nil || len(elems) != 3 {
				return nil, fmt.Errorf("%s %s", k, m)
			}
			if k == "range" {
				return &value.Range{Start: elems[0], Stop: elems[1], Step: elems[2]}, nil
			}
			return &value.Slice{Start: elems[0], Stop: elems[1], Step: elems[2]}, nil
		case "ellipsis":
			return value.Ellipsis, nil
		case "memory_format", "layout":
			return value.Constant{Name: "torch." + text(m)}, nil
		case "dict":
			var fields Object
			if err := json.Unmarshal(m, &fields); err != nil {
				return nil, err
			}
			d := b.Th.Heap().NewDict()
			for _, f := range fields {
				v, err := b.Value(f.Val)
				if err != nil {
					return nil, err
				}
				d.SetStr(b.Th.Heap(), f.Key, v)
			}
			return d, nil
		}
	}
	for k := range o {
		return nil, &UnsupportedError{k}
	}
	return nil, fmt.Errorf("empty object")
}

// array builds a numpy array, which only an interpreter has. The class is set afterwards, as an
// array is built like a tensor.
func (b *Builder) array(o map[string]json.RawMessage) (value.Value, error) {
	class := b.Th.Class("numpy.ndarray")
	if class == nil {
		return nil, &UnsupportedError{"numpy array"}
	}
	v, err := b.tensor(map[string]json.RawMessage{"t": o["np"], "s": o["s"], "v": o["v"]})
	if t, ok := v.(*value.Tensor); ok {
		t.Class = class
	}
	return v, err
}

// scalar builds one of numpy's scalars, whose value is not known where it is not
// recorded. As in Python, the scalar is made by indexing an array without dimensions.
func (b *Builder) scalar(d, v json.RawMessage) (value.Value, error) {
	t, err := b.array(map[string]json.RawMessage{"np": d, "s": json.RawMessage("[]")})
	if err != nil {
		return nil, err
	}
	if len(v) > 0 && v[0] != '{' {
		x, err := b.Value(v)
		if err != nil {
			return nil, err
		}
		t.(*value.Tensor).SetContents([]value.Value{x})
	}
	return b.Th.GetItem(t, value.NewTuple())
}

// A value that is no text is returned as JSON has it.
func text(m json.RawMessage) string {
	var s string
	if json.Unmarshal(m, &s) != nil {
		return string(m)
	}
	return s
}

// dim is the size n as the run is to see it. Equal sizes get the same symbol, since nothing says
// that they differ.
func (b *Builder) dim(n int64) symshape.Dim {
	if !b.Symbolic || n <= 1 {
		return b.Th.Pool().ConstDim(n)
	}
	e := b.Th.Pool().Symbol("s" + strconv.FormatInt(n, 10))
	if b.Free {
		return symshape.MakeDim(e)
	}
	return symshape.MakeDimValue(e, n)
}

// tensor makes a tensor of a recorded dtype, shape, strides and, where recorded, elements. A size that the
// record leaves out becomes a fresh symbol; sparse tensors and uninitialized parameters are not supported.
func (b *Builder) tensor(o map[string]json.RawMessage) (value.Value, error) {
	if _, ok := o["layout"]; ok {
		return nil, &UnsupportedError{"sparse tensor"}
	}
	d, ok := dtype.Parse(text(o["t"]))
	if !ok {
		return nil, &UnsupportedError{"dtype " + text(o["t"])}
	}
	ty := graph.TensorType{DType: d, Ranked: true, Device: "cpu"}
	if dev, ok := o["dev"]; ok {
		ty.Device = text(dev)
	}
	var sizes []*int64
	if err := json.Unmarshal(o["s"], &sizes); err != nil {
		return nil, err
	}
	if sizes == nil && strings.TrimSpace(string(o["s"])) == "null" {
		return nil, &UnsupportedError{"uninitialized parameter"}
	}
	ty.Shape = make(symshape.Shape, len(sizes))
	numel := int64(1)
	for i, n := range sizes {
		if n == nil { // a size that data decided
			ty.Shape[i] = symshape.MakeDim(b.Th.Pool().Fresh("u"))
			continue
		}
		ty.Shape[i] = b.dim(*n)
		numel *= *n
	}
	if m, ok := o["st"]; ok {
		var strides []int64
		if err := json.Unmarshal(m, &strides); err != nil {
			return nil, err
		}
		// Strides are always numbers.
		ty.Strides = make([]*symshape.Expr, len(strides))
		for i, n := range strides {
			ty.Strides[i] = b.Th.Pool().Const(n)
		}
	}
	t := &value.Tensor{Header: b.Th.Heap().Header(), V: b.Th.Graph().Input("", ty, source.Span{})}
	if m, ok := o["v"]; ok && len(m) > 0 {
		elems, err := contents(m, d)
		if err != nil {
			return nil, err
		}
		t.SetContents(elems)
	} else if numel > 0 {
		b.Floats++
	}
	// An empty tensor has all its elements known.
	if numel == 0 {
		t.SetContents([]value.Value{})
	}
	return t, nil
}

// Bools are recorded as 0 and 1, and NaN as null.
func contents(m json.RawMessage, d dtype.DType) ([]value.Value, error) {
	var raw []json.RawMessage
	if err := json.Unmarshal(m, &raw); err != nil {
		return nil, err
	}
	elems := make([]value.Value, len(raw))
	for i, r := range raw {
		switch s := string(r); {
		case d == dtype.Bool:
			elems[i] = value.Bool(s == "1" || s == "true")
		case s == "null":
			elems[i] = value.Float(math.NaN())
		default:
			v, err := number(s)
			if err != nil {
				return nil, err
			}
			elems[i] = v
		}
	}
	return elems, nil
}
