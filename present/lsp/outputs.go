package lsp

// This file makes files of entries: a report, and an ONNX model. Both need runs of their own, since
// a view keeps only what the editor shows. Files are written whole or not at all.

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"shapecheck/check"
	"shapecheck/check/export"
	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/version"
	"shapecheck/present/report/html"
)

// Commands that make files. Their arguments are the URI of a document and the name of an entry; without a name, or with
// an empty one, the report has all entries, and the model is the first one's. The third argument of the export, if there
// is one, is the path of the file.
const (
	commandReport = "shapecheck.showReport"
	commandExport = "shapecheck.exportOnnx"
)

// sessionOf is what checks entries of a document as the editor has it. The caller has the lock. All
// open documents are laid over the disk, with the texts that they would have when saved.
func (s *Server) sessionOf(d *document) *check.Session {
	texts := map[string]string{}
	for _, o := range s.docs {
		texts[o.path] = o.stored()
	}
	return &check.Session{FS: reads.NewOverlay(rooted{s.rootOf(d.path)}, texts), Environment: s.options.Environment,
		Limits: s.options.Limits, Keep: check.KeepValues}
}

// targetsOf are the targets of the entries with a name, of all where it is empty. Several entries
// may have the same name, as of one function with several comments.
func (v *view) targetsOf(name string) []*check.Target {
	if name == "" {
		return v.runs
	}
	var out []*check.Target
	for i := range v.entries {
		if v.entries[i].name == name {
			out = append(out, v.entries[i].target)
		}
	}
	return out
}

// ready gives a session and the targets of a command's entries. The lock is the caller's. It
// returns an error for a document without a check, and for a name that no entry has.
func (s *Server) ready(uri, name string) (*document, *check.Session, []*check.Target, error) {
	d, v := s.docs[uri], s.views[uri]
	if d == nil || v == nil {
		return nil, nil, nil, fmt.Errorf("%s was not checked yet", baseOf(uri))
	}
	targets := v.targetsOf(name)
	if len(targets) == 0 {
		return nil, nil, nil, fmt.Errorf("%s: there is no entry %s", baseOf(uri), name)
	}
	return d, s.sessionOf(d), targets, nil
}

// showReport writes a page on entries and has the editor open it. It returns an error where an
// entry cannot be run or the file not be written. A client that cannot show files is told its path.
func (s *Server) showReport(ctx context.Context, uri, name string) error {
	s.mu.Lock()
	d, session, targets, err := s.ready(uri, name)
	can := s.client.Capabilities.Window.ShowDocument.Support
	s.mu.Unlock()
	if err != nil {
		return err
	}
	page := html.Page{Title: filepath.Base(d.path), Version: version.String()}
	for _, t := range targets {
		r, err := session.Check(ctx, t)
		if err != nil {
			return err
		}
		page.Sections = append(page.Sections, html.Section(r.Result, session.ExportCommand(r)))
	}
	var b bytes.Buffer
	if err := page.Write(&b); err != nil {
		return err
	}
	file, err := s.temporary(strings.TrimSuffix(filepath.Base(d.path), filepath.Ext(d.path)) + ".html")
	if err != nil {
		return err
	}
	if err := atomicfile.Write(file, b.Bytes()); err != nil {
		return err
	}
	if !can {
		s.message("The report is " + file)
		return nil
	}
	go s.ask("window/showDocument", map[string]any{"uri": uriOf(file), "external": true, "takeFocus": true})
	return nil
}

// temporary is the path of a file that lives as long as the server. Its folder is made at the first
// call and removed when the server ends.
func (s *Server) temporary(name string) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == "" {
		dir, err := atomicfile.Folder()
		if err != nil {
			return "", err
		}
		s.made = dir
	}
	return filepath.Join(s.made, name), nil
}

// exportOnnx writes the model of an entry, beside its file where no path is given; a file that is there already is replaced
// only where it is named. It returns an error where the path is relative or cannot be written, the
// entry is a script, or the model cannot be exported.
func (s *Server) exportOnnx(ctx context.Context, uri, name, path string) error {
	s.mu.Lock()
	d, session, targets, err := s.ready(uri, name)
	s.mu.Unlock()
	if err != nil {
		return err
	}
	if path == "" {
		path = strings.TrimSuffix(d.path, filepath.Ext(d.path)) + ".onnx"
		// Any answer but "does not exist" counts as there.
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s is there already; give the path of the file to write", path)
		}
	} else if !filepath.IsAbs(path) {
		return fmt.Errorf("%s: the path must be absolute", path)
	}
	if err := atomicfile.Check(path); err != nil {
		return err
	}
	t := *targets[0]
	if t.How == check.AsScript {
		return fmt.Errorf("%s: a script is no model", baseOf(uri))
	}
	x, err := export.Entry(ctx, session, &t, export.Options{Version: version.String()})
	if err != nil {
		return err
	}
	if x.Model == nil {
		return fmt.Errorf("%s is not exported: %s", t.Run.Entry, refusal(x))
	}
	if err := export.Save(path, x.Model, false); err != nil {
		return err
	}
	s.message(fmt.Sprintf("Wrote %s: opset %d, %d nodes", path, x.Model.Opset(""), len(x.Model.Graph.Nodes)))
	return nil
}

// refusal is the first reason why there is no model, and how many there are besides. Errors aside are about other top-level code, and do not prevent a model.
func refusal(x *export.Result) string {
	if x.Exceeded {
		return "the run ended at a limit"
	}
	first, n := "", 0
	for _, d := range x.Diagnostics {
		if d.Severity != diag.Error || d.Aside {
			continue
		}
		if n++; n == 1 {
			first = fmt.Sprintf("%s: %s: %s", x.Files.Position(d.At.Start).Place(), d.Code, d.Msg)
		}
	}
	switch {
	case n == 0:
		return "a loop is not alike in its iterations"
	case n > 1:
		first += fmt.Sprintf(" (and %d more)", n-1)
	}
	return first
}

// message shows a line to who uses the editor. 3 is the type of information in the protocol.
func (s *Server) message(text string) {
	s.tell("window/showMessage", map[string]any{"type": 3, "message": text})
}

// stringArgument is an argument of a command; empty where it is missing or null. It returns an
// error for an argument of another type.
func stringArgument(p *executeCommand, i int) (string, error) {
	var out *string
	if i >= len(p.Arguments) {
		return "", nil
	}
	if err := json.Unmarshal(p.Arguments[i], &out); err != nil {
		return "", fmt.Errorf("%s: argument %d is no text", p.Command, i+1)
	}
	if out == nil {
		return "", nil
	}
	return *out, nil
}
