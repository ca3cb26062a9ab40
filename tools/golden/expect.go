package golden

// This file compares the comments of a program with what the run found.

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/check/record"
	"shapecheck/internal/diag"
)

var expectation = regexp.MustCompile(`#\s*(shape|error|warning|info): ?`)

// expectations finds the comments of a line: the index ranges of their kinds
// and texts. A line may have several errors.
func expectations(line string) (kinds, texts [][2]int) {
	found := expectation.FindAllStringSubmatchIndex(line, -1)
	for i, m := range found {
		end := len(line)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		for end > m[1] && line[end-1] == ' ' {
			end--
		}
		kinds, texts = append(kinds, [2]int{m[2], m[3]}), append(texts, [2]int{m[1], end})
	}
	return kinds, texts
}

// namedTarget matches an expectation that names its targets.
var namedTarget = regexp.MustCompile(`^[A-Za-z_][\w.\[\]'"]*=`)

// checkComments compares the # comments with the document. It returns whether
// it rewrote any.
func checkComments(t *testing.T, files []txtar.File, doc *record.Document) (changed bool) {
	t.Helper()
	type place struct {
		file string
		line int
	}
	found := map[place][]record.Diagnostic{}
	for _, d := range doc.Diagnostics {
		p := place{filepath.Base(d.File), d.Line}
		found[p] = append(found[p], d)
		for _, msg := range d.Others { // each is to be expected
			x := d
			x.Message = msg
			found[p] = append(found[p], x)
		}
		for _, also := range d.AlsoAt {
			x := d
			x.Message = also.Message
			at := place{filepath.Base(also.File), also.Line}
			found[at] = append(found[at], x)
		}
	}
	types := map[place][]record.Line{}
	for _, l := range doc.Lines {
		p := place{filepath.Base(l.File), l.Line}
		types[p] = append(types[p], l)
	}
	for i := range files {
		f := &files[i]
		if !strings.HasSuffix(f.Name, ".py") {
			continue
		}
		lines := strings.Split(string(f.Data), "\n")
		for n, text := range lines {
			p := place{filepath.Base(f.Name), n + 1}
			kinds, texts := expectations(text)
			for k := range kinds {
				kind, want := text[kinds[k][0]:kinds[k][1]], text[texts[k][0]:texts[k][1]]
				if kind != "shape" {
					found[p] = meet(t, fmt.Sprintf("%s:%d", f.Name, n+1), found[p], kind, want)
					continue
				}
				got := lineTypes(types[p], namedTarget.MatchString(want))
				if record.SameType(got, want) {
					continue
				}
				if *update {
					lines[n] = text[:texts[k][0]] + got
					changed = true
					continue
				}
				t.Errorf("%s:%d: shape %s, not %s", f.Name, n+1, got, want)
			}
		}
		f.Data = []byte(strings.Join(lines, "\n"))
	}
	for p, list := range found {
		for _, d := range list {
			if d.Severity != diag.Info.String() {
				t.Errorf("%s:%d: unexpected %s %s: %s", p.file, p.line, d.Severity, d.Code, d.Message)
			}
		}
	}
	return changed
}

// meet looks for an expected diagnostic and returns the others.
func meet(t *testing.T, at string, list []record.Diagnostic, kind, want string) []record.Diagnostic {
	t.Helper()
	code, quoted, _ := strings.Cut(want, " ")
	msg := ""
	if quoted != "" {
		var err error
		if msg, err = strconv.Unquote(strings.TrimSpace(quoted)); err != nil {
			t.Errorf("%s: the message %s of an expectation is no string in quotes", at, quoted)
		}
	}
	for i, d := range list {
		if d.Severity == kind && d.Code == code && strings.Contains(d.Message, msg) {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	t.Errorf("%s: expected %s %s, found %s", at, kind, want, describe(list))
	return list
}

func describe(list []record.Diagnostic) string {
	if len(list) == 0 {
		return "nothing"
	}
	var parts []string
	for _, d := range list {
		parts = append(parts, fmt.Sprintf("%s %s %q", d.Severity, d.Code, d.Message))
	}
	return strings.Join(parts, ", ")
}

// lineTypes writes the types of a line as the comments do.
func lineTypes(list []record.Line, named bool) string {
	var parts []string
	for _, l := range list {
		s := strings.Join(l.Types, " ; ")
		if named {
			s = l.Target + "=" + s
		}
		parts = append(parts, s)
	}
	return strings.Join(parts, ", ")
}
