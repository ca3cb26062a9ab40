// Package html shows results as a page: the source with a type beside each line and findings
// under their lines, the contract, the modules, the memory over the run. The page is one file
// that asks for nothing from anywhere; without scripts it has all but what moves: sliders that
// put numbers for the symbols into every type, condition and amount, and the plot.
//
//	html.go     the page        section.go  what is shown of an entry
//	source.go   its source      tree.go     its modules and amounts
//
// view.html, view.css and view.js are the page's parts. The playground shows the same sections.
package html

// This file puts the page together.

import (
	"crypto/sha256"
	_ "embed" // the parts
	"encoding/base64"
	"html/template"
	"io"
)

//go:embed view.html
var viewHTML string

//go:embed view.css
var viewCSS string

//go:embed view.js
var viewJS string

var views = template.Must(template.New("view").Parse(viewHTML))

// Style and Script are what sections need in a page of another making.
func Style() string  { return viewCSS }
func Script() string { return viewJS }

// A Page is what a file of HTML shows.
type Page struct {
	Title string
	// Sections are those that Section made.
	Sections []string
	// Notes are lines under the title: what was not checked, and why.
	Notes []string
	// Version names the program.
	Version string
}

// Write writes the page. Its policy allows the browser nothing but the styles and the script in it.
func (p *Page) Write(w io.Writer) error {
	sum := sha256.Sum256([]byte(viewJS))
	list := make([]template.HTML, len(p.Sections))
	for i, s := range p.Sections {
		list[i] = template.HTML(s) // made by Section, which escapes
	}
	return views.ExecuteTemplate(w, "page", map[string]any{
		"Page": p, "Sections": list, "CSS": template.CSS(viewCSS), "JS": template.JS(viewJS), "Hash": base64.StdEncoding.EncodeToString(sum[:]),
	})
}
