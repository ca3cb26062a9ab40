package parser

// This file parses a file without the bodies of its functions, and these when they
// are needed. A program runs few of the functions of the libraries that it imports.

import (
	"slices"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// An Outline holds what is left to parse of a file: the bodies of the functions at
// its top level and in its classes. It may be used by several goroutines.
type Outline struct {
	file     *source.File
	comments []source.Span // of the whole file
	bodies   map[*ast.FunctionDef]outlined
}

// An outlined function is not parsed yet.
type outlined struct {
	body
	class *ast.ClassDef
}

// ParseOutline is Parse, but leaves out all of the bodies but their docstrings. A file with errors that show without the bodies is parsed
// as a whole.
func ParseOutline(f *source.File) (*ast.Module, *Outline, []*diag.Diagnostic) {
	s := newScanner(f)
	s.outline = &bodies{found: map[int32]body{}}
	s.indentation()
	s.run()
	if s.outline.failed || len(s.diags) > 0 {
		m, diags := Parse(f)
		return m, &Outline{}, diags
	}
	p := newRunOn(s)
	p.statements()
	if len(p.errors)+len(p.builder.diags) > 0 {
		m, diags := Parse(f)
		return m, &Outline{}, diags
	}
	m, diags := p.finish()
	o := &Outline{file: f, comments: s.comments, bodies: make(map[*ast.FunctionDef]outlined, len(s.outline.found))}
	o.find(m.Body, nil, s.outline.found)
	return m, o, diags
}

// find takes the placeholders out of the tree. No function of the outline is in another.
func (o *Outline) find(list []ast.Stmt, class *ast.ClassDef, bodies map[int32]body) {
	base := o.file.Base()
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ClassDef:
				o.find(n.Body, n, bodies)
				return false
			case *ast.FunctionDef:
				last := len(n.Body) - 1
				if at := n.Body[last].Span(); at.Start == at.End {
					o.bodies[n] = outlined{bodies[int32(at.Start-base)], class}
					n.Outline, n.Body = true, n.Body[:last]
				}
				return false
			case ast.Expr:
				return false
			}
			return true
		})
	}
}

// Parse parses a function of the outline. It is nil if that has syntax errors. The module holds the function
// alone, or a class of the name of the one that it belongs to, and that holds it.
func (o *Outline) Parse(def *ast.FunctionDef) (*ast.Module, *ast.FunctionDef, []*diag.Diagnostic) {
	b := o.bodies[def]
	s := newScanner(o.file)
	s.src, s.pos, s.indents[0] = s.src[:b.end], int(b.start), b.indent
	s.run()
	s.comments = o.comments
	p := newRunOn(s)
	p.statements()
	m, diags := p.finish()
	i := slices.IndexFunc(m.Body, func(s ast.Stmt) bool { _, ok := s.(*ast.FunctionDef); return ok })
	if i < 0 {
		return m, nil, diags
	}
	full := m.Body[i].(*ast.FunctionDef)
	if b.class != nil {
		m.Body = []ast.Stmt{&ast.ClassDef{Loc: b.class.Loc, Name: b.class.Name, Body: []ast.Stmt{full}, Scope: int32(m.NumScopes)}}
		m.NumScopes++
	}
	return m, full, diags
}
