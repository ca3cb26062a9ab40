package ops

// This file binds arguments to signatures, as PyTorch's argument parser does.

import (
	"fmt"

	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// A misfit says why arguments do not fit a signature, in the words of a TypeError's
// message without the function's name.
type misfit struct {
	why string
	// code is TypeMismatch where an argument has the wrong type, else BadCall.
	code diag.Code
	// fact is what the fault comes down to.
	fact diag.Fact
}

// bind fits arguments to the signature, or says why they do not. indices says that a tensor which is an index
// may stand for a list of ints that takes one int.
func (s *Signature) bind(args []value.Value, kw []value.Kw, indices bool) ([]value.Value, *misfit) {
	bound := make([]value.Value, len(s.Params))
	var rest []value.Value
	pos := 0
	for i := range s.Params {
		p := &s.Params[i]
		if p.KwOnly || pos >= len(args) || i == s.Rest || i == s.KwRest {
			break
		}
		if p.Variadic && p.List && !IsSequence(args[pos]) && !(pos == len(args)-1 && args[pos] == value.None) {
			bound[i] = value.NewTuple(args[pos:]...)
			pos = len(args)
			continue
		}
		bound[i] = args[pos]
		pos++
		if p.Variadic && p.List && IsSequence(bound[i]) && i == len(s.Params)-1 {
			pos = len(args) // PyTorch's parser ignores what follows a tuple of sizes, as in x.view((2, 3), 1)
		}
	}
	if pos < len(args) {
		if s.Rest < 0 {
			return nil, &misfit{why: fmt.Sprintf("takes %s but %d were given", CountWord(s.maxPositional(), "positional argument"), len(args)),
				code: diag.BadCall}
		}
		rest = args[pos:]
	}
	var extra []value.Kw
	for _, k := range kw {
		i := s.param(k.Name)
		switch {
		case i < 0 && s.KwRest >= 0:
			extra = append(extra, k)
			continue
		case i < 0:
			return nil, &misfit{why: fmt.Sprintf("got an unexpected keyword argument '%s'", k.Name), code: diag.BadCall}
		case bound[i] != nil:
			return nil, &misfit{why: fmt.Sprintf("got multiple values for argument '%s'", k.Name), code: diag.BadCall}
		}
		bound[i] = k.Value
	}
	for i := range s.Params {
		p := &s.Params[i]
		switch {
		case i == s.Rest:
			bound[i] = value.NewTuple(rest...)
			continue
		case i == s.KwRest:
			var d value.Dict
			for _, k := range extra {
				d.SetStr(&value.Heap{}, k.Name, k.Value)
			}
			bound[i] = &d
			continue
		case bound[i] == nil && p.HasDef:
			bound[i] = p.Default
			continue
		case bound[i] == nil:
			return nil, &misfit{why: fmt.Sprintf("missing required argument '%s'", p.Name), code: diag.BadCall}
		}
		if why := p.check(bound[i], indices); why != "" {
			bad := &misfit{why: why, code: diag.TypeMismatch, fact: diag.Fact{Type: TypeName(bound[i])}}
			if bound[i] == value.None {
				bad.fact.Kind = diag.OfNone
			}
			return nil, bad
		}
	}
	return bound, nil
}

// param finds a parameter by the name of a keyword, with PyTorch's aliases, which the place in the code says
// where they are from.
func (s *Signature) param(name string) int {
	for i := range s.Params {
		if s.Params[i].Name == name && i != s.Rest && i != s.KwRest {
			return i
		}
	}
	// Functions name it input, methods self; numpy's spellings are accepted as PyTorch does.
	switch name {
	case "input":
		return s.param("self")
	case "axis":
		return s.param("dim")
	case "keepdims":
		return s.param("keepdim")
	case "x", "a", "x1": // numpy_compatibility_arg_names of torch/csrc/utils/python_arg_parser.cpp
		if i := s.param("self"); i >= 0 {
			return i
		}
		for i := range s.Params {
			if s.Params[i].Name == "input" {
				return i
			}
		}
	case "x2":
		return s.param("other")
	}
	return -1
}

func (s *Signature) maxPositional() int {
	n := 0
	for i := range s.Params {
		if !s.Params[i].KwOnly {
			n++
		}
	}
	return n
}

// CountWord is a number with the noun that it counts, in the plural unless it is 1:
// "2 dimensions".
func CountWord(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// IsTensor reports whether v is a tensor or an array, of any library.
func IsTensor(v value.Value) bool {
	_, ok := v.(*value.Tensor)
	return ok
}

// IsSequence reports whether v is a tuple or a list.
func IsSequence(v value.Value) bool {
	switch v.(type) {
	case *value.Tuple, *value.List:
		return true
	}
	return false
}

// check says why v does not fit the parameter, or ""; indices is bind's.
func (p *Param) check(v value.Value, indices bool) string {
	if p.Name == "generator" {
		switch v.(type) {
		case value.Bool, value.Int, value.Float, value.Str, *value.Tensor, *value.Tuple, *value.List:
			return fmt.Sprintf("argument 'generator' must be a torch.Generator, not %s", TypeName(v))
		}
	}
	if p.Name == "memory_format" || p.Name == "layout" {
		switch v.(type) {
		case value.Bool, value.Int, value.Float, value.Complex, value.Str, *value.Tensor, *value.Tuple, *value.List, *value.Slice:
			return fmt.Sprintf("argument '%s' must be a torch.%s, not %s", p.Name, p.Name, TypeName(v))
		}
	}
	if p.Type == AnyType && !p.List {
		return ""
	}
	if v == value.None {
		if p.Optional {
			return ""
		}
		return p.complain(v)
	}
	if value.IsUnknown(v) {
		return ""
	}
	if !p.List {
		if FitsType(p.Type, v) {
			return ""
		}
		return p.complain(v)
	}
	var elems []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		elems = v.Elems
	case *value.List:
		elems = v.Elems
	case *value.Abstract, *value.Set, *value.Dict, *value.Iterator, value.Str:
		return p.complain(v)
	default:
		fits := FitsType(p.Type, v)
		if IsTensor(v) && p.Type == IntType {
			fits = indices && IsIndex(v)
		}
		if p.Size > 0 && fits {
			return ""
		}
		return p.complain(v)
	}
	for i, e := range elems {
		if _, isTensor := e.(*value.Tensor); p.Type == IntType && (i > 0 || isTensor) && IsIndex(e) {
			continue // only the first decides whether it is a list of ints
		}
		if !value.IsUnknown(e) && p.Type != AnyType && !FitsType(p.Type, e) {
			return fmt.Sprintf("argument '%s' must be %s, but element %d is %s", p.Name, p.typeName(), i, TypeName(e))
		}
	}
	return ""
}

// IsIndex reports whether Python's __index__ may make an int of v, a bool or a tensor:
// it can of whole numbers, of one alone or in any number of dimensions.
func IsIndex(v value.Value) bool {
	switch v := v.(type) {
	case value.Bool, *value.SymBool:
		return true
	case *value.Tensor:
		ty := v.Type()
		return ty.DType == dtype.Unknown || ty.DType.IsIntegralOrBool() && mayBeOne(ty)
	}
	return false
}

// mayBeOne reports whether a tensor of the type may have one element.
func mayBeOne(ty *graph.TensorType) bool {
	if !ty.Ranked {
		return true
	}
	for _, d := range ty.Shape {
		if n, known := DimVal(d); known && n != 1 {
			return false
		}
	}
	return true
}

func (p *Param) complain(v value.Value) string {
	return fmt.Sprintf("argument '%s' must be %s, not %s", p.Name, p.typeName(), TypeName(v))
}

func (p *Param) typeName() string {
	names := [...]string{"an object", "a Tensor", "a number", "an int", "a float", "a bool", "a str", "a torch.dtype", "a torch.device",
		"a Tensor or a number"}
	plural := [...]string{"objects", "Tensors", "numbers", "ints", "floats", "bools", "strs", "dtypes", "devices", "Tensors or numbers"}
	if p.List {
		return "a tuple of " + plural[p.Type]
	}
	return names[p.Type]
}

// TypeName names the Python type of v, for messages.
// TypeName gives the type of v as messages name it: None's is called None, and symbolic numbers have the type of the numbers
// that they stand for.
func TypeName(v value.Value) diag.TypeName {
	switch v := v.(type) {
	case value.NoneType:
		return "None"
	case value.Bool, *value.SymBool:
		return "bool"
	case value.Int, *value.SymInt, *value.BigInt:
		return "int"
	case value.Float, *value.SymFloat:
		return "float"
	case value.Complex:
		return "complex"
	case value.Str:
		return "str"
	case value.Bytes:
		return "bytes"
	case *value.Tuple:
		if v.Class != nil {
			return diag.TypeName(v.Class.Name)
		}
		return "tuple"
	case *value.List:
		return "list"
	case *value.Dict:
		return "dict"
	case *value.Set:
		return "set"
	case *value.Tensor:
		if IsArray(v) {
			return "numpy.ndarray"
		}
		return "Tensor"
	case *value.Instance:
		return diag.TypeName(v.Class.Name)
	case *value.Abstract:
		return diag.TypeName(v.Class.Name)
	case *value.Class:
		return "type"
	case *value.Func, *value.Builtin, *value.BoundMethod:
		return "function"
	case value.DType:
		return "torch.dtype"
	case value.Device:
		return "torch.device"
	case *value.Module:
		return "module"
	case *value.Iterator:
		return diag.TypeName(v.Name)
	}
	return "object"
}

// FitsType follows PyTorch's argument parser (torch/csrc/utils/python_arg_parser.cpp):
// a bool is no int, an int is a float, a 0-dim tensor is a number.
func FitsType(t ParamType, v value.Value) bool {
	v = value.Plain(v)
	if a, ok := v.(*value.Abstract); ok {
		switch t {
		case StrType, DeviceType:
			return a.Class.Name == "str"
		case AnyType:
			return true
		case ScalarType:
			return a.Class.Name == "complex"
		}
		return false
	}
	if c, ok := v.(*value.Choice); ok {
		return FitsType(t, c.Then) && FitsType(t, c.Else)
	}
	switch t {
	case TensorType:
		_, ok := v.(*value.Tensor)
		return ok
	case IntType:
		switch v := v.(type) {
		case value.Int, *value.SymInt, *value.BigInt:
			return true
		case *value.Tensor:
			ty := v.Type()
			return ty.DType == dtype.Unknown || ty.DType.IsIntegral() && ty.Rank() <= 0
		}
		return false
	case FloatType:
		switch v := v.(type) {
		case value.Int, *value.SymInt, *value.BigInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool:
			return true
		case *value.Tensor:
			return v.Type().Rank() <= 0
		}
		return false
	case ScalarType, OperandType:
		switch v := v.(type) {
		case value.Int, *value.SymInt, *value.BigInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool, value.Complex:
			return true
		case *value.Tensor:
			return t == OperandType || v.Type().Rank() <= 0
		}
		return false
	case BoolType:
		switch v.(type) {
		case value.Bool, *value.SymBool:
			return true
		}
		return false
	case StrType:
		_, ok := v.(value.Str)
		return ok
	case DTypeType:
		switch v := v.(type) {
		case value.DType:
			return true
		case *value.Class: // float, int, bool
			return v.Name == "float" || v.Name == "int" || v.Name == "bool"
		}
		return false
	case DeviceType:
		switch v.(type) {
		case value.Device, value.Str, value.Int, *value.SymInt:
			return true
		}
		return false
	}
	return true
}
