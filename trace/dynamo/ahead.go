package dynamo

// This file asks the guards of a graph before the function runs, as Dynamo does: where they are on arguments alone, nothing
// that the function reads needs to be noted.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
)

// ServesAhead reports whether the newest graph of a function serves a call, where it is the graph of a whole run of it and its
// guards are on arguments alone. Where that is not so, what the call reads tells.
func (g *Graphs) ServesAhead(h Host, target value.Value, args []value.Value, kw []value.Kw, opts *Options, global string) bool {
	fn, ok := target.(*value.Func)
	if !ok || len(kw) > 0 || opts.Stance == forceEager || opts.unsure() {
		return false
	}
	c := g.codes[codeKey{fn.Node, 0}]
	if c == nil || c.lost || c.eager || len(c.entries) == 0 {
		return false
	}
	e, p := c.entries[0], fn.Params
	if !e.entire || len(e.symbols) > 0 || p.VarArg != nil || p.KwArg != nil || len(p.KwOnly) > 0 || len(args) != len(p.PosOnly)+len(p.Args) {
		return false
	}
	now := &g.ahead
	if now.of == nil {
		now.of = map[string]*guardedRead{}
	}
	clear(now.of)
	now.global, now.compiler = global, opts.compiler()
	for _, r := range e.reads {
		if r.again || r.isUnused() {
			continue
		}
		i := slices.IndexFunc(p.PosOnly, r.ofParam)
		if i < 0 {
			if i = slices.IndexFunc(p.Args, r.ofParam); i < 0 {
				return false
			}
			i += len(p.PosOnly)
		}
		switch args[i].(type) {
		case *value.Tensor, value.Int, value.Float, value.Bool, value.Str, value.NoneType:
			now.of[r.source] = readOf(h, r.source, args[i])
		default:
			return false
		}
	}
	kind, _ := e.fails(now)
	return kind == GuardNone
}

// ofParam reports whether a parameter is what is read.
func (r *guardedRead) ofParam(p *ast.Param) bool { return p.Name == r.source }
