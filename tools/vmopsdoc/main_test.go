package main

// This file holds the tests that docs/vm-ops.md is what the tables say, and that every
// instruction of the ancestor has an equivalent or a reason.

import (
	"bytes"
	"os"
	"testing"
)

func TestDocumentIsCurrent(t *testing.T) {
	have, err := os.ReadFile("../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, generate()) {
		t.Errorf("%s is out of date: go run ./tools/vmopsdoc", document)
	}
}

func TestEveryInstructionOfTheAncestorHasAPlace(t *testing.T) {
	list := instructions()
	if len(list) != 188 {
		t.Errorf("%d instructions, not 188", len(list))
	}
	seen := map[string]bool{}
	for _, x := range list {
		if seen[x.name] {
			t.Errorf("%s is there twice", x.name)
		}
		seen[x.name] = true
		if len(x.to) == 0 && x.note == "" {
			t.Errorf("%s has neither an equivalent nor a reason", x.name)
		}
		for _, name := range x.to {
			if lookup(name) == 0 {
				t.Errorf("%s: there is no instruction %s", x.name, name)
			}
		}
	}
	// numbers of the list's ends and of some in the middle, as that machine had them
	for number, name := range map[int]string{1: "Add", 36: "StaticClip", 63: "Reshape", 91: "Dropout", 110: "LSTM",
		130: "Jmp", 148: "TVM", 162: "SequenceStack", 188: "GenericAccumulateGrad"} {
		if list[number-1].name != name {
			t.Errorf("number %d is %s, not %s", number, list[number-1].name, name)
		}
	}
}
