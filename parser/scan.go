package parser

// This file holds the state of the token pass and its main loop.

import (
	"sync"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// Limits of CPython's tokenizer.
const (
	maxBrackets   = 200
	maxIndents    = 100
	maxFStrings   = 150
	maxFieldNests = 3 // fields inside format specifications
)

// A scanner makes the tokens of one file.
type scanner struct {
	file *source.File
	src  string
	pos  int // offset of the next byte
	toks []token

	brackets []bracket
	indents  []indent
	fstrings []fstringMode
	// lineTok is the index of the current logical line's first token.
	lineTok int
	// significant is the end of the last token other than NEWLINE, INDENT, DEDENT.
	significant int32
	// matchLine is set after the header of a match statement, until INDENT.
	matchLine bool
	// exprOnly ignores line ends and indentation, for ParseExpr.
	exprOnly bool
	// outline leaves out the bodies of functions (scan_body.go).
	outline *bodies

	comments    []source.Span
	longStrings []source.Span
	features    []ast.Feature
	diags       []*diag.Diagnostic
}

// A bracket is an open bracket or replacement field.
type bracket struct {
	open   byte
	field  bool // of an f-string or t-string
	inSpec bool // the field's format specification has begun
	nested bool // and it has had a field
	nest   uint8
	pos    int32
}

// An indent is one level of indentation, measured with tabs of 8 and of 1.
type indent struct {
	col, alt int32
	match    bool // the block of a match statement: its lines begin with case
}

// scan makes the tokens of f. The last one is EOF. Tokens are complete even
// after errors, so that the parser can look for more.
func scan(f *source.File, exprOnly bool) *scanner {
	s := newScanner(f)
	s.exprOnly = exprOnly
	if !exprOnly {
		s.indentation()
	}
	s.run()
	return s
}

func newScanner(f *source.File) *scanner {
	s := &scanner{file: f, src: f.Text(), indents: make([]indent, 1, 8)}
	if old, ok := tokens.Get().(*[]token); ok {
		s.toks = (*old)[:0]
	} else {
		s.toks = make([]token, 0, len(s.src)/4+16)
	}
	return s
}

// tokens are slices of which all tokens are parsed.
var tokens sync.Pool

func (s *scanner) emit(kind int32, start, end int) {
	s.toks = append(s.toks, token{kind, int32(start), int32(end)})
	s.significant = int32(end)
}

// emitSpace adds a NEWLINE, INDENT or DEDENT found at pos.
func (s *scanner) emitSpace(kind int32, pos int) {
	s.toks = append(s.toks, token{kind, int32(pos), s.significant})
}

// lastKind returns the kind of the last token, tNewline when there is none.
func (s *scanner) lastKind() int32 {
	if len(s.toks) == 0 {
		return tNewline
	}
	return s.toks[len(s.toks)-1].kind
}

// Byte classes of the main loop.
const (
	cOther = iota
	cSpace
	cName
	cDigit
	cQuote
	cOp
	cNewline
	cComment
	cBackslash
)

var classes = func() (t [256]uint8) {
	for c := range 256 {
		switch {
		case c == ' ' || c == '\t' || c == '\f':
			t[c] = cSpace
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= 0x80:
			t[c] = cName
		case c >= '0' && c <= '9':
			t[c] = cDigit
		case c == '"' || c == '\'':
			t[c] = cQuote
		case c == '\n' || c == '\r':
			t[c] = cNewline
		case c == '#':
			t[c] = cComment
		case c == '\\':
			t[c] = cBackslash
		}
	}
	for _, c := range "()[]{},:.+-*/%@<>&^|=!~;" {
		t[c] = cOp
	}
	return t
}()

func (s *scanner) run() {
	for s.pos < len(s.src) { // giveUp shortens src
		s.next()
	}
	s.finish()
}

// next goes over what begins at pos.
func (s *scanner) next() {
	c := s.src[s.pos]
	switch classes[c] {
	case cSpace:
		s.pos++
	case cName:
		s.name()
	case cDigit:
		s.number()
	case cQuote:
		s.str(s.pos, s.pos, false, 0)
	case cOp:
		s.operator(c)
	case cNewline:
		s.newline()
	case cComment:
		s.comment()
	case cBackslash:
		if !s.continuation() {
			s.errorf(s.pos, s.pos+1, "unexpected character after the line continuation character '\\'")
			s.pos = s.lineEnd(s.pos)
		}
	default:
		s.badChar()
	}
}

// lineEnd returns the offset of the line end at or after pos.
func (s *scanner) lineEnd(pos int) int {
	for pos < len(s.src) && s.src[pos] != '\n' && s.src[pos] != '\r' {
		pos++
	}
	return pos
}

// skipLineEnd returns the offset after the line end at pos.
func (s *scanner) skipLineEnd(pos int) int {
	if pos < len(s.src) {
		if s.src[pos] == '\r' && pos+1 < len(s.src) && s.src[pos+1] == '\n' {
			return pos + 2
		}
		return pos + 1
	}
	return pos
}

func (s *scanner) comment() {
	end := s.lineEnd(s.pos)
	s.comments = append(s.comments, source.Span{Start: s.file.Pos(s.pos), End: s.file.Pos(end)})
	s.inField(s.pos, end)
	s.pos = end
}

// continuation skips a backslash at a line's end.
func (s *scanner) continuation() bool {
	p := s.pos + 1
	if p >= len(s.src) {
		s.errorf(s.pos, p, "unexpected end of file after the line continuation character '\\'")
		s.pos = p
		return true
	}
	if s.src[p] != '\n' && s.src[p] != '\r' {
		return false
	}
	s.inField(s.pos, p)
	s.pos = s.skipLineEnd(p)
	if s.pos >= len(s.src) {
		s.errorf(p-1, p, "unexpected end of file after the line continuation character '\\'")
	}
	return true
}

// newline ends the logical line, or only a physical one inside brackets.
func (s *scanner) newline() {
	start := s.pos
	s.pos = s.skipLineEnd(s.pos)
	if n := len(s.fstrings); n > 0 && !s.fstrings[n-1].triple {
		s.inField(start, s.pos)
	}
	if len(s.brackets) > 0 {
		s.unclosedBefore()
		if len(s.brackets) > 0 {
			return
		}
	}
	if s.exprOnly {
		return
	}
	if s.lastKind() != tNewline && s.lastKind() != tDedent && s.lastKind() != tIndent {
		s.endLine(start)
	}
	s.indentation()
}

// endLine emits NEWLINE and settles whether the line was a match statement's.
func (s *scanner) endLine(pos int) {
	if first := s.toks[s.lineTok]; first.kind == tName && s.lastKind() == tColon &&
		first.end-first.start == 5 && s.src[first.start:first.end] == "match" && len(s.toks) > s.lineTok+2 {
		s.toks[s.lineTok].kind = tMatch
	}
	s.matchLine = s.toks[s.lineTok].kind == tMatch
	if s.outline != nil && s.outline.endLine(s) {
		return
	}
	s.emitSpace(tNewline, pos)
	s.lineTok = len(s.toks)
}

// finish closes what is open at the end of the file.
func (s *scanner) finish() {
	end := len(s.src)
	for len(s.brackets) > 0 {
		s.unclosed()
	}
	if !s.exprOnly {
		if k := s.lastKind(); k != tNewline && k != tDedent && k != tIndent {
			s.endLine(end)
		}
		if s.outline != nil {
			s.outline.close(s)
		}
		for len(s.indents) > 1 {
			s.indents = s.indents[:len(s.indents)-1]
			s.emitSpace(tDedent, end)
		}
	}
	s.toks = append(s.toks, token{tEOF, int32(end), s.significant})
}
