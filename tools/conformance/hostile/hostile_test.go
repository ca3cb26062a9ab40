package hostile

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestProgramsAreManyAndDiffer(t *testing.T) {
	all := Programs()
	if len(all) < 761 {
		t.Errorf("%d programs", len(all))
	}
	seen := map[string]bool{}
	for _, k := range kinds {
		if seen[k.name] || strings.Contains(k.name, "/") {
			t.Errorf("the name %q is taken or has a slash", k.name)
		}
		seen[k.name] = true
		if text := k.fragment(k.sizes[0]); strings.Contains(text, "$N") || k.expand != nil && !strings.Contains(k.text, "@") {
			t.Errorf("%s: the size is not in the text", k.name)
		}
	}
	for _, c := range contexts {
		if text := c.around("a = 1\nr = 2\n"); !strings.Contains(text, "a = 1\n") || strings.Contains(text, "#") {
			t.Errorf("%s: %s", c.name, text)
		}
	}
}

func TestSampleTakesEachKind(t *testing.T) {
	names := func(seed uint64) []string {
		var out []string
		for _, p := range Sample(Programs(), len(kinds)+3, seed) {
			out = append(out, p.Name)
		}
		return out
	}
	a := names(1)
	if !slices.Equal(a, names(1)) || slices.Equal(a, names(2)) {
		t.Error("a sample is decided by its seed")
	}
	for _, k := range kinds {
		if !slices.ContainsFunc(a[:len(kinds)], func(name string) bool { return strings.HasPrefix(name, k.name+"/") }) {
			t.Errorf("no program of %s", k.name)
		}
	}
	slices.Sort(a)
	if len(slices.Compact(a)) != len(kinds)+3 {
		t.Error("a program is taken twice")
	}
}

// TestCheckTellsFaults runs scripts in place of the command.
func TestCheckTellsFaults(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the memory of processes is measured otherwise here")
	}
	for script, want := range map[string]string{
		"exit 0":                         "",
		"exit 2":                         "",
		"exit 3":                         "exit status 3",
		"echo fatal; echo 'fatal error'": `the output has "fatal error"`,
		"kill -9 $$":                     "signal: killed",
		"while :; do :; done":            "signal: killed, it took",
	} {
		file := filepath.Join(t.TempDir(), "command")
		if err := os.WriteFile(file, []byte("#!/bin/sh\nulimit -t 1\n"+script+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		p := Program{Name: "p", Text: func() string { return "" }}
		r, err := p.Check(file, nil, Limits{CPU: 100 * time.Millisecond, Memory: 1 << 30})
		if err != nil || (want == "") != (r.Fault == "") || !strings.HasPrefix(r.Fault, want) {
			t.Errorf("%s: %q, %v, want %q", script, r.Fault, err, want)
		}
	}
}
