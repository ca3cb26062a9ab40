package main

// This file holds the tests that docs/messages.md is what the programs give.

import (
	"bytes"
	"os"
	"testing"
)

func TestDocumentIsCurrent(t *testing.T) {
	want, err := generate("../..")
	if err != nil {
		t.Fatal(err)
	}
	have, err := os.ReadFile("../../" + document)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(have, want) {
		t.Errorf("%s is out of date: go run ./tools/messagesdoc", document)
	}
}

func TestEveryProgramHasOneFaultThatPyTorchHasToo(t *testing.T) {
	list, _, err := messages()
	if err != nil {
		t.Fatal(err)
	}
	helped := 0
	for _, m := range list {
		if m.torch == "" {
			t.Errorf("%s: PyTorch reports nothing; run record.py", m.name)
		}
		if len(m.found) != 1 {
			t.Errorf("%s: %d errors", m.name, len(m.found))
			continue
		}
		if len(m.found[0].Fixes) > 0 {
			helped++
		}
	}
	if len(list) < 20 || helped < 25 {
		t.Errorf("%d programs, %d with a suggestion", len(list), helped)
	}
}
