package text

import (
	"slices"
	"strings"
	"testing"
)

// TestParametersAreNamedOnce reads the table of usual values: each line has names and a value, and no name has two.
func TestParametersAreNamedOnce(t *testing.T) {
	var seen []string
	for line := range strings.Lines(parameters) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		names, v, ok := strings.Cut(line, " = ")
		if !ok || v == "" || names == "" {
			t.Errorf("%q has no names or no value", line)
		}
		for name := range strings.FieldsSeq(names) {
			if slices.Contains(seen, name) {
				t.Errorf("%s is named twice", name)
			}
			if got := usual()[name]; got != v {
				t.Errorf("%s is usually %q, not %q", name, got, v)
			}
			seen = append(seen, name)
		}
	}
	if len(seen) < 300 {
		t.Errorf("only %d parameters are known", len(seen))
	}
}
