package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	root := t.TempDir()
	long := "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen " +
		"twenty a b c d e f g h i j k"
	for name, text := range map[string]string{
		"README.md":      "# Title of it\n\nShort. " + long + ".\n\n```\n" + long + "\n```\n\n- item `" + long + "`\n- it accuses\n",
		"docs/other.md":  long + "\n\nit is not written over\n",
		"p/a.go":         "package p\n\nconst a = \"" + long + "\"\nconst b = \"(any a, " + long + ")\"\nconst c = \"no overload takes this\"\n",
		"p/a_test.go":    "package p\n\nconst d = \"no overload takes this\"\n",
		"testdata/x.md":  "no overload takes this\n",
		"tools/w/wor.go": "package main\n\nconst e = \"no overload takes this\"\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	found, err := check(root)
	if err != nil {
		t.Fatal(err)
	}
	start := "a sentence of 31 words: one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen s…"
	want := []string{
		"README.md:3: " + start,
		`README.md:10: "accuses": say: reports`,
		`docs/other.md:3: "it is not written over": say that the file exists and nothing was written`,
		"p/a.go:3: " + start,
		`p/a.go:5: "no overload takes": name the argument that does not fit`,
	}
	if !slices.Equal(found, want) {
		t.Errorf("%q, want %q", found, want)
	}
}
