package safetext

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestLine(t *testing.T) {
	for _, c := range [][2]string{
		{"plain: ünï, 中文, 🙂", "plain: ünï, 中文, 🙂"},
		{"a\tb\nc\r", `a\u0009b\u000ac\u000d`},
		{"\x1b]0;title\x07\x1b[31m", `\u001b]0;title\u0007\u001b[31m`},
		{"\u009b31m\u007f", `\u009b31m\u007f`},
		{"a\xffb\xc2", `a\xffb\xc2`},
		{"x\u202ey\u2066\u200e\u061c\u2028", `x\u202ey\u2066\u200e\u061c\u2028`},
		{"f() ## a comment", "f() ## a comment"},
		{"f() ##vso[task.x]", `f() #\u0023vso[task.x]`},
		{"a ##[error]b", `a #\u0023[error]b`},
		{"torch::nn", "torch::nn"},
		{"\uFFFD", "\uFFFD"},
	} {
		if got := Line(c[0]); got != c[1] {
			t.Errorf("Line(%q) is %q, want %q", c[0], got, c[1])
		}
	}
	if got := Indented("a\n::b\x1b", "  "); got != "a\n  ::b\\u001b" {
		t.Errorf("Indented gives %q", got)
	}
}

func write(t *testing.T, colors, commands bool, parts ...string) string {
	t.Helper()
	var b bytes.Buffer
	w := NewWriter(&b)
	w.Allow(colors, commands)
	for _, p := range parts {
		if n, err := w.Write([]byte(p)); n != len(p) || err != nil {
			t.Fatal(n, err)
		}
	}
	if err := w.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestWriter(t *testing.T) {
	for _, c := range []struct {
		colors, commands bool
		in, want         string
	}{
		{in: "a\n::error::b\n", want: "a\n:\\u003aerror::b\n"},
		{in: "  \u00a0::error::b", want: "  \u00a0:\\u003aerror::b"},
		{in: "## a\nb ## c\n", want: "#\\u0023 a\nb ## c\n"},
		{in: "x\r\n", want: "x\\u000d\n"},
		{in: "\x1b[1;31mred\x1b[0m\n", want: "\\u001b[1;31mred\\u001b[0m\n"},
		{colors: true, in: "\x1b[1;31mred\x1b[0m \x1b[8mhidden\x1b[2J\x1b[", want: "\x1b[1;31mred\x1b[0m \\u001b[8mhidden\\u001b[2J\\u001b["},
		{colors: true, in: "\x1b[1m::error::\n", want: "\x1b[1m:\\u003aerror::\n"},
		{commands: true, in: "::error::a\n##vso[x]\n", want: "::error::a\n#\\u0023vso[x]\n"},
		{in: "\"a\u0085b\": \"##vso[x\"", want: "\"a\\u0085b\": \"#\\u0023vso[x\""},
		{in: "a\xe4\xb8\xad\xe4\n", want: "a中\\xe4\n"},
	} {
		if got := write(t, c.colors, c.commands, c.in); got != c.want {
			t.Errorf("%q is written as %q, want %q", c.in, got, c.want)
		}
		// However the text arrives, it is the same.
		if got := write(t, c.colors, c.commands, strings.Split(c.in, "")...); got != c.want {
			t.Errorf("%q in pieces is written as %q, want %q", c.in, got, c.want)
		}
	}
}

type full struct{ room int }

func (f *full) Write(b []byte) (int, error) {
	if f.room -= len(b); f.room < 0 {
		return 0, errors.New("full")
	}
	return len(b), nil
}

func TestTheFirstErrorStays(t *testing.T) {
	w := NewWriter(&full{4})
	if _, err := w.Write([]byte("abc\n")); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := w.Write([]byte("d\n")); err == nil {
			t.Error("a failed write is not reported")
		}
	}
	if w.Flush() == nil {
		t.Error("Flush forgets the error")
	}
	last := NewWriter(&full{2})
	if _, err := last.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	if last.Flush() == nil {
		t.Error("a line without an end is lost without a word")
	}
}

func FuzzWriter(f *testing.F) {
	f.Add("\x1b[31m\n ::error::x ##vso[y]\u202e\xff", true)
	f.Fuzz(func(t *testing.T, s string, colors bool) {
		got := write(t, colors, false, s)
		if !utf8.ValidString(got) {
			t.Fatalf("%q is no UTF-8", got)
		}
		for _, line := range strings.Split(got, "\n") {
			if trimmed := strings.TrimSpace(line); strings.HasPrefix(trimmed, "::") || strings.HasPrefix(trimmed, "##") {
				t.Fatalf("the line %q of %q begins a command", line, got)
			}
			for _, c := range line {
				if !shown(c) && !(colors && c == 0x1b) {
					t.Fatalf("%q has %U", got, c)
				}
			}
		}
		if again := write(t, colors, false, got); again != got {
			t.Fatalf("%q is safe, but becomes %q", got, again)
		}
	})
}
