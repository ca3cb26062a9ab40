// Package reduce makes a small program of a large one: it takes away statements, and parts of
// expressions, as long as a question that its caller asks of each smaller text is answered with yes.
//
// It is delta debugging (Zeller and Hildebrandt, 2002) on the tree of the program, from the
// outermost statements to the innermost: of the n statements of a block it tries to remove halves, then quarters, down to single
// ones, so that a statement of which nothing is needed costs one question. It knows nothing of findings. Join (join.go) makes
// one file of a program's modules first.
package reduce

import (
	"context"
	"slices"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

// Smallest is the smallest text that it finds for which keep answers yes. The answer for text itself is taken to be
// yes. Each text that keep is asked of parses. Where ctx ends, the smallest text so far is the
// result. The passes repeat until none of them finds anything to take away.
func Smallest(ctx context.Context, text string, keep func(string) bool) string {
	r := &reduction{ctx: ctx, text: text, keep: keep}
	r.try(withoutComments(r.text))
	r.try(withoutEmptyLines(r.text))
	for before := ""; before != r.text && ctx.Err() == nil; {
		before = r.text
		r.removeStatements()
		r.unwrapStatements()
		r.editNodes(removals)
		r.editNodes(replacements)
	}
	return r.text
}

// Spaced is a text with the empty lines that PEP 8 asks for: two before functions and classes at the top, one before methods. They are
// not part of what Smallest asks about. A text that does not parse is returned as it is.
func Spaced(text string) string {
	m, diags := parse(text)
	if len(diags) > 0 {
		return text
	}
	var edits []edit
	for n, b := range blocks(m) {
		for i, s := range b.list {
			defines := func(s ast.Stmt) bool {
				switch s.(type) {
				case *ast.FunctionDef, *ast.ClassDef:
					return true
				}
				return false
			}
			start, _, ok := span(m.File, s)
			if i == 0 || !ok || !defines(s) && !(n == 0 && defines(b.list[i-1])) {
				continue
			}
			lines := "\n"
			if n == 0 {
				lines = "\n\n"
			}
			edits = append(edits, edit{start, start, lines})
		}
	}
	return apply(text, edits)
}

// A reduction is the state of Smallest. Every pass parses the text anew after a success, because
// places have moved.
type reduction struct {
	ctx  context.Context
	text string // the smallest so far
	keep func(string) bool
}

// try takes a smaller text if it parses and is one to keep. False leaves the state as it was.
func (r *reduction) try(text string) bool {
	if text == r.text || r.ctx.Err() != nil {
		return false
	}
	if _, diags := parse(text); len(diags) > 0 || !r.keep(text) {
		return false
	}
	r.text = text
	return true
}

// parse is the tree of a text, and its syntax errors. The tree is nil only for a text that is too
// long.
func parse(text string) (*ast.Module, []string) {
	f := source.NewFile("reduced.py", text)
	if err := source.NewFileSet().Add(f); err != nil {
		return nil, []string{err.Error()}
	}
	m, diags := parser.Parse(f)
	var out []string
	for _, d := range diags {
		out = append(out, d.Msg)
	}
	return m, out
}

// An edit replaces the bytes of a text from start to end.
type edit struct {
	start, end int
	text       string
}

// apply makes edits that do not overlap, in any order. They are made from the end, so that places
// stay right.
func apply(text string, edits []edit) string {
	edits = slices.Clone(edits)
	slices.SortFunc(edits, func(a, b edit) int { return b.start - a.start })
	for _, e := range edits {
		text = text[:e.start] + e.text + text[e.end:]
	}
	return text
}

// withoutComments is a text without comments.
func withoutComments(text string) string {
	m, diags := parse(text)
	if len(diags) > 0 {
		return text
	}
	var edits []edit
	for _, c := range m.Comments {
		edits = append(edits, edit{m.File.Offset(c.Start), m.File.Offset(c.End), ""})
	}
	return apply(text, edits)
}

// withoutEmptyLines is a text without empty lines and blanks at the ends of lines, but for those within strings.
func withoutEmptyLines(text string) string {
	m, diags := parse(text)
	if len(diags) > 0 {
		return text
	}
	inString := map[int]bool{}
	for _, s := range m.LongStrings {
		first, _ := m.File.LineCol(s.Start)
		last, _ := m.File.LineCol(s.End)
		for n := first; n < last; n++ {
			inString[n] = true
		}
	}
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		if n++; inString[n] {
			b.WriteString(line)
		} else if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// A block is a list of statements that stand below each other, each on lines of its own. The order
// is that of the text.
type block struct {
	list []ast.Stmt
	top  bool // that of the module, which may be empty
}

// blocks are those of a tree, a block before those in it. A statement's inner blocks follow at
// once.
func blocks(m *ast.Module) []block {
	var out []block
	var add func(list []ast.Stmt, top bool)
	add = func(list []ast.Stmt, top bool) {
		if len(list) == 0 {
			return
		}
		out = append(out, block{list, top})
		for _, s := range list {
			for _, b := range ast.Blocks(s) {
				add(b, false)
			}
		}
	}
	add(m.Body, true)
	return out
}

// decorated is the first decorator of a statement, behind its @, or where the statement begins.
func decorated(s ast.Stmt) source.Pos {
	at := s.Span().Start
	switch s := s.(type) {
	case *ast.FunctionDef:
		for _, d := range s.Decorators {
			at = min(at, d.Span().Start)
		}
	case *ast.ClassDef:
		for _, d := range s.Decorators {
			at = min(at, d.Span().Start)
		}
	}
	return at
}

// lines are the whole lines of a statement, with those of its decorators: one belongs to the function below it.
func lines(f *source.File, s ast.Stmt) (start, end int) {
	text := f.Text()
	end = f.Offset(s.Span().End)
	rest, _, _ := strings.Cut(text[end:], "\n")
	return strings.LastIndexByte(text[:f.Offset(decorated(s))], '\n') + 1, min(end+len(rest)+1, len(text))
}

// span are the lines of a statement; ok is false where another statement shares one of them.
func span(f *source.File, s ast.Stmt) (start, end int, ok bool) {
	start, end = lines(f, s)
	text := f.Text()
	before := strings.TrimSpace(text[start:f.Offset(decorated(s))])
	if decorated(s) != s.Span().Start {
		before = strings.TrimPrefix(before, "@")
	}
	if before != "" {
		return 0, 0, false
	}
	rest := strings.TrimSpace(text[f.Offset(s.Span().End):end])
	return start, end, rest == "" || rest[0] == '#'
}

// removeStatements removes what it can of each block. Each success makes a new tree; the block is found again by its number, since
// no removal adds a block before it. Halves of the block are tried first, then quarters, and single
// statements at last, from the end on, since later statements use earlier ones.
func (r *reduction) removeStatements() {
	for n := 0; r.ctx.Err() == nil; n++ {
		m, _ := parse(r.text)
		all := blocks(m)
		if n >= len(all) {
			return
		}
		count := len(all[n].list)
		for size := count; size >= 1; size /= 2 {
			for end := count; end > 0 && r.ctx.Err() == nil; end -= size {
				if r.removeFrom(n, max(end-size, 0), end) {
					count -= end - max(end-size, 0)
				}
			}
		}
	}
}

// removeFrom removes the statements from start to end of the block with number n. A block that
// would be empty gets a pass.
func (r *reduction) removeFrom(n, start, end int) bool {
	m, _ := parse(r.text)
	all := blocks(m)
	if n >= len(all) || end > len(all[n].list) {
		return false
	}
	b := all[n]
	// A lone pass is the least there is.
	if _, ok := b.list[0].(*ast.Pass); ok && len(b.list) == 1 {
		return false
	}
	var edits []edit
	for i, s := range b.list[start:end] {
		from, to, ok := span(m.File, s)
		if !ok {
			return false
		}
		e := edit{from, to, ""}
		if i == 0 && end-start == len(b.list) && !b.top {
			e.text = r.text[from:m.File.Offset(s.Span().Start)]
			e.text = e.text[:len(e.text)-len(strings.TrimLeft(e.text, " \t"))] + "pass\n"
		}
		edits = append(edits, e)
	}
	return r.try(apply(r.text, edits))
}

// unwrapStatements replaces statements with a block, such as if and with, by what is in it.
// Functions and classes stay, as their bodies run in another way.
func (r *reduction) unwrapStatements() {
	for n := 0; r.ctx.Err() == nil; n++ {
		m, _ := parse(r.text)
		var list []ast.Stmt
		for _, b := range blocks(m) {
			for _, s := range b.list {
				switch s.(type) {
				case *ast.FunctionDef, *ast.ClassDef:
				default:
					if len(ast.Blocks(s)) > 0 {
						list = append(list, s)
					}
				}
			}
		}
		if n >= len(list) {
			return
		}
		from, to, ok := span(m.File, list[n])
		if !ok {
			continue
		}
		for _, b := range ast.Blocks(list[n]) {
			if len(b) == 0 {
				continue
			}
			first, _, ok := span(m.File, b[0])
			_, last, ok2 := span(m.File, b[len(b)-1])
			outer := r.text[from:m.File.Offset(list[n].Span().Start)]
			// The next try sees the new statement in its place.
			if ok && ok2 && r.try(apply(r.text, []edit{{from, to, indented(r.text[first:last], outer)}})) {
				n--
				break
			}
		}
	}
}

// indented are lines with another indentation, that of the first replaced by it. Lines with less
// indentation are within strings and stay.
func indented(lines, by string) string {
	old := lines[:len(lines)-len(strings.TrimLeft(lines, " \t"))]
	var b strings.Builder
	for line := range strings.Lines(lines) {
		if rest, ok := strings.CutPrefix(line, old); ok {
			line = by + rest
		}
		b.WriteString(line)
	}
	return b.String()
}

// editNodes tries the edits of every node, one by one. of gives the edits of one node; they are
// numbered in the order of the tree.
func (r *reduction) editNodes(of func(*source.File, ast.Node) []edit) {
	for n := 0; r.ctx.Err() == nil; n++ {
		m, _ := parse(r.text)
		var edits []edit
		ast.Inspect(m, func(x ast.Node) bool {
			edits = append(edits, of(m.File, x)...)
			return true
		})
		if n >= len(edits) {
			return
		}
		if r.try(apply(r.text, edits[n:n+1])) {
			n--
		}
	}
}

// replacements are the edits that put a part of an expression in its place: an operand, an
// argument, the object of a method. The part is put without parentheses.
func replacements(f *source.File, n ast.Node) []edit {
	var parts []ast.Expr
	switch n := n.(type) {
	case *ast.Call:
		if a, ok := n.Func.(*ast.Attribute); ok {
			parts = append(parts, a.Value)
		}
		for _, a := range n.Args {
			if _, star := a.(*ast.Starred); !star {
				parts = append(parts, a)
			}
		}
	case *ast.BinOp:
		parts = append(parts, n.Left, n.Right)
	case *ast.IfExp:
		parts = append(parts, n.Body, n.Else)
	case *ast.Subscript:
		parts = append(parts, n.Value)
	}
	var out []edit
	for _, p := range parts {
		out = append(out, edit{f.Offset(n.Span().Start), f.Offset(n.Span().End), f.Slice(p.Span())})
	}
	return out
}

// removals are the edits that take one part from a node each. The removed part is an argument, an
// element, a base, a parameter or a decorator.
func removals(f *source.File, n ast.Node) []edit {
	var parts []source.Span
	switch n := n.(type) {
	case *ast.Call:
		for _, a := range n.Args {
			parts = append(parts, a.Span())
		}
		for _, k := range n.Keywords {
			parts = append(parts, k.Span())
		}
	case *ast.List:
		for _, e := range n.Elts {
			parts = append(parts, e.Span())
		}
	case *ast.Dict:
		for i, v := range n.Values {
			if n.Keys[i] != nil {
				parts = append(parts, n.Keys[i].Span().To(v.Span()))
			}
		}
	case *ast.ClassDef:
		for _, b := range n.Bases {
			parts = append(parts, b.Span())
		}
		for _, k := range n.Keywords {
			parts = append(parts, k.Span())
		}
		return append(decorators(f, n.Decorators), elements(f, parts)...)
	case *ast.FunctionDef:
		for _, p := range slices.Concat(n.Params.PosOnly, n.Params.Args, n.Params.KwOnly) {
			s := p.Span()
			if p.Default != nil {
				s = s.To(p.Default.Span())
			}
			parts = append(parts, s)
		}
		return append(decorators(f, n.Decorators), elements(f, parts)...)
	}
	return elements(f, parts)
}

// elements are edits that remove one element of a list that commas part, with the comma after it
// or, of the last, before it. parts are sorted in place.
func elements(f *source.File, parts []source.Span) []edit {
	slices.SortFunc(parts, func(a, b source.Span) int { return int(a.Start) - int(b.Start) })
	var out []edit
	for i, p := range parts {
		e := edit{f.Offset(p.Start), f.Offset(p.End), ""}
		switch {
		case i+1 < len(parts):
			e.end = f.Offset(parts[i+1].Start)
		case i > 0:
			e.start = f.Offset(parts[i-1].End)
		}
		out = append(out, e)
	}
	return out
}

// decorators are edits that remove one decorator with its line. A decorator that shares its line
// with something else stays.
func decorators(f *source.File, list []ast.Expr) []edit {
	var out []edit
	for _, d := range list {
		start := strings.LastIndexByte(f.Text()[:f.Offset(d.Span().Start)], '\n') + 1
		end := f.Offset(d.Span().End)
		rest, _, _ := strings.Cut(f.Text()[end:], "\n")
		if strings.TrimSpace(rest) == "" {
			out = append(out, edit{start, min(end+len(rest)+1, len(f.Text())), ""})
		}
	}
	return out
}
