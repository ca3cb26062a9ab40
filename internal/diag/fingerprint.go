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
// when lines are added above it. No two diagnostics of a list get the same.
func Fingerprints(fs *source.FileSet, list []*Diagnostic) []string {
	out := make([]string, len(list))
	met := map[string]int{}
	for i, d := range list {
		p := fs.Position(d.At.Start)
		file, line := "", ""
		if p.File != nil {
			file, line = path.Clean(filepath.ToSlash(p.File.Label())), strings.Join(strings.Fields(p.File.Line(p.Line)), " ")
		}
		text := fmt.Sprintf("%q %q %q %q", d.Code, file, line, d.Msg)
		n := met[text]
		met[text]++
		if n > 0 {
			text += fmt.Sprintf(" %d", n)
		}
		sum := sha256.Sum256([]byte(text))
		out[i] = hex.EncodeToString(sum[:16])
	}
	return out
}
