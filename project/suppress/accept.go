package suppress

// This file finds what comments and the configuration accept for a time: states of entries, and findings of codes. A comment in or right
// above a class or function of the top level speaks of it, any other of the whole file.

import (
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
	"shapecheck/project/comments"
)

// An Accepted is something that is accepted in a file.
type Accepted struct {
	comments.Accept
	// Name is the class or function that it is for; empty: all of the file.
	Name string
	// from and to are the lines that it speaks of.
	from, to int
}

// An AcceptRule is something that the configuration accepts, in the files of a pattern.
type AcceptRule struct {
	comments.Accept
	Pattern, Name string
}

// Covers reports whether it is about a state, as comments write it, of an entry: empty is a program.
func (a *Accepted) Covers(state, entry string) bool {
	name, _, _ := strings.Cut(entry, "(")
	name, _, _ = strings.Cut(name, ".")
	for _, k := range a.Keys {
		if k == state && (a.Name == "" || a.Name == name) {
			return true
		}
	}
	return false
}

// Accepts is what is accepted in a file.
func (f *Filter) Accepts(file *source.File) []*Accepted {
	if file == nil || file.Prelude {
		return nil
	}
	var out []*Accepted
	commented := strings.Contains(file.Text(), comments.Marker)
	var tree *ast.Module
	if commented || len(f.Accept) > 0 {
		tree, _ = parser.Parse(file) // its faults are reported elsewhere
	}
	if commented {
		for _, c := range comments.Read(file, tree.Comments).Accepts {
			a := &Accepted{Accept: c, from: 1, to: file.LineCount()}
			line, col := file.LineCol(c.At.Start)
			if strings.TrimSpace(file.Line(line)[:col]) == "" {
				line = nextCode(file, line)
			}
			a.findEntry(tree, file, func(_ string, from, to int) bool { return from <= line && line <= to })
			out = append(out, a)
		}
	}
	for _, r := range f.Accept {
		if !Match(r.Pattern, diag.Below(f.Folder, place.Path(file))) {
			continue
		}
		a := &Accepted{Accept: r.Accept, from: 1, to: file.LineCount()}
		if r.Name != "" {
			a.from, a.to, a.Name = 0, -1, r.Name
			a.findEntry(tree, file, func(name string, _, _ int) bool { return name == r.Name })
		}
		out = append(out, a)
	}
	return out
}

// findEntry limits it to a definition of the top level that is meant.
func (a *Accepted) findEntry(tree *ast.Module, file *source.File, meant func(name string, from, to int) bool) {
	eachDefinition(tree, file, func(name string, from, to int) {
		if meant(name, from, to) {
			a.Name, a.from, a.to = name, from, to
		}
	})
}

// eachDefinition calls f with the classes and functions of the top level and their lines, from the first decorator on.
func eachDefinition(tree *ast.Module, file *source.File, f func(name string, from, to int)) {
	for _, s := range tree.Body {
		var name string
		var decorators []ast.Expr
		switch s := s.(type) {
		case *ast.ClassDef:
			name, decorators = s.Name.Name, s.Decorators
		case *ast.FunctionDef:
			name, decorators = s.Name.Name, s.Decorators
		default:
			continue
		}
		from, _ := file.LineCol(s.Span().Start)
		to, _ := file.LineCol(s.Span().End)
		for _, d := range decorators {
			n, _ := file.LineCol(d.Span().Start)
			from = min(from, n)
		}
		f(name, from, to)
	}
}

// ignore is the comment that hides the findings of its codes; nil: it has none.
func (a *Accepted) ignore() *ignore {
	out := &ignore{at: a.At, from: a.from, to: a.to}
	for _, k := range a.Keys {
		if diag.Code(k).Known() {
			out.codes = append(out.codes, named{code: diag.Code(k), at: a.At})
		}
	}
	if out.codes == nil {
		return nil
	}
	return out
}
