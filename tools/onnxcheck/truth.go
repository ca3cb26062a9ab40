package main

// This file reads the recorded tests and judges inferred types by them.
//
// A test is a folder with model.onnx and test_data_set_0, which has a protobuf file for each
// input and output. The recorded outputs are values, from which the true type follows: the
// inferred type must cover it. A type that says less is not wrong but counted as unknown.

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"google.golang.org/protobuf/encoding/protowire"

	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// A truth is the recorded value of an input or output. tensor is nil for sequences and optionals,
// whose elements are items.
type truth struct {
	tensor *onnx.Tensor // of a tensor
	kind   onnx.TypeKind
	items  []*truth
	none   bool // an optional without a value, or no record
}

func (t *truth) String() string {
	if t.tensor != nil {
		return fmt.Sprintf("%s%v", t.tensor.DType, t.tensor.Dims)
	}
	return fmt.Sprint(t.items)
}

// A test is a model with what was recorded for it.
type test struct {
	dir     string
	model   *onnx.Model
	inputs  []*truth
	outputs []*truth
	byName  map[string]*onnx.Tensor // records of inputs
}

// load reads the test whose model is the file. Declared types of outputs are removed, so that the
// inference cannot copy them. It returns an error if a file cannot be read or decoded.
func load(path string) (*test, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	t := &test{dir: filepath.Join(filepath.Dir(path), "test_data_set_0"), byName: map[string]*onnx.Tensor{}}
	if t.model, err = onnx.Unmarshal(b); err != nil {
		return nil, err
	}
	for i, v := range t.model.Graph.Inputs {
		x, err := t.read(fmt.Sprintf("input_%d.pb", i), v)
		if err != nil {
			return nil, err
		}
		t.inputs = append(t.inputs, x)
		t.byName[v.Name] = x.tensor
	}
	for i, v := range t.model.Graph.Outputs {
		x, err := t.read(fmt.Sprintf("output_%d.pb", i), v)
		if err != nil {
			return nil, err
		}
		t.outputs = append(t.outputs, x)
		v.Type = nil // what is declared is not used
	}
	return t, nil
}

// read reads one recorded value; one without a file is none.
func (t *test) read(name string, v *onnx.ValueInfo) (*truth, error) {
	b, err := os.ReadFile(filepath.Join(t.dir, name))
	if errors.Is(err, os.ErrNotExist) {
		return &truth{none: true}, nil
	}
	if err != nil {
		return nil, err
	}
	x, err := readTruth(b, v.Type)
	// numpy has no bf16: the records keep its bits in u16.
	if err == nil && v.Type != nil && v.Type.Elem == onnx.BFloat16 && x.tensor != nil && x.tensor.DType == onnx.Uint16 {
		x.tensor.DType = onnx.BFloat16
	}
	return x, err
}

// readTruth reads what a test recorded for an output of a type. ONNX's test data has one message for each kind of value, and
// nothing in the file says which one it is. The error says what is malformed.
func readTruth(b []byte, t *onnx.Type) (*truth, error) {
	kind := onnx.TensorType
	if t != nil {
		kind = t.Kind
	}
	out := &truth{kind: kind}
	switch kind {
	case onnx.SequenceType:
		items, err := fields(b, 3)
		if err != nil {
			return nil, err
		}
		for _, x := range items {
			y, err := readTruth(x, t.Of)
			if err != nil {
				return nil, err
			}
			out.items = append(out.items, y)
		}
		return out, nil
	case onnx.OptionalType:
		for _, number := range []protowire.Number{3, 5} { // a tensor, a sequence
			items, err := fields(b, number)
			if err != nil {
				return nil, err
			}
			if len(items) > 0 {
				y, err := readTruth(items[0], t.Of)
				if err != nil {
					return nil, err
				}
				out.items = append(out.items, y)
			}
		}
		out.none = len(out.items) == 0
		return out, nil
	}
	x, err := onnx.UnmarshalTensor(b)
	out.tensor = x
	return out, err
}

// fields gives the messages of one field. Others are skipped. It returns protowire's error for
// bytes that are no message.
func fields(b []byte, want protowire.Number) (out [][]byte, err error) {
	for len(b) > 0 {
		num, typ, n := protowire.ConsumeTag(b)
		if n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
		if num == want && typ == protowire.BytesType {
			x, n := protowire.ConsumeBytes(b)
			if n < 0 {
				return nil, protowire.ParseError(n)
			}
			out = append(out, x)
		}
		if n = protowire.ConsumeFieldValue(num, typ, b); n < 0 {
			return nil, protowire.ParseError(n)
		}
		b = b[n:]
	}
	return out, nil
}

// infer runs the inference in a mode; bind gives the symbols' values. In the symbolic mode each
// size of at least 1 becomes a symbol dI_J, of input I and axis J; sizes of 0 stay, as symbols
// are at least 1. In the modes bound and newest integers of at most 1024 elements and floats of
// at most 8 become initializers, as a size or a scale that the rules may read. Names of
// dimensions in the file get the recorded sizes in any mode.
func (t *test) infer(m mode) (*inference.Result, map[string]int64, error) {
	g := t.model.Graph
	bind := map[string]int64{}
	switch m {
	case symbolic:
		for i, v := range g.Inputs {
			x := t.inputs[i]
			if x.tensor == nil || v.Type == nil || v.Type.Shape == nil {
				continue
			}
			for j := range v.Type.Shape.Dims {
				if j < len(x.tensor.Dims) && x.tensor.Dims[j] >= 1 {
					name := fmt.Sprintf("d%d_%d", i, j)
					bind[name] = x.tensor.Dims[j]
					v.Type.Shape.Dims[j] = onnx.Sym(name)
				}
			}
		}
	case bound, newest:
		var keep []*onnx.ValueInfo
		for i, v := range g.Inputs {
			x := t.inputs[i]
			if x.tensor != nil {
				n, err := x.tensor.Count()
				if err == nil && (n <= 1024 && integer(x.tensor.DType) || n <= 8 && len(x.tensor.Dims) < 2 && x.tensor.DType == onnx.Float) {
					x.tensor.Name = v.Name
					g.Initializers = append(g.Initializers, x.tensor)
					continue
				}
			}
			keep = append(keep, v)
		}
		g.Inputs = keep
	}
	for _, v := range g.Inputs {
		if x := t.byName[v.Name]; x != nil && v.Type != nil && v.Type.Shape != nil && len(v.Type.Shape.Dims) == len(x.Dims) {
			for j, d := range v.Type.Shape.Dims {
				if _, done := bind[d.Param]; d.Param != "" && !done {
					bind[d.Param] = x.Dims[j]
				}
			}
		}
	}
	if m == newest {
		upgrade(t.model)
	}
	res, err := inference.Run(t.model, inference.Config{})
	return res, bind, err
}

// integer reports whether elements may be sizes, indices or flags.
func integer(d onnx.DType) bool {
	return slices.Contains([]onnx.DType{onnx.Uint8, onnx.Int8, onnx.Uint16, onnx.Int16, onnx.Int32, onnx.Int64, onnx.Bool, onnx.Uint32,
		onnx.Uint64}, d)
}

// unknown is the verdict on a type that is right and not complete.
const unknown = "unknown"

// check judges a type: empty when it is all right, unknown, or what is wrong. bind gives each
// symbol its recorded size, and an inferred size must have the recorded value then; a size that
// contains a symbol which the inference made up is unknown. A sequence is right if every recorded
// element fits its element type.
func (t *truth) check(got *inference.Type, bind map[string]int64) string {
	if got == nil || got.Kind == onnx.NoType {
		return unknown
	}
	if t.none {
		return ""
	}
	if t.tensor == nil {
		if got.Kind != t.kind {
			return "another kind of value"
		}
		verdict := ""
		for _, x := range t.items {
			switch v := x.check(got.Of, bind); v {
			case "":
			case unknown:
				verdict = unknown
			default:
				return v
			}
		}
		return verdict
	}
	if got.Kind != onnx.TensorType {
		return "another kind of value"
	}
	verdict := ""
	if got.Elem == onnx.Undefined {
		verdict = unknown
	} else if got.Elem != t.tensor.DType {
		return "another element type"
	}
	if !got.Ranked {
		return unknown
	}
	if len(got.Dims) != len(t.tensor.Dims) {
		return "another number of dimensions"
	}
	for i, d := range got.Dims {
		if slices.ContainsFunc(d.Symbols(), (*symshape.Expr).IsFresh) {
			verdict = unknown
			continue
		}
		n, err := d.Eval(symshape.Env(bind))
		if err != nil {
			return err.Error()
		}
		if n != t.tensor.Dims[i] {
			return fmt.Sprintf("dimension %d is %d", i, n)
		}
	}
	return verdict
}

// agrees reports whether what onnx infers is true: it errs on some files, and only
// what it knows counts. A size that onnx gives as text is a symbol and not compared.
func (t *truth) agrees(r *theirs) bool {
	if r.Of != nil {
		for _, x := range t.items {
			if !x.agrees(r.Of) {
				return false
			}
		}
	}
	if t.tensor == nil || r.Dims == nil {
		return true
	}
	if len(*r.Dims) != len(t.tensor.Dims) {
		return false
	}
	for i, d := range *r.Dims {
		if n, ok := d.(float64); ok && int64(n) != t.tensor.Dims[i] {
			return false
		}
	}
	return true
}
