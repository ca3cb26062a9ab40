package ops

// This file binds arguments to signatures, as PyTorch's argument parser does. A call is matched
// with each signature of a record in turn (the overloads of a function, separated by bars); the
// first that fits wins, and where none does the misfit of one of them becomes the report. Binding looks at types, and
// at shapes only where a tensor stands for an int; an argument of unknown value fits everything.

import (
	"fmt"
	"slices"

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

// A parserForm says how PyTorch's parser of arguments reads some calls.
type parserForm struct {
	// indices: a tensor which is an index may stand for a list of ints that takes one int.
	indices bool
	// ignoresRest: what follows a tuple of sizes is ignored, as in x.view((2, 3), 1), before PyTorch 2.
	ignoresRest bool
}

// bind fits arguments to the signature, or says why they do not. The result has one value for each parameter in
// the order of the signature: the argument, the default, or for *args and **kwargs a tuple and a
// dict. The order of the checks is that of PyTorch's: positional arguments, names, missing
// arguments, then types.
func (s *Signature) bind(args []value.Value, kw []value.Kw, form parserForm) ([]value.Value, *misfit) {
	bound := make([]value.Value, len(s.Params))
	var rest []value.Value
	pos := 0
	for i := range s.Params {
		p := &s.Params[i]
		// Nothing more is taken by position.
		if p.KwOnly || pos >= len(args) || i == s.Rest || i == s.KwRest {
			break
		}
		// Methods such as x.view(2, 3) take ints one by one for a list. A single None stands for
		// the list itself.
		if p.Variadic && p.List && !IsSequence(args[pos]) && !(pos == len(args)-1 && args[pos] == value.None) {
			bound[i] = value.NewTuple(args[pos:]...)
			pos = len(args)
			continue
		}
		bound[i] = args[pos]
		pos++
		if form.ignoresRest && p.Variadic && p.List && IsSequence(bound[i]) && i == len(s.Params)-1 {
			pos = len(args)
		}
	}
	// Positional arguments are left over.
	if pos < len(args) {
		if s.Rest < 0 {
			return nil, &misfit{why: fmt.Sprintf("takes %s but %d were given", CountWord(s.maxPositional(), "positional argument"), len(args)),
				code: diag.BadCall}
		}
		rest = args[pos:]
	}
	// Those that **kwargs takes.
	var extra []value.Kw
	for _, k := range kw {
		i := s.param(k.Name)
		switch {
		case i < 0 && s.KwRest >= 0:
			extra = append(extra, k)
			continue
		case i < 0:
			return nil, &misfit{why: fmt.Sprintf("got an unexpected keyword argument '%s'", k.Name), code: diag.BadCall}
		// It was given by position as well.
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
		// A default is not checked, as the signature's author has done so.
		case bound[i] == nil && p.HasDef:
			bound[i] = p.Default
			continue
		case bound[i] == nil:
			return nil, &misfit{why: fmt.Sprintf("missing required argument '%s'", p.Name), code: diag.BadCall}
		}
		if why := p.check(bound[i], form.indices); why != "" {
			bad := &misfit{why: why, code: diag.TypeMismatch, fact: diag.Fact{Type: TypeName(bound[i])}}
			if bound[i] == value.None || p.List && hasNone(bound[i]) {
				bad.fact.Kind = diag.OfNone
			}
			return nil, bad
		}
	}
	return bound, nil
}

// hasNone reports whether an element of a list is None.
func hasNone(v value.Value) bool {
	switch v := v.(type) {
	case *value.Tuple:
		return slices.Contains(v.Elems, value.Value(value.None))
	case *value.List:
		return slices.Contains(v.Elems, value.Value(value.None))
	}
	return false
}

// param finds a parameter by the name of a keyword, with PyTorch's aliases, which the place in the code says
// where they are from. The result is -1 for a name that is no parameter.
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
// "2 dimensions". The plural takes an s.
func CountWord(n int, what string) diag.Counted { return diag.Counted{N: n, Noun: what} }

// IsTensor reports whether v is a tensor or an array, of any library. PyTorch's, NumPy's and
// Chainer's values share one type.
func IsTensor(v value.Value) bool {
	_, ok := v.(*value.Tensor)
	return ok
}

// IsSequence reports whether v is a tuple or a list. A torch.Size and a named tuple are tuples,
// too. Arrays are none.
func IsSequence(v value.Value) bool {
	switch v.(type) {
	case *value.Tuple, *value.List:
		return true
	}
	return false
}

// check says why v does not fit the parameter, or ""; indices is as in parserForm. Lists of unknown length
// have their known elements checked only.
func (p *Param) check(v value.Value, indices bool) string {
	// Only what is certainly wrong is refused, since generators are instances of which not every
	// kind is known.
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
	// AnyType leaves the check to the rule.
	if p.Type == AnyType && !p.List {
		return ""
	}
	if v == value.None {
		if p.Optional {
			return ""
		}
		return p.complain(v)
	}
	// Whatever it is may fit.
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
	// These can never be a list of anything.
	case *value.Abstract, *value.Set, *value.Dict, *value.Iterator, value.Str:
		return p.complain(v)
	default:
		// A single value for a list with a size, as kernel_size=3.
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
		// PyTorch looks at the first element to choose an overload and converts the others by
		// __index__.
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
// it can of whole numbers, of one alone or in any number of dimensions. One of unknown dtype may be
// whole.
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

// mayBeOne reports whether a tensor of the type may have one element. Every known size must be 1.
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

// The text for a value of the wrong type.
func (p *Param) complain(v value.Value) string {
	return fmt.Sprintf("argument '%s' must be %s, not %s", p.Name, p.typeName(), TypeName(v))
}

// The order of both tables is that of the constants of ParamType.
func (p *Param) typeName() string {
	names := [...]string{"an object", "a Tensor", "a number", "an int", "a float", "a bool", "a str", "a torch.dtype", "a torch.device",
		"a Tensor or a number"}
	plural := [...]string{"objects", "Tensors", "numbers", "ints", "floats", "bools", "strs", "dtypes", "devices", "Tensors or numbers"}
	if p.List {
		return "a tuple of " + plural[p.Type]
	}
	return names[p.Type]
}

// TypeName gives the type of v as messages name it: None's is called None, and symbolic numbers
// have the type of the number that they stand for. Instances and abstract values have the name of
// their class without its module; what has no name here is an object.
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
// a bool is no int, an int is a float, a 0-dim tensor is a number. An abstract value fits where
// every value of its class would. A choice fits if both of its values do.
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
			// A tensor of whole numbers without dimensions, or of unknown rank, stands for an int.
			return ty.DType == dtype.Unknown || ty.DType.IsIntegral() && ty.Rank() <= 0
		}
		return false
	case FloatType:
		switch v := v.(type) {
		case value.Int, *value.SymInt, *value.BigInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool:
			return true
		case *value.Tensor:
			// Of any dtype, as float() would convert it.
			return v.Type().Rank() <= 0
		}
		return false
	case ScalarType, OperandType:
		switch v := v.(type) {
		case value.Int, *value.SymInt, *value.BigInt, value.Float, *value.SymFloat, value.Bool, *value.SymBool, value.Complex:
			return true
		case *value.Tensor:
			// An OperandType is what takes a tensor or a number, such as the second operand of
			// torch.add.
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
		// Python's own types stand for the default dtypes, as in x.to(float).
		case *value.Class: // float, int, bool
			return v.Name == "float" || v.Name == "int" || v.Name == "bool"
		}
		return false
	case DeviceType:
		switch v.(type) {
		// An int is the index of an accelerator.
		case value.Device, value.Str, value.Int, *value.SymInt:
			return true
		}
		return false
	}
	return true
}
