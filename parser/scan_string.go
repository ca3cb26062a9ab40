package parser

// This file scans string literals. An f-string or t-string becomes FSTRING_START,
// pieces of text (FSTRING_MIDDLE), the tokens of its replacement fields, and
// FSTRING_END, as in PEP 701.
//
// The scanner is a state machine with a stack of open f-strings: within a field it scans as
// anywhere else, until the bracket that closes the field returns it to the text. Brackets know at
// which depth an f-string began, so that a "}" of a dict in a field does not close the field.

import (
	"strings"

	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// An fstringMode is an f-string or t-string whose end has not been seen. depth tells a field's
// closing brace from other ones.
type fstringMode struct {
	start  int32 // offset of its first byte
	depth  int32 // number of open brackets where it begins
	kind   byte  // 'f' or 't'
	quote  byte
	triple bool
	raw    bool
}

// inField notes what only Python 3.12 takes in a field of an f-string, if there is one.
// A t-string is newer in itself.
func (s *scanner) inField(start, end int) {
	if n := len(s.fstrings); n > 0 && s.fstrings[n-1].kind == 'f' {
		at := source.Span{Start: s.file.Pos(start), End: s.file.Pos(end)}
		s.features = append(s.features, ast.Feature{At: at, Syntax: ast.NestedQuotes})
	}
}

// str scans a string whose prefix begins at start and whose quote is at p. The format
// is that of stringPrefix.
func (s *scanner) str(start, p int, raw bool, format byte) {
	src := s.src
	q := src[p]
	triple := p+2 < len(src) && src[p+1] == q && src[p+2] == q
	for _, m := range s.fstrings {
		if q == m.quote && (triple || !m.triple) {
			s.inField(start, p+1)
			break
		}
	}
	if format != 0 {
		s.beginFString(start, p, fstringMode{kind: format, quote: q, triple: triple, raw: raw})
		return
	}
	if triple {
		s.tripleString(start, p+3, q)
		return
	}
	for p++; p < len(src); p++ {
		switch src[p] {
		case q:
			s.emit(tString, start, p+1)
			s.long(start, p+1)
			s.softMatch()
			s.pos = p + 1
			return
		case '\\':
			s.inField(p, p+1)
			p = s.escaped(p)
		case '\n', '\r':
			s.unterminated(start, p)
			return
		}
	}
	s.unterminated(start, min(p, len(src)))
}

// escaped returns the offset of the last byte of the two-character sequence at p.
func (s *scanner) escaped(p int) int {
	if p+2 < len(s.src) && s.src[p+1] == '\r' && s.src[p+2] == '\n' {
		return p + 2
	}
	return p + 1
}

func (s *scanner) unterminated(start, p int) {
	if n := len(s.fstrings); n > 0 && s.src[p-1] == s.fstrings[n-1].quote && !s.fstrings[n-1].triple {
		s.errorf(start, p, "%c-string: expecting '}'", s.fstrings[n-1].kind)
	} else {
		s.errorf(start, p, "unterminated string literal")
	}
	s.emit(tString, start, p)
	s.pos = p
}

// A quote after an odd number of backslashes is escaped.
func (s *scanner) tripleString(start, p int, q byte) {
	src := s.src
	end := `"""`
	if q == '\'' {
		end = `'''`
	}
	for {
		i := strings.Index(src[p:], end)
		if i < 0 {
			s.errorf(start, min(start+3, len(src)), "unterminated triple-quoted string literal")
			s.emit(tString, start, len(src))
			s.pos = len(src)
			return
		}
		// The quotes are the end unless a backslash escapes the first. Backslashes
		// pair up from the left of their run.
		j := p + i
		k := j
		for k > p && src[k-1] == '\\' {
			k--
		}
		if (j-k)%2 == 0 {
			if len(s.fstrings) > 0 && strings.IndexByte(src[start:j], '\\') >= 0 {
				s.inField(start, j+3)
			}
			s.emit(tString, start, j+3)
			s.long(start, j+3)
			s.softMatch()
			s.pos = j + 3
			return
		}
		p = j + 1
	}
}

// beginFString begins an f-string or t-string: start is that of its prefix, p that of its quotes.
// What follows is scanned as its literal part.
func (s *scanner) beginFString(start, p int, m fstringMode) {
	n := 1
	if m.triple {
		n = 3
	}
	s.emit(tFStringStart, start, p+n)
	s.softMatch()
	s.pos = p + n
	if len(s.fstrings) >= maxFStrings {
		s.errorf(start, p+n, "too many nested f-strings (the limit is %d)", maxFStrings)
		s.giveUp()
		return
	}
	m.start, m.depth = int32(start), int32(len(s.brackets))
	s.fstrings = append(s.fstrings, m)
	s.fstring()
}

// fstring scans literal text of the innermost f-string, or of the format
// specification of its innermost field, up to a field or the end. In text "{{" and "}}" are
// single braces, whose token has only the first of both.
func (s *scanner) fstring() {
	if len(s.fstrings) == 0 {
		return
	}
	src := s.src
	m := s.fstrings[len(s.fstrings)-1]
	inSpec := len(s.brackets) > int(m.depth)
	// CPython takes two opening braces for one of text, but in a specification; there
	// it does so, too, after a nested field.
	escapes := !inSpec || s.brackets[len(s.brackets)-1].nested
	start := s.pos
	text := func(end int) {
		if end > start {
			s.emit(tFStringMiddle, start, end)
		}
	}
	for p := start; p < len(src); p++ {
		switch c := src[p]; c {
		case m.quote:
			if m.triple && !(p+2 < len(src) && src[p+1] == c && src[p+2] == c) {
				continue
			}
			text(p)
			s.endFString(p, m, inSpec)
			return
		case '\n', '\r':
			if !m.triple {
				s.unterminatedFString(p, m)
				return
			}
		case '\\':
			if p+1 >= len(src) {
				continue
			}
			if len(s.fstrings) > 1 {
				s.inField(p, p+1)
			}
			switch next := src[p+1]; {
			case next == '{' || next == '}':
				// The brace has its usual meaning.
			case next == 'N' && !m.raw && p+2 < len(src) && src[p+2] == '{':
				if q := s.namedEscape(p+3, m); q > 0 {
					p = q
				} else {
					p += 2
				}
			default:
				p = s.escaped(p)
			}
		case '{':
			if escapes && p+1 < len(src) && src[p+1] == '{' {
				text(p + 1)
				p++
				start = p + 1
				continue
			}
			text(p)
			s.pos = p
			s.openField(m)
			return
		case '}':
			if inSpec {
				text(p)
				s.pos = p // the main loop closes the field
				return
			}
			if p+1 < len(src) && src[p+1] == '}' {
				text(p + 1)
				p++
				start = p + 1
				continue
			}
			s.errorf(p, p+1, "%c-string: single '}' is not allowed", m.kind)
		}
	}
	text(len(src))
	s.unterminatedFString(len(src), m)
}

// namedEscape returns the offset of the brace that ends a \N{…} escape. 0 says that there is no
// such escape, and the brace opens a field.
func (s *scanner) namedEscape(p int, m fstringMode) int {
	for ; p < len(s.src); p++ {
		switch s.src[p] {
		case '}':
			return p
		case '\n', '\r', '{', '\\', m.quote:
			return 0
		}
	}
	return 0
}

// openField opens the braces of a replacement field. Fields in format specifications nest, up to
// CPython's limit.
func (s *scanner) openField(m fstringMode) {
	p := s.pos
	nest := uint8(0)
	if n := len(s.brackets); n > int(m.depth) {
		s.brackets[n-1].nested = true
		nest = s.brackets[n-1].nest + 1
	}
	if nest >= maxFieldNests {
		s.errorf(p, p+1, "%c-string: expressions nested too deeply", m.kind)
		s.giveUp()
		return
	}
	s.emit(tLBrace, p, p+1)
	s.pos = p + 1
	s.open('{', true, p)
	if n := len(s.brackets); n > 0 {
		s.brackets[n-1].nest = nest
	}
}

// endFString handles the closing quotes at p. A quote within a format specification ends the
// string, which lacks a brace then.
func (s *scanner) endFString(p int, m fstringMode, inSpec bool) {
	n := 1
	if m.triple {
		n = 3
	}
	if inSpec {
		s.errorf(p, p+n, "%c-string: expecting '}'", m.kind)
		for len(s.brackets) > int(m.depth) {
			s.popBracket(p)
		}
	}
	s.emit(tFStringEnd, p, p+n)
	s.pos = p + n
	s.fstrings = s.fstrings[:len(s.fstrings)-1]
	s.long(int(m.start), p+n)
}

// long keeps where a string lies that goes over several lines and is in no other.
func (s *scanner) long(start, end int) {
	if len(s.fstrings) == 0 && strings.ContainsAny(s.src[start:end], "\n\r") {
		s.longStrings = append(s.longStrings, source.Span{Start: s.file.Pos(start), End: s.file.Pos(end)})
	}
}

// unterminatedFString closes the innermost f-string at p, with an error.
func (s *scanner) unterminatedFString(p int, m fstringMode) {
	start := int(m.start)
	if m.triple {
		s.errorf(start, min(start+4, len(s.src)), "unterminated triple-quoted %c-string literal", m.kind)
	} else {
		s.errorf(start, p, "unterminated %c-string literal", m.kind)
	}
	for len(s.brackets) > int(m.depth) {
		s.popBracket(p)
	}
	s.emit(tFStringEnd, p, p)
	s.pos = p
	s.fstrings = s.fstrings[:len(s.fstrings)-1]
}
