package ops

// This file parses signatures; bind.go binds arguments to them.
//
// The notation is that of PyTorch's native_functions.yaml, as in
//
//	(Tensor input, int[2] kernel_size, int[2] stride=[], *, ScalarType? dtype=None)
//
// with overloads separated by " | ". Types: Tensor, Tensor[], Scalar, int,
// int[], int[N] (an int stands for N of them), float, float[], bool, str,
// ScalarType, Device, Operand (a Tensor or a number), and any (or no type) for what
// the rule checks itself; a ? admits None. "int[]* size" also takes the sizes as
// separate arguments, as x.view(2, 3) does. "*args" and "**kwargs" collect the rest.

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"shapecheck/infer/value"
)

// A Param is one parameter of a signature.
type Param struct {
	Name     string
	Type     ParamType
	Optional bool // None is accepted
	List     bool // Type[]
	Size     int  // N of Type[N]
	Variadic bool // takes separate positional arguments
	KwOnly   bool
	HasDef   bool
	Default  value.Value
}

// A ParamType is the type of a parameter in a signature.
type ParamType uint8

const (
	AnyType ParamType = iota
	TensorType
	ScalarType
	IntType
	FloatType
	BoolType
	StrType
	DTypeType
	DeviceType
	OperandType
)

var paramTypes = map[string]ParamType{
	"any": AnyType, "Tensor": TensorType, "Scalar": ScalarType, "int": IntType, "SymInt": IntType, "float": FloatType,
	"bool": BoolType, "str": StrType, "ScalarType": DTypeType, "Device": DeviceType, "Operand": OperandType,
	"Layout": AnyType, "Generator": AnyType, "MemoryFormat": AnyType, "Dimname": AnyType,
}

// A Signature is one overload.
type Signature struct {
	Params []Param
	Rest   int // index of *args in Params, or -1
	KwRest int // index of **kwargs in Params, or -1
}

// sigCache holds parsed signatures by their text.
var sigCache sync.Map // string → []Signature

// Signatures returns the overloads of the op. A malformed signature is a bug
// in the table, which a test finds; it panics.
func (op *Op) Signatures() []Signature { return op.signatures(op.Sig) }

// signatures parses the overloads of a record once; a text that does not parse is a bug of the record.
func (op *Op) signatures(all string) []Signature {
	if s, ok := sigCache.Load(all); ok {
		return s.([]Signature)
	}
	var sigs []Signature
	for _, text := range strings.Split(all, " | ") {
		s, err := parseSig(text)
		if err != nil {
			panic(fmt.Sprintf("ops: signature of %s: %v", op.Names[0], err))
		}
		sigs = append(sigs, s)
	}
	sigCache.Store(all, sigs)
	return sigs
}

// parseSig reads PyTorch's schema notation, of which the result is left out. The error says which part is none
// of it.
func parseSig(text string) (Signature, error) {
	s := Signature{Rest: -1, KwRest: -1}
	text = strings.TrimSpace(text)
	if i := strings.LastIndex(text, "->"); i >= 0 {
		text = strings.TrimSpace(text[:i])
	}
	if !strings.HasPrefix(text, "(") || !strings.HasSuffix(text, ")") {
		return s, fmt.Errorf("%q is not in parentheses", text)
	}
	kwOnly := false
	for _, part := range splitTop(text[1 : len(text)-1]) {
		part = strings.TrimSpace(part)
		switch {
		case part == "":
			continue
		case part == "*":
			kwOnly = true
			continue
		case strings.HasPrefix(part, "**"):
			s.KwRest = len(s.Params)
			s.Params = append(s.Params, Param{Name: part[2:]})
			continue
		case strings.HasPrefix(part, "*"):
			s.Rest = len(s.Params)
			s.Params = append(s.Params, Param{Name: part[1:]})
			kwOnly = true
			continue
		}
		p, err := parseParam(part)
		if err != nil {
			return s, err
		}
		p.KwOnly = kwOnly
		s.Params = append(s.Params, p)
	}
	return s, nil
}

// splitTop splits at commas outside brackets and quotes.
func splitTop(s string) []string {
	var parts []string
	depth, start, quote := 0, 0, byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '[' || c == '(':
			depth++
		case c == ']' || c == ')':
			depth--
		case c == ',' && depth == 0:
			parts = append(parts, s[start:i])
			start = i + 1
		}
	}
	return append(parts, s[start:])
}

// parseParam parses one parameter of a signature: "type name=default". The suffixes of the type are * for
// any number of arguments, ? for optional, [n] for a list of n, and alias notes in parentheses as
// PyTorch's native_functions.yaml writes them, which are skipped. Without a type the parameter is
// optional.
func parseParam(part string) (Param, error) {
	var p Param
	decl, def, hasDef := strings.Cut(part, "=")
	decl = strings.TrimSpace(decl)
	if hasDef {
		p.HasDef = true
		var err error
		if p.Default, err = parseDefault(strings.TrimSpace(def)); err != nil {
			return p, fmt.Errorf("parameter %q: %v", part, err)
		}
	}
	typ, name, ok := strings.Cut(decl, " ")
	if !ok {
		p.Name = decl
		p.Optional = true
		return p, nil
	}
	p.Name = strings.TrimSpace(name)
	for {
		switch {
		case strings.HasSuffix(typ, "*"):
			p.Variadic = true
			typ = typ[:len(typ)-1]
			continue
		case strings.HasSuffix(typ, "?"):
			p.Optional = true
			typ = typ[:len(typ)-1]
			continue
		case strings.HasSuffix(typ, "]"):
			i := strings.LastIndex(typ, "[")
			if i < 0 {
				return p, fmt.Errorf("parameter %q: type %q", part, typ)
			}
			p.List = true
			if n := typ[i+1 : len(typ)-1]; n != "" {
				var err error
				if p.Size, err = strconv.Atoi(n); err != nil {
					return p, fmt.Errorf("parameter %q: size %q", part, n)
				}
			}
			typ = typ[:i]
			continue
		case strings.HasSuffix(typ, ")"): // Tensor(a!): aliasing is in the rule
			typ = typ[:strings.Index(typ, "(")]
			continue
		}
		break
	}
	t, ok := paramTypes[typ]
	if !ok {
		return p, fmt.Errorf("parameter %q: unknown type %q", part, typ)
	}
	p.Type = t
	if p.HasDef && p.Default == value.None {
		p.Optional = true
	}
	return p, nil
}

// parseDefault reads a default value; the error is that it has none of the known forms.
func parseDefault(s string) (value.Value, error) {
	switch s {
	case "None":
		return value.None, nil
	case "True":
		return value.Bool(true), nil
	case "False":
		return value.Bool(false), nil
	case "[]", "()":
		return value.NewTuple(), nil
	case "inf":
		return value.Float(Inf), nil
	case "-inf":
		return value.Float(-Inf), nil
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return value.Int(n), nil
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return value.Float(f), nil
	}
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return value.Str(s[1 : len(s)-1]), nil
	}
	if len(s) >= 2 && s[0] == '[' && s[len(s)-1] == ']' {
		var elems []value.Value
		for _, e := range splitTop(s[1 : len(s)-1]) {
			v, err := parseDefault(strings.TrimSpace(e))
			if err != nil {
				return nil, err
			}
			elems = append(elems, v)
		}
		return value.NewTuple(elems...), nil
	}
	return nil, fmt.Errorf("default %q", s)
}
