package infer

// This file finds shape comments that stand on a line of their own above a
// statement. Such a line may speak of what comes in as well as of what goes out, and
// of several statements, so that it is read only where it cannot mean anything else:
//
//	# scores: (B, H, T, T)            a name that the statement gives a value, and does not read
//	scores = q @ k.transpose(-2, -1)
//
//	# (B, T, C) -> (B, C)             the result of an arrow, of the last statement of a paragraph
//	return x.mean(1)

import (
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// commentAbove finds the comment above a statement, or nil.
func (an *annotations) commentAbove(f *frame, s ast.Node, list []written) *lineComment {
	file := f.unit.file
	index, span := an.comments[file], s.Span()
	line, col := file.LineCol(span.Start)
	c := index[line-1]
	if c == nil || len(c.read()) == 0 || !isAlone(file, c, col) {
		return nil
	}
	if before := index[line-2]; before != nil && isAlone(file, before, col) {
		return nil // a paragraph of prose
	}
	var value ast.Expr
	switch s := s.(type) {
	case *ast.Assign:
		if len(s.Targets) == 1 {
			value = s.Value
		}
	case *ast.Return:
		value = s.Value
	}
	if value == nil {
		return nil
	}
	for _, cl := range c.claims {
		if len(cl.Names) == 0 {
			if len(c.claims) > 1 || len(list) != 1 || !cl.Explicit || !strings.ContainsAny(c.text, ">→⟶⇒") || !endsParagraph(file, span) {
				return nil
			}
			continue
		}
		for _, n := range cl.Names {
			if !gives(list, n) || mentions(value, n) {
				return nil
			}
		}
	}
	return c
}

// isAlone reports whether nothing stands before a comment on its line, which begins
// at the given column.
func isAlone(file *source.File, c *lineComment, col int) bool {
	line, at := file.LineCol(c.at.Start)
	return at == col && strings.TrimSpace(file.Slice(source.Span{Start: file.LineStart(line), End: c.at.Start})) == ""
}

// endsParagraph reports whether a blank line, a comment, a shallower line or the end
// of the file follows a statement.
func endsParagraph(file *source.File, s source.Span) bool {
	_, rest, ok := strings.Cut(file.Text()[file.Offset(s.End):], "\n")
	if !ok {
		return true
	}
	next, _, _ := strings.Cut(rest, "\n")
	text := strings.TrimLeft(next, " \t")
	_, col := file.LineCol(s.Start)
	return strings.TrimSpace(text) == "" || text[0] == '#' || len(next)-len(text) < col-1
}

func gives(list []written, name string) bool {
	for _, w := range list {
		if w.name == name {
			return true
		}
	}
	return false
}

// mentions reports whether a name, or the first name of a path, stands in an expression.
func mentions(e ast.Expr, path string) bool {
	name, _, _ := strings.Cut(path, ".")
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		if x, ok := n.(*ast.Name); ok && x.ID == name {
			found = true
		}
		return !found
	})
	return found
}
