package mcp

// This file sends the bugs that testdata/bugs plants in right programs through check_edit, and holds what it says against a check of the
// files.

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/internal/diag"
	"shapecheck/present/lsp"
)

const bugsFolder = "../../testdata/bugs/"

// A bug is a line of bugs.txt: a line of a program, and what is planted there.
type bug struct {
	program, right, planted, name string
	found                         bool // by a check of the program as a script
}

// plantedBugs are the bugs by their programs, in the order of bugs.txt.
func plantedBugs(t *testing.T) (programs []string, bugs map[string][]bug) {
	t.Helper()
	lines := func(name string) []string {
		text, err := os.ReadFile(bugsFolder + name)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(strings.Split(strings.TrimSpace(string(text)), "\n"), func(l string) bool { return strings.HasPrefix(l, "#") })
	}
	found := lines("found.txt")
	bugs = map[string][]bug{}
	for i, line := range lines("bugs.txt") {
		p := strings.Split(line, " | ")
		if len(p) != 4 || i >= len(found) {
			t.Fatalf("not a bug, or not in found.txt: %s", line)
		}
		if bugs[p[0]] == nil {
			programs = append(programs, p[0])
		}
		bugs[p[0]] = append(bugs[p[0]], bug{p[0], p[1], p[2], p[3], strings.Contains(found[i], ": found ")})
	}
	return programs, bugs
}

// An editAnswer is what check_edit says of an edit: the findings by code and line.
type editAnswer struct {
	text                 string
	added, removed, kept []string
}

var answered = regexp.MustCompile(`(?m)^(added|removed|kept): (SC\d+) [^:\n]*:(\d+) `)

// checkEdits sends edits to a server for the working directory.
func checkEdits(t *testing.T, edits []map[string]any) []editAnswer {
	t.Helper()
	var in, out bytes.Buffer
	for i, e := range edits {
		in.WriteString(request(i, "tools/call", map[string]any{"name": "check_edit", "arguments": e}) + "\n")
	}
	s := &Server{Options: lsp.Options{Limits: check.Limits{Timeout: time.Minute}}}
	if err := s.Serve(context.Background(), &in, &out); err != nil {
		t.Fatal(err)
	}
	var answers []editAnswer
	for line := range strings.Lines(out.String()) {
		var m struct {
			Result struct {
				Content []struct{ Text string }
				IsError bool
			}
		}
		if err := json.Unmarshal([]byte(line), &m); err != nil || m.Result.IsError || len(m.Result.Content) != 1 {
			t.Fatalf("%v: %s", err, line)
		}
		a := editAnswer{text: m.Result.Content[0].Text}
		lists := map[string]*[]string{"added": &a.added, "removed": &a.removed, "kept": &a.kept}
		for _, f := range answered.FindAllStringSubmatch(a.text, -1) {
			*lists[f[1]] = append(*lists[f[1]], f[2]+"@"+f[3])
		}
		answers = append(answers, a)
	}
	return answers
}

// checkedAlone are the errors and warnings of a check of a file, by code and line.
func checkedAlone(t *testing.T, s *check.Session, file string) []string {
	t.Helper()
	p, err := trial.CheckFiles(context.Background(), s, []string{file}, check.Unwatched{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range diag.Causes(p.Diagnostics) {
		if d.Severity >= diag.Warning {
			out = append(out, fmt.Sprintf("%s@%d", d.Code, p.Files.Position(d.At.Start).Line))
		}
	}
	slices.Sort(out)
	return out
}

// The edit from the right form to the planted one adds what a check of the planted file says, and no more; the edit back removes it.
// SHAPECHECK_ALL_BUGS=1 takes all bugs instead of one of each program.
func TestEditsThatPlantBugs(t *testing.T) {
	programs, bugs := plantedBugs(t)
	dir := t.TempDir()
	texts := map[string]string{}
	for _, p := range programs {
		text, err := os.ReadFile(bugsFolder + p + ".py")
		if err != nil {
			t.Fatal(err)
		}
		texts[p] = string(text)
	}
	t.Chdir(dir)
	session := &check.Session{Limits: check.Limits{Timeout: time.Minute}}
	count := map[string]int{}
	for _, p := range programs {
		var edits []map[string]any
		right := filepath.Join(p, p+".py")
		var planted []string
		write(t, right, texts[p])
		if os.Getenv("SHAPECHECK_ALL_BUGS") == "" {
			bugs[p] = bugs[p][:1] // all take minutes
		}
		for i, b := range bugs[p] {
			file := filepath.Join(fmt.Sprintf("%s%d", p, i), p+".py")
			planted = append(planted, file)
			write(t, file, strings.Replace(texts[p], b.right+"\n", b.planted+"\n", 1))
			line := lineOf(texts[p], b.right)
			edits = append(edits, map[string]any{"path": right, "old": line, "new": strings.Replace(line, b.right, b.planted, 1)},
				map[string]any{"path": file, "old": strings.Replace(line, b.right, b.planted, 1), "new": line})
		}
		answers := checkEdits(t, edits)
		for i, b := range bugs[p] {
			want := checkedAlone(t, session, planted[i])
			to, back := answers[2*i], answers[2*i+1]
			slices.Sort(to.added)
			slices.Sort(back.removed)
			count["bugs"]++
			if len(want) > 0 {
				count["found"]++
			}
			if len(want) > 0 != b.found { // by the script that is in the file
				t.Errorf("%s: %s: found is %v in found.txt, but a check has %v", p, b.name, b.found, want)
			}
			if !slices.Equal(to.added, want) || len(to.removed)+len(to.kept) > 0 {
				t.Errorf("%s: %s: a check has %v, check_edit says\n%s", p, b.name, want, to.text)
			}
			if !slices.Equal(back.removed, want) || len(back.added)+len(back.kept) > 0 {
				t.Errorf("%s: %s, mended: a check had %v, check_edit says\n%s", p, b.name, want, back.text)
			}
		}
	}
	t.Logf("%d bugs, %d found by a check", count["bugs"], count["found"])
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// lineOf is the line of a program that ends with a text, with as many lines before it as it takes to be the only such place.
func lineOf(text, end string) string {
	before, _, _ := strings.Cut(text, end+"\n")
	from := strings.LastIndexByte(before, '\n') + 1
	for strings.Count(text, text[from:len(before)+len(end)+1]) > 1 {
		from = strings.LastIndexByte(text[:from-1], '\n') + 1
	}
	return text[from : len(before)+len(end)+1]
}
