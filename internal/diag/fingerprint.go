package diag

// This file gives diagnostics names that outlive edits elsewhere in the file.

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"shapecheck/internal/source"
)

// Fingerprints returns a name for each diagnostic, made of its file, its code,
// its message and the text of its line, and of a number where several have all
// of these in common. Line numbers play no part, so that a finding keeps its name
// when lines are added above it. The message does: without it a baseline
// would hide a new mismatch on a line that had another one. No two diagnostics of a list get the same.
func Fingerprints(fs *source.FileSet, list []*Diagnostic) []string {
	out := make([]string, len(list))
	var names Names
	for i, d := range list {
		out[i] = names.Of(fs, d)
	}
	return out
}

// Names gives the fingerprints of a list that comes in parts. The zero Names have given none.
type Names struct{ met map[string]int }

// Of is the name of the next diagnostic.
func (n *Names) Of(fs *source.FileSet, d *Diagnostic) string {
	if n.met == nil {
		n.met = map[string]int{}
	}
	text := named(fs, d)
	n.met[text]++
	return numbered(text, n.met[text]-1)
}

// Again is the name that the last diagnostic with the same text got; that of the first where there was none.
func (n *Names) Again(fs *source.FileSet, d *Diagnostic) string {
	text := named(fs, d)
	return numbered(text, max(n.met[text]-1, 0))
}

// named is what a name is made of, without the number.
func named(fs *source.FileSet, d *Diagnostic) string {
	p := fs.Position(d.At.Start)
	file, line := "", ""
	if p.File != nil {
		file, line = path.Clean(filepath.ToSlash(p.File.Label())), strings.Join(strings.Fields(p.File.Line(p.Line)), " ")
	}
	return fmt.Sprintf("%q %q %q %q", d.Code, file, line, d.Msg)
}

func numbered(text string, n int) string {
	if n > 0 {
		text += fmt.Sprintf(" %d", n)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
