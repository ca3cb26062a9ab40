// Package safetext makes text of unknown origin safe to show on a terminal and in
// the log of a CI system. Names, messages and lines of a checked program are the
// word of whoever wrote it: printed as they are they could set a terminal's title,
// show text in another order than it has, or give commands to the system that
// reads the log.
//
// A Writer is what all text goes through on its way out. Printers that lay text
// out, colour it, or give it one line use Line or Lines before: only they know
// where a piece begins and ends.
package safetext

// This file holds the rules. writer.go applies them to a stream.

import (
	"bytes"
	"fmt"
	"unicode"
	"unicode/utf8"

	"shapecheck/internal/lazyregexp"
)

// Line makes s a piece of one line. What it may not have is written as in JSON,
// \u001b for escape; a byte that is no UTF-8 as \xff.
func Line(s string) string { return string(escape(nil, []byte(s), rules{})) }

// Lines is Line for text that may have several lines: line feeds stay.
func Lines(s string) string { return string(escape(nil, []byte(s), rules{newlines: true})) }

// Indented is Lines where all lines but the first are indented, so that none of
// them can be taken for a line of the program that prints it.
func Indented(s, indent string) string {
	return string(bytes.ReplaceAll([]byte(Lines(s)), []byte("\n"), []byte("\n"+indent)))
}

// rules say what is left as it is.
type rules struct {
	newlines bool // line feeds
	colors   bool // the colours of text.Style
	links    bool // its links to files
	commands bool // "::" where a line begins
	start    bool // the text begins a line
}

// escape appends what is safe of s. Workflow commands of GitHub begin a line with
// "::", apart from white space; "##[group]", "##vso[…]" and "##teamcity[…]" of Azure
// Pipelines and TeamCity count anywhere in it.
func escape(out, s []byte, r rules) []byte {
	start := r.start // so far the line has nothing but white space
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRune(s[i:])
		switch {
		case c == '\n' && r.newlines:
			out = append(out, '\n')
			start = r.start
		case c == utf8.RuneError && n == 1:
			out = fmt.Appendf(out, `\x%02x`, s[i])
			start = false
		case c == 0x1b && r.colors && colorEnd(s[i:]) > 0:
			n = colorEnd(s[i:])
			out = append(out, s[i:i+n]...)
		case c == 0x1b && r.links && linkEnd(s[i:]) > 0:
			n = linkEnd(s[i:])
			out = append(out, s[i:i+n]...)
		case !shown(c):
			out = fmt.Appendf(out, `\u%04x`, c)
			start = false
		case start && !r.commands && bytes.HasPrefix(s[i:], []byte("::")), bytes.HasPrefix(s[i:], []byte("##")) && (start || isCommand(s[i+2:])):
			out = fmt.Appendf(out, `%c\u%04x`, c, c)
			n, start = 2, false
		default:
			out = append(out, s[i:i+n]...)
			start = start && unicode.IsSpace(c)
		}
		i += n
	}
	return out
}

// shown reports whether a character may be in a line: no control character, and
// none that changes the order of what is shown or ends a line for some readers.
func shown(c rune) bool {
	switch {
	case c < 0x20, c >= 0x7f && c <= 0x9f:
		return false
	case c == 0x061c, c == 0x200e, c == 0x200f, c >= 0x2028 && c <= 0x202e, c >= 0x2066 && c <= 0x2069:
		return false
	}
	return true
}

// isCommand recognises what follows "##" in a command: a name or none, and "[".
func isCommand(s []byte) bool {
	for _, c := range s {
		switch {
		case c == '[':
			return true
		case c|0x20 < 'a' || c|0x20 > 'z':
			return false
		}
	}
	return false
}

// link is the start or the end of a link to a file.
var link = lazyregexp.New(`^\x1b\]8;;(file://[\w/.%~$&+,;:=@#-]*)?\x1b\\`)

// linkEnd is the length of the start or end of a link at the start of s; 0 when there is none.
func linkEnd(s []byte) int { return len(link.Find(s)) }

// colorEnd is the length of a colour at the start of s: "\x1b[1;31m"; 0 when there
// is none. Only bold, dim, underlined and the eight plain colours are ones: others
// hide text.
func colorEnd(s []byte) int {
	if len(s) < 2 || s[1] != '[' {
		return 0
	}
	number := 0
	for i := 2; i < len(s) && i < 16; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			number = number*10 + int(c-'0')
		case c == ';' || c == 'm':
			if number > 4 && (number < 30 || number > 37) {
				return 0
			}
			if number = 0; c == 'm' {
				return i + 1
			}
		default:
			return 0
		}
	}
	return 0
}
