package parser

// This file builds string literals and f-strings, in the way of CPython 3.12:
// adjacent literals join, and so do the pieces of text in an f-string.

import (
	"sort"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// An fstringState is an f-string under construction; its values lie on vals.
type fstringState struct {
	start source.Pos
	mark  int32
	raw   bool
}

// String pushes the literal that was just consumed.
func (b *builder) String() {
	t := b.prev()
	text := b.src[t.start:t.end]
	quote := strings.IndexAny(text, `'"`)
	var raw, bytes bool
	for i := range quote {
		switch text[i] | 0x20 {
		case 'r':
			raw = true
		case 'b':
			bytes = true
		}
	}
	body, n := text[quote:], 1
	if len(body) >= 6 && body[1] == body[0] && body[2] == body[0] {
		n = 3
	}
	// A literal without its end was reported by the token pass.
	if len(body) >= 2*n && body[len(body)-1] == body[0] {
		body = body[n : len(body)-n]
	} else {
		body = body[min(n, len(body)):]
	}
	loc := b.prevLoc()
	c := b.newConst(loc, ast.StrConst)
	if bytes {
		c.Kind = ast.BytesConst
	}
	c.U = text[0] == 'u'
	c.Str = b.decode(body, int(t.start)+quote+n, raw, bytes)
	b.push(c, loc, 1, levelPrimary)
}

// decode returns the value of literal text that begins at offset off.
func (b *builder) decode(text string, off int, raw, bytes bool) string {
	s, err := decodeString(text, raw, bytes)
	if err != nil {
		at := source.Span{Start: b.base + source.Pos(off+err.off), End: b.base + source.Pos(off+max(err.end, err.off+1))}
		b.errorf(at, "%s", err.msg)
	}
	return s
}

// BeginStrings opens a run of adjacent literals after the first.
func (b *builder) BeginStrings() {
	b.begin(b.top().start, 0)
	b.frame().vals--
}

// Strings joins the run.
func (b *builder) Strings() {
	f := b.end()
	run := b.vals[f.vals:]
	if len(run) == 1 {
		return
	}
	loc := b.locFrom(f.pos)
	var depth int32
	format, isBytes, isText := false, false, false
	for i := range run {
		depth = max(depth, run[i].depth)
		if c, ok := run[i].e.(*ast.Constant); ok && c.Kind == ast.BytesConst {
			isBytes = true
		} else {
			isText = true
			format = format || !ok
		}
	}
	if isBytes && isText {
		b.errorf(source.Span{Start: loc.Start, End: loc.End}, "cannot mix bytes and nonbytes literals")
	}
	if format {
		var values []ast.Expr
		for i := range run {
			if j, ok := run[i].e.(*ast.JoinedStr); ok {
				values = append(values, j.Values...)
			} else {
				values = append(values, run[i].e)
			}
		}
		b.vals = b.vals[:f.vals]
		b.push(&ast.JoinedStr{Loc: loc, Values: fold(values)}, loc, depth, levelPrimary)
		return
	}
	first := run[0].e.(*ast.Constant)
	size := 0
	for i := range run {
		size += len(run[i].e.(*ast.Constant).Str)
	}
	joined := make([]byte, 0, size)
	for i := range run {
		joined = append(joined, run[i].e.(*ast.Constant).Str...)
	}
	first.Loc = loc
	first.Str = string(joined)
	b.vals = b.vals[:f.vals]
	b.push(first, loc, 1, levelPrimary)
}

func isConstant(e ast.Expr) bool {
	_, ok := e.(*ast.Constant)
	return ok
}

// withoutComments returns the source text from start to end without comments.
func (b *builder) withoutComments(start, end source.Pos) string {
	i := sort.Search(len(b.comments), func(i int) bool { return b.comments[i].Start >= start })
	text := ""
	for ; i < len(b.comments) && b.comments[i].End <= end; i++ {
		text += b.src[start-b.base : b.comments[i].Start-b.base]
		start = b.comments[i].End
	}
	return text + b.src[start-b.base:end-b.base]
}

// fold joins adjacent constants among the values of an f-string and drops empty
// ones.
func fold(values []ast.Expr) []ast.Expr {
	out := values[:0:0]
	for i := 0; i < len(values); i++ {
		c, ok := values[i].(*ast.Constant)
		if !ok {
			out = append(out, values[i])
			continue
		}
		j := i + 1
		for j < len(values) && isConstant(values[j]) {
			j++
		}
		if j > i+1 {
			joined := *c
			var text strings.Builder
			for _, e := range values[i:j] {
				piece := e.(*ast.Constant)
				text.WriteString(piece.Str)
				joined.End = piece.End
			}
			joined.Str = text.String()
			c = &joined
		}
		if c.Str != "" {
			out = append(out, c)
		}
		i = j - 1
	}
	return out
}

func (b *builder) BeginFString() {
	text := b.text()
	b.fstrings = append(b.fstrings, fstringState{
		start: b.at(b.prev().start), mark: int32(len(b.vals)),
		raw: text[0]|0x20 == 'r' || text[1]|0x20 == 'r',
	})
}

func (b *builder) fstring() *fstringState { return &b.fstrings[len(b.fstrings)-1] }

// FStringText pushes a piece of literal text.
func (b *builder) FStringText() {
	t := b.prev()
	loc := b.prevLoc()
	// The text of a doubled brace is one brace, its range covers both.
	if c := b.src[t.end-1]; (c == '{' || c == '}') && int(t.end) < len(b.src) && b.src[t.end] == c {
		loc.End++
	}
	c := b.newConst(loc, ast.StrConst)
	c.Str = b.decode(b.src[t.start:t.end], int(t.start), b.fstring().raw, false)
	b.push(c, loc, 1, levelPrimary)
}

// SpecText is literal text in a format specification.
func (b *builder) SpecText() { b.FStringText() }

func (b *builder) EndFString() {
	s := *b.fstring()
	b.fstrings = b.fstrings[:len(b.fstrings)-1]
	values, depth := b.takeExprs(s.mark)
	loc := b.locFrom(s.start)
	b.push(&ast.JoinedStr{Loc: loc, Values: fold(values)}, loc, depth+1, levelPrimary)
}

func (b *builder) BeginField() { b.Begin() }

// FieldDebug notes the "=" after the expression.
func (b *builder) FieldDebug() { b.frame().flags |= hasElse }

// FieldConversion checks "!r". The letter must follow the "!" directly.
func (b *builder) FieldConversion() {
	t := b.prev()
	if bang := b.toks[b.pos-2]; bang.end != t.start {
		b.errorf(b.tokenSpan(t), "f-string: the conversion must come right after the '!'")
	}
	f := b.frame()
	text := b.text()
	switch text {
	case "s", "r", "a":
		f.n = int32(text[0])
	default:
		b.errorf(b.tokenSpan(t), "f-string: invalid conversion '%s'; expected 's', 'r' or 'a'", text)
	}
	f.flags |= hasName
	f.tok = int32(b.pos - 1)
}

// BeginSpec opens the format specification after its ":".
func (b *builder) BeginSpec() { b.Begin() }

func (b *builder) EndSpec() {
	f := b.end()
	values, depth := b.takeExprs(f.vals)
	loc := b.locFrom(f.pos)
	b.push(&ast.JoinedStr{Loc: loc, Values: dropEmpty(values)}, loc, depth+1, levelPrimary)
	b.frame().flags |= hasFinally
}

func dropEmpty(values []ast.Expr) []ast.Expr {
	if len(values) == 1 {
		if c, ok := values[0].(*ast.Constant); ok && c.Str == "" {
			return nil
		}
	}
	return values
}

// EndField builds the replacement field. With "=", its source text becomes a
// constant before it.
func (b *builder) EndField() {
	f := b.end()
	loc := b.locFrom(f.pos)
	n := &ast.FormattedValue{Loc: loc, Conversion: rune(f.n)}
	depth := int32(0)
	specStart := source.NoPos
	if f.flags&hasFinally != 0 {
		spec := b.pop()
		n.FormatSpec = spec.e.(*ast.JoinedStr)
		specStart = spec.start
		depth = spec.depth
	}
	v := b.pop()
	n.Value = v.e
	depth = max(depth, v.depth)
	if f.flags&hasElse != 0 {
		if n.Conversion == 0 && n.FormatSpec == nil {
			n.Conversion = 'r'
		}
		// The text runs to the "!", the ":" or the closing brace.
		end := loc.End - 1
		if f.flags&hasName != 0 {
			end = b.at(b.toks[f.tok].start) - 1
		} else if n.FormatSpec != nil {
			end = specStart
		}
		start := f.pos + 1
		text := b.withoutComments(start, end)
		if strings.IndexByte(text, '\r') >= 0 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		}
		c := b.newConst(ast.Loc{Start: start, End: end}, ast.StrConst)
		c.Str = text
		b.push(c, c.Loc, 1, levelPrimary)
	}
	b.push(n, loc, depth+1, levelPrimary)
}
