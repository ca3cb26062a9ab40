package notebook

// This file tests that a change of a cell leaves the bytes of what does not change, however the cell is spelt.

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

func TestOnlyChangedCharactersChange(t *testing.T) {
	for _, c := range []struct{ name, source, old, new, want string }{
		{"mixed spelling and gaps", `["a\n","b # \u00e9 é\n", "y = x.t().view(6) # \u00e9\/ é"]`, "view", "reshape",
			`["a\n","b # \u00e9 é\n", "y = x.t().reshape(6) # \u00e9\/ é"]`},
		{"two changes of a line", `["b(\u0061) # é \u00e9, b\n","c"]`, "b", "dd", `["dd(\u0061) # é \u00e9, dd\n","c"]`},
		{"a line more", `["a\n" ,  "b\n",	"c"]`, "b\n", "b\nd\n", `["a\n" ,  "b\n",	"d\n",	"c"]`},
		{"a line more at the end", `["a\n" ,  "b\u000a"]`, "b\n", "b\nc", `["a\n" ,  "b\u000a" ,  "c"]`},
		{"a line more in one string", `"a\n\u0062\n"`, "b\n", "b\nc\n", `"a\n\u0062\nc\n"`},
		{"a line less", `["a\n" ,  "b\n",	"c\n",   "d"]`, "b\n", "", `["a\n" ,  "c\n",   "d"]`},
		{"no last line", `["a\n" ,  "b\n",	"c"]`, "c", "", `["a\n" ,  "b\n"]`},
		{"no line at all", `[ "c" ]`, "c", "", `[  ]`},
		{"lines together", `["a\n" ,  "b\n",	"c"]`, "\nb\n", "", `["ac"]`},
		{"strings that are no lines", `["a", "b\nc", "\nd"]`, "c", "e\nf", `["a", "b\ne\nf", "\nd"]`},
	} {
		text := `{"cells": [{"cell_type": "code", "source": ` + c.source + `}], "nbformat": 4}`
		d, err := read(text)
		if err != nil {
			t.Fatal(err)
		}
		to := strings.ReplaceAll(d.cells[0].text(), c.old, c.new)
		if got := d.encoded(d.cells[0], to); got != c.want {
			t.Errorf("%s:\n%s, want\n%s", c.name, got, c.want)
		}
	}
}

// Whatever the changes are, the source is the new text, with a line in each string where it was so.
func TestChangedSourcesAreTheNewText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []string{"a", "b", "\n", "\n", "é", "\\", "\"", "😀", "\r\n", "\x01"}
	random := func(n int) string {
		var b strings.Builder
		for range r.IntN(n) {
			b.WriteString(letters[r.IntN(len(letters))])
		}
		return b.String()
	}
	spell := func(s string) string {
		var b strings.Builder
		w := &writer{ascii: r.IntN(2) == 0}
		for _, c := range s {
			if c < 0x80 && r.IntN(3) == 0 {
				fmt.Fprintf(&b, `\u%04x`, c)
			} else {
				b.WriteString(w.spell(c))
			}
		}
		return `"` + b.String() + `"`
	}
	for range 20000 {
		old := random(12)
		var parts []string
		switch r.IntN(3) {
		case 0: // a line in each
			for _, l := range splitLines(old) {
				parts = append(parts, spell(l))
			}
		case 1:
			for rest := []rune(old); len(rest) > 0; {
				n := r.IntN(len(rest)) + r.IntN(2)
				parts = append(parts, spell(string(rest[:n])))
				rest = rest[n:]
			}
		}
		source := spell(old)
		if parts != nil {
			source = "[ " + strings.Join(parts, []string{",", " , "}[r.IntN(2)]) + "]"
		}
		wrap := func(s string) string { return `{"cells": [{"cell_type": "code", "source": ` + s + `}], "nbformat": 4}` }
		d, err := read(wrap(source))
		if err != nil {
			t.Fatalf("%s: %v", source, err)
		}
		runes := []rune(old)
		from := r.IntN(len(runes) + 1)
		to := from + r.IntN(len(runes)-from+1)
		text := string(runes[:from]) + random(5) + string(runes[to:])
		if r.IntN(4) == 0 {
			text = random(12)
		}
		got := d.encoded(d.cells[0], text)
		again, err := read(wrap(got))
		if err != nil {
			t.Fatalf("%s to %q: %s: %v", source, text, got, err)
		}
		if now := again.cells[0].text(); now != text {
			t.Fatalf("%s to %q: %s is %q", source, text, got, now)
		}
		if text == old && got != source {
			t.Fatalf("%s became %s", source, got)
		}
		if d.cells[0].byLines() && !again.cells[0].byLines() {
			t.Fatalf("%s to %q: %s has not a line in each string", source, text, got)
		}
	}
}
