// Package config reads the configuration of a project: shapecheck.toml, or the
// table [tool.shapecheck] of pyproject.toml. Find looks for it, Read reads it.
// What it does not know is an error, so that a misspelt key never goes unnoticed.
package config

// This file defines the configuration and reads it.

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"shapecheck/internal/closest"
	"shapecheck/internal/diag"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/project/comments"
	"shapecheck/project/suppress"
)

// A Config is what a file says. Paths in it are relative to the file's folder.
type Config struct {
	Paths         []string          `toml:"paths"`
	Stubs         []string          `toml:"stubs"`
	Select        []string          `toml:"select"`
	Ignore        []string          `toml:"ignore"`
	Baseline      string            `toml:"baseline"`
	Strict        bool              `toml:"strict"`
	MinTyped      int               `toml:"min-typed"` // a percentage
	Cache         string            `toml:"cache"`     // the folder of results; empty: none
	TorchVersion  string            `toml:"torch-version"`
	NumpyVersion  string            `toml:"numpy-version"`
	PythonVersion string            `toml:"python-version"`
	Python        string            `toml:"python"` // the environment, as pyenv.Search.Configured
	Device        string            `toml:"device"` // "cuda" or "cpu"; empty: cuda
	Severity      map[string]string `toml:"severity"`
	// Timeout is the limit of an entry, see Limit, where the command line has none, as time.ParseDuration reads it; empty: the default.
	Timeout string `toml:"timeout"`
	// Budget is the processor time of a check of several files, see RunBudget, as time.ParseDuration reads it; empty: the default.
	Budget string `toml:"budget"`
	// Exclude are patterns, as in a .gitignore, of files that a check of folders leaves out.
	Exclude []string `toml:"exclude"`
	// Discover says whether files without an entry are looked at; nil: they are.
	Discover *bool `toml:"discover"`

	PerFile map[string][]string `toml:"per-file-ignores"`
	Accept  []Accept            `toml:"accept"`
	Entries []Entry             `toml:"entries"`

	file, text string
	lines      []int // on which entries begin
}

// An Entry is one thing to check, with the flags of the command line as keys.
type Entry struct {
	Name   string   `toml:"name"`
	File   string   `toml:"file"`
	Module string   `toml:"module"`
	Entry  string   `toml:"entry"`
	Args   []string `toml:"args"`
	Set    []string `toml:"set"`
	Assume []string `toml:"assume"`
	Call   string   `toml:"call"`
	Eval   bool     `toml:"eval"`
	// Expect is the type of the result, Contract all conditions on the sizes; nil:
	// they are not looked at.
	Expect   string   `toml:"expect"`
	Contract []string `toml:"contract"`
}

// An Accept is what is accepted for a time, as in a comment; see package comments.
type Accept struct {
	File   string   `toml:"file"`  // a pattern, as of per-file-ignores
	Entry  string   `toml:"entry"` // a class or function of it; empty: the whole file
	What   []string `toml:"what"`
	Until  string   `toml:"until"`
	Reason string   `toml:"reason"`
}

const (
	ownFile   = "shapecheck.toml"
	pyProject = "pyproject.toml"
)

// Find returns the nearest configuration in dir and the folders above it; empty
// when there is none. A pyproject.toml counts when it has our table. It returns an error if a pyproject.toml is too
// large or cannot be read, and that of Read if it may have our table; what is missing or may not be read is passed
// over.
func Find(fsys reads.FS, dir string) (string, error) {
	dir, err := fsys.Abs(dir)
	if err != nil {
		return "", err
	}
	for {
		if file, err := In(fsys, dir); file != "" || err != nil {
			return file, err
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", nil
		}
		dir = parent
	}
}

// In returns the configuration that lies in dir itself; empty when there is none. It returns an error where Find does.
func In(fsys reads.FS, dir string) (string, error) {
	own := filepath.Join(dir, ownFile)
	if _, err := fsys.Lstat(own); err == nil { // where a link leads, nobody may say
		return own, nil
	}
	project := filepath.Join(dir, pyProject)
	var data []byte
	err := inFolder(fsys, project)
	if err != nil { // nobody may say what it leads to
		err = fs.ErrNotExist
	} else {
		data, err = reads.File(fsys, project, maxFile)
	}
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
	case err != nil:
		return "", err
	case strings.Contains(string(data), "shapecheck"):
		if c, err := Read(fsys, project); err != nil || c != nil {
			return project, err
		}
	}
	return "", nil
}

// Read reads a file; nil when it is a pyproject.toml without our table. It returns an error, which names the file, if
// it cannot be read, lies behind a link out of its folder, is no valid TOML, has a key that is not known, or a value
// that is not allowed.
func Read(fsys reads.FS, file string) (*Config, error) {
	if err := inFolder(fsys, file); err != nil { // nothing of it is said
		return nil, fmt.Errorf("%s: %w: a link is followed to a file beside it only", file, err)
	}
	data, err := reads.File(fsys, file, maxFile)
	if err != nil {
		return nil, err
	}
	if err := bounded(string(data)); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var whole struct {
		Tool struct {
			Shapecheck *Config `toml:"shapecheck"`
		} `toml:"tool"`
	}
	prefix := 0
	var meta toml.MetaData
	c := &Config{}
	if filepath.Base(file) == pyProject {
		prefix = 2
		meta, err = toml.Decode(string(data), &whole)
		c = whole.Tool.Shapecheck
	} else {
		meta, err = toml.Decode(string(data), c)
	}
	if err != nil {
		var p toml.ParseError
		if errors.As(err, &p) {
			return nil, fmt.Errorf("%s:%d: %s", file, p.Position.Line, strings.TrimPrefix(p.Message, "toml: "))
		}
		if m := wrongType.FindStringSubmatch(err.Error()); m != nil {
			return nil, fmt.Errorf("%s:%s: %s must be %s, not %s", file, m[1], m[2], typeWords[m[4]], typeWords[m[3]])
		}
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	if c == nil {
		return nil, nil
	}
	c.file, c.text = file, string(data)
	for n, line := range strings.Split(c.text, "\n") {
		line = strings.ReplaceAll(line, " ", "")
		if strings.HasPrefix(line, "[[entries]]") || strings.HasPrefix(line, "[[tool.shapecheck.entries]]") {
			c.lines = append(c.lines, n+1)
		}
	}
	for _, key := range meta.Undecoded() {
		if prefix == 2 && (len(key) < 3 || key[0] != "tool" || key[1] != "shapecheck") {
			continue
		}
		return nil, fmt.Errorf("%s: %w", file, unknownKey(key[prefix:]))
	}
	if err := c.check(fsys); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return c, nil
}

// wrongType is what the decoder says of a value of another type, in the words of Go.
var (
	wrongType = lazyregexp.New(
		`^toml: line (\d+) \(last key "([^"]*)"\): incompatible types: TOML value has type (\w+); destination has type (\w+)$`)
	typeWords = map[string]string{
		"int64": "a whole number", "integer": "a whole number", "float64": "a number", "float": "a number", "string": "a string",
		"bool": "true or false", "boolean": "true or false",
		"slice": "a list", "array": "a list", "map": "a table", "table": "a table", "struct": "a table", "Time": "a date", "datetime": "a date",
	}
)

func unknownKey(key toml.Key) error {
	known := keys(reflect.TypeFor[Config]())
	name := key[0]
	if len(key) > 1 && name == "entries" {
		known, name = keys(reflect.TypeFor[Entry]()), key[1]
	} else if len(key) > 1 && name == "accept" {
		known, name = keys(reflect.TypeFor[Accept]()), key[1]
	}
	if s := closest.Name(strings.ReplaceAll(name, "_", "-"), known, max(len(name)/3, 1)+1); s != "" {
		return fmt.Errorf("unknown key %s; did you mean %s?", key, s)
	}
	return fmt.Errorf("unknown key %s; there are %s", key, strings.Join(known, ", "))
}

func keys(t reflect.Type) []string {
	var out []string
	for i := range t.NumField() {
		if tag := t.Field(i).Tag.Get("toml"); tag != "" {
			out = append(out, tag)
		}
	}
	return out
}

func (c *Config) check(fsys reads.FS) error {
	names := map[string]bool{}
	for i := range c.Entries {
		e := &c.Entries[i]
		if (e.File == "") == (e.Module == "") {
			return fmt.Errorf("entry %d: give either file or module", i+1)
		}
		if e.Name == "" {
			e.Name = strings.TrimSpace(e.File + e.Module + " " + e.Entry)
		}
		if names[e.Name] {
			return fmt.Errorf("two entries have the name %q: give them names", e.Name)
		}
		names[e.Name] = true
	}
	if c.Device != "" && c.Device != "cuda" && c.Device != "cpu" {
		return fmt.Errorf("device: %q is neither cuda nor cpu", c.Device)
	}
	if err := CheckPythonVersion(c.PythonVersion); err != nil {
		return fmt.Errorf("python-version: %w", err)
	}
	if c.MinTyped < 0 || c.MinTyped > 100 {
		return fmt.Errorf("min-typed: %d is no percentage", c.MinTyped)
	}
	if d, err := time.ParseDuration(cmp.Or(c.Timeout, "0s")); err != nil || d < 0 {
		return fmt.Errorf("timeout: %q is no duration such as \"30s\" or \"2m\"", c.Timeout)
	}
	if d, err := time.ParseDuration(cmp.Or(c.Budget, "0s")); err != nil || d < 0 {
		return fmt.Errorf("budget: %q is no duration such as \"60s\" or \"5m\"", c.Budget)
	}
	if _, err := c.Filter(); err != nil {
		return err
	}
	return c.inside(fsys)
}

// Filter is what the file says of findings. The baseline is left to the caller. It returns an error if a selector, a
// code or a severity is not known.
func (c *Config) Filter() (suppress.Filter, error) {
	f := suppress.Filter{Select: c.Select, Ignore: append([]string(nil), c.Ignore...), Severity: map[diag.Code]diag.Severity{}}
	if err := errors.Join(wrapKey("select", suppress.Check(c.Select)), wrapKey("ignore", suppress.Check(c.Ignore))); err != nil {
		return f, err
	}
	for code, name := range c.Severity {
		if !diag.Code(code).Known() {
			return f, fmt.Errorf("severity: %q is no code", code)
		}
		severity, ok := map[string]diag.Severity{"info": diag.Info, "warning": diag.Warning, "error": diag.Error}[name]
		switch {
		case ok:
			f.Severity[diag.Code(code)] = severity
		case name == "off":
			f.Ignore = append(f.Ignore, code)
		default:
			return f, fmt.Errorf("severity of %s: %q is not one of off, info, warning, error", code, name)
		}
	}
	for pattern, codes := range c.PerFile {
		if err := suppress.Check(codes); err != nil {
			return f, wrapKey("per-file-ignores", err)
		}
		f.PerFile = append(f.PerFile, suppress.FileRule{Pattern: pattern, Ignore: codes})
	}
	for i, a := range c.Accept {
		x := comments.Accept{Keys: a.What, Until: a.Until, Reason: a.Reason}
		if a.File == "" {
			return f, fmt.Errorf("accept %d: file is missing, the files that it is for", i+1)
		}
		if err := x.Check(); err != nil {
			return f, fmt.Errorf("accept %d: %w", i+1, err)
		}
		f.Accept = append(f.Accept, suppress.AcceptRule{Accept: x, Pattern: a.File, Name: a.Entry})
	}
	return f, nil
}

func wrapKey(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", key, err)
}

// File is the name of the file that was read, and Text what was in it.
func (c *Config) File() string { return c.file }

// Text is the text of the file.
func (c *Config) Text() string { return c.text }

// EntryLine is the line on which the i-th entry begins, or 1 where the file does
// not write entries as [[…entries]].
func (c *Config) EntryLine(i int) int {
	if i < len(c.lines) {
		return c.lines[i]
	}
	return 1
}

// Limit is the limit of an entry of a project, which may have no configuration: d where that has none.
func (c *Config) Limit(d time.Duration) time.Duration {
	if c == nil || c.Timeout == "" {
		return d
	}
	if own, err := time.ParseDuration(c.Timeout); err == nil { // else it was refused when it was read
		return own
	}
	return d
}

var pythonVersions = lazyregexp.New(`^3\.([89]|[1-9][0-9])(\.[0-9]{1,2})?$`)

// CheckPythonVersion returns an error for what is no version of Python that can be checked
// for. An empty one is right.
func CheckPythonVersion(version string) error {
	if version == "" || pythonVersions.MatchString(version) {
		return nil
	}
	return fmt.Errorf("%q is no version of Python from 3.8 on, such as 3.12", version)
}

// RunBudget is the processor time that a check of several files may take; false where there is no configuration or it says nothing.
func (c *Config) RunBudget() (time.Duration, bool) {
	if c == nil || c.Budget == "" {
		return 0, false
	}
	d, err := time.ParseDuration(c.Budget)
	return d, err == nil // else it was refused when it was read
}
