package infer

// This file checks shape comments: those on the line where a simple statement
// ends, or above it, against what the statement made. Package annot says which comments are
// shapes; here it is decided which of their disagreements are contradictions.
//
// Engineers use letters in two ways: as the name of a size ("T is the length")
// and as the label of an axis ("C are the channels, whatever their number").
// Only the first use can be contradicted, so a letter's disagreement counts when
// the letter got its size in a shape of the same rank, or stands at another axis
// than its size does; RATIONALE.md has the reasons. What does not count binds the
// letter anew.
//
// A comment that stands on a line of its own above a statement may speak of what comes in as well as of what goes out, and
// of several statements, so that it is read only where it cannot mean anything else:
//
//	# scores: (B, H, T, T)            a name that the statement gives a value, and does not read
//	scores = q @ k.transpose(-2, -1)
//
//	# (B, T, C) -> (B, C)             the result of an arrow, of the last statement of a paragraph
//	return x.mean(1)

import (
	"fmt"
	"strings"

	"shapecheck/infer/annot"
	"shapecheck/infer/graph"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

// A lineComment is a comment that may state shapes.
type lineComment struct {
	at     source.Span
	text   string
	shapes string // text without what is said to shapecheck
	claims []annot.Claim
	isRead bool
}

// read gives what the comment states. Most comments stand where nobody asks.
func (c *lineComment) read() []annot.Claim {
	if !c.isRead {
		c.claims, c.isRead = annot.Comment(c.shapes), true
	}
	return c.claims
}

// A commentState is what became of a claim in all calls.
type commentState struct {
	// agreed is set when a call was met in which the claim is right: then it
	// tells of that call, and the others do not contradict it.
	agreed bool
	// fix is the text that makes it right; differs when calls need several.
	fix     string
	differs bool
}

// A written is what a statement gave to one of its targets.
type written struct {
	name  string
	value value.Value
}

// commentOn finds the comment that follows a statement on its last line. There may
// be one that states nothing: then claims is empty.
func (an *annotations) commentOn(f *frame, s ast.Node) *lineComment {
	file := f.unit.file
	index, ok := an.comments[file]
	if !ok {
		index = map[int]*lineComment{}
		for _, at := range f.unit.tree.Comments {
			text := file.Slice(at)
			line, _ := file.LineCol(at.Start)
			shapes, _, _ := strings.Cut(text, "# shapecheck:")
			index[line] = &lineComment{at: at, text: text, shapes: shapes}
		}
		if an.comments == nil {
			an.comments = map[*source.File]map[int]*lineComment{}
		}
		an.comments[file] = index
	}
	if len(index) == 0 {
		return nil
	}
	end := s.Span().End
	line, _ := file.LineCol(end)
	c := index[line]
	if c == nil || c.at.Start < end || strings.TrimSpace(file.Slice(source.Span{Start: end, End: c.at.Start})) != "" {
		return nil
	}
	c.read()
	return c
}

// checkComment checks the comment of a statement.
func (an *annotations) checkComment(f *frame, s ast.Node, list []written) {
	if f.prelude || an.host.isQuiet() || f.names == nil || an.rec.ignores(f) || !an.finder.isProjectFile(f.unit.file) {
		return
	}
	c := an.commentOn(f, s)
	if c == nil {
		c = an.commentAbove(f, s, list)
	}
	if c == nil {
		an.noteUncommented(f, s, list)
		return
	}
	for i, cl := range c.claims {
		if !an.trusted(f, &cl, list) {
			continue
		}
		for _, w := range an.subjects(f, c, i, list) {
			if t, ok := w.value.(*value.Tensor); ok {
				an.checkClaim(f, c, &cl, t.Type(), w.name)
			}
		}
	}
}

// written gives what an assignment wrote to a target.
func (an *annotations) written(f *frame, target ast.Expr, v value.Value) []written {
	elts := targetElts(target)
	if elts == nil {
		switch target.(type) {
		case *ast.Name, *ast.Attribute:
			return []written{{f.unit.file.Slice(target.Span()), v}}
		}
		return nil
	}
	var out []written
	for _, e := range elts {
		w := written{name: f.unit.file.Slice(e.Span())}
		if n, ok := e.(*ast.Name); ok {
			w.value = an.localNamed(f, n.ID)
		}
		out = append(out, w)
	}
	return out
}

// trusted reports whether the program knows the names without which a claim may be
// prose, and the words before it speak of nothing else.
func (an *annotations) trusted(f *frame, cl *annot.Claim, list []written) bool {
	if !cl.Explicit {
		for _, d := range cl.Doubts {
			if _, known, _ := an.commentLook(f)(d, false); !known {
				return false
			}
		}
	}
	for _, w := range cl.Before {
		if _, ok := an.localNamed(f, w).(*value.Tensor); ok && (len(list) != 1 || list[0].name != w) {
			return false
		}
	}
	return true
}

// subjects are the values that the i-th claim of a comment speaks of.
func (an *annotations) subjects(f *frame, c *lineComment, i int, list []written) []written {
	cl := &c.claims[i]
	if len(cl.Names) > 0 {
		var out []written
		for _, n := range cl.Names {
			w := written{name: n}
			for _, x := range list {
				if x.name == n {
					w.value = x.value
				}
			}
			if w.value == nil {
				w.value = an.localNamed(f, n)
			}
			out = append(out, w)
		}
		return out
	}
	if len(c.claims) == 1 {
		if len(list) == 1 {
			return list
		}
		return nil
	}
	if len(list) == len(c.claims) {
		return list[i : i+1]
	}
	if len(list) == 1 {
		if t, ok := list[0].value.(*value.Tuple); ok && len(t.Elems) == len(c.claims) {
			return []written{{list[0].name, t.Elems[i]}}
		}
	}
	return nil
}

// commentLook looks names up as a comment means them: an integer variable of the
// program, then what annotations and comments bound.
func (an *annotations) commentLook(f *frame) nameLookup {
	return func(name string, path bool) (boundName, bool, bool) {
		if path {
			d, ok := an.pathDim(f, name)
			return boundName{dim: d, by: byCode, rank: -1}, ok, true
		}
		if v := an.localNamed(f, name); v != nil {
			if _, isBool := v.(value.Bool); !isBool {
				if d, ok := value.AsDim(an.pool, v); ok && !d.Unknown() {
					o := an.originOf(f, name)
					if o.counter {
						return boundName{}, false, true
					}
					return boundName{dim: d, by: byCode, rank: o.rank, axis: o.axis}, true, false
				}
			}
			return boundName{}, false, true // it names something else
		}
		if b, ok := an.nameOf(f, name); ok {
			return b, true, false
		}
		if f.globals != nil {
			if v, ok := f.globals.Attrs.Get(name); ok {
				if n, isInt := v.(value.Int); isInt && n > 0 {
					return boundName{dim: an.pool.ConstDim(int64(n)), by: byCode, rank: -1}, true, false
				}
			}
		}
		return boundName{}, false, false
	}
}

// An origin says where a variable of a function gets its value.
type origin struct {
	// rank and axis are those of the shape it is unpacked from; rank is -1 otherwise.
	rank, axis int
	// counter says that it counts, or changes: i in a loop.
	counter bool
}

// originOf finds the assignments of a variable in the function's text.
func (an *annotations) originOf(f *frame, name string) origin {
	all, ok := an.origins[f.code]
	if !ok {
		all = map[string]origin{}
		for _, s := range f.code.body {
			ast.Inspect(s, func(n ast.Node) bool { noteOrigins(all, n); return true })
		}
		if an.origins == nil {
			an.origins = map[*code]map[string]origin{}
		}
		an.origins[f.code] = all
	}
	if o, ok := all[name]; ok {
		return o
	}
	return origin{rank: -1, axis: -1}
}

func noteOrigins(all map[string]origin, n ast.Node) {
	counter := func(e ast.Expr) {
		list := targetElts(e)
		if list == nil {
			list = []ast.Expr{e}
		}
		for _, x := range list {
			if name, ok := x.(*ast.Name); ok {
				all[name.ID] = origin{rank: -1, axis: -1, counter: true}
			}
		}
	}
	switch n := n.(type) {
	case *ast.For:
		counter(n.Target)
	case *ast.AugAssign:
		counter(n.Target)
	case *ast.Assign:
		if len(n.Targets) != 1 || !isWholeShape(n.Value) {
			return
		}
		elts := targetElts(n.Targets[0])
		for i, x := range elts {
			name, ok := x.(*ast.Name)
			if !ok || hasStar(elts) {
				continue
			}
			if o, seen := all[name.ID]; seen && (o.counter || o.rank != len(elts) || o.axis != i) {
				all[name.ID] = origin{rank: -1, axis: -1, counter: o.counter}
				continue
			}
			all[name.ID] = origin{rank: len(elts), axis: i}
		}
	}
}

// isWholeShape reports whether e is x.shape or x.size().
func isWholeShape(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Attribute:
		return e.Attr.Name == "shape"
	case *ast.Call:
		a, ok := e.Func.(*ast.Attribute)
		return ok && a.Attr.Name == "size" && len(e.Args) == 0 && len(e.Keywords) == 0
	}
	return false
}

// checkClaim holds one claim against a tensor.
func (an *annotations) checkClaim(f *frame, c *lineComment, cl *annot.Claim, t *graph.TensorType, name string) {
	m := an.match(f, &cl.Shape, t, byComment, c.at.Start, an.commentLook(f))
	state := an.commentState(c.at.Start + source.Pos(cl.From))
	k := commentCheck{an: an, frame: f, comment: c, claim: cl, tensor: t}
	k.misplaced(&m)
	if m.answer != symshape.No {
		an.commit(f, &m)
		if m.answer == symshape.Yes && m.compared > 0 {
			state.agreed = true
		}
		return
	}
	if !k.contradicts(&m) {
		if !m.rank {
			an.commit(f, &m)
			for _, x := range m.faults {
				if n, ok := cl.Shape.Axes[x.axis].Expr.Name(); ok && x.named && x.name.by == byComment && !x.got.Unknown() {
					an.bindName(f, n, boundName{dim: x.got, by: byComment, at: c.at.Start, rank: t.Rank(), axis: x.at})
				}
			}
		}
		return
	}
	if name == "" {
		name = "the value"
	}
	axis := func(i int) string { return cl.Shape.Axes[i].Text(c.text) }
	why := an.explainFault(len(cl.Shape.Axes), &m, t.Rank(), axis, cl.Shape.Rest() >= 0)
	at := source.Span{Start: c.at.Start + source.Pos(cl.From), End: c.at.Start + source.Pos(cl.To)}
	stated := oneLine(c.text[cl.From:cl.To])
	d := diag.New(diag.CommentMismatch, at, fmt.Sprintf("%s is %s, but the comment says (%s): %s", name, t, stated, why), t.String(), stated)
	if text, ok := k.corrected(&m); ok {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "Write (" + text + ")", Edits: []diag.Edit{{At: at, NewText: text}}, Safe: true})
		if state.fix != "" && state.fix != text {
			state.differs = true
		}
		state.fix = text
	}
	an.host.Report(d)
}

func (an *annotations) commentState(at source.Pos) *commentState {
	if an.commentStates == nil {
		an.commentStates = map[source.Pos]*commentState{}
	}
	s := an.commentStates[at]
	if s == nil {
		s = &commentState{}
		an.commentStates[at] = s
	}
	return s
}

// settledComments drops the findings about comments that are right in another call, and
// the fixes that only some calls need.
func (an *annotations) settledComments(list []*diag.Diagnostic) []*diag.Diagnostic {
	if len(an.commentStates) == 0 {
		return list
	}
	out := list[:0:0]
	for _, d := range list {
		if d.Code == diag.CommentMismatch {
			s := an.commentStates[d.At.Start]
			if s != nil && s.agreed {
				continue
			}
			if s != nil && s.differs {
				d.Fixes = nil
			}
		}
		out = append(out, d)
	}
	return out
}

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
