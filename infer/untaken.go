package infer

// This file lists the branches of the project's own functions that no call took: what
// the configuration leaves out was not checked. Left out are guards, which raise, and
// branches that compute nothing.

import (
	"cmp"
	"strings"

	"shapecheck/infer/toplevel"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// A Branch is code under a condition that never held when it was reached.
type Branch struct {
	File *source.File
	// Line and End are its first and last line.
	Line, End int
	// Test is the condition as it is written, in one line; "not (…)" where the code runs
	// when it does not hold.
	Test string
	// If is the line of the if statement.
	If int
	// Switch is its condition without a not before it.
	Switch Switch
	// Explored says that another run took it.
	Explored bool
}

// A decision is what an if statement did so far.
type decision struct {
	stmt       *ast.If
	file       *source.File
	after      []ast.Stmt // what follows it in its block
	then, othr bool       // which of its branches ran
}

// decides notes that an if statement takes one of its branches.
func (r *recorder) decides(f *frame, s *ast.If, rest []ast.Stmt, then bool) {
	if r.ignores(f) {
		return
	}
	d := r.decisions[s]
	if d == nil {
		if r.decisions == nil {
			r.decisions = map[*ast.If]*decision{}
		}
		d = &decision{stmt: s, file: f.unit.file, after: rest}
		r.decisions[s] = d
	}
	d.then = d.then || then
	d.othr = d.othr || !then
}

// untaken gives the branches that never ran, in the order of the files and their lines.
func (en *entry) untaken() []Branch {
	var out []Branch
	add := func(d *decision, list []ast.Stmt, not bool) {
		if len(list) == 0 || !computes(list) || !en.in.finder.isProjectFile(d.file) {
			return
		}
		line, _ := d.file.LineCol(list[0].Span().Start)
		end, _ := d.file.LineCol(list[len(list)-1].Span().End)
		test := strings.Join(strings.Fields(d.file.Slice(d.stmt.Test.Span())), " ")
		at, _ := d.file.LineCol(d.stmt.Span().Start)
		sw := switchOf(d.file, d.stmt.Test)
		if not {
			test = "not (" + test + ")"
		}
		out = append(out, Branch{File: d.file, Line: line, End: end, Test: test, If: at, Switch: sw})
	}
	for _, d := range en.in.rec.decisions {
		switch {
		case d.then && d.othr:
		case !d.then:
			add(d, d.stmt.Body, false)
		case len(d.stmt.Else) > 0:
			add(d, d.stmt.Else, true)
		case isReturn(d.stmt.Body[len(d.stmt.Body)-1]):
			add(d, d.after, true)
		}
	}
	// Positions of files depend on which of several runs at the same time read them first: names do not.
	inorder.By(out, func(a, b Branch) int {
		return cmp.Or(cmp.Compare(a.File.Label(), b.File.Label()), cmp.Compare(a.Line, b.Line), cmp.Compare(a.End, b.End), cmp.Compare(a.If, b.If),
			cmp.Compare(a.Test, b.Test))
	})
	return out
}

// computes reports whether statements are worth a look: something is called or computed
// that is no message, and they are no guard.
func computes(list []ast.Stmt) bool {
	found := false
	for _, s := range list {
		if _, ok := s.(*ast.Raise); ok {
			return false
		}
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Raise, *ast.Assert, *ast.Import, *ast.ImportFrom:
				return false
			case *ast.BinOp:
				found = true
			case *ast.Call:
				if toplevel.IsQuiet(rootOf(n.Func)) {
					return false
				}
				found = true
			}
			return !found
		})
	}
	return found
}

// rootOf is the name with which a chain of attributes begins; empty for other expressions.
func rootOf(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.Attribute:
			e = x.Value
		case *ast.Name:
			return x.ID
		default:
			return ""
		}
	}
}
