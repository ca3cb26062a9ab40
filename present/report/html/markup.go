package html

// This file keeps text and markup apart. (A template of html/template does, too, but it calls
// methods by their names, for which the linker keeps every method of the program: a tenth of it.)

import (
	"html"
	"strings"
)

// Markup is text that is a part of a page as it is. Only what this package writes, or has escaped, is
// made markup.
type markup string

// A page is markup that grows.
type page struct{ strings.Builder }

// add appends markup as it is, and strings as text, which may stand between tags and in quoted
// attributes.
func (p *page) add(parts ...any) {
	for _, x := range parts {
		switch x := x.(type) {
		case markup:
			p.WriteString(string(x))
		case string:
			p.WriteString(escape(x))
		default:
			panic("html: neither text nor markup")
		}
	}
}

// escape makes markup of text.
func escape(s string) string {
	return html.EscapeString(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD"))
}
