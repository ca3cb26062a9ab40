package infer

// This file tells which parameters of the entry, left to their default None, a fault may come from.

import (
	"slices"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// leftOut are the parameters of the entry's call that are None as nothing is given for them.
type leftOut struct {
	def   ast.Node // the function
	names []string
}

// leaves notes which parameters of the entry are left to None.
func (ar *arguments) leaves(fn *value.Func, skip int, given []value.Kw) {
	ar.entryRun.left = leftOut{}
	if fn == nil || fn.Params == nil {
		return
	}
	for _, p := range ar.optional(fn, skip) {
		if !slices.ContainsFunc(given, func(g value.Kw) bool { return g.Name == p.Name }) {
			ar.entryRun.left.names = append(ar.entryRun.left.names, p.Name)
		}
	}
	ar.entryRun.left.def = fn.Definition()
}

// explain adds to a fault about None, or one that the program raises, the parameters from which it may come: those of
// which what fails in the entry's own function is made, or on which it depends.
func (l *leftOut) explain(e *value.Exception, frames []source.Span) {
	d := e.Diag
	if len(l.names) == 0 || d.Severity != diag.Error || !d.Fact.AboutNone() && d.Code != diag.UncaughtRaise {
		return
	}
	own := l.def.Span()
	for _, at := range append([]source.Span{d.At}, frames...) {
		if own.Start <= at.Start && at.End <= own.End {
			d.Fact.LeftOut = l.behind(at)
			return
		}
	}
}

// behind lists the parameters behind a place of the function, those that are nearest first.
func (l *leftOut) behind(at source.Span) []string {
	from := map[string][]string{} // of variables
	for _, p := range l.names {
		from[p] = []string{p}
	}
	read := func(n ast.Node) []string {
		var out []string
		if n == nil {
			return nil
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok {
				out = append(out, from[x.ID]...)
			}
			return true
		})
		return out
	}
	write := func(target ast.Node, origins []string) {
		ast.Inspect(target, func(n ast.Node) bool {
			if x, ok := n.(*ast.Name); ok && x.Ctx == ast.Store {
				from[x.ID] = append(from[x.ID], origins...)
			}
			return true
		})
	}
	var tests []ast.Node // around the place
	var found []string
	ast.Inspect(l.def, func(n ast.Node) bool {
		s := n.Span()
		inside := s.Start <= at.Start && at.End <= s.End
		if at.Start <= s.Start && s.End <= at.End {
			found = append(found, read(n)...)
			return false
		}
		switch n := n.(type) {
		case *ast.If:
			if inside {
				tests = append(tests, n.Test)
			}
		case *ast.IfExp:
			if inside {
				tests = append(tests, n.Test)
			}
		case *ast.Assign:
			if !inside {
				origins := read(n.Value)
				for _, t := range n.Targets {
					write(t, origins)
				}
			}
		case *ast.For:
			write(n.Target, read(n.Iter))
		}
		return s.Start < at.End // what follows does not count
	})
	for _, t := range slices.Backward(tests) {
		found = append(found, read(t)...)
	}
	var out []string
	for _, p := range found {
		if !slices.Contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}
