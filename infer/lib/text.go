package lib

// This file handles the characters of a str. Lone surrogates are stored as the
// three bytes that UTF-8 would give them, which Go's decoder refuses.

import (
	"strings"
	"unicode/utf8"
)

func isASCII(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// decodeText decodes the first character of s.
func decodeText(s string) (rune, int) {
	r, n := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && n == 1 && len(s) >= 3 && s[0] == 0xED && s[1] >= 0xA0 && s[1] <= 0xBF && s[2]&0xC0 == 0x80 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, n
}

// appendRune appends a character, which may be a lone surrogate.
func appendRune(b []byte, r rune) []byte {
	if r >= 0xD800 && r <= 0xDFFF {
		return append(b, 0xED, 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(b, r)
}

// textRunes lists the characters of a str.
func textRunes(s string) []rune {
	out := make([]rune, 0, len(s))
	for len(s) > 0 {
		r, n := decodeText(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

func runesText(rs []rune) string {
	b := make([]byte, 0, len(rs))
	for _, r := range rs {
		b = appendRune(b, r)
	}
	return string(b)
}

// textLen counts the characters of a str.
func textLen(s string) int {
	if isASCII(s) {
		return len(s)
	}
	n := 0
	for len(s) > 0 {
		_, k := decodeText(s)
		s = s[k:]
		n++
	}
	return n
}

// byteOffset is the offset of the i-th character, at most len(s).
func byteOffset(s string, i int) int {
	if isASCII(s) {
		return min(i, len(s))
	}
	off := 0
	for ; i > 0 && off < len(s); i-- {
		_, n := decodeText(s[off:])
		off += n
	}
	return off
}

// mapText replaces every character.
func mapText(f func(rune) rune, s string) string {
	b := make([]byte, 0, len(s))
	for _, r := range textRunes(s) {
		b = appendRune(b, f(r))
	}
	return string(b)
}

// hasSurrogate reports whether s holds a lone surrogate.
func hasSurrogate(s string) bool {
	for i := strings.IndexByte(s, 0xED); i >= 0 && i < len(s); {
		r, n := decodeText(s[i:])
		if r >= 0xD800 && r <= 0xDFFF {
			return true
		}
		i += n
	}
	return false
}

func containsText(s, sub string) bool { return strings.Contains(s, sub) }
