package columns

import (
	"strings"
	"testing"
)

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "é": 1, "e\u0301": 1, "画像": 4, "ｱ": 1, "Ａ": 2, "→×…✓": 4} {
		if got := Of(s); got != want {
			t.Errorf("%q: %d columns, want %d", s, got, want)
		}
	}
}

func TestWrapBreaksBetweenWords(t *testing.T) {
	for _, c := range []struct {
		s    string
		room int
		want string
	}{
		{"one two three", 7, "one two|three"}, {"one", 7, "one"}, {"", 7, ""}, {"abcdefghij kl", 4, "abcd|efgh|ij|kl"}, {"画像 画", 3, "画|像|画"},
	} {
		if got := strings.Join(Wrap(c.s, c.room), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.s, c.room, got, c.want)
		}
	}
}

func TestCutSaysWhatIsLeftOut(t *testing.T) {
	if head, rest := Cut("one two three", 8, false); head != "one two…" || rest != "" {
		t.Errorf("%q, %q", head, rest)
	}
	if head, rest := Cut("one two three", 8, true); head != "one two " || rest != "three" {
		t.Errorf("%q, %q", head, rest)
	}
}

func TestCutPathLeavesOutFolders(t *testing.T) {
	for _, c := range []struct {
		path string
		room int
		want string
	}{
		{"a/b.py", 6, "a/b.py"}, {"aa/bb/c.py:12:3", 12, "…/c.py:12:3"}, {"aa/bb/c.py", 9, "…/bb/c.py"}, {"a_long_name.py", 8, "…/a_lon…"},
	} {
		if got := CutPath(c.path, c.room); got != c.want || Of(got) > c.room {
			t.Errorf("%s in %d: %q, want %q", c.path, c.room, got, c.want)
		}
	}
}
