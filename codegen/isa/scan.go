package isa

// This file splits the text form into words.

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// A word is a token of the text form: a name, a number, a quoted text, or punctuation.
type word struct {
	kind byte // 'n' name, 'i' integer, 'f' number with a fraction, 's' text, 'x' hex bytes, 'p' punctuation
	text string
	col  int
}

func nameByte(c byte) bool {
	return c == '_' || c == '.' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}

// puncts are those of more than one byte.
var puncts = []string{"...", "->", "//", "..", "<="}

// scan splits a line. A # outside of a text begins a comment.
func scan(line string) ([]word, string) {
	var out []word
	for i := 0; i < len(line); {
		c := line[i]
		start := i
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			i++
			continue
		case c == '#':
			return out, ""
		case c == '"':
			q, err := strconv.QuotedPrefix(line[i:])
			if err != nil {
				return nil, "a text is not closed"
			}
			s, err := strconv.Unquote(q)
			if err != nil {
				return nil, "a text cannot be read"
			}
			i += len(q)
			out = append(out, word{'s', s, start})
			continue
		case c == '0' && i+1 < len(line) && line[i+1] == 'x':
			for i += 2; i < len(line) && nameByte(line[i]) && line[i] != '.'; i++ {
			}
			out = append(out, word{'x', line[start+2 : i], start})
			continue
		case c >= '0' && c <= '9':
			kind := byte('i')
			for ; i < len(line); i++ {
				d := line[i]
				if d == '.' && !strings.HasPrefix(line[i:], "..") || d == 'e' || (d == '-' || d == '+') && line[i-1] == 'e' {
					kind = 'f'
				} else if d < '0' || d > '9' {
					break
				}
			}
			out = append(out, word{kind, line[start:i], start})
			continue
		case nameByte(c) && c != '.':
			for ; i < len(line) && nameByte(line[i]); i++ {
			}
			out = append(out, word{'n', line[start:i], start})
			continue
		}
		n := 1
		for _, p := range puncts {
			if strings.HasPrefix(line[i:], p) {
				n = len(p)
				break
			}
		}
		if c >= utf8.RuneSelf {
			return nil, "a character that has no meaning here"
		}
		i += n
		out = append(out, word{'p', line[start:i], start})
	}
	return out, ""
}
