package numpy

// This file checks arguments that many functions have in common, and what is no number. NumPy's
// functions convert their arguments by a common set of rules, which the records do not state one by
// one. Names of exceptions are NumPy's. Where NumPy 1 and 2 differ, c.Numpy1 decides.

import (
	"math"
	"strconv"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/symshape/dtype"
)

// options are parameters with one of a few texts.
var options = [...]struct {
	name  string
	texts []string
}{
	{"order", []string{"C", "F", "A", "K", "c", "f", "a", "k"}},
	{"casting", []string{"no", "equiv", "safe", "same_kind", "unsafe"}},
}

// checkOptions checks the options and the dtype of a call. It is called before each rule. Faults
// are noted in the call.
func checkOptions(c *ops.Call) {
	// Operands of ufuncs have no names, so that naming one is a TypeError.
	if strings.HasSuffix(c.Op.Sig, ufuncTail) {
		if n := operandCount(c.Op.Sig); c.Positional < n {
			c.Errorf("TypeError", diag.BadCall, "%s() takes its %s by position, and %d were given so", c.Short(), ops.CountWord(n, "operand"),
				c.Positional)
		}
	}
	for _, o := range &options {
		if !c.HasParam(o.name) {
			continue
		}
		v := c.Value(o.name)
		// casting=None is allowed where None is the default.
		if v == value.None && o.name == "casting" && !noneByDefault(c, o.name) {
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): casting must be a str, not None", c.Short())
		}
		if v == value.None {
			continue
		}
		switch x := v.(type) {
		case value.Str:
			found := false
			for _, t := range o.texts {
				found = found || t == string(x)
			}
			if !found && o.name == "casting" {
				c.Errorf("ValueError", diag.BadValue, "%s(): casting must be one of 'no', 'equiv', 'safe', 'same_kind' and 'unsafe', not '%s'",
					c.Short(), x)
			}
			if !found && o.name == "order" && orders(c) {
				c.Errorf("ValueError", diag.BadValue, "%s(): order must be one of 'C', 'F', 'A' and 'K', not '%s'", c.Short(), x)
			}
		// What is no text is refused; objects that are not known pass.
		case value.Int, value.Float, value.Bool, *value.SymInt, *value.SymFloat, *value.Tensor:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s must be a str, not %s", c.Short(), o.name, ops.TypeName(v))
		}
	}
	// A dtype that is not known may be right; NoDType says of what is known why it is none.
	if c.HasParam("dtype") && c.Has("dtype") {
		v := c.Value("dtype")
		if _, known := DTypeOf(v); !known {
			if why := NoDType(v); why != "" {
				c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s", c.Short(), why)
			}
		}
	}
}

// noneByDefault reports whether a parameter is None where it is not given.
func noneByDefault(c *ops.Call, name string) bool {
	for i := range c.Sig.Params {
		if p := &c.Sig.Params[i]; p.Name == name {
			return p.Default == value.None
		}
	}
	return false
}

// orders reports whether the function's order is one in memory, and not fields to sort by. The
// functions that sort have a parameter kind.
func orders(c *ops.Call) bool { return !c.HasParam("kind") }

// notNumber names the type of what v is or holds that is no number, "None" or "str", or
// is "". Only what is known is looked at: an object of an unknown kind may be a number.
func notNumber(v value.Value) string { return notNumberIn(new(value.Visit), v, 0) }

func notNumberIn(w *value.Visit, v value.Value, depth int) string {
	var elems []value.Value
	switch x := v.(type) {
	case value.NoneType:
		return "None"
	case value.Str:
		return "str"
	case *value.List:
		if x.Open == nil {
			elems = x.Elems
		}
	case *value.Tuple:
		elems = x.Elems
	}
	// Eight levels are more than any array that programs write out; the depth bounds nested lists
	// that contain themselves.
	if depth > 8 || len(elems) == 0 || !w.Enter(v) {
		return ""
	}
	defer w.Leave()
	for _, e := range elems {
		if s := notNumberIn(w, e, depth+1); s != "" {
			return s
		}
	}
	return ""
}

// numbers reads an argument of which numpy makes floats or ints: None and texts are
// refused. It returns nil after a fault.
func numbers(c *ops.Call, name string) *value.Tensor {
	v := c.Value(name)
	if s := notNumber(v); s != "" {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must hold numbers, not %s", c.Short(), name, s)
		return nil
	}
	return arrayArg(c, name)
}

// wholes reads an argument of which numpy makes ints as int() does: of Python's floats and
// texts, too, but not of arrays of floats. class is the name of the exception for an array of
// another dtype. It returns nil after a fault.
func wholes(c *ops.Call, name, class string) *value.Tensor {
	v := c.Value(name)
	if s := notNumber(v); s == "None" {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must hold ints, not None", c.Short(), name)
		return nil
	}
	v, bad := asWholes(&value.Visit{Thread: c.Th, Repeats: value.MaxElems}, v, 0)
	if bad != "" {
		c.Errorf("ValueError", diag.BadValue, "%s(): argument '%s': '%s' is not an int", c.Short(), name, bad)
		return nil
	}
	t := ToArray(c, v)
	if t == nil {
		return nil
	}
	// An empty list is float64 for NumPy, but is taken as a list of ints.
	if d := t.Type().DType; d != dtype.Unknown && !d.IsIntegralOrBool() && !emptyLiteral(v) {
		c.Errorf(class, diag.DTypeMismatch, "%s(): argument '%s' must hold ints, not %s", c.Short(), name, t)
		return nil
	}
	return t
}

// asWholes is Python data with ints in the place of floats and texts; bad is a text that is no int.
// The given value is returned itself where nothing in it changes.
func asWholes(w *value.Visit, v value.Value, depth int) (out value.Value, bad string) {
	var elems []value.Value
	switch x := value.Plain(v).(type) {
	case value.Float:
		// A float beyond 2⁵³ is left, as it may not be a whole number of that value.
		if f := math.Trunc(float64(x)); math.Abs(f) < 1<<53 {
			return value.Int(f), ""
		}
		return v, ""
	case value.Str:
		n, err := strconv.ParseInt(strings.TrimSpace(string(x)), 10, 64)
		if err != nil {
			return v, string(x)
		}
		return value.Int(n), ""
	case *value.List:
		if x.Open != nil {
			return v, ""
		}
		elems = x.Elems
	case *value.Tuple:
		elems = x.Elems
	default:
		return v, ""
	}
	if depth > 8 || !w.Enter(v) {
		return v, ""
	}
	defer w.Leave()
	made := make([]value.Value, len(elems))
	same := true
	for i, e := range elems {
		if made[i], bad = asWholes(w, e, depth+1); bad != "" {
			return v, bad
		}
		switch value.Plain(e).(type) { // the others are as they were, or lists
		case value.Float, value.Str, *value.List, *value.Tuple:
			same = false
		}
	}
	if same {
		return v, ""
	}
	return value.NewTuple(made...), ""
}

// oneOf reads a text that names one of several; of no such argument it gives "". numpy 1
// takes whatever begins with the same letter. The other errors are ValueErrors.
func oneOf(c *ops.Call, name string, texts ...string) string {
	s, ok := value.AsStr(c.Value(name))
	if !ok {
		return ""
	}
	for _, t := range texts {
		if s == t || c.Numpy1() && s != "" && strings.EqualFold(s[:1], t[:1]) {
			return t
		}
	}
	c.Errorf("ValueError", diag.BadValue, "%s(): %s must be one of %s, not '%s'", c.Short(), name, strings.Join(texts, ", "), s)
	return ""
}

// isSequence reports whether v is a list or a tuple. A list of unknown length is one too.
func isSequence(c *ops.Call, v value.Value) bool {
	_, several, _ := c.Sequence(v)
	return several
}

// wholeOf is v with a float rounded down, as comparisons with ints take it. A float beyond 2⁵³ is
// left as it is.
func wholeOf(v value.Value) value.Value {
	v = value.Plain(v)
	if f, ok := v.(value.Float); ok && math.Abs(float64(f)) < 1<<53 {
		return value.Int(math.Floor(float64(f)))
	}
	return v
}

// needInt refuses an argument that is no int: floats, texts, None. Integers, bools, symbolic sizes
// and what is not known pass.
func needInt(c *ops.Call, name string) {
	if !c.OK() || !c.HasParam(name) {
		return
	}
	v := value.Plain(c.Value(name))
	switch v.(type) {
	case value.Float, *value.SymFloat, value.Str, value.NoneType, *value.Tuple, *value.List, value.Complex:
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must be an int, not %s", c.Short(), name, ops.TypeName(v))
	}
}

// canCast reports whether numpy converts one dtype to another under a rule of casting. It is
// numpy.can_cast for dtypes. "same_kind" allows what is of the same or a higher kind (bool,
// integer, float, complex), but no signed integer to an unsigned one.
func canCast(from, to dtype.DType, casting string) bool {
	switch {
	case from == to || casting == "unsafe" || from == dtype.Unknown || to == dtype.Unknown:
		return true
	case casting == "no" || casting == "equiv":
		return false
	// A conversion that keeps all values: to is what both promote to.
	case dtype.Numpy(from, to) == to:
		return true
	case casting == "safe":
		return false
	}
	return from.Kind() <= to.Kind() && !(from.IsIntegral() && to.IsIntegral() && from.IsSigned() && !to.IsSigned())
}

// fitsDType is fits for the dtype that the call asks for, if any. dtype= of the call is the one
// that counts.
func fitsDType(c *ops.Call, v value.Value) {
	if c.HasParam("dtype") && c.Has("dtype") {
		if d, known := DTypeOf(c.Value("dtype")); known {
			fits(c, v, d)
		}
	}
}

// fits refuses Python numbers that the integer dtype d does not hold, as numpy 2 does: numpy 1
// takes the low bits of those of 64 bits. Arrays and numpy's scalars are converted in both. An
// OverflowError names the first number that does not fit.
func fits(c *ops.Call, v value.Value, d dtype.DType) {
	fitsIn(&value.Visit{Thread: c.Th}, c, v, d, 0)
}

func fitsIn(w *value.Visit, c *ops.Call, v value.Value, d dtype.DType, depth int) {
	if !c.OK() || !d.IsIntegral() || depth > 8 || !w.Enter(v) {
		return
	}
	defer w.Leave()
	switch x := v.(type) {
	case value.Int:
		if n, ok := tooLarge([]value.Value{x}, d); ok && !c.Numpy1() {
			c.Errorf("OverflowError", diag.BadValue, "%s(): the Python integer %d is out of bounds for %s", c.Short(), n, d.Numpy())
		}
	// Floats are truncated before they are written.
	case value.Float:
		if f := math.Trunc(float64(x)); math.Abs(f) < 1<<53 {
			fitsIn(w, c, value.Int(f), d, depth)
		}
	// A number beyond int64 fits uint64 at most.
	case *value.BigInt:
		if !c.Numpy1() && !(d == dtype.U64 && x.V.IsUint64()) || !x.V.IsUint64() && !x.V.IsInt64() || d == dtype.I64 {
			c.Errorf("OverflowError", diag.BadValue, "%s(): the Python integer %s is too large for %s", c.Short(), x.V, d.Numpy())
		}
	case *value.List:
		if x.Open == nil {
			for _, e := range x.Elems {
				fitsIn(w, c, e, d, depth+1)
			}
		}
	case *value.Tuple:
		for _, e := range x.Elems {
			fitsIn(w, c, e, d, depth+1)
		}
	}
}
