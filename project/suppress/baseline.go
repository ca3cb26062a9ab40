package suppress

// This file keeps findings that are known already, so that only new ones fail.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"shapecheck/internal/atomicfile"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
)

// A Baseline is a set of known findings. They are known by their fingerprints, in
// which line numbers play no part; the rest is for readers of the file. Version says which fingerprints they are.
type Baseline struct {
	Version  int       `json:"version"`
	Findings []finding `json:"findings"`
	// Since is the revision that has them; empty: they are a file's.
	Since string `json:"-"`
	below string // see In
}

type finding struct {
	Fingerprint string `json:"fingerprint"`
	Code        string `json:"code"`
	File        string `json:"file"`
	Message     string `json:"message"`
}

// The versions of fingerprints: diag.WordedFingerprints and diag.Fingerprints.
const (
	wordedVersion   = 1
	baselineVersion = 2
)

// maxBaseline is the size of the largest baseline that is read: some hundred thousand
// findings.
const maxBaseline = 32 << 20

// ReadBaseline reads a file that Write wrote. It returns an error if there is no such file, if it is no JSON of that
// form, or if it is of another version.
func ReadBaseline(fsys reads.FS, file string) (*Baseline, error) {
	data, err := reads.File(fsys, file, maxBaseline)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("baseline %s: no such file; --write-baseline makes it", file)
	}
	if err != nil {
		return nil, fmt.Errorf("baseline: %w", err)
	}
	var b Baseline
	if err := json.Unmarshal(data, &b); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", file, err)
	}
	if b.Version != baselineVersion && b.Version != wordedVersion {
		return nil, fmt.Errorf("baseline %s: version %d is not known", file, b.Version)
	}
	return &b, nil
}

// BaselineOf makes the findings of list the known ones.
func BaselineOf(fs *source.FileSet, list []*diag.Diagnostic) *Baseline {
	b := &Baseline{Version: baselineVersion, Findings: []finding{}}
	prints := diag.Fingerprints(fs, list)
	for i, d := range list {
		p, _ := place.Of(fs, d.At)
		b.Findings = append(b.Findings, finding{prints[i], string(d.Code), p.Path, d.Msg})
	}
	return b
}

// With is a baseline, which may be nil, with the findings of another, that of a revision. It returns an error where b is of version 1,
// whose fingerprints are not those of later ones.
func (b *Baseline) With(more *Baseline, since string) (*Baseline, error) {
	more.Since = since
	if b == nil {
		return more, nil
	}
	if b.Version != more.Version {
		return nil, fmt.Errorf("the baseline is of version %d: write it anew with --write-baseline", b.Version)
	}
	more.Findings = append(more.Findings, b.Findings...)
	return more, nil
}

// WriteBaseline makes the findings of list the known ones. It returns an error if the file cannot be written.
func WriteBaseline(file string, fs *source.FileSet, list []*diag.Diagnostic) error {
	b := BaselineOf(fs, list)
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(b); err != nil {
		return err
	}
	return atomicfile.Write(file, out.Bytes())
}

// prints are the fingerprints of a baseline, which may be nil.
func (b *Baseline) prints() map[string]bool {
	if b == nil {
		return nil
	}
	old := make(map[string]bool, len(b.Findings))
	for _, k := range b.Findings {
		old[k.Fingerprint] = true
	}
	return old
}

// Gone is how many findings of the files in fs are in the baseline and not among known, the fingerprints that it hid.
func (b *Baseline) Gone(fs *source.FileSet, known []string) (n int) {
	read, hid := map[string]bool{}, map[string]bool{}
	for _, f := range fs.Files() {
		read[place.Path(f)] = true
	}
	for _, k := range known {
		hid[k] = true
	}
	for _, f := range b.Findings {
		if read[f.File] && !hid[f.Fingerprint] {
			n++
		}
	}
	return n
}

// In is the baseline of a project in a folder below that from which findings name files; nil stays nil.
func (b *Baseline) In(folder string) *Baseline {
	if b == nil {
		return nil
	}
	out := *b
	out.below = folder
	return &out
}

func (b *Baseline) folder() string {
	if b == nil {
		return ""
	}
	return b.below
}

// Name is what hides the findings.
func (b *Baseline) Name() string {
	if b.Since != "" {
		return "--new-since " + b.Since
	}
	return "the baseline"
}
