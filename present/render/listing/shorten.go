package listing

// This file shortens types and paths to the columns that there are.

import (
	"fmt"
	"strings"

	"shapecheck/internal/columns"
)

// Shorten leaves of a type, or of arguments in a row, its first parts where all of it takes more than room columns:
// {"boxes": f32[N,4], … 5 more}.
func Shorten(s string, room int) string {
	before, after := "", ""
	for columns.Of(before)+columns.Of(s)+columns.Of(after) > room {
		open, parts, shut, sep := parted(s)
		if len(parts) == 0 {
			head, _ := columns.Cut(s, max(room-columns.Of(before)-columns.Of(after), 1), false)
			out, _ := columns.Cut(before+head+after, room, false)
			return out
		}
		for k := len(parts) - 1; k > 0; k-- {
			short := before + open + strings.Join(parts[:k], sep) + more(sep, len(parts)-k) + shut + after
			if columns.Of(short) <= room {
				return short
			}
		}
		if _, inner, _, _ := parted(parts[0]); len(inner) == 0 {
			if short := before + open + more("", len(parts)) + shut + after; columns.Of(short) <= room {
				return short
			}
		}
		rest := shut
		if len(parts) > 1 {
			rest = more(sep, len(parts)-1) + shut
		}
		before, s, after = before+open, parts[0], rest+after
	}
	return before + s + after
}

// more says how many parts are left out.
func more(sep string, n int) string {
	if sep == "," {
		sep = ", "
	}
	return fmt.Sprintf("%s… %d more", sep, n)
}

// parted takes a type apart: its alternatives or arguments, or what its brackets hold. Without parts there is nothing to leave out.
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
	if end < 0 || end == i+1 {
		return "", nil, "", ""
	}
	inner := s[i+1 : end]
	sep = ", "
	list := split(inner, sep)
	if len(list) == 1 {
		if list = split(inner, ","); len(list) > 1 {
			sep = ","
		}
	}
	return s[:i+1], list, s[end:], sep
}

// closing is where the bracket at i ends; -1: it does not.
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

// split divides a text at a separator that is in no bracket and no quotes.
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
			i = from - 1
		}
	}
	return append(out, s[from:])
}

// shortenPath leaves out folders in the middle of a path that is too long.
func shortenPath(path string, room int) string {
	if columns.Of(path) <= room {
		return path
	}
	for rest := path; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			head, _ := columns.Cut(rest, room-2, false)
			return "…/" + head
		}
		if rest = rest[i+1:]; columns.Of(rest)+2 <= room {
			return "…/" + rest
		}
	}
}
