package check

// This file holds what is kept of a run between processes: its findings, its document, and every look at the file
// system that it made, so that it is used only while all of them give the same again. A record is
// JSON in the store. It has no pointers into the tree of a program: positions are numbers in the
// space of the file set of the run that made it, and keptFile says where each file stood in that
// space. Loading puts each file at its new place and moves every span by the difference. Records
// may be written by anybody who can write to the store, so what is read is checked: indices, spans
// and missing findings.

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"sort"
	"sync"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
)

// A keptRun is a run as it is kept. Positions are those that its files had in the
// run; they are moved when it is loaded. Its fields have the names that they have in the record; a
// change of one makes all older records unreadable, which is why the key of a record has the
// program's version in it.
type keptRun struct {
	// Reads are the looks in the order in which the run made them.
	Reads       []reads.Read
	Files       []keptFile
	Diagnostics []*diag.Diagnostic // without Args, which printers do not need
	Known       []string           // what the baseline hides
	Reached     []reachedLines
	Unknown     []unknownCause // the first
	// Typed and Open count expressions, as in infer.Result.
	Typed, Open int
	Checked     bool
	WhyNot      string
	Entry       string
	Output      string // the result's type; empty when it raised
	Document    *record.Stored
	Interface   *record.Interface
	Own         []record.InterfaceModule // of Interface
	// Bodies are texts that the run printed, by their forms. A form is a format with its options;
	// prints asks for it, so that a run is not printed again that was printed before.
	Bodies map[string]string
}

// see keeps the interface of a result that has one, and seen gives it back.
func (r *keptRun) see(x *Result) {
	if r.Interface = x.Interface(); r.Interface != nil {
		r.Own = r.Interface.Own
	}
}

func (r *keptRun) seen() *record.Interface {
	if r.Interface != nil {
		r.Interface.Own = r.Own
	}
	return r.Interface
}

// prints reports whether the record has the text in all the given forms. Where it does not, the run
// is made again, although its findings would do.
func (r *keptRun) prints(forms []string) bool {
	for _, f := range forms {
		if _, ok := r.Bodies[f]; !ok {
			return false
		}
	}
	return true
}

// A keptFile is named; its text is read again and must have the same hash. Texts
// that are in no file (an argument) are kept. Base and Size are its place in the file set of the
// run, for spans to be moved.
type keptFile struct {
	Name, Path, Shown, Sum string
	Base                   source.Pos
	Size                   int
	Text                   *string
	Hidden                 bool
}

// File is an index into keptRun.Files.
type reachedLines struct {
	File  int
	Lines []int
}

type unknownCause struct {
	At     source.Span
	Reason string
}

// A keptWriter numbers files. It gives each file the index under which the record has it, in the
// order in which files are met.
type keptWriter struct {
	r     *keptRun
	fs    *source.FileSet
	index map[*source.File]int
	texts map[string]bool // paths that were read
}

// newKeptRun makes the record of a run. It returns an error where the document cannot be stored.
func newKeptRun(res *infer.Result, looks []reads.Read) (*keptRun, error) {
	r, err := newKeptFindings(res, looks)
	if err != nil {
		return nil, err
	}
	r.Reads = looks
	r.Document, err = record.Store(record.Short(res))
	return r, err
}

// newKeptFindings makes the record of what a run found, without its document and its looks, by which the texts of files are known.
func newKeptFindings(res *infer.Result, looks []reads.Read) (*keptRun, error) {
	r := &keptRun{Typed: res.Typed, Open: res.Open, Entry: res.Entry, Checked: res.Checked, WhyNot: res.WhyNot}
	w := &keptWriter{r, res.Files, map[*source.File]int{}, map[string]bool{}}
	for _, l := range looks {
		if l.Kind == reads.Text {
			w.texts[l.Path] = true
		}
	}
	if res.Output != nil {
		// Output is kept as text: its type would need a form of its own in the record, and printers
		// only print it.
		r.Output = res.Output.String()
	}
	for _, d := range res.Diagnostics {
		// A copy, as the run's own diagnostics are still in use. Facts are made now: they are made
		// from Args, which are not kept.
		kept := *d
		kept.About, kept.Args = d.Facts(), nil
		r.Diagnostics = append(r.Diagnostics, &kept)
	}
	// The files of all positions, wherever they stand in a diagnostic.
	if err := eachSpan(reflect.ValueOf(r.Diagnostics), func(s *source.Span) error { w.file(w.fs.File(s.Start)); return nil }); err != nil {
		return nil, err
	}
	files := make([]*source.File, 0, len(res.Reached))
	for f := range res.Reached {
		files = append(files, f)
	}
	// In the order of the file set, so that the same run gives the same record byte for byte.
	sort.Slice(files, func(i, j int) bool { return files[i].Base() < files[j].Base() })
	for _, f := range files {
		x := reachedLines{File: w.file(f)}
		for n := range res.Reached[f] {
			x.Lines = append(x.Lines, n)
		}
		sort.Ints(x.Lines)
		r.Reached = append(r.Reached, x)
	}
	// Only the first cause is printed, so no more are kept.
	for _, c := range res.Unknown[:min(1, len(res.Unknown))] {
		w.file(w.fs.File(c.At.Start))
		r.Unknown = append(r.Unknown, unknownCause{c.At, c.Reason})
	}
	return r, nil
}

// It is -1 for no file. A file's text is kept only where no look read it: for the others the hash
// is enough.
func (w *keptWriter) file(f *source.File) int {
	if f == nil {
		return -1
	}
	if i, ok := w.index[f]; ok {
		return i
	}
	x := keptFile{Name: f.Name, Path: f.Path, Shown: f.Shown, Sum: textSum(f.Text()), Base: f.Base(), Size: f.Size(), Hidden: f.Hidden}
	if !w.texts[f.Place()] {
		text := f.Text()
		x.Text = &text
	}
	w.index[f] = len(w.r.Files)
	w.r.Files = append(w.r.Files, x)
	return len(w.r.Files) - 1
}

// It is the hash by which a text is known to be the same.
func textSum(text string) string {
	s := sha256.Sum256([]byte(text))
	return hex.EncodeToString(s[:])
}

// eachSpan calls f for every span in a value made of exported data. Spans stand at many places of a
// diagnostic (its notes, its fixes, its facts); reflection finds them all, and those of fields that
// are added later too. The value must be addressable, and f may change the span.
func eachSpan(v reflect.Value, f func(*source.Span) error) error {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return eachSpan(v.Elem(), f)
		}
	case reflect.Slice:
		for i := range v.Len() {
			if err := eachSpan(v.Index(i), f); err != nil {
				return err
			}
		}
	case reflect.Struct:
		if s, ok := v.Addr().Interface().(*source.Span); ok {
			return f(s)
		}
		for i := range v.NumField() {
			if err := eachSpan(v.Field(i), f); err != nil {
				return err
			}
		}
	}
	return nil
}

// encode and decodeKeptRun are the form in the store.
func (r *keptRun) encode() ([]byte, error) { return encodeRecord(r) }

// encodeRecord is the form in the store of a run, or of what was discovered.
func encodeRecord(r any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the document comes out as it went in
	err := enc.Encode(r)
	return b.Bytes(), err
}

// decodeKeptRun reads a record; what is not one is an error. What is missing in it is an error too,
// as a record without a document would be printed as an empty run.
func decodeKeptRun(data []byte) (*keptRun, error) {
	r := &keptRun{}
	if err := json.Unmarshal(data, r); err != nil {
		return nil, err
	}
	if r.Document == nil || !r.isWhole() {
		return nil, errors.New("not a record")
	}
	return r, nil
}

// isWhole reports whether there is a record, with no finding missing.
func (r *keptRun) isWhole() bool { return r != nil && !slices.Contains(r.Diagnostics, nil) }

// A loader brings the files of records into one set, each once. It is safe for
// concurrent use. A process that loads hundreds of records (a project's entries) has each source
// file once in its set: positions of different records are then comparable, and findings can be
// merged.
type loader struct {
	Files *source.FileSet
	// FS is what files are read from that records name. Anybody may have written a record.
	FS *reads.Gate
	// Checker answers whether the looks of a record still hold.
	Checker reads.Checker
	mu      sync.Mutex
	met     map[keptFile]*source.File
}

// newLoader makes a loader of records about files of fsys; nil is the disk. Files are read as far as the roots of its
// gate go, to which the caller adds.
func newLoader(fsys reads.FS, files *source.FileSet) *loader {
	gate := reads.NewGate(fsys)
	return &loader{Files: files, FS: gate, Checker: reads.Checker{FS: fsys, Contents: gate}}
}

// It is given for every way in which a record does not hold; the caller makes the run again and
// does not tell them apart.
var errStale = errors.New("the record is out of date")

// load brings back the part of a run's result that printers need, without its
// Output, which the record has as text; an error where the record does not hold. The diagnostics of
// the record are moved in place, so a record is loaded once.
func (l *loader) load(r *keptRun) (*infer.Result, error) {
	// The looks come first: they are the cheapest test, and the one that fails most often.
	if !l.Checker.Holds(r.Reads) {
		return nil, errStale
	}
	files := make([]*source.File, len(r.Files))
	for i, f := range r.Files {
		var err error
		if files[i], err = l.file(f); err != nil {
			return nil, err
		}
	}
	// A span is of the file in whose place it lies as a whole; one that lies in none is a sign of a
	// record that was tampered with.
	move := func(s *source.Span) error {
		if !s.IsValid() {
			return nil
		}
		for i, f := range r.Files {
			if s.Start >= f.Base && s.End >= s.Start && int(s.End-f.Base) <= f.Size {
				by := files[i].Base() - f.Base
				s.Start, s.End = s.Start+by, s.End+by
				return nil
			}
		}
		return errStale
	}
	if err := eachSpan(reflect.ValueOf(r.Diagnostics), move); err != nil {
		return nil, err
	}
	res := &infer.Result{Files: l.Files, Entry: r.Entry, Checked: r.Checked, WhyNot: r.WhyNot, Typed: r.Typed, Open: r.Open,
		Reached: map[*source.File]map[int]bool{}, Diagnostics: r.Diagnostics}
	for _, x := range r.Reached {
		if x.File < 0 || x.File >= len(files) {
			return nil, errStale
		}
		lines := map[int]bool{}
		for _, n := range x.Lines {
			lines[n] = true
		}
		res.Reached[files[x.File]] = lines
	}
	for _, c := range r.Unknown {
		if err := move(&c.At); err != nil {
			return nil, err
		}
		res.Unknown = append(res.Unknown, &value.Cause{At: c.At, Reason: c.Reason})
	}
	return res, nil
}

// It is safe for concurrent use. The same file with another text is another file, as the key has
// the hash. It returns an error where the file cannot be read or decoded, or has another text now.
func (l *loader) file(f keptFile) (*source.File, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	// The place in the record's own file set is left out: it differs between records of the same
	// file.
	key := keptFile{Name: f.Name, Path: f.Path, Shown: f.Shown, Sum: f.Sum}
	if g := l.met[key]; g != nil {
		return g, nil
	}
	text := ""
	if f.Text != nil {
		text = *f.Text
	} else {
		path := f.Path
		if path == "" {
			path = f.Name
		}
		data, err := l.FS.ReadFile(path)
		if err != nil {
			return nil, err
		}
		if text, err = parser.Decode(data); err != nil {
			return nil, err
		}
	}
	if textSum(text) != f.Sum {
		return nil, errStale
	}
	g := source.NewFile(f.Name, text)
	g.Path, g.Shown, g.Hidden = f.Path, f.Shown, f.Hidden
	if err := l.Files.Add(g); err != nil {
		return nil, err
	}
	if l.met == nil {
		l.met = map[keptFile]*source.File{}
	}
	l.met[key] = g
	return g, nil
}
