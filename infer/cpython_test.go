package infer_test

// This file holds the order of sets of numbers against CPython's, recorded by
// testdata/sets.py.
//
// It also holds texts that CPython 3.12 makes of letters and of long numbers.

import (
	"encoding/json"
	"os"
	"strings"
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

func TestTextsAreCPythons(t *testing.T) {
	for text, want := range map[string]string{
		"'ΑΣ Σ ΑΣΑ'.lower()":           "ας σ ασα",
		"'ΑΣ.Β ΑΣ. \u0301Σ'.lower()":   "ασ.β ας. \u0301σ",
		"'ΑΣ\u0301'.title()":           "Ας\u0301",
		"'aΣ'.capitalize()":            "Aς",
		"'ΑΣςǅ'.swapcase()":            "ασΣǅ",
		"'ΑΣς'.casefold()":             "ασσ",
		"'ʰσA'.title()":                "ʰσa",
		"'\u0149'.upper()":             "\u02bcN",
		"'\u0130'.lower()":             "i\u0307",
		"str(len(str(10**4299)))":      "4300",
		"str(int('1' * 4300) % 7)":     "5",
		"str(int('f' * 9999, 16) % 7)": "0",
		"str(10**4300)":                "", // CPython raises
		"int('1' * 4301)": "ValueError: Exceeds the limit (4300 digits) for integer string conversion: " +
			"value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit",
		"format(10, '-z')": "ValueError: Negative zero coercion (z) not allowed in integer format specifier",
	} {
		prog := "def forward():\n    try:\n        return " + text + "\n    except ValueError as e:\n        return 'ValueError: ' + str(e)\n"
		res, err := infer.Run(infer.Config{File: "texts.py", Text: prog, Entry: "forward"})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := res.Output.(value.Str); !ok && want != "" || ok && string(got) != want {
			t.Errorf("%s is %v, want %s", text, res.Output, want)
		}
	}
}

// TestExceptStarIsCPythons compares programs with except* with what CPython 3.11 has recorded of them.
func TestExceptStarIsCPythons(t *testing.T) {
	r, err := infer.Run(infer.Config{File: "testdata/except_star.py", Entry: "results"})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range r.Diagnostics {
		t.Errorf("%s: %s", d.Code, d.Msg)
	}
	recorded, err := os.ReadFile("testdata/except_star.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(string(recorded)), "\n")
	list, ok := r.Output.(*value.List)
	if !ok || len(list.Elems) != len(want) {
		t.Fatalf("results are %v, want %d", r.Output, len(want))
	}
	for i, x := range list.Elems {
		if got, known := value.AsStr(x); !known || got != want[i] {
			t.Errorf("%v\nwant %s", x, want[i])
		}
	}
}
