package text

import (
	"slices"
	"strings"
	"testing"

	"shapecheck/internal/reads"
)

func TestWalk(t *testing.T) {
	files := map[string]string{".gitignore": "/data\n*.gen.py\nout/\n!keep.gen.py\n", ".git/HEAD": "",
		"pkg/.gitignore": "local.py\n# a comment\n\n"}
	for _, f := range strings.Fields(`net.py readme.md data/a.py sub/data/a.py x.gen.py keep.gen.py out/b.py pkg/local.py pkg/net.py pkg/deep/local.py .venv/c.py
		build/d.py lib/build/__init__.py lib/build/h.py node_modules/e.py __pycache__/f.py tests/test_net.py site-packages/g.py`) {
		files[f] = ""
	}
	for _, c := range []struct{ words, exclude, want string }{
		{".", "", "keep.gen.py lib/build/__init__.py lib/build/h.py net.py pkg/net.py sub/data/a.py tests/test_net.py"},
		{".", "tests/ **/data", "keep.gen.py lib/build/__init__.py lib/build/h.py net.py pkg/net.py"},
		{"pkg", "", "pkg/net.py"},
		{"build", "", "build/d.py"}, // who names it means it
		{"data/a.py net.py net.py", "", "data/a.py net.py"},
		{"*.py", "", "keep.gen.py net.py"},
		{"*.py", "n*.py", "keep.gen.py"},
		{"**/net.py", "", "net.py pkg/net.py"},
		{"**/net.py", "pkg", "net.py"},
		{"**/a.py", "", "sub/data/a.py"},
		{"*/*.py", "", "pkg/net.py tests/test_net.py"},
		{"*", "", "keep.gen.py lib/build/__init__.py lib/build/h.py net.py pkg/net.py sub/data/a.py tests/test_net.py"},
		{"pkg/* net.py", "", "pkg/net.py net.py"},
		{"pkg/local.py pkg/net.py", "", "pkg/local.py pkg/net.py"}, // as a shell writes pkg/*
		{"data/* build/*.py", "", "data/a.py build/d.py"},          // a pattern names the folder that it begins with
	} {
		w := &Walk{FS: reads.NewMemory(files), Exclude: strings.Fields(c.exclude), Root: "."}
		got, err := w.Files(strings.Fields(c.words))
		if err != nil {
			t.Errorf("%s: %v", c.words, err)
		}
		if want := strings.Fields(c.want); !slices.Equal(got, want) {
			t.Errorf("%s without %q: %v, not %v", c.words, c.exclude, got, want)
		}
	}
	for _, word := range []string{"none", "none/*.py", "[z-", "*/e.py"} {
		if got, err := (&Walk{FS: reads.NewMemory(files)}).Files([]string{word}); err == nil {
			t.Errorf("%s: %v", word, got)
		}
	}
}

// The patterns and what they match are those of git's documentation.
func TestPatternsOfGit(t *testing.T) {
	for _, c := range []struct {
		pattern, path string
		dir, out      bool
	}{
		{"foo", "foo", false, true}, {"foo", "a/foo", false, true}, {"/foo", "a/foo", false, false}, {"/foo", "foo", true, true},
		{"doc/frotz/", "doc/frotz", true, true}, {"doc/frotz/", "a/doc/frotz", true, false}, {"frotz/", "a/frotz", true, true},
		{"frotz/", "frotz", false, false},
		{"*.py", "a/b.py", false, true}, {"a/*", "a/b", false, true}, {"a/*", "a/b/c", false, false}, {"**/foo", "x/y/foo", false, true},
		{"abc/**", "abc/d/e", false, true},
		{"a/**/b", "a/b", false, true}, {"a/**/b", "a/x/y/b", false, true}, {"[ab].py", "b.py", false, true},
		{"[!ab].py", "b.py", false, false}, {`\#x`, "#x", false, true},
		{"a?c", "abc", false, true}, {"a?c", "a/c", false, false}, {"[", "[", false, true},
	} {
		out, _ := rules{list: parseRules(c.pattern)}.say(c.path, c.dir)
		if out != c.out {
			t.Errorf("%s on %s: %v", c.pattern, c.path, out)
		}
	}
}
