package reads

import (
	"os"
	"path/filepath"
	"testing"
)

func TestEveryChangeIsSeen(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	write := func(name, text string) { must(os.WriteFile(at(name), []byte(text), 0o666)) }
	large := func(n int64) { // once, as it changes the time
		if info, err := os.Stat(at("a")); err != nil || info.Size() != n {
			must(os.Truncate(at("a"), n))
		}
	}
	for _, c := range []struct {
		name   string
		look   func(l *Log)
		change func()
	}{
		{"another text", func(l *Log) { l.ReadFile(at("a")) }, func() { write("a", "2") }},
		{"a file goes away", func(l *Log) { l.ReadFile(at("a")) }, func() { must(os.Remove(at("a"))) }},
		{"a file that was missing", func(l *Log) { l.Stat(at("new")) }, func() { write("new", "") }},
		{"a folder in place of a file", func(l *Log) { l.Stat(at("a")) }, func() { must(os.Remove(at("a"))); must(os.Mkdir(at("a"), 0o777)) }},
		{"a name in a folder", func(l *Log) { l.ReadDir(dir) }, func() { write("b", "") }},
		{"a file that is too large to be read", func(l *Log) { large(maxRead + 1); l.Look(at("a")) }, func() { large(maxRead + 2) }},
		{"a file of which parts are read", func(l *Log) {
			f, size, err := l.Open(at("a"))
			must(err)
			if size != 1 {
				t.Errorf("%d bytes", size)
			}
			must(f.Close())
		}, func() { write("a", "22") }},
		{"a link that leads elsewhere", func(l *Log) { l.EvalSymlinks(at("link")) },
			func() { must(os.Remove(at("link"))); must(os.Symlink(at("d"), at("link"))) }},
	} {
		must(os.RemoveAll(dir))
		must(os.MkdirAll(at("d"), 0o777))
		write("a", "1")
		must(os.Symlink(at("a"), at("link")))
		var l Log
		c.look(&l)
		c.look(&l)
		list := l.List()
		if len(list) != 1 || !new(Checker).Holds(list) {
			t.Errorf("%s: %+v does not hold before", c.name, list)
		}
		c.change()
		if new(Checker).Holds(list) {
			t.Errorf("%s is not seen: %+v", c.name, list)
		}
	}
	var none *Log
	if none.Look(at("a")); none.List() != nil {
		t.Error("a log that is nil keeps something")
	}
	if new(Checker).Holds([]Read{{Kind: "other", Path: dir}}) {
		t.Error("a look of a kind that is not known holds")
	}
}
