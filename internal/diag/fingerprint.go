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

// Fingerprints returns a name for each diagnostic, made of its file, its code, the
// function that it is in and its facts, and of a number where several have all
// of these in common. Lines and the words of messages play no part, so that a finding keeps its name
// when lines are added above it, or a later version says it otherwise. Facts do: without them a baseline
// would hide a new mismatch in a function that had another one. No two diagnostics of a list get the same.
func Fingerprints(fs *source.FileSet, list []*Diagnostic) []string {
	return namesOf(&Names{}, fs, list)
}

// WordedFingerprints are the names that the first version gave: of file, code, message and the text of the line.
func WordedFingerprints(fs *source.FileSet, list []*Diagnostic) []string {
	return namesOf(&Names{Worded: true}, fs, list)
}

func namesOf(n *Names, fs *source.FileSet, list []*Diagnostic) []string {
	out := make([]string, len(list))
	for i, d := range list {
		out[i] = n.Of(fs, d)
	}
	return out
}

// Names gives the fingerprints of a list that comes in parts. The zero Names have given none; Worded ones are those
// of WordedFingerprints.
type Names struct {
	Worded bool
	// Folder is where files are named from, with slashes, if that is below the folder from which the files of the list are named.
	Folder string
	given  map[string]int
}

// Of is the name of the next diagnostic.
func (n *Names) Of(fs *source.FileSet, d *Diagnostic) string {
	if n.given == nil {
		n.given = map[string]int{}
	}
	text := n.named(fs, d)
	n.given[text]++
	return numbered(text, n.given[text]-1)
}

// Again is the name that the last diagnostic with the same text got; that of the first where there was none.
func (n *Names) Again(fs *source.FileSet, d *Diagnostic) string {
	text := n.named(fs, d)
	return numbered(text, max(n.given[text]-1, 0))
}

// named is what a name is made of, without the number.
func (n *Names) named(fs *source.FileSet, d *Diagnostic) string {
	p := fs.Position(d.At.Start)
	file, line := "", ""
	if p.File != nil {
		file, line = Below(n.Folder, path.Clean(filepath.ToSlash(p.File.Label()))), strings.Join(strings.Fields(p.File.Line(p.Line)), " ")
	}
	if n.Worded {
		return fmt.Sprintf("%q %q %q %q", d.Code, file, line, d.Msg)
	}
	facts := d.Facts()
	if len(facts) == 0 {
		facts = []string{line}
	}
	return fmt.Sprintf("%q %q %q %q", d.Code, file, functionAt(p), facts)
}

// Below is a path with slashes as it is named from a folder; outside of that, and for no folder, it stays.
func Below(folder, file string) string {
	if folder == "" {
		return file
	}
	return strings.TrimPrefix(file, folder+"/")
}

// Facts are the tensors that a fault is about, and the sizes, types and names in the message, as texts. Parts of sentences are left out.
func (d *Diagnostic) Facts() []string {
	if d.About != nil {
		return d.About
	}
	out := []string{}
	for _, o := range d.Operands {
		out = append(out, o.Name+" "+o.Type)
	}
	for _, a := range d.Args {
		text, isText := a.(string)
		if !isText {
			text = fmt.Sprint(a)
			isText = wasText(a)
		}
		if text != "" && !(isText && strings.ContainsAny(text, " \n")) {
			out = append(out, shorten(text))
		}
	}
	return out
}

// wasText reports whether a value was a part of a sentence in the first version, whose names stay.
func wasText(a any) bool {
	switch a.(type) {
	case listed, Counted:
		return true
	}
	return false
}

// functionAt is the name of the function and the classes around a place, "Net.forward", by the indentation of the lines above;
// empty at the top level.
func functionAt(p source.Position) string {
	if p.File == nil {
		return ""
	}
	name, least := "", -1
	for n := p.Line; n > 0 && least != 0; n-- {
		text := p.File.Line(n)
		body := strings.TrimLeft(text, " \t")
		indent := len(text) - len(body)
		if body == "" || body[0] == '#' || least >= 0 && indent >= least {
			continue
		}
		least = indent
		body = strings.TrimPrefix(body, "async ")
		rest, ok := strings.CutPrefix(body, "def ")
		if !ok {
			rest, ok = strings.CutPrefix(body, "class ")
		}
		if end := strings.IndexAny(rest, "([: "); ok && end > 0 {
			name = strings.TrimSuffix(rest[:end]+"."+name, ".")
		}
	}
	return name
}

func numbered(text string, n int) string {
	if n > 0 {
		text += fmt.Sprintf(" %d", n)
	}
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}
