package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWovenMutantsAreChosen runs a program that holds its mutants.
func TestWovenMutantsAreChosen(t *testing.T) {
	const text = `package main

import "fmt"

var start = 1

func f(n int) (sum int) {
outer:
	for i := 0; i < n; i++ {
		for range 3 {
			if i == 5 {
				continue outer
			}
			sum += i
		}
	}
	return sum
}

func main() { fmt.Print(f(8), start) }
`
	dir := t.TempDir()
	list, err := mutantsOf("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	inside := map[int]mutant{}
	for i, m := range list {
		if m.in != nil && m.from != "++" {
			inside[i+1] = m
		} else if m.from == "1" {
			changed, _ := weave(text, map[int]mutant{1: m})
			if changed != strings.Replace(text, "start = 1", "start = 2", 1) {
				t.Errorf("outside of functions:\n%s", changed)
			}
		}
	}
	woven, spans := weave(text, inside)
	lines := strings.Split(woven, "\n")
	for _, s := range spans {
		if !strings.Contains(lines[s.from-1], fmt.Sprintf("%q", strconv.Itoa(s.mutant))) {
			t.Errorf("mutant %d is not at line %d", s.mutant, s.from)
		}
	}
	path := filepath.Join(dir, "main.go")
	if err := os.WriteFile(path, []byte(woven), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "choice.go"), fmt.Appendf(nil, choice, packageOf(woven)), 0o666); err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(dir, "p")
	if out, err := exec.Command("go", "build", "-o", bin, path, filepath.Join(dir, "choice.go")).CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", out, woven)
	}
	got := map[string]string{}
	for id := range len(list) + 1 {
		name := ""
		if m, ok := inside[id]; ok {
			name = m.from + m.to
		} else if id > 0 {
			continue
		}
		cmd := exec.Command(bin)
		cmd.Env = append(os.Environ(), variable+"="+strconv.Itoa(id))
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		got[name] += string(out) + " "
	}
	// i begins at 1, goes to 8, is counted four times; another i is left out, or all but one; what is summed is subtracted; f gets 9.
	want := map[string]string{"": "69 1 ", "01": "69 1 ", "<<=": "93 1 ", "34": "92 1 ", "==!=": "15 1 ", "56": "66 1 ", "+=-=": "-69 1 ",
		"89": "93 1 "}
	if !maps.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestEachMutantChangesOneToken(t *testing.T) {
	const text = "package p\n\nconst k = 1 + 2\n\nfunc f(x []int, ok bool) int {\n\tfor i := range x {\n\t\tif !ok && i < 3 {\n\t\t\tcontinue\n\t\t}\n\t\tx[i]++\n\t}\n\tvar a [4]int\n\treturn -a[0] + \"name\"\n}\n"
	list, err := mutantsOf("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.from+" → "+m.to)
		if m.from != text[m.offset:][:len(m.from)] {
			t.Errorf("%s is at another place", m)
		}
	}
	want := []string{"&& → ||", "! → ", "< → <=", "3 → 4", "continue → break", "++ → --", "- → ", "0 → 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if m := list[2]; m.place() != "p.go:7:15" || m.source != "\t\tif !ok && i < 3 {" {
		t.Errorf("%s %q", m.place(), m.source)
	}
}

// TestEqualLinesHaveKeysOfTheirOwn changes lines that stand twice: in one function, in two, in a method and in a variable.
func TestEqualLinesHaveKeysOfTheirOwn(t *testing.T) {
	const text = `package p

var limit, most = 1, func() int {
	return 1
}

func f(x int) int {
	if x > 0 {
		return 1
	}
	return 1
}

func (l *list[T]) f() int {
	return 1
}
`
	list, err := mutantsOf("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.key())
	}
	want := []string{
		"p.go\tlimit\t18 1 → 2\tvar limit, most = 1, func() int {",
		"p.go\tlimit\t7 1 → 2\treturn 1",
		"p.go\tf\t5 > → >=\tif x > 0 {",
		"p.go\tf\t7 0 → 1\tif x > 0 {",
		"p.go\tf\t7 1 → 2\treturn 1",
		"p.go\tf\t7 1 → 2 #2\treturn 1",
		"p.go\tlist.f\t7 1 → 2\treturn 1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
