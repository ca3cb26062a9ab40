// Package fix applies the fixes of diagnostics to source text, and shows what
// they change. It is pure: it reads and writes no files.
package fix

// This file applies fixes; diff.go compares texts; patch.go applies diffs.

import (
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
)

// A Change is the new text of a file and the fixes that made it.
type Change struct {
	File  *source.File
	Text  string
	Fixes []*diag.Fix
}

// Apply applies the fixes, in their order, to the files that they edit. A fix is
// applied whole or not at all: one with an edit that overlaps an earlier fix's,
// that lies in no file, or in a file that may not be changed, is left out. Of a
// diagnostic's several fixes the caller passes one.
func Apply(fs *source.FileSet, fixes []*diag.Fix, may func(*source.File) bool) []Change {
	var order []*source.File
	edits := map[*source.File][]diag.Edit{}
	made := map[*source.File][]*diag.Fix{}
	for _, f := range fixes {
		files := filesOf(fs, f, edits, may)
		if files == nil {
			continue
		}
		for i, e := range f.Edits {
			file := files[i]
			if edits[file] == nil {
				order = append(order, file)
			}
			edits[file] = append(edits[file], e)
			if n := len(made[file]); n == 0 || made[file][n-1] != f {
				made[file] = append(made[file], f)
			}
		}
	}
	var out []Change
	for _, file := range order {
		if text := rewrite(file, edits[file]); text != file.Text() {
			out = append(out, Change{file, text, made[file]})
		}
	}
	return out
}

// filesOf finds the files of a fix's edits; nil when it cannot be applied beside
// those that were chosen before.
func filesOf(fs *source.FileSet, f *diag.Fix, chosen map[*source.File][]diag.Edit, may func(*source.File) bool) []*source.File {
	if len(f.Edits) == 0 {
		return nil
	}
	files := make([]*source.File, len(f.Edits))
	for i, e := range f.Edits {
		file := fs.File(e.At.Start)
		if file == nil || file.Prelude || e.At.End < e.At.Start || !file.Contains(e.At.End) || !may(file) {
			return nil
		}
		for _, c := range chosen[file] {
			if overlap(c.At, e.At) {
				return nil
			}
		}
		for _, own := range f.Edits[:i] {
			if overlap(own.At, e.At) && own.At != e.At {
				return nil
			}
		}
		files[i] = file
	}
	return files
}

// overlap reports whether two edits touch: insertions at one place do, since
// their order would be a guess.
func overlap(a, b source.Span) bool {
	if a == b {
		return true
	}
	return a.Start < b.End && b.Start < a.End
}

// rewrite applies edits that do not overlap.
func rewrite(f *source.File, edits []diag.Edit) string {
	edits = slices.Clone(edits)
	inorder.StableBy(edits, func(a, b diag.Edit) int {
		if a.At.Start != b.At.Start {
			return int(a.At.Start) - int(b.At.Start)
		}
		return int(a.At.End) - int(b.At.End) // insertions before replacements
	})
	var b strings.Builder
	at := 0
	newline := "\n"
	if strings.Contains(f.Text(), "\r\n") {
		newline = "\r\n"
	}
	for _, e := range edits {
		start, end := f.Offset(e.At.Start), f.Offset(e.At.End)
		b.WriteString(f.Text()[at:start])
		b.WriteString(strings.ReplaceAll(e.NewText, "\n", newline))
		at = end
	}
	b.WriteString(f.Text()[at:])
	return b.String()
}

// Chosen are the fixes that may be applied: the first one of each diagnostic that
// has edits and is safe, or, with unsafe, any.
func Chosen(list []*diag.Diagnostic, unsafe bool) []*diag.Fix {
	var out []*diag.Fix
	for _, d := range list {
		for i := range d.Fixes {
			if f := &d.Fixes[i]; len(f.Edits) > 0 && (f.Safe || unsafe) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}
