package main

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestSurvivorsAreComparedAndRewritten(t *testing.T) {
	const text = "# comment\na/f.go\tf\t0 + → -\tx + y\na/f.go\tf\t0 0 → 1\treturn 0\nb/g.go\tT.m\t0 < → <=\tx < y\n"
	s, err := readSurvivors(text)
	if err != nil {
		t.Fatal(err)
	}
	killedOne := mutant{file: "a/f.go", owner: "f", column: 1, from: "+", to: "-", source: "x + y"}
	fresh := mutant{file: "a/f.go", owner: "f", nth: 1, column: 1, from: "!", to: "", source: "!x"}
	s.look("a", []mutant{killedOne, fresh})
	s.note(killedOne, killed)
	s.note(fresh, survived)
	more, stale := s.differences()
	if want := []string{"+" + fresh.key()}; !slices.Equal(more, want) {
		t.Errorf("new: %q", more)
	}
	if want := []string{"-a/f.go\tf\t0 + → -\tx + y\tis killed",
		"-a/f.go\tf\t0 0 → 1\treturn 0\tis not in the code any more"}; !slices.Equal(stale, want) {
		t.Errorf("lost: %q", stale)
	}
	if got, want := string(s.text()), "# comment\n"+fresh.key()+"\nb/g.go\tT.m\t0 < → <=\tx < y\n"; got != want {
		t.Errorf("the list is now\n%s", got)
	}
	for _, bad := range []string{"a\tb", "a\tb\tc\td\na\tb\tc\td", "a\tb\tc", "a\tb\tc\td\te"} {
		if _, err := readSurvivors(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// TestListOfSurvivorsIsOfTheCode reads the list that is kept, and the answers: what they are about is there.
func TestListOfSurvivorsIsOfTheCode(t *testing.T) {
	t.Chdir("../..")
	data, err := os.ReadFile(survivorsFile)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	s, err := readSurvivors(text)
	if err != nil {
		t.Fatal(err)
	}
	known, err := readAnswers()
	if err != nil {
		t.Fatal(err)
	}
	for key := range known { // an answer is of the code, too
		s.known[key] = true
	}
	for key := range s.known {
		file, _, _ := strings.Cut(key, "\t")
		dir := file[:strings.LastIndexByte(file, '/')]
		all, err := mutants(dir)
		if err != nil {
			t.Fatal(err)
		}
		s.look(dir, all)
	}
	for key, why := range s.lost {
		t.Errorf("%s: %s", key, why)
	}
	for key := range known {
		delete(s.known, key)
	}
	if string(s.text()) != text {
		t.Error("the list is not in order")
	}
}

func TestChangedLinesAreReadFromADiff(t *testing.T) {
	const diff = `diff --git a/x.go b/x.go
--- a/x.go
+++ b/x.go
@@ -3 +3,2 @@ func f() {
-	a
+	b
+++ c
@@ -9,2 +10,0 @@
-	d
-	e
@@ -20,0 +20 @@
+	g
diff --git a/gone.go b/gone.go
--- a/gone.go
+++ /dev/null
@@ -1,2 +0,0 @@
-package x
-
`
	lines, err := linesOf([]byte(diff))
	if err != nil {
		t.Fatal(err)
	}
	if got := slices.Sorted(maps.Keys(lines["x.go"])); !slices.Equal(got, []int{3, 4, 20}) {
		t.Errorf("lines %v", got)
	}
	if len(lines["gone.go"]) != 0 {
		t.Error("a file that is gone has lines")
	}
}
