package packedtext

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPackedTextsAreThoseOfTheTables compares each compressed table of the repository with the text that is reviewed.
func TestPackedTextsAreThoseOfTheTables(t *testing.T) {
	tables := 0
	for _, pattern := range []string{"../../infer/ops/*/*.txt.gz", "../../onnx/*/*.txt.gz"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			tables++
			packed, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(strings.TrimSuffix(file, ".gz"))
			if err != nil || Read(packed) != string(text) {
				t.Errorf("%s is not what its table says (%v): run go generate in its folder", file, err)
			}
		}
	}
	if tables == 0 {
		t.Error("there is no table")
	}
}
