package report

import (
	"strings"
	"testing"
)

// A text of very many types is broken into lines with a look at each line alone: with one at all that is left, this takes minutes.
func TestWrapManyTypes(t *testing.T) {
	lines := wrap(strings.TrimSpace(strings.Repeat("f32[2,3], ", 1_000_000)), 80)
	if len(lines) != 125_000 || lines[0] != strings.TrimSpace(strings.Repeat("f32[2,3], ", 8)) {
		t.Errorf("%d lines, the first %q", len(lines), lines[0])
	}
}
