package schema

// This file reads operators.txt and chainer.txt. The index of names is made at first
// use; a record is read when it is asked for.
//
// The files have a record for each version of each operator, generated from ONNX's own
// definitions, in a line-based form: types of variables, inputs, outputs and attributes with
// their checks. Reading all of them would take longer than most checks of a model, so the text is
// only split when an operator is asked for first, and a record is parsed when its version is.

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shapecheck/internal/packedtext"
	"shapecheck/onnx"
)

//go:generate go run ../../tools/packstubs operators.txt
//go:embed operators.txt.gz
var operatorsText []byte

//go:embed chainer.txt
var chainerText string

// An entry is a record that may not have been read yet. head and body are slices of the embedded
// text.
type entry struct {
	head   string // the words after "op"
	body   string // the lines below
	since  int64
	family *family
	types  map[string]*typeSet
	once   sync.Once
	op     *Op
}

// A typeSet is a set of types that may not have been read yet; many records share it.
type typeSet struct {
	text  string
	once  sync.Once
	types *Types
	err   error
}

func (s *typeSet) get() (*Types, error) {
	s.once.Do(func() { s.types, s.err = typesOf(s.text) })
	return s.types, s.err
}

// get reads the record. The texts are part of the program and read completely by a
// test, so that a fault in them is a programming error. It is safe for concurrent use.
func (e *entry) get() *Op {
	e.once.Do(func() {
		op, err := e.read()
		if err != nil {
			panic(fmt.Sprintf("schema: %s: %v", e.head, err))
		}
		e.op = op
	})
	return e.op
}

// index finds the versions of an operator, oldest first.
var index = sync.OnceValue(func() map[opKey]*family {
	out := make(map[opKey]*family, 320)
	for _, text := range []string{packedtext.Read(operatorsText), chainerText} {
		head, records, _ := strings.Cut(text, "\nop ")
		types := map[string]*typeSet{}
		for line := range strings.Lines(head) {
			if rest, ok := strings.CutPrefix(line, "types "); ok {
				number, set, _ := strings.Cut(strings.TrimSpace(rest), " ")
				types[number] = &typeSet{text: set}
			}
		}
		for records != "" {
			var record string
			record, records, _ = strings.Cut(records, "\nop ")
			e := &entry{types: types}
			e.head, e.body, _ = strings.Cut(record, "\n")
			domain, rest, _ := strings.Cut(e.head, " ")
			name, rest, _ := strings.Cut(rest, " ")
			since, _, _ := strings.Cut(rest, " ")
			var err error
			if e.since, err = strconv.ParseInt(since, 10, 64); err != nil {
				panic("schema: " + err.Error())
			}
			k := opKey{strings.TrimPrefix(domain, "-"), name}
			f := out[k]
			if f == nil {
				f = &family{}
				out[k] = f
			}
			e.family = f
			f.versions = append(f.versions, e)
		}
	}
	return out
})

// read makes the record. The error names the line that has no meaning.
func (e *entry) read() (*Op, error) {
	words := strings.Fields(e.head)
	op := &Op{Domain: strings.TrimPrefix(words[0], "-"), Name: words[1], Since: e.since, family: e.family}
	for _, w := range words[3:] {
		var err error
		key, list, _ := strings.Cut(w, "=")
		switch key {
		case "deprecated":
			op.Deprecated = true
		case "experimental":
			op.Experimental = true
		case "inputs":
			op.InCounts, err = counts(list)
		case "outputs":
			op.OutCounts, err = counts(list)
		default:
			err = fmt.Errorf("%q is no mark", w)
		}
		if err != nil {
			return nil, err
		}
	}
	for line := range strings.Lines(e.body) {
		line = strings.TrimSpace(line)
		key, rest, _ := strings.Cut(line, " ")
		var err error
		switch key {
		case "", "#":
		case "var":
			name, set, _ := strings.Cut(rest, " ")
			v := Var{Name: name}
			v.Types, err = e.typesIn(set)
			op.Vars = append(op.Vars, v)
		case "in":
			op.Inputs, err = e.param(op, op.Inputs, rest)
		case "out":
			op.Outputs, err = e.param(op, op.Outputs, rest)
		case "attr":
			var a AttrDef
			a, err = attrOf(rest)
			op.Attrs = append(op.Attrs, a)
		default:
			err = fmt.Errorf("%q is no line of a record", line)
		}
		if err != nil {
			return nil, err
		}
	}
	return op, nil
}

func counts(list string) ([]int, error) {
	var out []int
	for _, w := range strings.Split(list, ",") {
		n, err := strconv.Atoi(w)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// typesIn gives the set of types with a number.
func (e *entry) typesIn(number string) (*Types, error) {
	if s := e.types[number]; s != nil {
		return s.get()
	}
	return nil, fmt.Errorf("there is no set %q", number)
}

// param reads an operand or result in the table's short form: NAME TYPE, with ? behind the name
// if it is optional, and * and the least number if it is variadic, ~ if these may differ in type.
func (e *entry) param(op *Op, list []Param, text string) ([]Param, error) {
	name, typ, _ := strings.Cut(text, " ")
	var p Param
	var err error
	for _, v := range op.Vars {
		if v.Name == typ {
			p.Var, p.Types = typ, v.Types
		}
	}
	if p.Types == nil {
		if p.Types, err = e.typesIn(typ); err != nil {
			return nil, err
		}
	}
	var more string
	if p.Name, more, p.Variadic = strings.Cut(name, "*"); p.Variadic {
		more, p.Mixed = strings.CutSuffix(more, "~")
		p.Min, err = strconv.Atoi(more)
	} else {
		p.Name, p.Optional = strings.CutSuffix(name, "?")
	}
	return append(list, p), err
}

var attrTypes = map[string]onnx.AttrType{
	"float": onnx.AttrFloat, "int": onnx.AttrInt, "string": onnx.AttrString, "tensor": onnx.AttrTensor, "graph": onnx.AttrGraph,
	"floats": onnx.AttrFloats, "ints": onnx.AttrInts, "strings": onnx.AttrStrings, "tensors": onnx.AttrTensors, "graphs": onnx.AttrGraphs,
	"sparse_tensor": onnx.AttrSparseTensor, "sparse_tensors": onnx.AttrSparseTensors, "type_proto": onnx.AttrTypeProto,
	"type_protos": onnx.AttrTypeProtos,
}

// attrOf reads the description of an attribute. The form is: name type, "!" where it is required,
// "= value" for a default, "| check" for what values are legal.
func attrOf(text string) (AttrDef, error) {
	text, check, _ := strings.Cut(text, " | ")
	text, value, given := strings.Cut(text, " = ")
	name, typ, _ := strings.Cut(text, " ")
	a := AttrDef{Name: name}
	typ, a.Required = strings.CutSuffix(typ, "!")
	var ok bool
	if a.Type, ok = attrTypes[typ]; !ok {
		return a, fmt.Errorf("attribute %s has the type %q", name, typ)
	}
	var err error
	if each, ok := strings.CutPrefix(value, "each "); ok {
		a.HasEach = true
		if a.Each, err = strconv.ParseInt(each, 10, 64); err != nil {
			return a, err
		}
	} else if given {
		if a.Default, err = valueOf(name, a.Type, value); err != nil {
			return a, err
		}
	}
	kind, rest, _ := strings.Cut(check, " ")
	switch kind {
	case "":
	case "oneof":
		for _, w := range strings.Fields(rest) {
			a.OneOf = append(a.OneOf, strings.Trim(w, "'"))
		}
	case "min":
		a.HasMin = true
		a.Min, err = strconv.ParseInt(rest, 10, 64)
	case "dtype":
		a.DType = true
	default:
		err = fmt.Errorf("%q is no check", check)
	}
	return a, err
}

// valueOf reads the default of an attribute. The error is a number that cannot be read, or a type
// that has no defaults.
func valueOf(name string, t onnx.AttrType, text string) (*onnx.Attr, error) {
	a := &onnx.Attr{Name: name, Type: t}
	var err error
	switch t {
	case onnx.AttrInt:
		a.Int, err = strconv.ParseInt(text, 10, 64)
	case onnx.AttrFloat:
		a.Float, err = float(text)
	case onnx.AttrString:
		var s string
		s, err = strconv.Unquote(text)
		a.String = []byte(s)
	case onnx.AttrInts:
		for _, w := range split(text) {
			var n int64
			if n, err = strconv.ParseInt(w, 10, 64); err != nil {
				break
			}
			a.Ints = append(a.Ints, n)
		}
	case onnx.AttrFloats:
		for _, w := range split(text) {
			var f float32
			if f, err = float(w); err != nil {
				break
			}
			a.Floats = append(a.Floats, f)
		}
	case onnx.AttrStrings:
		for _, w := range split(text) {
			var s string
			if s, err = strconv.Unquote(w); err != nil {
				break
			}
			a.Strings = append(a.Strings, []byte(s))
		}
	case onnx.AttrTensor:
		elem, number, _ := strings.Cut(text, " ")
		d, _ := onnx.DTypeOf(elem)
		var f float32
		if f, err = float(number); err == nil {
			a.Tensor, err = onnx.NewFull(d, []int64{1}, float64(f))
		}
	default:
		err = fmt.Errorf("attribute %s has a default of a type that has none", name)
	}
	return a, err
}

func split(text string) []string {
	return slices.DeleteFunc(strings.Split(text, ","), func(s string) bool { return s == "" })
}

func float(text string) (float32, error) {
	f, err := strconv.ParseFloat(text, 32)
	return float32(f), err
}
