package mcp

// This file has the tools. A tool takes a JSON object and gives a text for a language model. Files
// are only those below the server's folder, and none is written: an edit is checked in an overlay.
// An error that a tool returns is shown to the model as the tool's result, so its text must say
// what to do otherwise.

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/present/changes"
	"shapecheck/present/lsp"
	"shapecheck/present/render/agent"
	"shapecheck/project/config"
)

// A tool is what the client can call. Name, description and schema are what the client lists.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
	run         func(*Server, context.Context, *arguments) (string, error)
}

// arguments are those of all tools. Fields that a tool has not asked for are ignored. Lines and
// columns count from 1.
type arguments struct {
	Path, Old, New, Diff, Entry string
	Line, Column                int
	Args                        []string
}

// Parts of schemas that several tools have.
const (
	fileProperty  = `"path": {"type": "string", "description": "a Python file, relative to the folder of the server"}`
	entryProperty = `"entry": {"type": "string", "description": "what is run, such as Net(10)"},
 "args": {"type": "array", "items": {"type": "string"}, "description": "its arguments, such as x:f32[B,3,H,W] or n=3"}`
)

var toolTable = []tool{
	{"check_edit", "Tell which findings an edit adds, removes and keeps, and which contracts it changes. Nothing is written.",
		schema(fileProperty+`,
 "old": {"type": "string", "description": "a text that the file has once"}, "new": {"type": "string", "description": "what replaces it"},
 "diff": {"type": "string", "description": "instead of path, old and new: a unified diff"}`, ``), (*Server).checkEdit},
	{"explain", "Tell the types of a line, where their sizes come from, what the line needs, what is unknown, what is found.",
		schema(fileProperty+`, "line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}`, `"path", "line"`),
		(*Server).explain},
	{"contract", "Tell the result type and the conditions on the sizes of the entries of a file, or of one entry.",
		schema(fileProperty+", "+entryProperty, `"path"`), (*Server).contract},
	{"solve", "Find the numbers for each ? in an entry or its arguments, such as Net(hidden=?).",
		schema(fileProperty+", "+entryProperty, `"path", "entry", "args"`), (*Server).solve},
}

// properties are the members of the object, required their names with commas.
func schema(properties, required string) json.RawMessage {
	return json.RawMessage(`{"type": "object", "properties": {` + properties + `}, "required": [` + required + `]}`)
}

// file is a path as the session opens it, relative to the folder of the server, which is the working directory: below it.
func (s *Server) file(path string) (rel string, err error) {
	real, err := realPath(path)
	if err == nil {
		rel, err = filepath.Rel(s.root, real)
	}
	if err == nil && (!filepath.IsLocal(rel) || rel == ".") {
		err = fmt.Errorf("%s is not below the folder of the server", path)
	}
	return rel, err
}

// realPath is the absolute path without links. A file that does not exist is an error.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// session checks files with these texts over those of the disk, by absolute path. The configuration
// is that of the file's folder or of one above it.
func (s *Server) session(over map[string]string, file string) (*check.Session, error) {
	fsys := reads.NewOverlay(reads.Disk{}, over)
	x := &check.Session{FS: fsys, Cache: s.cache, Environment: s.Environment, Limits: s.Limits}
	name, err := config.Find(fsys, filepath.Dir(file))
	if err == nil && name != "" {
		x.Config, err = config.Read(fsys, name)
	}
	if x.Config != nil && !s.Timed {
		x.Limits.Timeout = x.Config.Limit(x.Limits.Timeout)
	}
	return x, err
}

// checked checks what is found in files. Discovery finds the entries of the files.
func (s *Server) checked(ctx context.Context, over map[string]string, files []string) (*check.Project, error) {
	x, err := s.session(over, files[0])
	if err != nil {
		return nil, err
	}
	return trial.CheckFiles(ctx, x, files, check.Unwatched{}, nil)
}

// Without a column the whole line is explained.
func (s *Server) explain(ctx context.Context, a *arguments) (string, error) {
	file, err := s.file(a.Path)
	if err != nil {
		return "", err
	}
	x, err := lsp.Explain(ctx, s.Options, file, a.Line, a.Column)
	if err != nil {
		return "", err
	}
	return x.Text(), nil
}

// The target has the entry and the arguments of the call.
func (s *Server) target(a *arguments) (*check.Session, *check.Target, error) {
	file, err := s.file(a.Path)
	if err != nil {
		return nil, nil, err
	}
	x, err := s.session(nil, file)
	if err != nil {
		return nil, nil, err
	}
	t := &check.Target{}
	t.Run.File, t.Run.Entry, t.Run.Args = file, a.Entry, a.Args
	t.Run.Roots, t.Run.Stubs = x.Roots(), x.Stubs()
	return x, t, nil
}

// Without an entry those of the file are discovered.
func (s *Server) contract(ctx context.Context, a *arguments) (string, error) {
	x, t, err := s.target(a)
	if err != nil {
		return "", err
	}
	p := &check.Project{}
	if a.Entry != "" || len(a.Args) > 0 {
		var r *check.Result
		if r, err = x.Check(ctx, t); err == nil {
			p.Entries = []check.Outcome{{Name: r.Entry, Result: r}}
		}
	} else {
		p, err = s.checked(ctx, nil, []string{t.Run.File})
	}
	if err != nil {
		return "", err
	}
	text := ""
	for i := range p.Entries {
		text += describeEntry(&p.Entries[i])
	}
	return cmp.Or(text, "no entry is found in the file; name one with its args\n"), nil
}

// describeEntry gives the inputs, the result and the conditions of an entry, and its errors. The
// findings stand below the conditions.
func describeEntry(x *check.Outcome) string {
	r := x.Result
	switch {
	case x.Err != nil:
		return x.Name + ": " + x.Err.Error() + "\n"
	case !r.Checked:
		return x.Name + ": not checked: " + r.WhyNot + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s → %s\n", x.Name, strings.Join(r.Target.Run.Args, ", "), cmp.Or(r.OutputType, "?"))
	for _, c := range r.Conditions() {
		fmt.Fprintf(&b, "  holds when %s\n", c)
	}
	_ = agent.Print(&b, r.Files, r.Diagnostics) // a builder has no faults
	return b.String()
}

// An error says that no numbers were found, or that no ? is there.
func (s *Server) solve(ctx context.Context, a *arguments) (string, error) {
	x, t, err := s.target(a)
	if err != nil {
		return "", err
	}
	solution, err := x.Solve(ctx, t)
	if err != nil {
		return "", err
	}
	return solution.Text(), nil
}

// checkEdit checks files before and after an edit and says what is different. Both runs have the
// same files; the edit may be given as texts or as a diff.
func (s *Server) checkEdit(ctx context.Context, a *arguments) (string, error) {
	after, files, err := s.edited(a)
	if err != nil {
		return "", err
	}
	old, err := s.checked(ctx, nil, files)
	if err != nil {
		return "", err
	}
	now, err := s.checked(ctx, after, files)
	if err != nil {
		return "", err
	}
	e := changes.OfEdit(old, now)
	var b strings.Builder
	added, removed, kept := diag.Causes(e.Added), diag.Causes(e.Removed), diag.Causes(e.Kept)
	fmt.Fprintf(&b, "%d findings added, %d removed, %d kept\n", len(added), len(removed), len(kept))
	list := func(title string, p *check.Project, list []*diag.Diagnostic) {
		for _, d := range list {
			fmt.Fprintf(&b, "%s: %s", title, agent.Finding(p.Files, d))
		}
	}
	list("added", now, added)
	list("removed", old, removed)
	list("kept", now, kept)
	for _, x := range e.Entries {
		fmt.Fprintf(&b, "%s\n  before %s\n  after  %s\n", x.Name, cmp.Or(x.Old, "no entry"), cmp.Or(x.New, "no entry"))
	}
	return b.String(), nil
}
