package lsp

// This file shows findings.

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/project/suppress"
)

// finding keeps one finding under the file that it is about; one of another file whose trail comes
// through the document is shown there, too.
func (c *checking) finding(v *view, files *source.FileSet, d *diag.Diagnostic) {
	f := files.File(d.At.Start)
	if f == nil || f.Prelude || strings.HasPrefix(f.Name, "<") {
		return
	}
	shown := c.diagnostic(files, f, d.At, d)
	uri, _ := c.place(f, d.At)
	v.diagnostics[uri] = append(v.diagnostics[uri], shown)
	if !c.isDocument(f) {
		if r := c.through(files, d); r != nil {
			at := files.File(r.At.Start)
			there := c.diagnostic(files, at, r.At, d)
			there.RelatedInformation = append([]relatedLocation{{location{uri, shown.Range}, "found here"}}, there.RelatedInformation...)
			here, _ := c.place(at, r.At)
			v.diagnostics[here] = append(v.diagnostics[here], there)
		}
		return
	}
	x := finding{start: f.Offset(d.At.Start), end: f.Offset(d.At.End), shown: shown}
	for _, fix := range d.Fixes {
		one := fixed{title: fix.Title, safe: fix.Safe}
		for _, e := range fix.Edits {
			if files.File(e.At.Start) != f {
				one.edits = nil
				break
			}
			one.edits = append(one.edits, edit{f.Offset(e.At.Start), f.Offset(e.At.End), e.NewText})
		}
		if len(one.edits) > 0 {
			x.fixes = append(x.fixes, one)
		}
	}
	x.ignored = func() (string, bool) {
		texts, left := suppress.Annotate(files, []*diag.Diagnostic{d}, func(g *source.File) bool { return g == f })
		if len(left) > 0 || len(texts) == 0 {
			return "", false
		}
		return texts[0].Text, true
	}
	v.findings = append(v.findings, x)
}

// through is where the trail of a finding of another file comes through the document: the innermost
// call, or the first line that made a size where no call is told; nil: nowhere.
func (c *checking) through(files *source.FileSet, d *diag.Diagnostic) *diag.Related {
	var first *diag.Related
	for i := range d.Related { // calls innermost first
		switch r := &d.Related[i]; {
		case !c.isDocument(files.File(r.At.Start)):
		case r.Msg == diag.CalledFrom:
			return r
		case first == nil:
			first = r
		}
	}
	return first
}

// unknowns keeps the causes of what a run does not know, as hints where no finding says it.
func (c *checking) unknowns(v *view, r *check.Result) {
	for _, cause := range slices.Concat(r.Unknown, r.OutputLost) {
		f := r.Files.File(cause.At.Start)
		if !c.isDocument(f) || slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.At == cause.At }) {
			continue // it is a finding
		}
		shown := c.diagnostic(r.Files, f, cause.At, diag.New(diag.UnknownValue, cause.At, "not known: "+cause.Reason, cause.Reason))
		shown.Severity = severityHint
		uri, _ := c.place(f, cause.At)
		if !slices.ContainsFunc(v.diagnostics[uri], func(d diagnostic) bool { return d.Range == shown.Range && d.Message == shown.Message }) {
			v.diagnostics[uri] = append(v.diagnostics[uri], shown)
		}
	}
}

// place is a place of a file as the editor knows it.
func (c *checking) place(f *source.File, at source.Span) (uri string, r textRange) {
	if !c.isDocument(f) {
		table := linesOf(f.Text())
		return uriOf(c.abs(f)), textRange{c.position(f, table, at.Start), c.position(f, table, at.End)}
	}
	table := c.document.lines
	r = textRange{c.position(f, table, at.Start), c.position(f, table, at.End)}
	if uri, r, ok := c.document.outside(r); ok {
		return uri, r
	}
	return c.document.uri, r
}

func (c *checking) position(f *source.File, table lineTable, at source.Pos) position {
	line, col := table.at(f.Offset(at))
	return position{line, c.encoding.character(table.line(f.Text(), line), col)}
}

// diagnostic is a finding at a place of a file.
func (c *checking) diagnostic(files *source.FileSet, f *source.File, at source.Span, d *diag.Diagnostic) diagnostic {
	_, where := c.place(f, at)
	out := diagnostic{
		Range: where, Code: string(d.Code), Source: "shapecheck", Message: d.Msg,
		Severity: map[diag.Severity]int{diag.Error: severityError, diag.Warning: severityWarning}[d.Severity],
	}
	if out.Severity == 0 {
		out.Severity = severityInformation
	}
	if d.Count > 1 {
		out.Message += fmt.Sprintf(" (%d times)", d.Count)
	}
	for _, o := range d.Operands {
		out.Message += "\n" + strings.TrimSpace(o.Name+"  "+o.Type)
	}
	for _, n := range d.Notes {
		out.Message += "\nnote: " + n
	}
	for _, x := range d.Fixes {
		out.Message += "\nfix: " + x.Title
	}
	for _, r := range d.Related {
		if g := files.File(r.At.Start); g != nil && !g.Prelude && !strings.HasPrefix(g.Name, "<") {
			uri, there := c.place(g, r.At)
			out.RelatedInformation = append(out.RelatedInformation, relatedLocation{location{uri, there}, r.Msg})
		}
	}
	return out
}

// publish shows the findings of one document's check instead of those of its last one. A file that
// several checks find something in has all of it, once. nil: the document was closed.
func (s *Server) publish(owner string, now map[string][]diagnostic, version int) {
	s.mu.Lock()
	before := s.shown[owner]
	s.shown[owner], s.versions[owner] = now, version
	if now == nil {
		delete(s.shown, owner)
		delete(s.versions, owner)
	}
	var changed []string
	for uri := range now {
		changed = append(changed, uri)
	}
	for uri := range before {
		if _, ok := now[uri]; !ok {
			changed = append(changed, uri)
		}
	}
	slices.Sort(changed)
	var messages []publishDiagnostics
	for _, uri := range changed {
		m := publishDiagnostics{URI: uri, Diagnostics: s.diagnosticsOf(uri)}
		if s.docs[uri] != nil {
			if n, ok := s.versions[uri]; ok {
				m.Version = &n
			}
		}
		messages = append(messages, m)
	}
	s.mu.Unlock()
	for _, m := range messages {
		s.tell("textDocument/publishDiagnostics", m)
	}
}

// diagnosticsOf are the findings of all checks in a file, those of its own first; the caller has
// the lock.
func (s *Server) diagnosticsOf(uri string) []diagnostic {
	out := []diagnostic{}
	owners := []string{uri}
	for _, o := range slices.Sorted(maps.Keys(s.shown)) {
		if o != uri {
			owners = append(owners, o)
		}
	}
	for _, o := range owners {
		for _, d := range s.shown[o][uri] {
			if !slices.ContainsFunc(out, func(x diagnostic) bool { return x.Range == d.Range && x.Code == d.Code }) {
				out = append(out, d)
			}
		}
	}
	return out
}

// pullDiagnostics answers an editor that asks for findings instead of waiting for them.
func (s *Server) pullDiagnostics(_ context.Context, p *struct {
	TextDocument textDocument `json:"textDocument"`
}) (*fullReport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &fullReport{Kind: "full", Items: s.diagnosticsOf(p.TextDocument.URI)}, nil
}
