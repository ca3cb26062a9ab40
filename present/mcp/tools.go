package mcp

// This file has the tools.

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
	"shapecheck/internal/source"
	"shapecheck/present/changes"
	"shapecheck/present/lsp"
	"shapecheck/present/render/agent"
	"shapecheck/project/config"
)

// A tool is what the client can call.
type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Schema      json.RawMessage `json:"inputSchema"`
	run         runTool
}

type runTool func(*Server, context.Context, *arguments) (string, error)

// arguments are those of all tools.
type arguments struct {
	Path, Old, New, Diff, Entry string
	Line, Column                int
	Args                        []string
}

const (
	fileProperty  = `"path": {"type": "string", "description": "a Python file, relative to the folder of the server"}`
	entryProperty = `"entry": {"type": "string", "description": "what is run, such as Net(10)"},
 "args": {"type": "array", "items": {"type": "string"}, "description": "its arguments, such as x:f32[B,3,H,W] or n=3"}`
)

var toolTable = []tool{
	{"check_edit", "Tell which findings an edit adds, removes and keeps, and which contracts it changes. Nothing is written.",
		schema(fileProperty + `,
 "old": {"type": "string", "description": "a text that the file has once"}, "new": {"type": "string", "description": "what replaces it"},
 "diff": {"type": "string", "description": "instead of path, old and new: a unified diff"}`), (*Server).checkEdit},
	{"explain", "Tell the types of a line, where their sizes come from, what the line needs, what is unknown, what is found.",
		schema(fileProperty+`, "line": {"type": "integer", "minimum": 1}, "column": {"type": "integer", "minimum": 1}`, "path", "line"),
		(*Server).explain},
	{"contract", "Tell the result type and the conditions on the sizes of the entries of a file, or of one entry.",
		schema(fileProperty+", "+entryProperty, "path"), (*Server).contract},
	{"solve", "Find the numbers for each ? in an entry or its arguments, such as Net(hidden=?).",
		schema(fileProperty+", "+entryProperty, "path", "entry", "args"), (*Server).solve},
}

func schema(properties string, required ...string) json.RawMessage {
	list, err := json.Marshal(append([]string{}, required...))
	if err != nil {
		panic(err) // texts have JSON
	}
	return json.RawMessage(`{"type": "object", "properties": {` + properties + `}, "required": ` + string(list) + `}`)
}

// file is a path as the session opens it, relative to the folder of the server, which is the working directory: below it.
func (s *Server) file(path string) (string, error) {
	real, err := realPath(path)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(s.root, real)
	if err != nil || !filepath.IsLocal(rel) || rel == "." {
		return "", fmt.Errorf("%s is not below the folder of the server", path)
	}
	return rel, nil
}

// realPath is the absolute path without links.
func realPath(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(abs)
}

// session checks files with these texts over those of the disk, by absolute path.
func (s *Server) session(over map[string]string, file string) (*check.Session, error) {
	fsys := reads.NewOverlay(reads.Disk{}, over)
	x := &check.Session{FS: fsys, Cache: s.cache, Environment: s.Environment, Limits: s.Limits, Keep: check.KeepValues}
	name, err := config.Find(fsys, filepath.Dir(file))
	if err != nil || name == "" {
		return x, err
	}
	if x.Config, err = config.Read(fsys, name); err != nil {
		return nil, err
	}
	if !s.Timed {
		x.Limits.Timeout = x.Config.Limit(x.Limits.Timeout)
	}
	return x, nil
}

// quiet tells nobody of entries.
type quiet struct{}

func (quiet) Begin(string) {}
func (quiet) End()         {}

// checked checks what is found in files.
func (s *Server) checked(ctx context.Context, over map[string]string, files []string) (*check.Project, error) {
	x, err := s.session(over, files[0])
	if err != nil {
		return nil, err
	}
	return trial.CheckFiles(ctx, x, files, quiet{}, nil)
}

func (s *Server) explain(ctx context.Context, a *arguments) (string, error) {
	file, err := s.file(a.Path)
	if err != nil {
		return "", err
	}
	x, err := lsp.Explain(ctx, lsp.Options{Environment: s.Environment, Limits: s.Limits, Timed: s.Timed}, file, a.Line, a.Column)
	if err != nil {
		return "", err
	}
	return x.Text(), nil
}

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
	if x.Config != nil {
		t.Run.Roots, t.Run.Stubs = x.Roots(), x.Stubs()
	}
	return x, t, nil
}

func (s *Server) contract(ctx context.Context, a *arguments) (string, error) {
	x, t, err := s.target(a)
	if err != nil {
		return "", err
	}
	if a.Entry != "" || len(a.Args) > 0 {
		r, err := x.Check(ctx, t)
		if err != nil {
			return "", err
		}
		return s.entry(&check.Outcome{Name: r.Entry, Result: r}), nil
	}
	p, err := s.checked(ctx, nil, []string{t.Run.File})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range p.Entries {
		b.WriteString(s.entry(&p.Entries[i]))
	}
	if len(p.Entries) == 0 {
		b.WriteString("no entry is found in the file; name one with its args\n")
	}
	return b.String(), nil
}

// entry is what is said of an entry: its inputs, result and conditions, and its errors.
func (s *Server) entry(x *check.Outcome) string {
	if x.Err != nil {
		return x.Name + ": " + x.Err.Error() + "\n"
	}
	r := x.Result
	if !r.Checked {
		return x.Name + ": not checked: " + r.WhyNot + "\n"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s → %s\n", x.Name, strings.Join(r.Target.Run.Args, ", "), cmp.Or(r.OutputType, "?"))
	for _, c := range r.Conditions() {
		fmt.Fprintf(&b, "  holds when %s\n", c)
	}
	for _, d := range r.Diagnostics {
		if d.Severity >= diag.Warning {
			b.WriteString(agent.Finding(r.Files, d, unverified))
		}
	}
	return b.String()
}

func unverified(*diag.Diagnostic, *diag.Fix) agent.Verdict { return agent.Verdict{} }

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

// checkEdit checks files before and after an edit and says what is different.
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
	fmt.Fprintf(&b, "%d findings added, %d removed, %d kept\n", len(e.Added), len(e.Removed), len(e.Kept))
	for _, part := range []struct {
		title string
		files *source.FileSet
		list  []*diag.Diagnostic
	}{{"added", now.Files, e.Added}, {"removed", old.Files, e.Removed}, {"kept", now.Files, e.Kept}} {
		for _, d := range part.list {
			fmt.Fprintf(&b, "%s: %s", part.title, agent.Finding(part.files, d, unverified))
		}
	}
	for _, x := range e.Entries {
		fmt.Fprintf(&b, "%s\n  before %s\n  after  %s\n", x.Name, cmp.Or(x.Old, "no entry"), cmp.Or(x.New, "no entry"))
	}
	return b.String(), nil
}
