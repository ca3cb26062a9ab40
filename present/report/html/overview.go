package html

// This file writes the overview of a page with several entries: one row for each, with a link to its section.

import (
	"fmt"
	"strconv"
	"strings"
)

// maxOverview bounds the text of a cell, in characters: what is longer stands in the section.
const maxOverview = 100

// overview writes the table of all entries. Those without a state, as of programs in a notebook, have no mark.
func (p *page) overview(list []*Entry) {
	count, order := map[string]int{}, []string{}
	for _, e := range list {
		if e.State == "" {
			continue
		}
		if count[e.State] == 0 {
			order = append(order, e.State)
		}
		count[e.State]++
	}
	var parts []string
	for _, s := range order {
		text := strconv.Itoa(count[s]) + " " + s
		if s == "findings" {
			text = strconv.Itoa(count[s]) + " with findings"
		}
		parts = append(parts, text)
	}
	p.add(markup("<nav>\n<p class=\"tally\">"), fmt.Sprintf("%d entries: %s", len(list), strings.Join(parts, ", ")), markup("</p>\n<table class=\"overview\">\n"))
	file := ""
	for _, e := range list {
		if e.File != file {
			file = e.File
			p.add(markup(`<tr><th colspan="4">`), file, markup("</th></tr>\n"))
		}
		p.add(markup(`<tr><td class="state" data-state="`), e.State, markup(`" title="`), e.State, markup(`"><td><a href="#`), e.ID, markup(`"><code>`),
			shortened(e.Entry), markup(`</code></a><td><code class="type">`), shortened(e.Output), markup("</code><td>"))
		var conditions []string
		for _, c := range e.Contract {
			if !c.Training {
				conditions = append(conditions, c.Condition)
			}
		}
		p.add(markup("<code>"), shortened(strings.Join(conditions, "; ")), markup("</code>"))
		for _, severity := range [...]string{"error", "warning"} {
			n := 0
			for _, f := range e.Findings {
				if f.Severity == severity {
					n++
				}
			}
			if n > 0 {
				p.add(markup(` <span class="`), severity, markup(`">`), counted(n, severity), markup("</span>"))
			}
		}
		p.add(markup("\n"))
	}
	p.add(markup("</table>\n</nav>\n"))
}

// counted is a number with a noun.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// shortened is a text that fits in a cell.
func shortened(text string) string {
	if r := []rune(text); len(r) > maxOverview {
		return string(r[:maxOverview-1]) + "…"
	}
	return text
}

// formula adds an amount in symbols. A long one is shortened, with the whole of it where the pointer rests.
func (p *page) formula(text string) {
	if s := shortened(text); s != text {
		p.add(markup(`<span title="`), text, markup(`">`), s, markup("</span>"))
		return
	}
	p.add(text)
}
