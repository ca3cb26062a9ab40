package config

// This file bounds what a configuration may be before the TOML library sees it: the
// library's memory grows with the square of nesting and of a key's length.

import "fmt"

// Bounds of a file. Nothing that a configuration means comes near them.
const (
	maxFile    = 1 << 20 // bytes
	maxNesting = 16      // arrays and tables in each other
	maxParts   = 16      // of a dotted key
	maxKey     = 4096    // bytes of a key, dots and white space included
	maxKeys    = 1 << 15 // parts of keys, tables and elements of arrays
)

// bounded reports what is beyond the bounds. It knows as much of TOML's grammar as
// tells strings and comments from the rest.
func bounded(text string) error {
	line, depth, keys := 1, 0, 0
	start, parts := 0, 1 // of what may be a key
	header := false      // in the brackets of a table's name
	fail := func(format string, args ...any) error {
		return fmt.Errorf("line %d: "+format, append([]any{line}, args...)...)
	}
	blank := true // the line has nothing so far
	for i := 0; i < len(text); {
		c, n := text[i], 1
		switch c {
		case '#':
			n = until(text[i:], "\n")
		case '"', '\'':
			n = stringEnd(text[i:])
		case '\n', ',', '{':
			start, parts = i+1, 1
		case '[':
			header = header || blank && depth == 0
			start, parts = i+1, 1
		case '.':
			if parts++; parts > maxParts {
				return fail("a key of more than %d parts", maxParts)
			}
		}
		switch {
		case c == '[' || c == '{':
			if depth++; depth > maxNesting {
				return fail("arrays and tables are nested more than %d deep", maxNesting)
			}
		case c == ']' || c == '}':
			depth = max(depth-1, 0)
		}
		if c == '=' || c == ',' || c == '.' || c == ']' && header {
			if keys++; keys > maxKeys {
				return fail("more than %d keys", maxKeys)
			}
		}
		if c == '=' || c == ']' && header {
			if i-start > maxKey {
				return fail("a key of more than %d bytes", maxKey)
			}
			start, parts, header = i+1, 1, header && c == ']' && depth > 0
		}
		for _, b := range []byte(text[i : i+n]) {
			if b == '\n' {
				line++
			}
		}
		if c == '\n' {
			blank, header = true, false
		} else if c != ' ' && c != '\t' && c != '[' {
			blank = false
		}
		i += n
	}
	return nil
}

// until is the length of s up to an end, which is not in it.
func until(s, end string) int {
	for i := 0; i+len(end) <= len(s); i++ {
		if s[i:i+len(end)] == end {
			return i
		}
	}
	return len(s)
}

// stringEnd is the length of the string that s begins with, or of its line where
// the string does not end.
func stringEnd(s string) int {
	quote, escapes, lines := s[:1], s[0] == '"', false
	if len(s) >= 3 && s[1] == s[0] && s[2] == s[0] {
		quote, lines = s[:3], true
	}
	for i := len(quote); i < len(s); i++ {
		switch {
		case escapes && s[i] == '\\':
			i++
		case s[i] == '\n' && !lines:
			return i
		case len(s)-i >= len(quote) && s[i:i+len(quote)] == quote:
			return i + len(quote)
		}
	}
	return len(s)
}
