package export

// This file is about calls of functions of Python and torch: which of them make numbers of sizes,
// or of elements. A number of Python cannot be a symbol: where a function makes one of a size, the
// size is fixed to its example, and where it makes one of elements, the export fails. Which
// functions do so depends on the mode: jit (torch.jit.trace), strict (Dynamo runs the code) or not
// (plain Python runs it).

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/numpy"
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/symshape"
	"shapecheck/trace/jit"
)

// takers are functions of Python that make a number of a size: whether a plain run fixes
// the size to its example then, and whether Dynamo does.
var takers = map[string][2]bool{"int": {true, false}, "float": {true, false}, "complex": {true, true}, "range": {true, true},
	"len":       {true, false},
	"math.sqrt": {true, false}, "math.ceil": {}, "math.floor": {}, "math.trunc": {}, "math.prod": {}, "math.gcd": {true, true}}

// fixes tells whether a function of Python fixes the sizes that it is given.
func (x *Run) fixes(name string) bool {
	mode := 0
	// torch.jit.trace has tensors for sizes, which most functions of Python make numbers of.
	if x.jit {
		if strings.HasPrefix(name, "math.") {
			return name != "math.prod"
		}
		return takers[strings.TrimPrefix(name, "builtins.")][0] || strings.HasPrefix(name, numpy.Library.Prefix)
	}
	if x.strict {
		mode = 1
	}
	name = strings.TrimPrefix(name, "builtins.")
	if k, ok := takers[name]; ok {
		return k[mode]
	}
	// Dynamo traces NumPy's functions as torch's.
	if x.strict && catalog.RecordOf(name).Trace.Has(ops.TakesSizes) {
		return false
	}
	return strings.HasPrefix(name, "math.") || strings.HasPrefix(name, numpy.Library.Prefix)
}

// replaceArguments gives the arguments with which a function of Python or torch goes on: with
// numbers in place of the sizes that it fixes. Functions that libraries call are left alone.
func (x *Run) replaceArguments(fn value.Value, args []value.Value) []value.Value {
	if !x.host.OwnCode() {
		return args
	}
	name := ""
	switch fn := fn.(type) {
	case *value.Builtin:
		name = fn.Name
	case *value.Class:
		if name = fn.Name; !x.host.IsBuiltin(fn) {
			return args
		}
	}
	if strings.HasPrefix(name, "torch.") {
		x.asks(catalog.RecordOf(name))
		return args
	}
	// The method of a dict that looks up a key makes a number of it.
	plain := strings.TrimPrefix(name, "builtins.")
	if all, ok := DictMethods[plain]; ok && !all && len(args) > 1 {
		args = slices.Clone(args)
		args[1] = x.index(args[0], args[1])
		return args
	}
	if x.strict {
		switch {
		case strings.HasPrefix(name, "random."): // Dynamo draws at each run, which an exported program cannot
			x.fails("AssertionError", OtherError, "a random number of Python is drawn while exporting")
			x.fault.at = source.Span{}
		case jit.IsClock(name):
			x.fails(UnsupportedError, Unsupported, "a clock is read while exporting")
		}
	}
	if x.jit && (plain == "min" || plain == "max") {
		return x.picks(plain == "min", args)
	}
	var out []value.Value
	for i, v := range args {
		// A tensor whose elements are not known, as an argument of a function that wants a number.
		if t, ok := v.(*value.Tensor); ok && catalog.IsTorch(t) && t.Contents() == nil {
			switch plain {
			case "int", "float", "bool", "range", "complex":
				switch {
				case x.jit && plain != "bool" && plain != "range":
					x.keeps(true)
				case !x.strict || plain == "bool" || plain == "range":
					x.onNumber(plain)
				case plain == "int" && t.Type().DType.IsIntegral(): // its item
					if n, err := x.host.CallMethod(t, "item"); err == nil {
						out = slices.Clone(args)
						out[i] = n
					}
				case plain == "int" || plain == "float":
					x.data = append(x.data, someNumber)
				}
			case "len":
				if out == nil {
					out = slices.Clone(args)
				}
				if !t.Type().Ranked || len(t.Type().Shape) == 0 {
					continue
				}
				// len() of a tensor is its first size.
				size := value.FromDim(t.Type().Shape[0])
				switch {
				case !x.isNumber(size):
					if x.fixes(plain) {
						x.fixed(size)
					}
				case x.jit:
					x.keeps(true)
				case !x.strict:
					x.onNumber(plain)
				}
			}
			continue
		}
		// A number that elements decide.
		if x.isNumber(v) && (plain == "range" || !x.strict && (plain == "int" || plain == "float" || plain == "bool")) {
			x.onNumber(plain)
			continue
		}
		if x.fixes(name) {
			if out == nil {
				out = slices.Clone(args)
			}
			out[i] = x.fixed(v)
		}
	}
	if out == nil {
		return args
	}
	return out
}

// asks notes functions whose result is a number, a truth value or an array, which is no part of a
// graph. Under torch.jit.trace the item of a tensor is kept as a constant.
func (x *Run) asks(op *ops.Op) {
	switch {
	case op.Trace.Has(ops.TakesItem):
		if x.jit {
			x.keeps(true)
		}
	case op.Trace.Has(ops.AsksTruth):
		if x.strict {
			x.fails(UnsupportedError, Unsupported, "a truth value that the elements of tensors decide")
		} else {
			x.fails("torch._subclasses.fake_tensor.DataDependentOutputException", OtherError, "a truth value that the elements of tensors decide")
		}
	case op.Trace.Has(ops.TakesArray):
		if x.jit {
			x.keeps(true)
		} else if !x.strict {
			x.fails("RuntimeError", OtherError, ".numpy() is not supported for tensor subclasses.")
		}
	}
}

// picks decides by the example which of two sizes min or max gives, as Python does under
// torch.jit.trace: the second where it is smaller or larger. Both arguments are then that one.
func (x *Run) picks(least bool, args []value.Value) []value.Value {
	if len(args) != 2 {
		return args
	}
	var sizes [2]*symshape.Expr
	for i, v := range args {
		switch v := v.(type) {
		case value.Int:
			sizes[i] = x.pool.Const(int64(v))
		case *value.SymInt:
			sizes[i] = v.D.Expr
		}
		if sizes[i] == nil {
			return args
		}
	}
	// As Python compares: max keeps the first unless the second is greater.
	c := x.pool.Gt(sizes[1], sizes[0])
	if least {
		c = x.pool.Lt(sizes[1], sizes[0])
	}
	holds, ok := x.example(c)
	if v, known := c.Const(); known {
		holds, ok = v, true
	}
	pick := args[0]
	switch {
	case !ok:
		return args
	case holds:
		pick = args[1]
	default:
		c = x.pool.Not(c)
	}
	x.host.Require(c, "")
	return []value.Value{pick, pick}
}

// onNumber notes that Python makes a number of what the elements of tensors decide: what is raised
// depends on the mode.
func (x *Run) onNumber(what string) {
	text := what + " of what the elements of tensors decide, which are not known while a graph is made"
	switch {
	case !x.strict:
		x.fails(GuardError, DataDependentGuard, text)
	case what == "bool":
		x.fails(UserError, DataDependentGuard, text)
	default:
		x.fails(UserError, DataDependentSize, text)
	}
}

// fixed is a size that Python makes a number of: its example, which is a condition from then on.
func (x *Run) fixed(v value.Value) value.Value {
	var e *symshape.Expr
	switch v := v.(type) {
	case *value.SymInt:
		e = v.D.Expr
	case *value.SymFloat:
		if n, ok := v.R.Int(); ok {
			// A float of a whole number is the size itself.
			e = n
		}
	}
	if e == nil {
		return v
	}
	n, err := e.Eval(x.host.Example)
	if err != nil {
		return v
	}
	if x.host.Require(x.pool.Eq(e, x.pool.Const(n)), "") == symshape.No {
		return v
	}
	return value.Int(n)
}

// index is the index of a list, tuple or text, or what is looked for in a dict or set, which is a number of Python.
func (x *Run) index(v, index value.Value) value.Value {
	switch v.(type) {
	case *value.List, *value.Tuple, *value.Dict, *value.Set, value.Str:
	default:
		return index
	}
	if x.isNumber(index) {
		x.onNumber("an index")
		return index
	}
	return x.fixed(index)
}

// repeats is how often a sequence is repeated: list * n makes a number of n.
func (x *Run) repeats(a, b value.Value) (value.Value, value.Value) {
	sequence := func(v value.Value) bool {
		switch v.(type) {
		case *value.List, *value.Tuple, value.Str:
			return true
		}
		return false
	}
	if sequence(a) {
		b = x.fixed(b)
	}
	if sequence(b) {
		a = x.fixed(a)
	}
	return a, b
}
