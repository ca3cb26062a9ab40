package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// The documents become pages whose links all lead somewhere, and which load nothing from elsewhere.
func TestDocuments(t *testing.T) {
	files, err := site("../../docs")
	if err != nil {
		t.Fatal(err)
	}
	target := regexp.MustCompile(`(?:href|src)="([^"#]*)(?:#([^"]*))?"`)
	loads := regexp.MustCompile(`<(script|iframe|object|embed|link|img)\b[^>]*(https?:)?//`)
	inline := regexp.MustCompile(`<script|<\w[^>]*\son[a-z]+=`)
	pages, links := 0, 0
	for name, data := range files {
		if filepath.Ext(name) != ".html" {
			continue
		}
		pages++
		text := string(data)
		if m := loads.FindString(text) + inline.FindString(text); m != "" {
			t.Errorf("%s has %s", name, m)
		}
		if n := strings.Count(text, `aria-current="page"`); n != 1 {
			t.Errorf("%s is marked %d times in its navigation", name, n)
		}
		for _, m := range target.FindAllStringSubmatch(text, -1) {
			if strings.HasPrefix(m[1], "https://") {
				continue
			}
			links++
			to := m[1]
			if to == "" {
				to = name
			}
			if files[to] == nil {
				t.Errorf("%s leads to %s, which is not there", name, to)
			} else if m[2] != "" && !strings.Contains(string(files[to]), `id="`+m[2]+`"`) {
				t.Errorf("%s leads to %s#%s, which is not there", name, to, m[2])
			}
		}
	}
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil || pages != len(documents) || pages < 15 || links < 15*pages {
		t.Errorf("%d pages of %d documents, %d links, %v", pages, len(documents), links, err)
	}
	for _, want := range []string{"index.html", "start.html", "editors.html", "style.css", "picture.svg", "json-schema.json"} {
		if files[want] == nil {
			t.Errorf("no %s among %v", want, slices.Sorted(maps.Keys(files)))
		}
	}
	out := filepath.Join(t.TempDir(), "site")
	if err := write(out, files); err != nil {
		t.Fatal(err)
	}
	if err := write(out, files); err == nil {
		t.Error("a folder that is not empty was taken")
	}
}

func TestFaultsOfDocuments(t *testing.T) {
	docs := t.TempDir()
	for name, text := range map[string]string{
		"README.md": "# Documents\n\nFirst\n\n- [a page](a.md)\n",
		"a.md":      "# A `code` (x)\n\n## Twice\n\n## Twice\n\n[no page](b.md) [no heading](#c) [right](#twice-1) [this](a.md#a-code-x) ![far](https://example.org/x.svg)\n[gone](../x.go)\n",
		"c.md":      "# C\n",
	} {
		if err := os.WriteFile(filepath.Join(docs, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	_, err := site(docs)
	want := `README.md does not lead to c.md
a.md: a.md has no heading #c
a.md: an image from elsewhere: https://example.org/x.svg
a.md: there is no ../x.go
a.md: there is no b.md`
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
}
