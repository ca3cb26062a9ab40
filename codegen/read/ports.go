package read

// This file reads the model's inputs, the symbols in their types, and the contract.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/codegen/ir"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/symshape"
)

// maxParam bounds the length of a dimension that is read as an expression.
const maxParam = 2000

// inputs makes a port of each input that is no initializer. A dimension that is a name
// is a symbol. One that is an expression is what it says where its symbols are bound by
// dimensions of their own. Otherwise it becomes a symbol itself: 4*h+1 gives h where it is
// the first with h, and the contract then has what is said of h; no other relation between
// sizes could be solved when a run begins.
func (r *reader) inputs(s *scope) {
	bound := map[string]bool{}
	for _, v := range r.model.Graph.Inputs {
		r.eachDim(s, v, func(d onnx.Dim) {
			if name := strings.TrimSpace(d.Param); isSymbol(name) {
				bound[name] = true
				r.pool.Declare(name, 1, symshape.PosInf)
			}
		})
	}
	for _, v := range r.model.Graph.Inputs {
		if s.vals[v.Name] != nil {
			continue
		}
		if v.Type == nil || v.Type.Kind == onnx.NoType {
			r.fail(&Error{Value: v.Name, Reason: "the input has no type"})
			continue
		}
		t := r.portType(v.Name, v.Type, bound, 0)
		p := r.module.AddParam(s.g, v.Name, t)
		r.module.Ins = append(r.module.Ins, ir.Port{Name: v.Name, Type: t})
		s.vals[v.Name] = p
	}
}

func (r *reader) eachDim(s *scope, v *onnx.ValueInfo, f func(onnx.Dim)) {
	if s.vals[v.Name] != nil || v.Type == nil || v.Type.Shape == nil {
		return
	}
	for _, d := range v.Type.Shape.Dims {
		if !d.Known {
			f(d)
		}
	}
}

func isSymbol(name string) bool {
	for i, c := range name {
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != "" && name != "None" && name != "unknown"
}

// portType takes over the type of an input. Elements of type string are not compiled, and nesting
// is bounded.
func (r *reader) portType(name string, t *onnx.Type, bound map[string]bool, depth int) inference.Type {
	out := inference.Type{Kind: t.Kind, Elem: t.Elem}
	switch {
	case depth > 60:
		r.fail(&Error{Value: name, Reason: "the type nests too deeply"})
	case t.Kind == onnx.TensorType:
		if !t.Elem.Valid() || t.Elem == onnx.String {
			r.fail(&Error{Value: name, Reason: fmt.Sprintf("inputs of type %s are not compiled", t.Elem)})
		}
		if t.Shape == nil {
			return out
		}
		out.Ranked = true
		for i, d := range t.Shape.Dims {
			out.Dims = append(out.Dims, r.portDim(name, i, d, bound, depth))
		}
	case t.Kind == onnx.SequenceType, t.Kind == onnx.OptionalType:
		if t.Of == nil {
			r.fail(&Error{Value: name, Reason: "the type does not say of what it is"})
			return out
		}
		of := r.portType(name, t.Of, bound, depth+1)
		out.Of = &of
	default:
		r.fail(&Error{Value: name, Reason: "only tensors, sequences and optional values are compiled"})
	}
	return out
}

// portDim gives a dimension of an input: a number, a symbol, an expression that is solved for a
// symbol, or a fresh symbol. bound are the symbols that dimensions of earlier inputs have bound.
func (r *reader) portDim(name string, axis int, d onnx.Dim, bound map[string]bool, depth int) *symshape.Expr {
	if d.Known {
		if d.Value < 0 {
			r.fail(&Error{Value: name, Reason: fmt.Sprintf("dimension %d is %d", axis, d.Value)})
			return r.pool.Const(0)
		}
		return r.pool.Const(d.Value)
	}
	text := strings.TrimSpace(d.Param)
	if n, ok := r.opts.Bind[text]; ok {
		return r.pool.Const(n)
	}
	if depth == 0 && isSymbol(text) {
		return r.pool.Symbol(text)
	}
	if depth == 0 && text != "" && len(text) <= maxParam {
		if x, err := r.pool.Parse(text); err == nil && x != nil && r.solved(x, bound) {
			return r.pool.Subst(x, r.solution)
		} else if err == nil && x != nil {
			return r.solve(x, text, name, axis)
		}
	}
	return r.pool.FreshIn(symbolName(name, axis), int64(min(1, 1-depth)), symshape.PosInf)
}

// solved reports whether dimensions of inputs bind all symbols of an expression.
func (r *reader) solved(x *symshape.Expr, bound map[string]bool) bool {
	if n, ok := x.Const(); ok {
		return n >= 0
	}
	for _, s := range x.Symbols() {
		if name, _ := s.IsSymbol(); !bound[name] && r.solutions[name] == nil {
			return false
		}
	}
	return true
}

// solution is what a symbol is by the dimension that binds it; otherwise itself.
func (r *reader) solution(sym *symshape.Expr) *symshape.Expr {
	if name, _ := sym.IsSymbol(); r.solutions[name] != nil {
		return r.solutions[name]
	}
	return sym
}

// solve makes a symbol of a dimension that is an expression, and solves it where it is a positive
// multiple of one symbol, and a constant.
func (r *reader) solve(x *symshape.Expr, text, input string, axis int) *symshape.Expr {
	fresh := func(low int64) *symshape.Expr { return r.pool.FreshIn(symbolName(input, axis), low, symshape.PosInf) }
	list := x.Symbols()
	if len(list) != 1 {
		return fresh(1)
	}
	rest, err := x.Eval(func(string) (int64, bool) { return 0, true })
	one, err1 := x.Eval(func(string) (int64, bool) { return 1, true })
	factor := one - rest
	if err != nil || err1 != nil || factor < 1 || r.pool.AddConst(r.pool.Mul(r.pool.Const(factor), list[0]), rest) != x {
		return fresh(1)
	}
	d := fresh(max(1, factor+rest))
	name, _ := list[0].IsSymbol()
	r.solutions[name] = r.pool.FloorDiv(r.pool.AddConst(d, -rest), r.pool.Const(factor))
	why := fmt.Sprintf("dimension %d of %s is %s", axis, input, text)
	r.require = append(r.require, ir.Condition{Cond: r.pool.Divides(r.pool.Const(factor), r.pool.AddConst(d, -rest)), Because: []string{why}})
	return d
}

// symbolName makes a name of an input's dimension.
func symbolName(input string, axis int) string {
	clean := strings.Map(func(c rune) rune {
		if c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' {
			return c
		}
		return '_'
	}, input)
	if clean == "" || clean[0] >= '0' && clean[0] <= '9' {
		clean = "d" + clean
	}
	return fmt.Sprintf("%s_%d_", clean, axis)
}

// contract reads the conditions on the sizes that the model's metadata has, one on each
// line; "ranges" has the bounds of symbols in the same form. Those that speak of other
// symbols than the inputs' are passed over.
func (r *reader) contract() {
	symbols := map[*symshape.Expr]bool{}
	for _, p := range r.module.Ins {
		for _, d := range p.Type.Dims {
			for _, s := range d.Symbols() {
				symbols[s] = true
			}
		}
	}
	add := func(c ir.Condition) {
		r.module.Contract = append(r.module.Contract, c)
		if f, ok := r.session.Facts.Assume(c.Cond); ok {
			r.session.Facts = f
		}
	}
	for _, c := range r.require {
		if _, decided := c.Cond.Const(); !decided {
			add(c)
		}
	}
	for _, key := range inference.ContractKeys {
		bad := func(line string, err error) {
			r.fail(&Error{Value: key, Reason: fmt.Sprintf("the metadata's condition %q cannot be read: %v", line, err)})
		}
		for _, c := range inference.Conditions(r.pool, r.model.Metadata, key, bad) {
			c.Cond = r.pool.SubstCond(c.Cond, r.solution)
			known := true
			for _, s := range c.Cond.Symbols() {
				known = known && symbols[s]
			}
			there := slices.ContainsFunc(r.module.Contract, func(d ir.Condition) bool { return d.Cond == c.Cond })
			if _, decided := c.Cond.Const(); decided || !known || there {
				continue
			}
			add(ir.Condition{Cond: c.Cond, Because: c.Because})
		}
	}
	r.module.Facts = r.session.Facts
}
