package trace

// This file finds the places of a script that its edits change, in the tree of its syntax.

import (
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// lastName is the name that an expression ends with, as jit in jax.jit.
func lastName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Name:
		return e.ID
	case *ast.Attribute:
		return e.Attr.Name
	}
	return ""
}

// definition is the one def of a function; nil: there is none, or more than one.
func (p *proposer) definition(function string) *ast.FunctionDef {
	var found []*ast.FunctionDef
	ast.Inspect(p.module(), func(n ast.Node) bool {
		if d, ok := n.(*ast.FunctionDef); ok && d.Name.Name == function {
			found = append(found, d)
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	return found[0]
}

// A wrapping is a place at which a function is put under a wrapper: ref names the wrapper, call takes further arguments; nil: it is a
// decorator without arguments.
type wrapping struct {
	ref  ast.Expr
	call *ast.Call
}

// wrapping finds the one place at which the file puts a function under a wrapper, as tf.function or jax.jit: a decorator, also by
// partial, or a call.
// It is nil where there is no such place, more than one, or one that says of arguments what a further one would say.
func (p *proposer) wrapping(function, wrapper string) *wrapping {
	var found []*wrapping
	ast.Inspect(p.module(), func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FunctionDef:
			if n.Name.Name != function {
				break
			}
			for _, d := range n.Decorators {
				c, ok := d.(*ast.Call)
				switch {
				case lastName(d) == wrapper:
					found = append(found, &wrapping{ref: d})
				case ok && lastName(c.Func) == wrapper:
					found = append(found, &wrapping{c.Func, c})
				case ok && lastName(c.Func) == "partial" && len(c.Args) > 0 && lastName(c.Args[0]) == wrapper:
					found = append(found, &wrapping{c.Args[0], c})
				}
			}
		case *ast.Call:
			if lastName(n.Func) == wrapper && len(n.Args) > 0 && lastName(n.Args[0]) == function {
				found = append(found, &wrapping{n.Func, n})
			}
		}
		return true
	})
	if len(found) != 1 {
		return nil
	}
	if c := found[0].call; c != nil {
		for _, k := range c.Keywords {
			if k.Name.Name == "reduce_retracing" || k.Name.Name == "input_signature" || strings.HasPrefix(k.Name.Name, "static_argn") {
				return nil
			}
		}
	}
	return found[0]
}

// statement finds the innermost statement around a place: the block that has it, and its index there; the block is nil if there is none.
func (p *proposer) statement(at source.Pos) (block []ast.Stmt, index int) {
	for list := [][]ast.Stmt{p.module().Body}; list != nil; {
		next := [][]ast.Stmt(nil)
		for _, b := range list {
			for i, s := range b {
				if s.Span().Start <= at && at < s.Span().End {
					block, index, next = b, i, ast.Blocks(s)
				}
			}
		}
		list = next
	}
	return block, index
}

// startsLine reports whether nothing but blanks stands before a statement in its line, where another statement can stand, too.
func (p *proposer) startsLine(s ast.Stmt) bool {
	_, isIf := s.(*ast.If)
	return strings.TrimSpace(p.indent(s)) == "" && (!isIf || strings.HasPrefix(p.file.Slice(s.Span()), "if")) // no elif
}

// indent is what stands before a statement in its line.
func (p *proposer) indent(s ast.Stmt) string {
	start := p.file.Offset(s.Span().Start)
	line, _ := p.file.LineCol(s.Span().Start)
	return p.file.Text()[p.file.Offset(p.file.LineStart(line)):start]
}

// replace is a fix that writes a text instead of a part of the file.
func replace(title string, at source.Span, text string) diag.Fix {
	return diag.Fix{Title: title, Edits: []diag.Edit{{At: at, NewText: text}}}
}

// before is a fix that puts a text before a statement.
func (p *proposer) before(title string, s ast.Stmt, text string) diag.Fix {
	start := s.Span().Start
	return replace(title, source.Span{Start: start, End: start}, text)
}

// argument is a fix that gives a wrapper a further argument, after the others.
func (p *proposer) argument(title string, w *wrapping, text string) diag.Fix {
	c := w.call
	if c == nil {
		at := w.ref.Span().End
		return replace(title, source.Span{Start: at, End: at}, "("+text+")")
	}
	last := c.Func.Span().End
	for _, a := range c.Args {
		last = max(last, a.Span().End)
	}
	for _, k := range c.Keywords {
		last = max(last, k.End)
	}
	at := last
	rest := p.file.Slice(source.Span{Start: last, End: c.End - 1})
	for i := 0; i < len(rest) && rest[i] != ','; i++ {
		if rest[i] == '#' { // to the end of the line
			i += max(strings.IndexByte(rest[i:], '\n'), 0)
		} else if !strings.ContainsRune(" \t\r\n\\", rune(rest[i])) { // a bracket
			at = last + source.Pos(i) + 1
		}
	}
	if len(c.Args)+len(c.Keywords) > 0 {
		text = ", " + text
	}
	return replace(title, source.Span{Start: at, End: at}, text)
}
