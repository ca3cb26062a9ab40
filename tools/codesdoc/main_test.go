package main

// This file holds the test that docs/codes.md is what the table says.

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
		t.Errorf("%s is out of date: go run ./tools/codesdoc", document)
	}
}
