package lsp

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf16"
)

// pieces are what random texts are made of.
var pieces = []string{"a", "def f(x):\n", "    return x\n", "\r\n", "\r", "\n", "é", "𝔘", "x = torch.ones(3)\n", "# 𝔘 é\n", " ", "(", ")"}

func randomText(r *rand.Rand, n int) string {
	var b strings.Builder
	for range r.IntN(n) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// units is the text of a line up to a position, by the definition of the encoding.
func units(e encoding, line string, character int) string {
	if e == utf8Encoding {
		return line[:min(character, len(line))]
	}
	u := utf16.Encode([]rune(line))
	return string(utf16.Decode(u[:min(character, len(u))]))
}

// Increments give the text that the whole would, and lines that were not touched keep their place.
func TestIncrementsGiveTheWholeText(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, e := range []encoding{utf8Encoding, utf16Encoding} {
		for range 50 {
			d := newDocument("file:///a.py", "/a.py", 1, randomText(r, 40))
			d.accept()
			was, before := d.text, d.lines
			for range 100 {
				a, b := r.IntN(len(d.text)+1), r.IntN(len(d.text)+1)
				a, b = characterStart(d.text, min(a, b)), characterStart(d.text, max(a, b))
				text := randomText(r, 6)
				want := d.text[:a] + text + d.text[b:]
				change := contentChange{&textRange{at(d, e, a), at(d, e, b)}, text}
				if got := d.offset(change.Range.Start, e); got != a {
					t.Fatalf("%q: byte %d is %v, which is byte %d", d.text, a, change.Range.Start, got)
				}
				if err := d.change(&change, e); err != nil {
					t.Fatal(err)
				}
				if d.text != want {
					t.Fatalf("got %q, want %q", d.text, want)
				}
				if len(d.checked) != len(d.lines) {
					t.Fatalf("%d lines, %d of them mapped", len(d.lines), len(d.checked))
				}
				last := -1
				for i, line := range d.checked {
					if line < 0 {
						continue
					}
					if line <= last || d.lines.line(d.text, i) != before.line(was, line) {
						t.Fatalf("line %d %q is no line %d %q", i, d.lines.line(d.text, i), line, before.line(was, line))
					}
					last = line
				}
			}
		}
	}
}

// characterStart is a byte at which a character begins and no line end is cut.
func characterStart(text string, at int) int {
	for at > 0 && at < len(text) && (text[at]&0xc0 == 0x80 || text[at] == '\n' && text[at-1] == '\r') {
		at--
	}
	return at
}

// at is the position of a byte, found by counting.
func at(d *document, e encoding, offset int) position {
	line, col := d.lines.at(offset)
	text := d.lines.line(d.text, line)
	col = min(col, len(text))
	for n := 0; ; n++ {
		if units(e, text, n) == text[:col] {
			return position{line, n}
		}
		if n > len(text) {
			panic("no position")
		}
	}
}

func TestPositionsOutsideAreTheNearest(t *testing.T) {
	d := newDocument("", "", 1, "ab\n𝔘c\n")
	for _, c := range []struct {
		at   position
		want int
	}{{position{-1, 5}, 0}, {position{0, -1}, 0}, {position{0, 99}, 2}, {position{1, 2}, 7}, {position{1, 99}, 8}, {position{2, 0}, 9},
		{position{9, 9}, 9}} {
		if got := d.offset(c.at, utf16Encoding); got != c.want {
			t.Errorf("%v is byte %d, want %d", c.at, got, c.want)
		}
	}
	if err := d.change(&contentChange{&textRange{position{1, 0}, position{0, 0}}, ""}, utf16Encoding); err == nil {
		t.Error("a range that ends before it starts is accepted")
	}
}

func TestPaths(t *testing.T) {
	for uri, want := range map[string]string{"file:///a/b%20c/%C3%A9.py": "/a/b c/é.py", "file:///a/../b.py": "/b.py"} {
		if got, err := pathOf(uri); err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", uri, got, err, want)
		}
	}
	for _, uri := range []string{"untitled:Untitled-1", "http://example.org/a.py", "%zz"} {
		if _, err := pathOf(uri); err == nil {
			t.Errorf("%s is a file", uri)
		}
	}
	if got := uriOf("/a b/é#.py"); got != "file:///a%20b/%C3%A9%23.py" {
		t.Error(got)
	}
}
