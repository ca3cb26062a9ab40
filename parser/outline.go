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
	scanner *scanner
	bodies  map[*ast.FunctionDef]body
}

// A body is a function that is not parsed yet.
type body struct {
	def, end int32 // the tokens from async or def to the last DEDENT
	class    *ast.ClassDef
}

// ParseOutline is Parse, but leaves out all of the bodies but their docstrings. A file with errors that show without the bodies is parsed as a whole.
func ParseOutline(f *source.File) (*ast.Module, *Outline, []*diag.Diagnostic) {
	s := scan(f, false)
	if len(s.diags) > 0 {
		m, diags := Parse(f)
		return m, &Outline{}, diags
	}
	p := newRunOn(s)
	all := s.toks
	toks, bodies := leaveOut(all)
	p.builder.toks = toks
	p.statements()
	if len(p.errors)+len(p.builder.diags) > 0 {
		m, diags := Parse(f)
		return m, &Outline{}, diags
	}
	m, diags := p.finish()
	o := &Outline{scanner: s, bodies: map[*ast.FunctionDef]body{}}
	o.find(m.Body, nil, bodies)
	return m, o, diags
}

// leaveOut makes the tokens of the outline: the block of a function is its docstring
// and a "pass" of no length. The bodies are by the position of that.
func leaveOut(toks []token) ([]token, map[int32]body) {
	out := make([]token, 0, len(toks)/2)
	bodies := map[int32]body{}
	start := true // of a statement
	for i := 0; i < len(toks); i++ {
		t := toks[i]
		out = append(out, t)
		isDef := start && (t.kind == tDef || t.kind == tAsync && toks[i+1].kind == tDef)
		start = lineBreak(t.kind)
		if !isDef {
			continue
		}
		nl := i
		for toks[nl].kind != tNewline && toks[nl].kind != tEOF {
			nl++
		}
		if toks[nl].kind == tEOF || toks[nl+1].kind != tIndent {
			continue
		}
		end := blockEnd(toks, nl+1)
		if end < 0 {
			continue
		}
		// The NEWLINE and the DEDENT have the end of what is left out.
		first := nl + 2
		for toks[first].kind == tString {
			first++
		}
		if toks[first].kind == tNewline && first > nl+2 {
			first++
		} else {
			first = nl + 2
		}
		at := toks[first].start
		bodies[at] = body{def: int32(i), end: int32(end)}
		out = append(out, toks[i+1:first]...)
		out = append(out, token{tPass, at, at}, token{tNewline, toks[end].start, toks[end].end}, toks[end])
		i, start = end, true
	}
	return out, bodies
}

// blockEnd finds the DEDENT of the block that the INDENT at i begins, or gives -1.
func blockEnd(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].kind {
		case tIndent:
			depth++
		case tDedent:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// find takes the placeholders out of the tree. No function of the outline is in another.
func (o *Outline) find(list []ast.Stmt, class *ast.ClassDef, bodies map[int32]body) {
	base := o.scanner.file.Base()
	for _, s := range list {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ClassDef:
				o.find(n.Body, n, bodies)
				return false
			case *ast.FunctionDef:
				last := len(n.Body) - 1
				if at := n.Body[last].Span(); at.Start == at.End {
					b := bodies[int32(at.Start-base)]
					b.class = class
					o.bodies[n] = b
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
	p := newRunOn(o.scanner)
	eof := o.scanner.toks[len(o.scanner.toks)-1]
	p.builder.toks = append(slices.Clone(o.scanner.toks[b.def:b.end+1]), eof)
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
