package parser

// This file builds string literals, f-strings and t-strings, in the way of CPython:
// adjacent literals join, and so do the pieces of text in an f-string.
//
// The token pass has cut f-strings into pieces, so that the grammar sees the fields' expressions
// as ordinary tokens; here the pieces are joined again. Values are decoded once, at the literal,
// and errors within escapes are reported at their place in the source.

import (
	"sort"
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// An fstringState is an f-string or t-string under construction; its values lie on vals. mark is
// the height of the value stack when the string began.
type fstringState struct {
	start    source.Pos
	mark     int32
	raw      bool
	template bool // a t-string
	specs    int  // format specifications that are open
}

// kind is the letter of messages: "f-string", "t-string".
func (s *fstringState) kind() byte {
	if s.template {
		return 't'
	}
	return 'f'
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

// Strings joins the run. Mixing bytes and text, or t-strings and others, is an error as in
// CPython. One f-string among them makes the whole a JoinedStr.
func (b *builder) Strings() {
	f := b.end()
	run := b.vals[f.vals:]
	if len(run) == 1 {
		return
	}
	loc := b.locFrom(f.pos)
	var depth int32
	format, isBytes, isText, templates := false, false, false, 0
	for i := range run {
		depth = max(depth, run[i].depth)
		switch e := run[i].e.(type) {
		case *ast.Constant:
			isBytes = isBytes || e.Kind == ast.BytesConst
			isText = isText || e.Kind != ast.BytesConst
		case *ast.TemplateStr:
			templates++
			format = true
		default:
			isText, format = true, true
		}
	}
	if templates > 0 && templates < len(run) {
		b.errorf(source.Span{Start: loc.Start, End: loc.End}, "cannot mix t-strings with other strings; write the text as t-strings, too")
	} else if isBytes && isText {
		b.errorf(source.Span{Start: loc.Start, End: loc.End}, "cannot mix bytes and nonbytes literals")
	}
	if format {
		var values []ast.Expr
		for i := range run {
			switch e := run[i].e.(type) {
			case *ast.JoinedStr:
				values = append(values, e.Values...)
			case *ast.TemplateStr:
				values = append(values, e.Values...)
			default:
				values = append(values, e)
			}
		}
		b.vals = b.vals[:f.vals]
		if templates > 0 {
			b.push(&ast.TemplateStr{Loc: loc, Values: fold(values)}, loc, depth, levelPrimary)
			return
		}
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

// withoutComments returns the source text from start to end without comments. Since Python 3.12
// fields may have comments, which the text of {x = } and of a t-string's field leaves out.
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
		raw:      text[0]|0x20 == 'r' || text[1]|0x20 == 'r',
		template: text[0]|0x20 == 't' || text[1]|0x20 == 't',
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
	if s.template {
		b.needs(ast.TemplateString, loc.Span())
		b.push(&ast.TemplateStr{Loc: loc, Values: fold(values)}, loc, depth+1, levelPrimary)
		return
	}
	b.push(&ast.JoinedStr{Loc: loc, Values: fold(values)}, loc, depth+1, levelPrimary)
}

func (b *builder) BeginField() { b.Begin() }

// FieldDebug notes the "=" after the expression.
func (b *builder) FieldDebug() { b.frame().flags |= hasElse }

// FieldConversion checks "!r". The letter must follow the "!" directly. The frame keeps the
// letter, and its token for the text before it.
func (b *builder) FieldConversion() {
	t := b.prev()
	if bang := b.toks[b.pos-2]; bang.end != t.start {
		b.errorf(b.tokenSpan(t), "%c-string: the conversion must come right after the '!'", b.fstring().kind())
	}
	f := b.frame()
	text := b.text()
	switch text {
	case "s", "r", "a":
		f.n = int32(text[0])
	default:
		b.errorf(b.tokenSpan(t), "%c-string: invalid conversion '%s'; expected 's', 'r' or 'a'", b.fstring().kind(), text)
	}
	f.flags |= hasName
	f.tok = int32(b.pos - 1)
}

// BeginSpec opens the format specification after its ":".
func (b *builder) BeginSpec() {
	b.Begin()
	b.fstring().specs++
}

func (b *builder) EndSpec() {
	f := b.end()
	values, depth := b.takeExprs(f.vals)
	loc := b.locFrom(f.pos)
	b.push(&ast.JoinedStr{Loc: loc, Values: fold(values)}, loc, depth+1, levelPrimary)
	b.frame().flags |= hasFinally
	b.fstring().specs--
}

// EndField builds the replacement field. With "=", its source text becomes a
// constant before it. The conversion of {x=} is repr, unless a conversion or a format is written.
func (b *builder) EndField() {
	f := b.end()
	loc := b.locFrom(f.pos)
	conversion := rune(f.n)
	var spec *ast.JoinedStr
	depth := int32(0)
	specStart := source.NoPos
	if f.flags&hasFinally != 0 {
		v := b.pop()
		spec = v.e.(*ast.JoinedStr)
		specStart = v.start
		depth = v.depth
	}
	v := b.pop()
	depth = max(depth, v.depth)
	debug := f.flags&hasElse != 0
	if debug && conversion == 0 && spec == nil {
		conversion = 'r'
	}
	// A field in the specification of a t-string's field is one of an f-string.
	template := b.fstring().template && b.fstring().specs == 0
	text := ""
	if debug || template {
		// The text runs to the "!", the ":" or the closing brace.
		start, end := f.pos+1, loc.End-1
		if f.flags&hasName != 0 {
			end = b.at(b.toks[f.tok].start) - 1
		} else if spec != nil {
			end = specStart
		}
		text = b.withoutComments(start, end)
		if strings.IndexByte(text, '\r') >= 0 {
			text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
		}
		if debug {
			c := b.newConst(ast.Loc{Start: start, End: end}, ast.StrConst)
			c.Str = text
			b.push(c, c.Loc, 1, levelPrimary)
		}
	}
	if template {
		n := &ast.Interpolation{Loc: loc, Value: v.e, Conversion: conversion, FormatSpec: spec}
		n.Text = strings.TrimRight(text, " \t\f\n=")
		b.push(n, loc, depth+1, levelPrimary)
		return
	}
	b.push(&ast.FormattedValue{Loc: loc, Value: v.e, Conversion: conversion, FormatSpec: spec}, loc, depth+1, levelPrimary)
}
