package numpy

// This file checks arguments that many functions have in common, and what is no number.

import (
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

// checkOptions checks the options and the dtype of a call.
func checkOptions(c *ops.Call) {
	for _, o := range &options {
		if !c.HasParam(o.name) || !c.Has(o.name) {
			continue
		}
		v := c.Value(o.name)
		switch x := v.(type) {
		case value.Str:
			found := false
			for _, t := range o.texts {
				found = found || t == string(x)
			}
			if !found && o.name == "casting" {
				c.Errorf("ValueError", diag.BadValue, "%s(): casting must be one of 'no', 'equiv', 'safe', 'same_kind' and 'unsafe', not '%s'", c.Short(), x)
			}
		case value.Int, value.Float, value.Bool, *value.SymInt, *value.SymFloat, *value.Tensor:
			c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s must be a str, not %s", c.Short(), o.name, ops.TypeName(v))
		}
	}
	if c.HasParam("dtype") && c.Has("dtype") {
		v := c.Value("dtype")
		if _, known := DTypeOf(v); !known {
			if why := NoDType(v); why != "" {
				c.Errorf("TypeError", diag.TypeMismatch, "%s(): %s", c.Short(), why)
			}
		}
	}
}

// notNumber names the type of what v is or holds that is no number, "None" or "str", or
// is "".
func notNumber(v value.Value) string { return notNumberIn(v, 0) }

func notNumberIn(v value.Value, depth int) string {
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
	if depth > 8 {
		return ""
	}
	for _, e := range elems {
		if s := notNumberIn(e, depth+1); s != "" {
			return s
		}
	}
	return ""
}

// numbers reads an argument of which numpy makes floats or ints: None and texts are
// refused.
func numbers(c *ops.Call, name string) *value.Tensor {
	v := c.Value(name)
	if s := notNumber(v); s != "" {
		c.Errorf("TypeError", diag.TypeMismatch, "%s(): argument '%s' must hold numbers, not %s", c.Short(), name, s)
		return nil
	}
	return arrayArg(c, name)
}

// needInt refuses an argument that is no int: floats, texts, None.
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

// canCast reports whether numpy converts one dtype to another under a rule of casting.
func canCast(from, to dtype.DType, casting string) bool {
	switch {
	case from == to || casting == "unsafe" || from == dtype.Unknown || to == dtype.Unknown:
		return true
	case casting == "no" || casting == "equiv":
		return false
	case dtype.Numpy(from, to) == to:
		return true
	case casting == "safe":
		return false
	}
	return from.Kind() <= to.Kind() && !(from.IsIntegral() && to.IsIntegral() && from.IsSigned() && !to.IsSigned())
}
