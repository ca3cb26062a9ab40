package html

// This file writes a section in tags. A page is made of values that are escaped when they are
// added: p.add takes texts, which it escapes, and markup, which it does not. Nothing else may be
// written, so that a name from the checked program cannot become a tag. The script of the page
// reads the data- attributes: data-expr has an expression in the symbols of the entry, which it
// evaluates for the sizes that the reader chooses, and data-cond a condition.

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Section is the section in tags. The order is: the entry with its result, findings, the sliders of
// sizes (which the script fills), the contract, totals, memory, modules, what is unknown, branches
// that were not taken, the command of an export, and the sources with types.
func (s *Entry) Section() string {
	var p page
	p.add(markup(`<section class="entry" id="`), s.ID, markup(`" data-symbols="`), strings.Join(s.Symbols, " "), markup(`" data-example="`), s.example(), markup("\">\n<h2><code>"),
		s.Entry, markup("</code>"))
	if s.Output != "" {
		p.add(markup(` → <code class="type">`), s.Output, markup("</code>"))
	}
	p.add(markup("</h2>\n<p class=\"tally\">"), s.Tally, markup("</p>\n"))
	if len(s.Findings) > 0 {
		p.add(markup("<ul class=\"findings\">\n"))
		for _, f := range s.Findings {
			p.add(markup(`<li class="`), f.Severity, markup(`">`))
			p.head(&f, f.Place)
			p.add(markup("\n"))
		}
		p.add(markup("</ul>\n"))
	}
	// It stays hidden without a script.
	p.add(markup("<div class=\"sizes\" hidden></div>\n"))
	p.contract(s)
	if len(s.Totals) > 0 {
		p.add(markup("<dl class=\"totals\">\n"))
		for _, t := range s.Totals {
			p.add(markup("<dt>"), t.Name, markup(`<dd data-expr="`), t.Expr, markup(`" data-unit="`), t.Unit, markup(`">`))
			p.formula(t.Text)
			p.add(markup("\n"))
		}
		p.add(markup("</dl>\n"))
	}
	// Moments are the memory over the run, which the script draws.
	if s.Moments != nil {
		data, err := json.Marshal(s.Moments) // escapes <, > and &
		if err != nil {                      // texts and numbers have JSON
			panic(err)
		}
		p.add(markup(`<figure class="memory" hidden><figcaption>Memory of activations over the run</figcaption><script type="application/json">`), markup(data), markup("</script></figure>\n"))
	}
	if len(s.Tree) > 0 {
		p.add(markup("<h3>Modules</h3>\n<div class=\"tree\">"))
		p.nodes(s.Tree)
		p.add(markup("</div>\n"))
	}
	if len(s.Unknown) > 0 {
		p.add(markup("<h3>Unknown</h3>\n<ul class=\"unknown\">\n"))
		for _, u := range s.Unknown {
			p.add(markup("<li>"), u.File+":"+strconv.Itoa(u.Line)+": "+u.Reason)
			if u.Values > 0 {
				p.add(markup(` <span class="count">`), strconv.Itoa(u.Values)+" values", markup("</span>"))
			}
			p.add(markup("\n"))
		}
		p.add(markup("</ul>\n"))
	}
	if len(s.Untaken) > 0 {
		p.add(markup("<h3>Not taken</h3>\n<ul class=\"untaken\">\n"))
		for _, b := range s.Untaken {
			p.add(markup("<li>"))
			p.link(b.Link, b.Place)
			p.add(markup(" <code>"), b.Test, markup("</code>\n"))
		}
		p.add(markup("</ul>\n"))
	}
	if s.Export != "" {
		p.add(markup("<h3>Model</h3>\n<p class=\"export\"><code>"), s.Export,
			markup("</code><br>writes it as ONNX; Netron shows the graph of the file.</p>\n"))
	}
	p.add(markup("<h3>Source</h3>\n"))
	for _, f := range s.Files {
		p.file(s, f)
	}
	p.add(markup("</section>\n"))
	return p.String()
}

// example are the sizes with which the page starts: "B=1 H=224". In alphabetical order of the
// symbols.
func (s *Entry) example() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(s.Example)) {
		parts = append(parts, name+"="+strconv.FormatInt(s.Example[name], 10))
	}
	return strings.Join(parts, " ")
}

// link is a link to a line of the page, or its name where the page does not show it. to is the id
// of an element.
func (p *page) link(to, place string) {
	if to == "" {
		p.add(place)
		return
	}
	p.add(markup(`<a href="#`), to, markup(`">`), place, markup("</a>"))
}

// head is a finding in a line; place is empty where it stands under its line. The message is a
// link's neighbour rather than a part of it, so that it can be selected.
func (p *page) head(f *finding, place string) {
	p.add(markup(`<span class="code">`), f.Severity+" "+f.Code, markup("</span> "))
	if place != "" {
		p.link(f.Link, place)
		p.add(markup(" "))
	}
	p.add(markup(`<span class="message">`), f.Message, markup("</span>"))
}

// Without conditions the section is left out. Never stands where the conditions contradict each
// other.
func (p *page) contract(s *Entry) {
	if len(s.Contract) == 0 && !s.Never {
		return
	}
	p.add(markup("<h3>Holds when</h3>\n<table class=\"contract\">\n"))
	if s.Never {
		p.add(markup("<tr><td>never: the conditions contradict each other\n"))
	}
	// Conditions of the training alone are marked, since the reader may leave them out.
	for _, c := range s.Contract {
		p.add(markup(`<tr`+when(c.Training, ` data-training`)+` data-cond="`), c.Condition, markup(`"><td><code>`), c.Condition, markup(`</code><td class="because">`))
		for i, b := range c.Because {
			if i > 0 {
				p.add(markup("<br>"))
			}
			p.add(b)
		}
		p.add(markup("\n"))
	}
	p.add(markup("</table>\n"))
}

// Modules without others in them do not unfold.
func (p *page) nodes(list []node) {
	for i := range list {
		n := &list[i]
		if len(n.Children) == 0 {
			p.add(markup(`<div class="leaf">`))
			p.node(n)
			p.add(markup("</div>"))
			continue
		}
		p.add(markup("<details" + when(n.Open, " open") + "><summary>"))
		p.node(n)
		p.add(markup("</summary>"))
		p.nodes(n.Children)
		p.add(markup("</details>"))
	}
}

// Parameters and multiply-adds are left out where they are not known.
func (p *page) node(n *node) {
	p.add(markup(`<span class="name">`))
	if n.Name != "" {
		p.add(n.Name + ": ")
	}
	p.add(markup("<b>"), n.Class, markup("</b></span>"))
	if n.Output != "" {
		p.add(markup(` <span class="io"><code class="type">`), n.Input, markup(`</code> → <code class="type">`), n.Output,
			markup("</code></span>"))
	}
	if a := n.Params; a != nil {
		p.add(markup(` <span class="amount params" data-expr="`), a.Expr, markup(`">`), a.Text, markup("</span>"))
	}
	if a := n.MultAdds; a != nil {
		p.add(markup(` <span class="amount macs" data-expr="`), a.Expr, markup(`">`))
		p.formula(a.Text)
		p.add(markup("</span>"))
	}
}

// Each line has its number as a link to itself, its type at the right, and below it the marks and
// the findings that are at it.
func (p *page) file(s *Entry, f *file) {
	p.add(markup(`<details class="source"`+when(f.Open, " open")+"><summary>"), f.Name, markup("</summary>\n<div class=\"code\">\n"))
	for i := range f.Lines {
		l := &f.Lines[i]
		// The head of a cell of a notebook.
		if l.Head != "" {
			p.add(markup(`<div class="cell">`), l.Head, markup("</div>"))
		}
		// Lines were left out here.
		if l.Gap {
			p.add(markup(`<div class="gap">⋮</div>`))
		}
		// The classes say: dim for lines that did not run, kept for those that must stay,
		// influenced for those that the chosen value comes from.
		p.add(markup(`<div class="line`+when(l.Dim, " dim")+when(l.Kept, " kept")+when(l.Influenced && !l.Kept && !l.Dim,
			" influenced")+`" id="`), l.ID, markup(`"><a class="number" href="#`), l.ID, markup(`">`), strconv.Itoa(l.Number), markup("</a><pre>"))
		p.code(l.Code)
		p.add(markup("</pre>"))
		if l.Type != "" {
			p.add(markup(`<code class="type`+when(l.Open, " unknown")+`">`), l.Type, markup("</code>"))
		}
		p.add(markup("</div>"))
		for _, m := range l.Marks {
			p.add(markup(`<div class="mark">`), m, markup("</div>"))
		}
		for _, i := range l.Findings {
			d := &s.Findings[i]
			p.add(markup(`<div class="finding `), d.Severity, markup(`">`))
			p.head(d, "")
			p.add(markup("<details><summary>how the sizes came about</summary><pre>"), d.Full, markup("</pre></details></div>"))
		}
		p.add(markup("\n"))
	}
	p.add(markup("</div></details>\n"))
}

// code is a line of source. Pieces have a kind for colours: keywords, texts, comments, numbers. A
// kind that is not in the list could come from a document that was read, and is not written.
func (p *page) code(list []piece) {
	for _, x := range list {
		if slices.Contains(kinds[:], x.Kind) && x.Kind != "" {
			p.add(markup("<b class="+x.Kind+">"), x.Text, markup("</b>"))
		} else {
			p.add(x.Text)
		}
	}
}

// when is a text under a condition. It keeps attributes that depend on a flag within one
// expression.
func when(c bool, text markup) markup {
	if c {
		return text
	}
	return ""
}
