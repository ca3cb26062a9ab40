package check

// This file writes the command line that makes a model of what was checked.

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/safetext"
	"shapecheck/project/pyenv"
)

// ExportCommand is what a shell is given to write an ONNX model of what was checked; empty where no
// command line says all of it, or where it would write nothing. It is for the folder from which
// findings name files, wherever the check is run.
func (s *Session) ExportCommand(r *Result) string {
	c := &r.Target.Run
	said := c.Script == nil && c.Text == "" && !c.Positional && len(c.Attributes)+len(c.ArgsByName) == 0 && r.Target.Weights == nil &&
		r.Entry != ""
	if !said || r.Output == nil || slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.Severity >= diag.Error }) {
		return ""
	}
	words := []string{"shapecheck", "export"}
	each := func(flag string, values ...string) {
		for _, v := range values {
			if v != "" {
				words = append(words, flag, v)
			}
		}
	}
	if c.Module != "" {
		each("-m", c.Module)
	} else if file := s.fromBase(c.File); strings.HasPrefix(file, "-") {
		words = append(words, "./"+file)
	} else {
		words = append(words, file)
	}
	each("--entry", r.Entry)
	each("--arg", c.Args...)
	each("--set", c.Set...)
	each("--assume", c.Assume...)
	each("--call", c.Call)
	for _, p := range c.Roots {
		each("--path", s.fromBase(p))
	}
	for _, p := range c.Stubs {
		each("--stubs", s.fromBase(p))
	}
	if python := cmp.Or(c.Environment.Python, c.Environment.Configured); python != "" && python != pyenv.None {
		each("--python", s.fromBase(python))
	} else {
		each("--python", python)
	}
	each("--torch-version", c.TorchVersion)
	each("--numpy-version", c.NumpyVersion)
	each("--python-version", c.PythonVersion)
	each("--device", c.Device)
	each("-o", "model.onnx")
	for i, w := range words {
		words[i] = shellWord(w)
	}
	out := strings.Join(words, " ")
	if safetext.Line(out) != out { // with what cannot be shown, it could not be copied
		return ""
	}
	return out
}

// fromBase names a file or a folder from the folder from which findings name files.
func (s *Session) fromBase(file string) string {
	shown := s.Shown(file)
	if filepath.IsAbs(shown) || shown != file { // outside of it, or inside
		return filepath.ToSlash(shown)
	}
	fsys := reads.Or(s.FS)
	base, err := fsys.Abs(cmp.Or(s.base(), "."))
	if err != nil {
		return file
	}
	abs, err := fsys.Abs(file)
	if err != nil {
		return file
	}
	if rel, err := filepath.Rel(base, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return file
}

// shellWord is a word as a POSIX shell reads it.
func shellWord(s string) string {
	plain := func(c rune) bool {
		return c < 0x80 && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.ContainsRune("_-./:,+%@", c))
	}
	if s != "" && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
