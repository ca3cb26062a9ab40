package infer_test

import (
	"os"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
)

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
