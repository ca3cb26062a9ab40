package check

// This file writes the command line that makes a model of what was checked. It is shown with the
// result, so that a user can copy it into a shell.

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
	// Not said by this command line are a script, a text instead of a file, attributes and
	// arguments by name, and weights. A run without an entry or with an error exports nothing.
	said := c.Script == nil && c.Text == "" && !c.Positional && len(c.Attributes)+len(c.ArgsByName) == 0 && r.Target.Weights == nil &&
		r.Entry != ""
	if !said || r.Output == nil || slices.ContainsFunc(r.Diagnostics, func(d *diag.Diagnostic) bool { return d.Severity >= diag.Error }) {
		return ""
	}
	words := []string{"shapecheck", "export"}
	if c.Module != "" {
		words = append(words, "-m", c.Module)
	} else {
		words = append(words, FileWord(s.fromBase(c.File)))
	}
	words = append(words, r.entryWords()...)
	for _, p := range c.Roots {
		words = withFlag(words, "--path", s.fromBase(p))
	}
	for _, p := range c.Stubs {
		words = withFlag(words, "--stubs", s.fromBase(p))
	}
	// A folder is named from the base, and the word for no environment stays as it is.
	if python := cmp.Or(c.Environment.Python, c.Environment.Configured); python != "" && python != pyenv.None {
		words = withFlag(words, "--python", s.fromBase(python))
	} else {
		words = withFlag(words, "--python", python)
	}
	words = append(words, r.versionWords()...)
	return ShellLine(append(words, "-o", "model.onnx"))
}

// AloneCommand is what a shell is given to check a file that stands for itself, as the one of the result was checked.
func (r *Result) AloneCommand(file string) string {
	words := append([]string{"shapecheck", FileWord(file)}, r.entryWords()...)
	c := &r.Target.Run
	if c.Eval {
		words = append(words, "--eval")
	}
	words = append(words, r.versionWords()...)
	if c.Script != nil {
		words = append(words, "--"+ScriptFlag)
		if len(c.Script) > 0 {
			words = append(append(words, "--"), c.Script...)
		}
	}
	return ShellWords(words)
}

// entryWords are the flags that say which entry ran and with what.
func (r *Result) entryWords() []string {
	c := &r.Target.Run
	var words []string
	if c.Script == nil {
		words = withFlag(words, "--entry", strings.TrimSuffix(r.Entry, "."+c.Call))
	}
	words = withFlag(words, "--arg", c.Args...)
	words = withFlag(words, "--set", c.Set...)
	words = withFlag(words, "--assume", c.Assume...)
	return withFlag(words, "--call", c.Call)
}

// versionWords are the flags that say what the program ran on.
func (r *Result) versionWords() []string {
	c := &r.Target.Run
	words := withFlag(nil, "--torch-version", c.TorchVersion)
	words = withFlag(words, "--numpy-version", c.NumpyVersion)
	words = withFlag(words, "--python-version", c.PythonVersion)
	return withFlag(words, "--device", c.Device)
}

// withFlag are words, and a flag with each of its values but empty ones.
func withFlag(words []string, flag string, values ...string) []string {
	for _, v := range values {
		if v != "" {
			words = append(words, flag, v)
		}
	}
	return words
}

// ShellLine is a line of words for a POSIX shell. It is empty where a word has something that cannot be shown, with which the line
// could not be copied.
func ShellLine(words []string) string {
	out := ShellWords(words)
	if safetext.Line(out) != out {
		return ""
	}
	return out
}

// ShellWords are words as a POSIX shell reads them, with a blank between two.
func ShellWords(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = ShellWord(w)
	}
	return strings.Join(quoted, " ")
}

// FileWord is the name of a file where no flag can be meant.
func FileWord(file string) string {
	if strings.HasPrefix(file, "-") {
		return "./" + file
	}
	return file
}

// fromBase names a file or a folder from the folder from which findings name files.
func (s *Session) fromBase(file string) string {
	shown := s.Shown(file)
	// A name that Shown changed is from the base already; a relative one that it kept is made so
	// below.
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

// ShellWord is a word as a POSIX shell reads it. A word of harmless characters stays as it is, any
// other is put in single quotes. In front of a word, = is no harmless character to all shells.
func ShellWord(s string) string {
	plain := func(c rune) bool {
		return c < 0x80 && (c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || strings.ContainsRune("_-./:,+%@=", c))
	}
	if s != "" && s[0] != '=' && strings.IndexFunc(s, func(c rune) bool { return !plain(c) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
