package catalog_test

// This file checks what every record must have.

import (
	"regexp"
	"strings"
	"testing"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
)

var recordName = regexp.MustCompile(`^[a-zA-Z_][\w.]*$`)

// TestRecordsAreComplete checks names, signatures and documentation.
func TestRecordsAreComplete(t *testing.T) {
	n := 0
	catalog.All(func(op *ops.Op) {
		n++
		if len(op.Names) == 0 || op.Rule == nil || op.Doc == "" {
			t.Errorf("record %v has no name, rule or documentation", op.Names)
			return
		}
		for _, name := range op.Names {
			if !recordName.MatchString(name) {
				t.Errorf("%s: bad name %q", op.Names[0], name)
			}
			if got, ok := catalog.Lookup(name); !ok || got != op {
				t.Errorf("Lookup(%q) does not find its record", name)
			}
		}
		for _, s := range op.Signatures() { // panics on a malformed one
			seen := map[string]bool{}
			for _, p := range s.Params {
				if seen[p.Name] {
					t.Errorf("%s: parameter %s twice", op.Names[0], p.Name)
				}
				seen[p.Name] = true
			}
		}
	})
	if n < 300 {
		t.Errorf("only %d records", n)
	}
}

// TestInPlaceNames checks which names mean an in-place form.
func TestInPlaceNames(t *testing.T) {
	for name, want := range map[string]bool{
		"torch.Tensor.add_": true, "torch.Tensor.__iadd__": true, "torch.relu_": true,
		"torch.Tensor.__add__": false, "torch.Tensor.__init__": false, "torch.add": false, "torch.Tensor.__invert__": false,
	} {
		if got := ops.IsInPlace(name); got != want {
			t.Errorf("IsInPlace(%q) = %v", name, got)
		}
	}
	if _, ok := catalog.Lookup("torch.Tensor.mean_"); ok {
		t.Error("mean has no in-place form")
	}
	if op, ok := catalog.Lookup("torch.Tensor.add_"); !ok || !strings.HasSuffix(op.Names[0], ".add") {
		t.Error("add_ is not found under add")
	}
}
