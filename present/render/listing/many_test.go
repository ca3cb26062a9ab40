package listing

import (
	"strings"
	"testing"
)

// A type of very many parts is shortened by what a line has room for, whatever the number of its parts is: with a look at each number of
// them this takes hours.
func TestShortenManyParts(t *testing.T) {
	s := "(" + strings.Repeat("f32[2], ", 300_000) + "f32[2])"
	if got, want := Shorten(s, 40), "(f32[2], f32[2], f32[2], … 299998 more)"; got != want {
		t.Errorf("%s, not %s", got, want)
	}
}
