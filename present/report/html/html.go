// Package html shows results as a page: the source with a type beside each line and findings
// under their lines, the contract, the modules, the memory over the run. The page is one file
// that asks for nothing from anywhere; without scripts it has all but what moves: sliders that
// put numbers for the symbols into every type, condition and amount, and the plot.
//
//	html.go     the page        section.go  what is shown of an entry, as data
//	source.go   its source      tree.go     its modules and amounts
//	markup.go   text and tags   view.go     an entry in tags
//	overview.go several entries in a table
//
// view.css and view.js are the page's other parts. The playground shows the same sections.
package html

// This file puts the page together.

import (
	"crypto/sha256"
	_ "embed" // the parts
	"encoding/base64"
	"io"
)

//go:embed view.css
var viewCSS string

//go:embed view.js
var viewJS string

// Style and Script are what sections need in a page of another making.
func Style() string  { return viewCSS }
func Script() string { return viewJS }

// A Page is what a file of HTML shows.
type Page struct {
	Title string
	// Entries are what the page shows, with an overview where they are several. Sections are more, those that Section made.
	Entries  []*Entry
	Sections []string
	// Notes are lines under the title: what was not checked, and why.
	Notes []string
	// Version names the program.
	Version string
}

// Write writes the page. Its policy allows the browser nothing but the styles and the script in it. It returns an error
// only where w does.
func (p *Page) Write(w io.Writer) error {
	sum := sha256.Sum256([]byte(viewJS))
	var b page
	b.add(markup(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-`), base64.StdEncoding.EncodeToString(sum[:]), markup(`'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width">
<meta name="generator" content="shapecheck `), p.Version, markup(`">
<title>`), p.Title, markup(`</title>
<style>`), markup(viewCSS), markup(`</style>
<h1>`), p.Title, markup("</h1>\n"))
	for _, n := range p.Notes {
		b.add(markup(`<p class="note">`), n, markup("</p>\n"))
	}
	if len(p.Entries) > 1 {
		b.overview(p.Entries)
	}
	for _, e := range p.Entries {
		b.add(markup(e.Section()))
	}
	for _, s := range p.Sections {
		b.add(markup(s)) // made by Section, which escapes
	}
	b.add(markup("<script>"), markup(viewJS), markup("</script>\n</html>\n"))
	_, err := io.WriteString(w, b.String())
	return err
}
