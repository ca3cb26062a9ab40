package lib

// This file compares the builtins with results recorded from CPython 3.12.

import (
	"bufio"
	"compress/gzip"
	"errors"
	"math/cmplx"
	"os"
	"strings"
	"testing"

	"shapecheck/infer/value"
)

// recorded reads testdata/builtins.tsv.gz: an expression (or statements that end
// in one) and its repr, or "!" with the exception it raises.
func recorded(t *testing.T) [][2]string {
	f, err := os.Open("testdata/builtins.tsv.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	unescape := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")
	var out [][2]string
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		a, b, ok := strings.Cut(s.Text(), "\t")
		if !ok {
			t.Fatalf("bad line %q", s.Text())
		}
		out = append(out, [2]string{unescape.Replace(a), unescape.Replace(b)})
	}
	if err := s.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

// outcome runs a case and prints what the recording has.
func outcome(th *testThread, text string) (string, error) {
	clear(th.vars)
	v, err := th.run(text)
	var e *value.Exception
	if errors.As(err, &e) {
		s, _ := th.w.exceptionText(th, e.Value)
		if e.Value.Class.IsSubclass(th.w.Class("KeyError")) {
			s, _ = "", false
			if args := exceptionArgs(e.Value); len(args) > 0 {
				s, _ = th.Repr(args[0])
			}
		}
		return "!" + e.Value.Class.Name + ": " + s, nil
	}
	if err != nil {
		return "", err
	}
	if v == nil {
		return "None", nil
	}
	if value.IsUnknown(v) {
		return "?", nil
	}
	s, known := th.Repr(v)
	if !known {
		s += " (abstract)"
	}
	return s, nil
}

func TestBuiltinsAgreeWithCPython(t *testing.T) {
	cases := recorded(t)
	th := newTestThread()
	bad := 0
	for _, c := range cases {
		got, err := outcome(th, c[0])
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != c[1] && !accepted(c[0], got, c[1]) {
			if bad++; bad <= 60 {
				t.Errorf("%s\n got %s\nwant %s", c[0], got, c[1])
			}
		}
	}
	if bad > 0 {
		t.Errorf("%d of %d cases differ", bad, len(cases))
	}
}

// accepted lists where less than CPython's answer is right.
func accepted(expr, got, want string) bool {
	switch {
	case got == "?" || strings.HasSuffix(got, " (abstract)"):
		// Lost on purpose: numbers beyond the budget, the order of sets.
		return !strings.HasPrefix(want, "!")
	case got == "NotImplemented" && strings.HasPrefix(want, "!TypeError"):
		// str.__add__("a", 1): CPython raises where its operator would have tried
		// the other operand first; here the method is what the operator asks.
		return true
	case strings.HasPrefix(want, "<slot wrapper") || strings.Contains(expr, "__doc__"):
		return true // docstrings of builtins are not kept
	case strings.Contains(expr, "inf") && strings.Contains(expr, "j"):
		return true // infinite powers of complex numbers: which exception is raised
	case strings.Contains(expr, "**") && strings.Contains(want, "j"):
		// The last digits of a complex power depend on the C library.
		a, ok1 := parseComplex(got)
		b, ok2 := parseComplex(want)
		return ok1 && ok2 && cmplx.Abs(a-b) <= 1e-13*cmplx.Abs(b)
	}
	return false
}
