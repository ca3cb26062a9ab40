package infer_test

// This file holds the order of sets of numbers against CPython's, recorded by
// testdata/sets.py.

import (
	"encoding/json"
	"os"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
)

func TestOrderOfSetsIsCPythons(t *testing.T) {
	data, err := os.ReadFile("testdata/sets.json")
	if err != nil {
		t.Fatal(err)
	}
	var rec struct {
		Program string
		Want    []string
	}
	if err := json.Unmarshal(data, &rec); err != nil {
		t.Fatal(err)
	}
	res, err := infer.Run(infer.Config{File: "sets.py", Text: rec.Program, Entry: "forward"})
	if err != nil {
		t.Fatal(err)
	}
	list, ok := res.Output.(*value.List)
	if !ok || len(list.Elems) != len(rec.Want) {
		t.Fatalf("the result is %v: %v", res.Output, res.Diagnostics)
	}
	known := 0
	for i, v := range list.Elems {
		if s, ok := v.(value.Str); ok {
			known++
			if string(s) != rec.Want[i] {
				t.Errorf("set %d is %s, in CPython %s", i, s, rec.Want[i])
			}
		}
	}
	if known < len(rec.Want)/2 {
		t.Errorf("of %d orders only %d are known", len(rec.Want), known)
	}
}

// TestOrderOfSets holds single rules: orders that are the same in all versions of Python
// are known, others have a cause.
func TestOrderOfSets(t *testing.T) {
	for text, want := range map[string]string{
		"list({21, 180, 3})":                            "[3, 180, 21]",
		"list({0, 8, 16})":                              "", // a display of constants whose places collide
		"list(set([0, 8, 16]))":                         "[0, 8, 16]",
		"list({n, 8, 16})":                              "[0, 8, 16]",
		"tuple({3, 1, 2})":                              "(1, 2, 3)",
		"sorted({0, 8, 16})":                            "[0, 8, 16]",
		"list({'a', 'b'} - {'a'})":                      "['b']",
		"{'a', 'b'}":                                    "",
		"list({'b', 'a'})":                              "['b', 'a']", // gone through as inserted: the rationale says why
		"[x for x in {'b', 'a'}]":                       "['b', 'a']",
		"next(iter({'b', 'a'}))":                        "",
		"(lambda s: s.pop())({'b', 'a'})":               "",
		"frozenset([1])":                                "frozenset({1})",
		"list({1, 2, 3} | {n})":                         "[0, 1, 2, 3]",
		"(hash(1.5), hash(-1), hash(2**61), hash(0.1))": "(1152921504606846977, -2, 1, 230584300921369408)",
		"(lambda s: (s.pop(), s.pop()))({5, 9, 2})":     "(9, 2)",
	} {
		res, err := infer.Run(infer.Config{File: "sets.py", Text: "def forward(n=0):\n    return repr(" + text + ")\n", Entry: "forward"})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := res.Output.(value.Str); !ok && want != "" || ok && string(got) != want {
			t.Errorf("%s is %v, want %s", text, res.Output, want)
		}
	}
}
