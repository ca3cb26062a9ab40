// Package junit prints a check as a JUnit report, which most CI systems read: a suite for each file and a case for each entry,
// FILE::ENTRY, whose name stays when lines move. An entry with an error or a warning has failed; one of which nothing was
// checked is skipped, or has an error where the run failed thereby. What is found outside of all entries is a case of its file.
package junit

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

// The format has no standard; these are the elements and attributes that GitLab, Jenkins and the
// GitHub actions read.
type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []*suite `xml:"testsuite"`
}

// The name is the file.
type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr,omitempty"`
	Cases    []testCase `xml:"testcase"`
}

// At most one of failure, error and skipped is there.
type testCase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	File    string   `xml:"file,attr,omitempty"`
	Line    int      `xml:"line,attr,omitempty"`
	Failure *failure `xml:"failure"`
	Error   *failure `xml:"error"`
	Skipped *failure `xml:"skipped"`
	Out     string   `xml:"system-out,omitempty"`
}

// The message is one line, and the text has the excerpt.
type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// own is the suite of what belongs to no file.
const own = "shapecheck"

// An Entry is one that was checked, with all that was found in it. Found has all findings of the
// entry, hidden ones left out.
type Entry struct {
	File, Name string
	Found      []*diag.Diagnostic
}

// Print writes the report. A run without entries and findings has one case, which passed:
// several readers take an empty report for a broken one. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, entries []Entry, list []*diag.Diagnostic, unchecked []diag.Unchecked) error {
	r := &report{fs: fs, all: suites{Name: own}, byFile: map[string]*suite{}}
	has := map[*diag.Diagnostic]bool{}
	said := map[string]bool{}
	for _, e := range entries {
		for _, d := range e.Found {
			has[d] = true
		}
		c := testCase{Name: e.File + "::" + e.Name, Class: cmp.Or(e.File, own), File: e.File}
		if e.File == "" || strings.HasPrefix(e.Name, e.File) {
			c.Name = e.Name
		}
		found := r.fill(&c, e.Found)
		if i := slices.IndexFunc(unchecked, func(u diag.Unchecked) bool { return u.Entry == e.Name }); i >= 0 && !found {
			said[e.Name] = true
			r.skip(&c, &unchecked[i])
		}
		r.add(c)
	}
	rest := map[string][]*diag.Diagnostic{}
	var files []string
	for _, d := range list {
		if has[d] {
			continue
		}
		file := own
		if p, ok := place.Of(fs, d.At); ok {
			file = p.Path
		}
		if rest[file] == nil {
			files = append(files, file)
		}
		rest[file] = append(rest[file], d)
	}
	for _, file := range files {
		c := testCase{Name: file, Class: file}
		if file != own {
			c.File = file
		}
		r.fill(&c, rest[file])
		r.add(c)
	}
	for i, u := range unchecked {
		if !said[u.Entry] {
			c := testCase{Name: cmp.Or(u.Entry, "shapes"), Class: own}
			r.skip(&c, &unchecked[i])
			r.add(c)
		}
	}
	return r.write(w)
}

// A report is the document as it grows. Suites are in the order in which files were met.
type report struct {
	fs     *source.FileSet
	all    suites
	byFile map[string]*suite
}

// add puts a case into the suite of its file. The class is the file, or own.
func (r *report) add(c testCase) {
	s := r.byFile[c.Class]
	if s == nil {
		s = &suite{Name: c.Class}
		r.byFile[c.Class] = s
		r.all.Suites = append(r.all.Suites, s)
	}
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// fill gives a case what was found, and reports whether that fails it. Informations go to the
// output of the case and do not fail it.
func (r *report) fill(c *testCase, list []*diag.Diagnostic) bool {
	var worst *diag.Diagnostic
	var failed, infos strings.Builder
	count := 0
	for _, d := range diag.Causes(list) {
		if d.Severity < diag.Warning && d.Code != diag.InternalError {
			text.Print(&infos, r.fs, d, text.Style{})
			continue
		}
		count++
		text.Print(&failed, r.fs, d, text.Style{})
		// An internal error counts as worse than any finding.
		if worst == nil || d.Severity > worst.Severity || d.Code == diag.InternalError {
			worst = d
		}
	}
	c.Out = infos.String()
	if worst == nil {
		return false
	}
	f := &failure{Message: place.OneLine(worst), Type: string(worst.Code), Text: failed.String()}
	if count > 1 {
		f.Message += fmt.Sprintf(" (and %d more)", count-1)
	}
	if p, ok := place.Of(r.fs, worst.At); ok && p.Path == c.File {
		c.Line = p.Line
	}
	if worst.Code == diag.InternalError {
		c.Error = f
	} else {
		c.Failure = f
	}
	return true
}

// skip says why an entry was not checked. An entry that made the run fail is an error, and another
// one skipped.
func (r *report) skip(c *testCase, u *diag.Unchecked) {
	f := &failure{Message: u.String(), Type: "unchecked", Text: u.String()}
	if u.Failed {
		c.Error = f
	} else {
		c.Skipped = f
	}
}

// write writes the document. The counts of all suites are added up.
func (r *report) write(w io.Writer) error {
	all := &r.all
	if len(all.Suites) == 0 {
		r.add(testCase{Name: "shapes", Class: own})
	}
	for _, s := range all.Suites {
		all.Tests, all.Failures, all.Errors = all.Tests+s.Tests, all.Failures+s.Failures, all.Errors+s.Errors
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", " ")
	if err := enc.Encode(all); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
