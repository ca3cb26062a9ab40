package lsp

// This file shows findings. A check gives findings by URI (view.diagnostics); the server keeps
// those of all documents and publishes, for each file, what all checks found in it. An editor may
// also ask for them.

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
// through the document is shown there, too. Findings in the prelude, or in texts that are no files,
// are not shown.
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
	// Fixes that change other files are left out.
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
	// It is computed when the user asks for it.
	x.ignored = func() (string, bool) {
		texts, left := suppress.Annotate(files, []*diag.Diagnostic{d}, func(g *source.File) bool { return g == f })
		if len(left) > 0 || len(texts) == 0 {
			return "", false
		}
		return texts[0].Text, true
	}
	v.findings = append(v.findings, x)
}

// atEachPlace are findings as an editor shows them: the first of a cause as it is, and those at its other places as information that
// leads there. Each place of a cause has a diagnostic, but only the first counts.
func atEachPlace(list []*diag.Diagnostic) []*diag.Diagnostic {
	type codeAt struct {
		code diag.Code
		at   source.Span
	}
	of := map[codeAt]*diag.Diagnostic{}
	out := slices.Clone(list)
	causes, first := diag.FirstOfCauses(list)
	for i, d := range causes {
		if len(d.Also) == 0 {
			continue
		}
		x := *list[first[i]]
		x.Severity, x.Related = d.Severity, slices.Clone(x.Related)
		for _, also := range d.Also {
			of[codeAt{d.Code, also.At}] = d
			x.Related = append(x.Related, diag.Related{At: also.At, Msg: "also here: " + also.Msg})
		}
		out[first[i]] = &x
	}
	for i, d := range out {
		if cause := of[codeAt{d.Code, d.At}]; cause != nil {
			x := *d
			x.Severity, x.Msg = diag.Info, "the same cause: "+d.Msg
			x.Related = append([]diag.Related{{At: cause.At, Msg: "first found here: " + cause.Msg}}, d.Related...)
			out[i] = &x
		}
	}
	return out
}

// through is where the trail of a finding of another file comes through the document: the innermost
// call, or the first line that made a size where no call is told; nil: nowhere. The trail is
// d.Related.
func (c *checking) through(files *source.FileSet, d *diag.Diagnostic) *diag.Related {
	var first *diag.Related
	for i := range d.Related { // calls innermost first
		switch r := &d.Related[i]; {
		case !c.isDocument(files.File(r.At.Start)):
		case r.Call:
			return r
		case first == nil:
			first = r
		}
	}
	return first
}

// unknowns keeps the causes of what a run does not know, as hints where no finding says it. They
// are only shown with the setting unknowns.
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

// place is a place of a file as the editor knows it. Another file has its own lines, which are
// counted anew.
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

// The character is in the encoding of the client.
func (c *checking) position(f *source.File, table lineTable, at source.Pos) position {
	line, col := table.at(f.Offset(at))
	return position{line, c.encoding.character(table.line(f.Text(), line), col)}
}

// diagnostic is a finding at a place of a file. Operands, notes and fixes become lines of the
// message, as editors show nothing else.
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
	for i := range d.Fixes {
		out.Message += "\n" + d.Fixes[i].Lead() + ": " + d.Fixes[i].Text()
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
// several checks find something in has all of it, once. nil: the document was closed. Files in
// which nothing is found any more are sent with an empty list. version is that of the document
// which was checked.
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
	// Messages are sent without the lock.
	s.mu.Unlock()
	for _, m := range messages {
		s.tell("textDocument/publishDiagnostics", m)
	}
}

// diagnosticsOf are the findings of all checks in a file, those of its own first; the caller has
// the lock. A finding of the same code and range is taken once.
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

// pullDiagnostics answers an editor that asks for findings instead of waiting for them. It is
// answered from what was found last, without a check.
func (s *Server) pullDiagnostics(_ context.Context, p *struct {
	TextDocument textDocument `json:"textDocument"`
}) (*fullReport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return &fullReport{Kind: "full", Items: s.diagnosticsOf(p.TextDocument.URI)}, nil
}
