package listing

// This file shortens types and paths to the columns that there are.

import (
	"fmt"
	"strings"

	"shapecheck/internal/columns"
)

// Shorten leaves of a type, or of arguments in a row, its first parts where all of it takes more than room columns:
// {"boxes": f32[N,4], … 5 more}. It leaves out parts from the end of the outermost level first, and
// goes into the first part where even one part alone is too long: the beginning of a type says most
// about it. A text that has no parts is cut, and the result is at most room columns wide.
func Shorten(s string, room int) string {
	before, after := "", ""
	for columns.Of(before)+columns.Of(s)+columns.Of(after) > room {
		open, parts, shut, sep := parted(s)
		if len(parts) == 0 {
			head, _ := columns.Cut(s, max(room-columns.Of(before)-columns.Of(after), 1), false)
			out, _ := columns.Cut(before+head+after, room, false)
			return out
		}
		// As many of the first parts as there is room for: each takes a column at least.
		for k := min(len(parts)-1, max(room, 1)); k > 0; k-- {
			short := before + open + strings.Join(parts[:k], sep) + more(sep, len(parts)-k) + shut + after
			if columns.Of(short) <= room {
				return short
			}
		}
		// A first part that cannot be shortened itself is left out with the others.
		if _, inner, _, _ := parted(parts[0]); len(inner) == 0 {
			if short := before + open + more("", len(parts)) + shut + after; columns.Of(short) <= room {
				return short
			}
		}
		rest := shut
		if len(parts) > 1 {
			rest = more(sep, len(parts)-1) + shut
		}
		// What is around the first part is kept in before and after, and the first part is
		// shortened next.
		before, s, after = before+open, parts[0], rest+after
	}
	return before + s + after
}

// more says how many parts are left out.
func more(sep string, n int) string {
	// Within the sizes of a type the commas stand without a space.
	if sep == "," {
		sep = ", "
	}
	return fmt.Sprintf("%s… %d more", sep, n)
}

// parted takes a type apart: its alternatives or arguments, or what its brackets hold. Without
// parts there is nothing to leave out. A separator outside of all brackets goes first: a | b[c] is
// two alternatives. Before and after the parts stand open and shut, and sep is between them.
func parted(s string) (open string, parts []string, shut, sep string) {
	for _, sep := range [...]string{" | ", ", "} {
		if list := split(s, sep); len(list) > 1 {
			return "", list, "", sep
		}
	}
	i := strings.IndexAny(s, "([{")
	if i < 0 {
		return "", nil, "", ""
	}
	end := closing(s, i)
	// An empty pair of brackets holds nothing that could be left out.
	if end < 0 || end == i+1 {
		return "", nil, "", ""
	}
	inner := s[i+1 : end]
	sep = ", "
	list := split(inner, sep)
	// Sizes are separated by a comma alone, other parts by a comma and a space.
	if len(list) == 1 {
		if list = split(inner, ","); len(list) > 1 {
			sep = ","
		}
	}
	return s[:i+1], list, s[end:], sep
}

// closing is where the bracket at i ends; -1: it does not. Brackets within quotes do not count,
// since keys of dicts are written as texts.
func closing(s string, i int) int {
	depth := 0
	quote := byte(0)
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// split divides a text at a separator that is in no bracket and no quotes. The result has at least
// one part: without a separator it is the text itself.
func split(s, sep string) []string {
	var out []string
	depth, from := 0, 0
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case strings.IndexByte("([{", c) >= 0:
			depth++
		case strings.IndexByte(")]}", c) >= 0:
			depth--
		case depth == 0 && strings.HasPrefix(s[i:], sep):
			out, from = append(out, s[from:i]), i+len(sep)
			// The loop adds one, so that it goes on with the first byte after the separator.
			i = from - 1
		}
	}
	return append(out, s[from:])
}
