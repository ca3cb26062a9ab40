// Package columns measures, cuts and breaks texts by the columns that they take on a terminal.
package columns

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"
)

// Of is how many columns of a terminal a text takes: characters of East Asian scripts take two, marks above others none.
func Of(s string) int {
	n := 0
	for _, r := range s {
		n += ofRune(r)
	}
	return n
}

func ofRune(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me) || r == '\u200b' || r == '\u200d':
		return 0
	}
	switch width.LookupRune(r).Kind() {
	case width.EastAsianWide, width.EastAsianFullwidth:
		return 2
	}
	return 1
}

// Pad adds blanks up to so many columns.
func Pad(s string, n int) string { return s + strings.Repeat(" ", max(n-Of(s), 0)) }

// upTo is how many bytes of a text take at most so many columns.
func upTo(s string, room int) int {
	for i, r := range s {
		if room -= ofRune(r); room < 0 {
			return i
		}
	}
	return len(s)
}

// Fits reports whether a text takes at most so many columns. It reads no more of it than that: texts of types may have millions.
func Fits(s string, room int) bool { return upTo(s, room) == len(s) }

// atLeastOne is n bytes of a text, or its first character where they are none.
func atLeastOne(s string, n int) int {
	_, first := utf8.DecodeRuneInString(s)
	return max(n, first)
}

// Cut divides a text that is too long for a line, at a blank or behind a comma where there is one. Unless whole, the rest is
// left out, which "…" says.
func Cut(s string, room int, whole bool) (head, rest string) {
	if Fits(s, room) {
		return s, ""
	}
	if !whole {
		return strings.TrimRight(s[:upTo(s, room-1)], " ") + "…", ""
	}
	n := atLeastOne(s, upTo(s, room))
	if i := strings.LastIndexAny(s[:n], " ,"); i > n/2 {
		n = i + 1
	}
	return s[:n], s[n:]
}

// Wrap breaks a text between words into lines of at most so many columns; a longer word is cut.
func Wrap(s string, room int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && Of(line)+1+Of(word) > room {
			out, line = append(out, line), ""
		}
		for !Fits(word, room) {
			n := atLeastOne(word, upTo(word, room))
			out, word = append(out, word[:n]), word[n:]
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}

// CutPath leaves out folders in the middle of a path that is too long. The end of a path says
// most: folders are left out from the left, in whole, and the name of the file is cut only if it
// alone is wider than the room.
func CutPath(path string, room int) string {
	if Fits(path, room) {
		return path
	}
	for rest := path; ; {
		i := strings.IndexByte(rest, '/')
		if i < 0 {
			head, _ := Cut(rest, room-2, false)
			return "…/" + head
		}
		if rest = rest[i+1:]; Of(rest)+2 <= room {
			return "…/" + rest
		}
	}
}
