package main

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestThePictureIsTrue(t *testing.T) {
	for _, name := range []string{"FORCE_COLOR", "NO_COLOR", "COLUMNS"} { // they are set, and are to be as before
		t.Setenv(name, os.Getenv(name))
	}
	t.Chdir("../..")
	got, err := picture()
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("docs/picture.svg")
	if diff := cmp.Diff(string(want), got); err != nil || diff != "" {
		t.Errorf("%v; go run ./tools/picture makes it anew; -want +got:\n%s", err, diff)
	}
}

func TestSpans(t *testing.T) {
	for line, want := range map[string]string{
		"a <b>":                               "a\u00a0&lt;b&gt;",
		"\x1b[1;31merror\x1b[0m: x":           `<tspan font-weight="bold" fill="#ff7b72">error</tspan>:` + "\u00a0x",
		"\x1b[36m= fix\x1b[0m\x1b[1mb\x1b[0m": `<tspan fill="#76e3ea">=` + "\u00a0" + `fix</tspan><tspan font-weight="bold">b</tspan>`,
		"\x1b[99mplain":                       "plain",
	} {
		if got := spans(line); got != want {
			t.Errorf("%q: got %s, want %s", line, got, want)
		}
	}
}
