package main

import (
	"slices"
	"testing"
)

func TestEachMutantChangesOneToken(t *testing.T) {
	const text = "package p\n\nconst k = 1 + 2\n\nfunc f(x []int, ok bool) int {\n\tfor i := range x {\n\t\tif !ok && i < 3 {\n\t\t\tcontinue\n\t\t}\n\t\tx[i]++\n\t}\n\tvar a [4]int\n\treturn -a[0] + \"name\"\n}\n"
	list, err := mutantsOf("p.go", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.from+" → "+m.to)
		if len(m.text) != len(text)-len(m.from)+len(m.to) {
			t.Errorf("%s changes more than its token", m)
		}
	}
	want := []string{"&& → ||", "! → ", "< → <=", "3 → 4", "continue → break", "++ → --", "+ → -", "- → ", "0 → 1"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	if m := list[2]; m.place() != "p.go:7:15" || m.source != "\t\tif !ok && i < 3 {" {
		t.Errorf("%s %q", m.place(), m.source)
	}
}
