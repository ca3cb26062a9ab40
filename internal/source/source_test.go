package source

import "testing"

func TestLinesEndAsInPython(t *testing.T) {
	f := NewFile("a.py", "one\r\ntwo\rthree\nfour")
	fs := NewFileSet()
	if err := fs.Add(NewFile("before.py", "x")); err != nil {
		t.Fatal(err)
	}
	if err := fs.Add(f); err != nil {
		t.Fatal(err)
	}
	if n := f.LineCount(); n != 4 {
		t.Fatalf("%d lines", n)
	}
	for i, want := range []string{"one", "two", "three", "four"} {
		if got := f.Line(i + 1); got != want {
			t.Errorf("line %d is %q", i+1, got)
		}
	}
	for _, c := range []struct{ off, line, col int }{{0, 1, 0}, {4, 1, 4}, {5, 2, 0}, {9, 3, 0}, {19, 4, 4}} {
		p := fs.Position(f.Pos(c.off))
		if p.File != f || p.Line != c.line || p.Col != c.col {
			t.Errorf("offset %d is %s, want %d:%d", c.off, p, c.line, c.col)
		}
	}
	if p := fs.Position(NoPos); p.File != nil {
		t.Errorf("NoPos is in %s", p)
	}
}

func TestColumnsInOtherUnits(t *testing.T) {
	line := "é𝄞x" // 2, 4 and 1 bytes
	for _, c := range []struct{ col, runes, utf16 int }{{0, 0, 0}, {2, 1, 1}, {6, 2, 3}, {7, 3, 4}, {99, 3, 4}} {
		if got := Runes(line, c.col); got != c.runes {
			t.Errorf("%d bytes are %d characters, want %d", c.col, got, c.runes)
		}
		if got := UTF16(line, c.col); got != c.utf16 {
			t.Errorf("%d bytes are %d UTF-16 units, want %d", c.col, got, c.utf16)
		}
	}
}

func TestTooLargeFilesAreRefused(t *testing.T) {
	fs := NewFileSet()
	if err := fs.Add(NewFile("big.py", string(make([]byte, MaxFileSize+1)))); err == nil {
		t.Error("a file above the limit was added")
	}
}
