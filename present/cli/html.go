package cli

// This file prints results as a page: --output-format html=report.html.

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"shapecheck/check"
	"shapecheck/internal/version"
	"shapecheck/present/report/html"
)

// wantsPage reports whether an output is a page. That shows values and graphs of results, which no
// cache keeps.
func wantsPage(outs []output) bool {
	return slices.ContainsFunc(outs, func(o output) bool { return o.format == "html" })
}

// keeps is what outputs need of results.
func keeps(outs []output) check.Keep {
	out := check.KeepFindings
	for _, o := range outs {
		switch o.format {
		case "html":
			return check.KeepValues
		case "json":
			out = check.KeepDocuments
		}
	}
	return out
}

// html writes the page.
func (f *findings) html(w io.Writer) error {
	if f.outcomes == nil {
		return errors.New("--output-format html: a page needs the results themselves; this command has what they said")
	}
	p := html.Page{Title: "shapecheck", Version: version.String()}
	for _, x := range f.outcomes() {
		if x.Err != nil {
			p.Notes = append(p.Notes, fmt.Sprintf("%s: %v", filepath.ToSlash(x.Name), x.Err))
			continue
		}
		export := ""
		if f.session != nil {
			export = f.session.ExportCommand(x.Result)
		}
		p.Sections = append(p.Sections, html.Section(x.Result.Result, export, f.marks...))
	}
	for _, u := range f.unchecked {
		if len(u.Skipped) > 0 {
			p.Notes = append(p.Notes, u.Why)
		}
		if u.Entry != "" && u.Why != "" {
			p.Notes = append(p.Notes, fmt.Sprintf("not checked: %s: %s", u.Entry, u.Why))
		}
	}
	return p.Write(w)
}
