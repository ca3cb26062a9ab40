package sarif

// This file writes the fixes of notebooks, which change a program, as replacements in the text of the file.

import (
	"strings"
	"unicode/utf8"

	"shapecheck/internal/diag"
	fixes "shapecheck/internal/fix"
	"shapecheck/internal/source"
	"shapecheck/project/notebook"
)

// notebookFix is a fix of one notebook; false where it cannot be written there.
func notebookFix(fs *source.FileSet, f *diag.Fix, a artifact) (change, bool) {
	changes := fixes.Apply(fs, []*diag.Fix{f}, func(*source.File) bool { return true })
	if len(changes) != 1 {
		return change{}, false
	}
	file := changes[0].File
	text, err := notebook.Rewrite(file, changes[0].Text)
	if err != nil { // such as in the line of a magic
		return change{}, false
	}
	out := change{Artifact: a, Replacements: replacements(file.Notebook.Text, text)}
	return out, len(out.Replacements) > 0
}

// replacements are what makes a text another one, one for each run of lines that differ.
func replacements(before, after string) []replacement {
	var out []replacement
	var gone, made strings.Builder
	line := 1 // from 1, that of what is gone
	flush := func() {
		a, b := gone.String(), made.String()
		gone.Reset()
		made.Reset()
		if a == b {
			return
		}
		head := 0
		for head < min(len(a), len(b)) && a[head] == b[head] {
			head++
		}
		for head > 0 && head < len(a) && !utf8.RuneStart(a[head]) {
			head--
		}
		tail := 0
		for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
			tail++
		}
		for tail > 0 && !utf8.RuneStart(a[len(a)-tail]) {
			tail--
		}
		r := region{}
		r.StartLine, r.StartColumn = behind(line, a[:head])
		r.EndLine, r.EndColumn = behind(line, a[:len(a)-tail])
		out = append(out, replacement{r, &message{Text: b[head : len(b)-tail]}})
	}
	for _, o := range fixes.Compare(strings.SplitAfter(before, "\n"), strings.SplitAfter(after, "\n")) {
		switch o.Kind {
		case ' ':
			n := strings.Count(gone.String(), "\n")
			flush()
			line += n + 1
		case '-':
			gone.WriteString(o.Line)
		case '+':
			made.WriteString(o.Line)
		}
	}
	flush()
	return out
}

// behind is the place behind a text that begins at the start of a line.
func behind(line int, text string) (int, int) {
	i := strings.LastIndexByte(text, '\n') + 1
	return line + strings.Count(text, "\n"), utf8.RuneCountInString(text[i:]) + 1
}
