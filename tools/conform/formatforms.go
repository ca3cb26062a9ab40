package main

// This file holds the documented forms of JUnit reports and of GitLab's Code
// Quality reports. JUnit's is what Jenkins' junit-10.xsd and GitLab's
// documentation of unit test reports have in common, with file and line on a case.

import (
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// An element is an XML element of any name.
type element struct {
	XMLName xml.Name
	Attrs   []xml.Attr `xml:",any,attr"`
	Inner   []element  `xml:",any"`
	Text    string     `xml:",chardata"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// junitForms are the attributes and the inner elements that an element may have;
// "!" marks attributes that it must have.
var junitForms = map[string]struct{ attrs, inner []string }{
	"testsuites": {[]string{"name", "time", "tests", "failures", "disabled", "errors"}, []string{"testsuite"}},
	"testsuite": {[]string{"name!", "tests!", "failures", "errors", "time", "skipped", "timestamp", "hostname", "id", "package", "file"},
		[]string{"properties", "testcase", "system-out", "system-err"}},
	"testcase": {[]string{"name!", "classname!", "assertions", "time", "status", "file", "line"},
		[]string{"skipped", "error", "failure", "system-out", "system-err"}},
	"failure":    {[]string{"message", "type"}, nil},
	"error":      {[]string{"message", "type"}, nil},
	"skipped":    {[]string{"message", "type"}, nil},
	"system-out": {}, "system-err": {},
}

// checkJUnit checks that data is one XML document of the form that readers of JUnit's reports
// take; it returns what is wrong.
func checkJUnit(data []byte) error {
	var root element
	d := xml.NewDecoder(strings.NewReader(string(data)))
	if err := d.Decode(&root); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		if t, err := d.Token(); !errors.Is(err, io.EOF) {
			return fmt.Errorf("after the root stands %v", t)
		}
	}
	if root.XMLName.Local != "testsuites" {
		return fmt.Errorf("the root is %s", root.XMLName.Local)
	}
	return root.check()
}

// check compares an element with junitForms: its attributes must be known, those marked with "!"
// be there, and inner elements be allowed in it.
func (e *element) check() error {
	name := e.XMLName.Local
	form, ok := junitForms[name]
	if !ok {
		return fmt.Errorf("an element %s", name)
	}
	for _, a := range e.Attrs {
		if !slices.Contains(form.attrs, a.Name.Local) && !slices.Contains(form.attrs, a.Name.Local+"!") {
			return fmt.Errorf("%s has an attribute %s", name, a.Name.Local)
		}
	}
	for _, a := range form.attrs {
		if required, ok := strings.CutSuffix(a, "!"); ok && e.attr(required) == "" {
			return fmt.Errorf("%s has no attribute %s", name, required)
		}
	}
	for i := range e.Inner {
		if !slices.Contains(form.inner, e.Inner[i].XMLName.Local) {
			return fmt.Errorf("%s has an element %s", name, e.Inner[i].XMLName.Local)
		}
		if err := e.Inner[i].check(); err != nil {
			return err
		}
	}
	for attr, counted := range map[string]string{"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"} {
		if text := e.attr(attr); text != "" && (name == "testsuites" || name == "testsuite") && text != strconv.Itoa(e.count(counted)) {
			return fmt.Errorf("%s says %s=%s, but has %d", name, attr, text, e.count(counted))
		}
	}
	return nil
}

// count counts the elements of a name inside.
func (e *element) count(name string) int {
	n := 0
	for i := range e.Inner {
		if e.Inner[i].XMLName.Local == name {
			n++
		}
		n += e.Inner[i].count(name)
	}
	return n
}

// gitlabSeverities are those that GitLab knows.
var gitlabSeverities = []string{"info", "minor", "major", "critical", "blocker"}

// checkGitLab holds a report against the form that GitLab documents: an array of
// issues, without a byte order mark, each fingerprint once.
func (f *formatter) checkGitLab(data []byte) error {
	var list []struct {
		Description *string `json:"description"`
		Check       *string `json:"check_name"`
		Fingerprint *string `json:"fingerprint"`
		Severity    *string `json:"severity"`
		Location    *struct {
			Path  *string `json:"path"`
			Lines *struct {
				Begin *int `json:"begin"`
				End   *int `json:"end"`
			} `json:"lines"`
		} `json:"location"`
	}
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.DisallowUnknownFields()
	if err := d.Decode(&list); err != nil {
		return err
	}
	if list == nil {
		return errors.New("no array")
	}
	seen := map[string]bool{}
	for i, x := range list {
		switch {
		case x.Description == nil || *x.Description == "", x.Check == nil || *x.Check == "", x.Fingerprint == nil || *x.Fingerprint == "":
			return fmt.Errorf("issue %d lacks a text", i)
		case x.Severity == nil || !slices.Contains(gitlabSeverities, *x.Severity):
			return fmt.Errorf("issue %d has no severity of GitLab's", i)
		case x.Location == nil || x.Location.Path == nil || x.Location.Lines == nil || x.Location.Lines.Begin == nil ||
			*x.Location.Lines.Begin < 1:
			return fmt.Errorf("issue %d has no place", i)
		case strings.HasPrefix(*x.Location.Path, "./"), strings.Contains(*x.Location.Path, "\\"):
			return fmt.Errorf("issue %d: %s is no path as GitLab matches them", i, *x.Location.Path)
		case seen[*x.Fingerprint]:
			return fmt.Errorf("issue %d has the fingerprint of another", i)
		}
		seen[*x.Fingerprint] = true
	}
	f.findings += len(list)
	return nil
}
