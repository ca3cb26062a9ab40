package cli

// This file prints results as a page: --output-format html=report.html.

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/version"
	"shapecheck/present/report"
	"shapecheck/present/report/html"
)

// wantsPage reports whether an output is a page. That shows values and graphs of results, which no
// cache keeps.
func wantsPage(outs []output) bool {
	return slices.ContainsFunc(outs, func(o output) bool { return o.format == "html" })
}

// keeps is what outputs need of results.
func (a *app) keeps(outs []output) check.Keep {
	out := check.KeepFindings
	for _, o := range outs {
		switch o.format {
		case "html":
			return check.KeepValues
		case "json":
			if a.jsonVersion == record.OldVersion {
				return check.KeepValues
			}
			out = check.KeepDocuments
		}
	}
	return out
}

// keepsValues reports whether an output is made of all that a run knows, which no cache has.
func (a *app) keepsValues(outs []output) bool { return a.keeps(outs) == check.KeepValues }

// A pagePart is an entry on the page.
type pagePart struct {
	name, fault string      // fault is empty where it could be run
	page        *html.Entry // else
}

// pageOf gives what a page shows of outcomes, with marks beside the source; an export makes those of a session again, which is
// nil where it does not.
func pageOf(outcomes []check.Outcome, s *check.Session, marks ...report.Mark) func() []pagePart {
	return func() []pagePart {
		var out []pagePart
		for i := range outcomes {
			x := &outcomes[i]
			if x.Err != nil {
				out = append(out, pagePart{name: x.Name, fault: x.Err.Error()})
				continue
			}
			if x.Result.File == nil && x.State() == check.NotChecked { // nothing ran: the note of the entry says why
				continue
			}
			out = append(out, pagePart{name: x.Name, page: entryPage(x, s, marks...)})
		}
		return out
	}
}

// entryPage is what a page shows of the result of an entry.
func entryPage(x *check.Outcome, s *check.Session, marks ...report.Mark) *html.Entry {
	export := ""
	if s != nil {
		export = s.ExportCommand(x.Result)
	}
	page := html.Of(x.Result.Result, export, marks...)
	page.State = x.State().String()
	if f := x.Result.File; f != nil {
		page.File = filepath.ToSlash(f.Label())
	}
	return page
}

// html writes the page.
func (f *findings) html(w io.Writer) error {
	p := html.Page{Title: "shapecheck", Version: version.String()}
	for _, x := range f.page() {
		if x.page == nil {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: %s", filepath.ToSlash(x.name), x.fault))
			continue
		}
		p.Entries = append(p.Entries, x.page)
	}
	for _, u := range f.unchecked {
		switch {
		case u.Entry != "" && u.Why != "":
			p.Notes = append(p.Notes, fmt.Sprintf("not checked: %s: %s", u.Entry, u.Why))
		case u.Why != "":
			p.Notes = append(p.Notes, u.String())
		}
	}
	return p.Write(w)
}
