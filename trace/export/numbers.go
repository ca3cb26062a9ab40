package export

// This file is about numbers by which operations count axes and results, and by which elements and keys are found.

import (
	"slices"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// AxisParams are the parameters of torch's functions that say which axes they have or how many results: a graph has to know the number.
var AxisParams = []string{"dim", "dims", "chunks", "sections", "indices_or_sections"}

// SymbolsGiven are the arguments that are symbols, of parameters by their names.
func SymbolsGiven(op *ops.Op, args []value.Value, kw []value.Kw, names ...string) []value.Value {
	symbolic := func(v value.Value) bool { _, ok := v.(*value.SymInt); return ok }
	var out []value.Value
	for _, k := range kw {
		if symbolic(k.Value) && slices.Contains(names, k.Name) {
			out = append(out, k.Value)
		}
	}
	if !slices.ContainsFunc(args, symbolic) {
		return out
	}
	for _, s := range op.Signatures() {
		for i, a := range args {
			if i < len(s.Params) && symbolic(a) && slices.Contains(names, s.Params[i].Name) {
				out = append(out, a)
			}
		}
	}
	return out
}

// counts notes what an operation asks of numbers, in a run with symbols for what varies: it fixes those by which it counts axes or results.
func (x *Run) counts(op *ops.Op, name string, args []value.Value, kw []value.Kw) {
	if x.guards && len(args) > 0 {
		indexed := len(args) == 2 && strings.HasSuffix(name, ".__getitem__") || len(args) == 3 && strings.HasSuffix(name, ".__setitem__")
		if t, ok := args[0].(*value.Tensor); ok && indexed {
			x.noteIndex(t, args[1])
		}
		for _, v := range SymbolsGiven(op, args, kw, AxisParams...) {
			x.fixed(v)
		}
	}
}

// noteIndex notes that a number that varies is an index of a tensor: a graph relies on its bounds, and on whether it counts from the
// end; beside other indices it has to know it.
func (x *Run) noteIndex(t *value.Tensor, index value.Value) {
	path := []value.Value{index}
	tuple, several := index.(*value.Tuple)
	if several {
		path = tuple.Elems
	}
	for i, v := range path {
		if _, number := v.(*value.SymInt); number && several {
			x.fixed(v)
			continue
		}
		switch v := v.(type) {
		case value.Int, *value.Slice:
		case *value.SymInt:
			n, err := int64(0), error(nil)
			if v.D.Expr == nil || !t.Type().Ranked || i >= len(t.Type().Shape) || t.Type().Shape[i].Expr == nil {
				return
			}
			if n, err = v.D.Expr.Eval(x.host.Example); err != nil {
				return
			}
			size := t.Type().Shape[i].Expr
			lo, hi := x.pool.Const(0), size
			if n < 0 {
				lo, hi = x.pool.Neg(size), x.pool.Const(0)
			}
			x.host.Require(x.pool.Ge(v.D.Expr, lo), "")
			x.host.Require(x.pool.Lt(v.D.Expr, hi), "")
		default:
			return
		}
	}
}

// DictMethods are the methods of dicts that ask for one key, and those that ask for all.
var DictMethods = map[string]bool{"dict.get": false, "dict.pop": false, "dict.setdefault": false, "dict.__contains__": false,
	"dict.keys": true, "dict.values": true, "dict.items": true, "len": true}
