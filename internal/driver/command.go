package driver

// This file writes the command line that makes a model of what was checked.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/safetext"
)

// ExportCommand is what a shell is given to write an ONNX model of what was checked; empty where no
// command line says all of it, or where it would write nothing.
func (r *Result) ExportCommand() string {
	c := &r.Target.Run
	said := c.Script == nil && c.Text == "" && !c.Positional && len(c.Attributes)+len(c.ArgsByName)+len(c.Saved) == 0 && r.Entry != ""
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
	} else if strings.HasPrefix(c.File, "-") {
		words = append(words, "./"+c.File)
	} else {
		words = append(words, c.File)
	}
	each("--entry", r.Entry)
	each("--arg", c.Args...)
	each("--set", c.Set...)
	each("--assume", c.Assume...)
	each("--call", c.Call)
	each("--path", c.Roots...)
	each("--stubs", c.Stubs...)
	if each("--python", c.Environment.Python); c.Environment.Python == "" {
		each("--python", c.Environment.Configured)
	}
	each("--torch-version", c.TorchVersion)
	each("--numpy-version", c.NumpyVersion)
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
