package parser

// This file decodes string literals.
//
// The rules are those of the Python reference, "String and Bytes literals". A value of a string
// is UTF-8, extended to WTF-8 for lone surrogates, which Python's strings may have and UTF-8 may
// not.

import (
	"strings"
	"unicode/utf8"
)

// A literalError says why a literal has no value; off is relative to its text. off and end are
// byte offsets.
type literalError struct {
	off, end int
	msg      string
}

// decodeString returns the value of a literal's text between the quotes. Line ends become \n even
// in raw literals. An unknown escape keeps its backslash, of which Python only warns. The common
// case, no backslash, is returned without a copy.
func decodeString(text string, raw, bytes bool) (string, *literalError) {
	if bytes {
		for i := 0; i < len(text); i++ {
			if text[i] >= utf8.RuneSelf {
				_, n := utf8.DecodeRuneInString(text[i:])
				return "", &literalError{i, i + n, "bytes can only contain ASCII literal characters"}
			}
		}
	}
	if strings.IndexByte(text, '\r') >= 0 {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	if raw || strings.IndexByte(text, '\\') < 0 {
		return text, nil
	}
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if c != '\\' {
			j := strings.IndexByte(text[i:], '\\')
			if j < 0 {
				j = len(text) - i
			}
			out = append(out, text[i:i+j]...)
			i += j
			continue
		}
		start := i
		i++
		if i >= len(text) {
			out = append(out, '\\')
			break
		}
		c = text[i]
		i++
		switch c {
		case '\n':
		case '\\', '\'', '"':
			out = append(out, c)
		case 'a':
			out = append(out, '\a')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'v':
			out = append(out, '\v')
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v := rune(c - '0')
			for n := 1; n < 3 && i < len(text) && isOctDigit(text[i]); n++ {
				v = v<<3 + rune(text[i]-'0')
				i++
			}
			out = appendChar(out, v, bytes)
		case 'x':
			v, n := hexDigits(text[i:], 2)
			if n < 2 {
				return "", &literalError{start, i + n, `truncated \xXX escape`}
			}
			i += 2
			out = appendChar(out, v, bytes)
		default:
			if bytes || c != 'u' && c != 'U' && c != 'N' {
				out = append(out, '\\')
				i--
				_, n := utf8.DecodeRuneInString(text[i:])
				out = append(out, text[i:i+n]...)
				i += n
				continue
			}
			v, n, msg := unicodeEscape(c, text[i:])
			if msg != "" {
				return "", &literalError{start, i + n, msg}
			}
			i += n
			out = appendWTF8(out, v)
		}
	}
	return string(out), nil
}

// unicodeEscape reads what follows \u, \U or \N. It returns the character and how many bytes it
// has read, or a message in CPython's words.
func unicodeEscape(c byte, s string) (rune, int, string) {
	switch c {
	case 'u':
		v, n := hexDigits(s, 4)
		if n < 4 {
			return 0, n, `truncated \uXXXX escape`
		}
		return v, 4, ""
	case 'U':
		v, n := hexDigits(s, 8)
		if n < 8 {
			return 0, n, `truncated \UXXXXXXXX escape`
		}
		if v < 0 || v > utf8.MaxRune {
			return 0, 8, `illegal Unicode character in \U escape`
		}
		return v, 8, ""
	}
	end := strings.IndexByte(s, '}')
	if s == "" || s[0] != '{' || end < 2 {
		return 0, 0, `malformed \N character escape; write \N{name}`
	}
	v, ok := runeByName(s[1:end])
	if !ok {
		return 0, end + 1, "unknown Unicode character name"
	}
	return v, end + 1, ""
}

// hexDigits reads up to n hexadecimal digits. Eight digits may give a negative number, which the
// caller refuses.
func hexDigits(s string, n int) (v rune, count int) {
	for count < n && count < len(s) && isHexDigit(s[count]) {
		d := s[count]
		switch {
		case d <= '9':
			d -= '0'
		default:
			d = d | 0x20 - 'a' + 10
		}
		v = v<<4 | rune(d)
		count++
	}
	return v, count
}

// appendChar adds a character to a string, or a byte to bytes. An octal escape above 0o377 is cut
// to a byte in bytes, as in Python.
func appendChar(out []byte, v rune, bytes bool) []byte {
	if bytes {
		return append(out, byte(v))
	}
	return appendWTF8(out, v)
}

// appendWTF8 is utf8.AppendRune that keeps lone surrogates.
func appendWTF8(out []byte, v rune) []byte {
	if v >= 0xD800 && v <= 0xDFFF {
		return append(out, 0xE0|byte(v>>12), 0x80|byte(v>>6)&0x3F, 0x80|byte(v)&0x3F)
	}
	return utf8.AppendRune(out, v)
}
