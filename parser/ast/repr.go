package ast

// This file writes values as Python's repr does.

import (
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// appendStrRepr appends repr(s) of a str. Surrogates stand in s in the form of
// WTF-8.
func appendStrRepr(b []byte, s string) []byte {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	b = append(b, quote)
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			b = appendByteRepr(b, c, quote)
			i++
			continue
		}
		r, n := decodeWTF8(s[i:])
		switch {
		case r >= 0xD800 && r <= 0xDFFF:
			b = appendEscape(b, 'u', r, 4)
		case unicode.IsPrint(r):
			b = append(b, s[i:i+n]...)
		case r <= 0xFF:
			b = appendEscape(b, 'x', r, 2)
		case r <= 0xFFFF:
			b = appendEscape(b, 'u', r, 4)
		default:
			b = appendEscape(b, 'U', r, 8)
		}
		i += n
	}
	return append(b, quote)
}

// decodeWTF8 decodes one character; a surrogate is three bytes.
func decodeWTF8(s string) (rune, int) {
	if len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

// appendByteRepr appends an ASCII character.
func appendByteRepr(b []byte, c, quote byte) []byte {
	switch {
	case c == quote || c == '\\':
		return append(b, '\\', c)
	case c == '\n':
		return append(b, '\\', 'n')
	case c == '\r':
		return append(b, '\\', 'r')
	case c == '\t':
		return append(b, '\\', 't')
	case c < ' ' || c >= 0x7f:
		return appendEscape(b, 'x', rune(c), 2)
	}
	return append(b, c)
}

func appendEscape(b []byte, kind byte, r rune, digits int) []byte {
	b = append(b, '\\', kind)
	for i := digits - 1; i >= 0; i-- {
		b = append(b, "0123456789abcdef"[r>>(4*i)&15])
	}
	return b
}

// appendBytesRepr appends repr of bytes.
func appendBytesRepr(b []byte, s string) []byte {
	quote := byte('\'')
	if strings.IndexByte(s, '\'') >= 0 && strings.IndexByte(s, '"') < 0 {
		quote = '"'
	}
	b = append(b, 'b', quote)
	for i := 0; i < len(s); i++ {
		b = appendByteRepr(b, s[i], quote)
	}
	return append(b, quote)
}

// appendFloatRepr appends repr of a float: the shortest digits that round to
// it, with an exponent below 1e-4 and from 1e16.
func appendFloatRepr(b []byte, f float64) []byte {
	start := len(b)
	b = appendFloatDigits(b, f)
	for _, c := range b[start:] {
		if c != '-' && (c < '0' || c > '9') {
			return b
		}
	}
	return append(b, '.', '0')
}

// appendFloatDigits is appendFloatRepr without ".0" after a whole number.
func appendFloatDigits(b []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(b, "inf"...)
	case math.IsInf(f, -1):
		return append(b, "-inf"...)
	case math.IsNaN(f):
		return append(b, "nan"...)
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.AppendFloat(b, f, 'e', -1, 64)
	}
	return strconv.AppendFloat(b, f, 'f', -1, 64)
}

// appendImagRepr appends repr of a complex number without a real part.
// ast.dump writes it: infinities as 1e309.
func appendImagRepr(b []byte, f float64) []byte {
	if math.IsInf(f, 0) {
		return append(b, "infj"...)
	}
	return append(appendFloatDigits(b, f), 'j')
}
