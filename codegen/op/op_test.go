package op

import (
	"testing"

	"shapecheck/codegen/isa"
	"shapecheck/onnx/schema"
)

// refused are the operators that are not compiled, with the reason.
var refused = map[string]string{
	"ImageDecoder": "decodes files of images", "RegexFullMatch": "strings", "StringConcat": "strings", "StringNormalizer": "strings",
	"StringSplit": "strings",
}

func TestEveryOperatorHasARecord(t *testing.T) {
	for _, s := range schema.Ops() {
		if s.Domain != "" && s.Domain != schema.Chainer || schema.Last(s.Domain, s.Name) != s {
			continue
		}
		_, no := refused[s.Name]
		if r := Lookup(s.Domain, s.Name); (r == nil) != no {
			t.Errorf("%s of domain %q: record %v, refused %v", s.Name, s.Domain, r != nil, no)
		}
	}
}

func TestRecordsAreWhole(t *testing.T) {
	seen := map[key]bool{}
	for _, f := range families() {
		for _, r := range f.rows {
			if seen[key{f.domain, r.name}] {
				t.Errorf("%s has two rows", r.name)
			}
			seen[key{f.domain, r.name}] = true
		}
	}
	for _, r := range All() {
		if r.Schema == nil {
			t.Errorf("%s has no schema", r.Name)
			continue
		}
		if (r.Opcode == 0) && r.Via == "" {
			t.Errorf("%s has neither an opcode nor something that it is rewritten to", r.Name)
		}
		for _, i := range r.Sizes {
			if r.Schema.Input(i) == nil {
				t.Errorf("%s has no operand %d, which counts as a size", r.Name, i)
			}
		}
		if r.Domain == isa.MachineDomain && r.Doc == "" {
			t.Errorf("%s has no doc", r.Name)
		}
	}
}
