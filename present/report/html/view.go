package html

// This file writes a section in tags.

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Section is the section in tags.
func (s *Entry) Section() string {
	var p page
	p.add(markup(`<section class="entry" id="`), s.ID, markup(`" data-symbols="`), strings.Join(s.Symbols, " "), markup("\">\n<h2><code>"),
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
	p.add(markup("<div class=\"sizes\" hidden></div>\n"))
	p.contract(s)
	if len(s.Totals) > 0 {
		p.add(markup("<dl class=\"totals\">\n"))
		for _, t := range s.Totals {
			p.add(markup("<dt>"), t.Name, markup(`<dd data-expr="`), t.Expr, markup(`" data-unit="`), t.Unit, markup(`">`), t.Text, markup("\n"))
		}
		p.add(markup("</dl>\n"))
	}
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

// link is a link to a line of the page, or its name where the page does not show it.
func (p *page) link(to, place string) {
	if to == "" {
		p.add(place)
		return
	}
	p.add(markup(`<a href="#`), to, markup(`">`), place, markup("</a>"))
}

// head is a finding in a line; place is empty where it stands under its line.
func (p *page) head(f *finding, place string) {
	p.add(markup(`<span class="code">`), f.Severity+" "+f.Code, markup("</span> "))
	if place != "" {
		p.link(f.Link, place)
		p.add(markup(" "))
	}
	p.add(markup(`<span class="message">`), f.Message, markup("</span>"))
}

func (p *page) contract(s *Entry) {
	if len(s.Contract) == 0 && !s.Never {
		return
	}
	p.add(markup("<h3>Holds when</h3>\n<table class=\"contract\">\n"))
	if s.Never {
		p.add(markup("<tr><td>never: the conditions contradict each other\n"))
	}
	for _, c := range s.Contract {
		p.add(markup(`<tr data-cond="`), c.Condition, markup(`"><td><code>`), c.Condition, markup(`</code><td class="because">`))
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
		p.add(markup(` <span class="amount macs" data-expr="`), a.Expr, markup(`">`), a.Text, markup("</span>"))
	}
}

func (p *page) file(s *Entry, f *file) {
	p.add(markup(`<details class="source"`+when(f.Open, " open")+"><summary>"), f.Name, markup("</summary>\n<div class=\"code\">\n"))
	for i := range f.Lines {
		l := &f.Lines[i]
		if l.Head != "" {
			p.add(markup(`<div class="cell">`), l.Head, markup("</div>"))
		}
		if l.Gap {
			p.add(markup(`<div class="gap">⋮</div>`))
		}
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

// code is a line of source.
func (p *page) code(list []piece) {
	for _, x := range list {
		if slices.Contains(kinds[:], x.Kind) && x.Kind != "" {
			p.add(markup("<b class="+x.Kind+">"), x.Text, markup("</b>"))
		} else {
			p.add(x.Text)
		}
	}
}

// when is a text under a condition.
func when(c bool, text markup) markup {
	if c {
		return text
	}
	return ""
}
