// Package junit prints diagnostics as a JUnit report, which most CI systems read:
// a suite for each file, a failed case for each error or warning, a skipped case for each
// entry of which nothing was checked, or one with an error where the run failed thereby.
package junit

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/source"
	"shapecheck/present/render/text"
)

type suites struct {
	XMLName  xml.Name `xml:"testsuites"`
	Name     string   `xml:"name,attr"`
	Tests    int      `xml:"tests,attr"`
	Failures int      `xml:"failures,attr"`
	Errors   int      `xml:"errors,attr"`
	Suites   []*suite `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr,omitempty"`
	Cases    []testCase `xml:"testcase"`
}

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

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// own is the suite of what belongs to no file.
const own = "shapecheck"

// Print writes the report. A run without findings has one case, which passed:
// several readers take an empty report for a broken one. It returns an error only where w does.
func Print(w io.Writer, fs *source.FileSet, list []*diag.Diagnostic, unchecked []diag.Unchecked) error {
	all := suites{Name: own}
	byFile := map[string]*suite{}
	suiteOf := func(path string) *suite {
		s := byFile[path]
		if s == nil {
			s = &suite{Name: path}
			byFile[path] = s
			all.Suites = append(all.Suites, s)
		}
		return s
	}
	for _, d := range list {
		p, ok := place.Of(fs, d.At)
		name := string(d.Code)
		if ok {
			name = fmt.Sprintf("%s:%d:%d %s", p.Where(), p.Line, p.Col, d.Code)
		} else {
			p.Path = own
		}
		c := testCase{Name: name, Class: p.Path, Line: p.Line}
		if ok {
			c.File = p.Path
		}
		s := suiteOf(p.Path)
		s.Tests++
		var body strings.Builder
		text.Print(&body, fs, d, text.Style{})
		f := &failure{Message: place.OneLine(d), Type: string(d.Code), Text: body.String()}
		switch {
		case d.Code == diag.InternalError:
			c.Error = f
			s.Errors++
		case d.Severity >= diag.Warning:
			c.Failure = f
			s.Failures++
		default:
			c.Out = body.String()
		}
		s.Cases = append(s.Cases, c)
	}
	for _, u := range unchecked {
		s := suiteOf(own)
		s.Tests++
		c := testCase{Name: cmp.Or(u.Entry, "shapes"), Class: own}
		f := &failure{Message: u.String(), Type: "unchecked", Text: u.String()}
		if u.Failed {
			c.Error = f
			s.Errors++
		} else {
			c.Skipped = f
			s.Skipped++
		}
		s.Cases = append(s.Cases, c)
	}
	if len(all.Suites) == 0 {
		s := suiteOf(own)
		s.Tests, s.Cases = 1, []testCase{{Name: "shapes", Class: own}}
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
