package parser

// This file scans names, keywords and the prefixes of string literals, and
// settles the soft keywords.

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// identTail marks the ASCII bytes that continue an identifier, and all others
// from 0x80.
var identTail = func() (t [256]bool) {
	for c := range 256 {
		t[c] = classes[c] == cName || classes[c] == cDigit
	}
	return t
}()

// name reads a name, a keyword, or the prefix of a text such as rb"…". Nearly all names are ASCII, and those
// are checked byte by byte.
func (s *scanner) name() {
	src, start := s.src, s.pos
	p := start + 1
	for p < len(src) && identTail[src[p]] {
		p++
	}
	if p < len(src) && (src[p] == '"' || src[p] == '\'') && p-start <= 2 {
		if raw, format, ok := stringPrefix(src[start:p]); ok {
			s.str(start, p, raw, format)
			return
		}
	}
	s.pos = p
	for i := start; i < p; i++ {
		if src[i] >= utf8.RuneSelf {
			if !s.checkIdent(start, p) {
				return
			}
			break
		}
	}
	if p-start > 8 { // longer than any keyword
		s.emit(tName, start, p)
		return
	}
	switch kind := keyword(src[start:p]); kind {
	case tNot:
		if s.lastKind() == tIs {
			last := &s.toks[len(s.toks)-1]
			last.kind, last.end = tIsNot, int32(p)
			s.significant = int32(p)
			return
		}
		s.emit(tNot, start, p)
	case tIn:
		if s.lastKind() == tNot {
			last := &s.toks[len(s.toks)-1]
			last.kind, last.end = tNotIn, int32(p)
			s.significant = int32(p)
			return
		}
		s.emit(tIn, start, p)
	case tName:
		if p-start == 4 && src[start:p] == "case" && s.indents[len(s.indents)-1].match && len(s.toks) == s.lineTok && len(s.brackets) == 0 {
			kind = tCase
		}
		s.emit(kind, start, p)
		s.softMatch()
	default:
		s.emit(kind, start, p)
		s.softMatch()
	}
}

// softMatch makes "match" at a line's start a keyword when the token after it
// cannot follow a name. The other case, a line that ends in ":", is settled at
// the line's end.
func (s *scanner) softMatch() {
	if len(s.toks) != s.lineTok+2 {
		return
	}
	first := &s.toks[s.lineTok]
	if first.kind != tName || first.end-first.start != 5 || s.src[first.start:first.end] != "match" {
		return
	}
	switch s.lastKind() {
	case tName, tNumber, tString, tFStringStart, tNone, tTrue, tFalse, tLBrace, tTilde, tEllipsis, tLambda, tAwait:
		first.kind = tMatch
	}
}

// softType makes "type" a keyword in "type X =" and "type X [". It is called
// before the third token is emitted.
func (s *scanner) softType() {
	n := len(s.toks)
	if n < 2 || s.toks[n-1].kind != tName || s.toks[n-2].kind != tName {
		return
	}
	t := &s.toks[n-2]
	if t.end-t.start != 4 || s.src[t.start:t.end] != "type" || len(s.brackets) > 0 {
		return
	}
	if n > 2 {
		switch s.toks[n-3].kind {
		case tNewline, tIndent, tDedent, tSemi, tColon:
		default:
			return
		}
	}
	t.kind = tType
}

// stringPrefix interprets the letters before a quote. The format is 'f' or 't' when the
// string has replacement fields.
func stringPrefix(p string) (raw bool, format byte, ok bool) {
	if len(p) == 1 {
		switch c := p[0] | 0x20; c {
		case 'r':
			return true, 0, true
		case 'f', 't':
			return false, c, true
		case 'b', 'u':
			return false, 0, true
		}
		return false, 0, false
	}
	a, b := p[0]|0x20, p[1]|0x20
	if b == 'r' {
		a, b = b, a
	}
	switch {
	case a != 'r':
	case b == 'b':
		return true, 0, true
	case b == 'f', b == 't':
		return true, b, true
	}
	return false, 0, false
}

// checkIdent checks an identifier with characters outside ASCII. On an error it
// leaves the scanner after the offending character.
func (s *scanner) checkIdent(start, end int) bool {
	first := true
	for i, r := range s.src[start:end] {
		ok := isIDContinue(r)
		if first {
			ok = r == '_' || isIDStart(r)
		}
		if !ok {
			n := 1
			if r != utf8.RuneError {
				n = utf8.RuneLen(r)
			} else if _, w := utf8.DecodeRuneInString(s.src[start+i:]); w > 1 {
				n = w
			}
			s.pos = start + i
			if !first {
				s.emit(tName, start, s.pos)
			}
			s.invalidRune(r, n)
			return false
		}
		first = false
	}
	return true
}

// invalidRune reports the character at pos and skips it.
func (s *scanner) invalidRune(r rune, n int) {
	switch {
	case r == utf8.RuneError && n == 1:
		s.errorf(s.pos, s.pos+n, "invalid UTF-8 byte 0x%02x in the source", s.src[s.pos])
	case unicode.IsPrint(r):
		s.errorf(s.pos, s.pos+n, "invalid character '%c' (U+%04X)", r, r)
	default:
		s.errorf(s.pos, s.pos+n, "invalid non-printable character U+%04X", r)
	}
	s.pos += n
}

// badChar reports an ASCII character that no token begins with.
func (s *scanner) badChar() {
	c := s.src[s.pos]
	switch {
	case c == 0:
		s.errorf(s.pos, s.pos+1, "source code cannot contain null bytes")
		s.pos++
	case c < ' ' || c == 0x7f:
		s.invalidRune(rune(c), 1)
	default:
		s.errorf(s.pos, s.pos+1, "invalid character '%c'", c)
		s.pos++
	}
}

// isIDStart and isIDContinue are the Unicode properties XID_Start and
// XID_Continue: they differ from ID_Start and ID_Continue in characters whose
// NFKC form is no identifier.
func isIDStart(r rune) bool {
	return (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r) || unicode.Is(unicode.Other_ID_Start, r)) &&
		!unicode.Is(notXIDStart, r)
}

func isIDContinue(r rune) bool {
	if r < utf8.RuneSelf {
		return identTail[r]
	}
	return (unicode.IsLetter(r) || unicode.In(r, unicode.Nl, unicode.Mn, unicode.Mc, unicode.Nd, unicode.Pc,
		unicode.Other_ID_Start, unicode.Other_ID_Continue)) && !unicode.Is(notXIDContinue, r)
}

var notXIDStart = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x037A, Hi: 0x037A, Stride: 1}, {Lo: 0x0E33, Hi: 0x0E33, Stride: 1}, {Lo: 0x0EB3, Hi: 0x0EB3, Stride: 1},
	{Lo: 0x309B, Hi: 0x309C, Stride: 1}, {Lo: 0xFC5E, Hi: 0xFC63, Stride: 1}, {Lo: 0xFDFA, Hi: 0xFDFB, Stride: 1},
	{Lo: 0xFE70, Hi: 0xFE74, Stride: 2}, {Lo: 0xFE76, Hi: 0xFE7E, Stride: 2}, {Lo: 0xFF9E, Hi: 0xFF9F, Stride: 1},
}}

var notXIDContinue = &unicode.RangeTable{R16: []unicode.Range16{
	{Lo: 0x037A, Hi: 0x037A, Stride: 1}, {Lo: 0x309B, Hi: 0x309C, Stride: 1}, {Lo: 0xFC5E, Hi: 0xFC63, Stride: 1},
	{Lo: 0xFDFA, Hi: 0xFDFB, Stride: 1}, {Lo: 0xFE70, Hi: 0xFE74, Stride: 2}, {Lo: 0xFE76, Hi: 0xFE7E, Stride: 2},
}}

// normalize returns the NFKC form of an identifier.
func normalize(s string) string {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return norm.NFKC.String(s)
		}
	}
	return s
}
