package config

// This file tests what a hostile file may cost, and where its paths may lead.

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sort"
	"strings"
	"testing"

	"shapecheck/internal/cputime"
	"shapecheck/internal/reads"
)

// fill adds what f gives to the start of a file until it has one megabyte.
func fill(start string, f func(i int) string) string {
	var b strings.Builder
	b.WriteString(start)
	for i := 0; ; i++ {
		s := f(i)
		if b.Len()+len(s) >= maxFile {
			return b.String()
		}
		b.WriteString(s)
	}
}

var costly = map[string]string{
	"nested inline tables":   strings.Repeat("a={", maxFile/3),
	"nested arrays":          "a=" + strings.Repeat("[", maxFile-2),
	"a deep name":            "[" + strings.Repeat("a.", maxFile/2-2) + "a]\n",
	"a deep key":             strings.Repeat("a.", maxFile/2-2) + "a=1",
	"a long key":             "[\"" + strings.Repeat("a", maxFile/2) + "\"]\n" + strings.Repeat("b=1\n", maxFile/16),
	"keys":                   fill("", func(i int) string { return fmt.Sprintf("a%x=1\n", i) }),
	"tables":                 fill("", func(i int) string { return fmt.Sprintf("[a%x]\n", i) }),
	"deep tables":            fill("", func(i int) string { return fmt.Sprintf("[a%x.b.c.d.e.f.g.h.i]\nj.k.l.m=1\n", i) }),
	"entries":                fill("", func(i int) string { return fmt.Sprintf("[[entries]]\nfile=\"%x\"\n", i) }),
	"tables of entries":      fill("[[entries]]\n", func(i int) string { return fmt.Sprintf("[[entries.a%x]]\n", i) }),
	"an array":               "paths=[" + strings.Repeat("1,", maxFile/2-4) + "]",
	"an array of tables":     "paths=[" + strings.Repeat("{},", maxFile/3-4) + "]",
	"an array of arrays":     "paths=[" + strings.Repeat("[[]],", maxFile/5-4) + "]",
	"texts":                  "paths=[" + strings.Repeat("\"\",", maxFile/3-4) + "]",
	"an inline table":        fill("severity={", func(i int) string { return fmt.Sprintf("a%x=1,", i) }) + "}",
	"a text":                 "paths=\"" + strings.Repeat("\\u0041", maxFile/6-4) + "\"",
	"an open text":           "a=\"\"\"" + strings.Repeat("\"\"\\\n", maxFile/4-4),
	"quotes":                 strings.Repeat("\"", maxFile),
	"comments":               strings.Repeat("#\n", maxFile/2),
	"lines":                  strings.Repeat("\n", maxFile),
	"dots":                   "a=1" + strings.Repeat(".", maxFile-3),
	"a number":               "strict=" + strings.Repeat("9", maxFile-7),
	"severities":             fill("[severity]\n", func(i int) string { return fmt.Sprintf("SC%06d=\"off\"\n", i) }),
	"patterns":               fill("[per-file-ignores]\n", func(i int) string { return fmt.Sprintf("a%x=[\"SC1\"]\n", i) }),
	"no text":                strings.Repeat("\xff", maxFile),
	"zeros":                  strings.Repeat("\x00", maxFile),
	"a long array of tables": fill("", func(i int) string { return fmt.Sprintf("[[a.b%x]]\n", i) }),
	"long keys":              fill("", func(i int) string { return fmt.Sprintf("%s%x=1\n", strings.Repeat("k", maxKey-16), i) }),
	"entries with names":     fill("", func(i int) string { return fmt.Sprintf("[[entries]]\nmodule=\"m\"\nname=\"%x\"\n", i) }),
	"arguments":              "[[entries]]\nmodule=\"m\"\nargs=[" + strings.Repeat("\"x:f32[B]\",", maxKeys-100) + "]\n",
	"selected codes":         "select=[" + strings.Repeat("\"SC1\",", maxKeys-100) + "]\n",
	"a long code":            "select=[\"" + strings.Repeat("S", maxFile-12) + "\"]",
	"stars in patterns": fill("[per-file-ignores]\n", func(i int) string {
		return fmt.Sprintf("\"%s%x\"=[\"SC1\"]\n",
			strings.Repeat("*a", 100), i)
	}),
	"dates":                  "paths=[" + strings.Repeat("1979-05-27T07:32:00Z,", maxKeys-100) + "]",
	"a float":                "strict=1e" + strings.Repeat("9", maxFile-9),
	"digits apart":           "strict=" + strings.Repeat("1_", maxFile/2-8) + "1",
	"comments in an array":   "paths=[" + strings.Repeat("#\n", maxFile/2-4) + "]",
	"one path":               "cache=\"" + strings.Repeat("a/", maxFile/2-8) + "\"",
	"a path that comes back": "cache=\"" + strings.Repeat("a/../", maxFile/5-8) + "\"",
	"short paths":            "paths=[" + fill("", func(i int) string { return fmt.Sprintf("\"%x\",", i) })[:maxKeys*6] + "\"\"]",
	"long paths": "paths=[" + fill("", func(i int) string {
		return fmt.Sprintf("\"%s%x\",", strings.Repeat("a/", maxPath/2-8),
			i)
	})[:maxFile-2*maxPath] + "\"]",
	"long files of entries": fill("", func(i int) string {
		return fmt.Sprintf("[[entries]]\nfile=\"%s%x\"\n", strings.Repeat("a/", 1000),
			i)
	}),
	"random bytes": random(256, nil),
	"random signs": random(0, []string{"[", "]", "{", "}", "=", "\"", "'", ".", ",", "#", "\n", " ", "a", "0", "\\", "_", "-", ":",
		"T"}),
	"random words": random(0, []string{"[", "[[", ",", "]", "]]", "{", "}", "=", ",", ".", "\n", "\"a\"", "'b'", "\"\"\"", "a", "b1", "1",
		"true", "#x\n",
		"entries", "file=\"x\"\n", "\\u0041", "1.5e3", "1979-05-27"}),
}

// random fills a file with bytes below n, or with words.
func random(n int, words []string) string {
	r := rand.New(rand.NewPCG(1, 2))
	return fill("", func(int) string {
		if words == nil {
			return string([]byte{byte(r.IntN(n))})
		}
		return words[r.IntN(len(words))]
	})
}

// counting is a disk that counts what it is asked, by names and parts of names.
type counting struct {
	reads.Disk
	calls int
}

func (c *counting) Stat(path string) (fs.FileInfo, error) { c.calls++; return c.Disk.Stat(path) }

func (c *counting) ReadDir(path string) ([]fs.DirEntry, error) {
	list, err := c.Disk.ReadDir(path)
	c.calls += 1 + len(list)
	return list, err
}

func (c *counting) EvalSymlinks(path string) (string, error) {
	c.calls += strings.Count(path, "/")
	return c.Disk.EvalSymlinks(path)
}

func TestAHostileFileCostsLittle(t *testing.T) {
	dir := t.TempDir()
	texts := maps.Clone(costly)
	for name, text := range costly { // as much of it as is within the bounds
		lines := strings.SplitAfter(text, "\n")
		within := sort.Search(len(lines), func(n int) bool { return bounded(strings.Join(lines[:n+1], "")) != nil })
		if 0 < within && within < len(lines) {
			texts["less of "+name] = strings.Join(lines[:within], "")
		}
	}
	for name, text := range texts {
		if len(text) > maxFile {
			t.Fatalf("%s: %d bytes", name, len(text))
		}
		for _, file := range []string{ownFile, pyProject} {
			if file == pyProject {
				text = "[tool.shapecheck]\n" + text
				text = text[:min(len(text), maxFile)]
			}
			path := write(t, filepath.Join(dir, file), text)
			disk := &counting{}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Read(disk, path)
			runtime.ReadMemStats(&after)
			used := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%s in %s: %d MB, %d calls: %.80v", name, file, used, disk.calls, err)
			if used > 112 { // all that is ever allocated; the program has 16 without it
				t.Errorf("%s in %s: %d MB", name, file, used)
			}
			if disk.calls > 3*maxKeys {
				t.Errorf("%s in %s: %d calls of the file system", name, file, disk.calls)
			}
		}
	}
	if _, err := Read(reads.Disk{}, write(t, filepath.Join(dir, ownFile), strings.Repeat("\n", maxFile+1))); err == nil ||
		!strings.Contains(err.Error(), "too large") {
		t.Errorf("a larger file: %v", err)
	}
}

// BenchmarkHostileFile gives the time that the files above take, which is to be half a
// second at most.
func BenchmarkHostileFile(b *testing.B) {
	for _, name := range slices.Sorted(maps.Keys(costly)) {
		b.Run(name, func(b *testing.B) {
			path := filepath.Join(b.TempDir(), ownFile)
			if err := os.WriteFile(path, []byte(costly[name]), 0o666); err != nil {
				b.Fatal(err)
			}
			start := cputime.Used()
			for b.Loop() {
				Read(reads.Disk{}, path)
			}
			b.ReportMetric(float64((cputime.Used()-start).Microseconds())/1e3/float64(b.N), "cpu-ms/op")
		})
	}
}

func TestPathsStayBelowTheFolder(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "project")
	write(t, filepath.Join(top, "outside", "a.py"), "")
	write(t, filepath.Join(dir, "src", "a.py"), "")
	for link, to := range map[string]string{"out": "../outside", "in": "src", "lost": "../lost"} {
		if err := os.Symlink(to, filepath.Join(dir, link)); err != nil {
			t.Skip(err)
		}
	}
	abs := filepath.ToSlash(filepath.Join(dir, "src"))
	for text, want := range map[string]string{
		`paths = ["src", ".", "in", "src/../src", "none/yet", "` + abs + `"]`: "",
		`cache = ".cache/x"`:                           "",
		`cache = "../x"`:                               `cache: "../x" leads out of the folder`,
		`cache = "out/x"`:                              `cache: "out/x" leads out`,
		`cache = "lost/x"`:                             `leads out`,
		`cache = "` + filepath.ToSlash(top) + `/x"`:    `leads out`,
		`baseline = "src/../../b.json"`:                `leads out`,
		`paths = ["src", "../outside"]`:                `paths: "../outside" leads out`,
		`paths = ["out"]`:                              `(--path)`,
		"[[entries]]\nfile = \"../outside/a.py\"":      `entry 1: file: "../outside/a.py" leads out`,
		"[[entries]]\nfile = \"out/a.py\"":             `leads out`,
		"[[entries]]\nfile = \"in/a.py\"\nentry = 'f'": "",
	} {
		_, err := Read(reads.Disk{}, write(t, filepath.Join(dir, ownFile), text))
		if err == nil && want != "" || err != nil && (want == "" || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
	secret := write(t, filepath.Join(top, "secret.toml"), "password = 1\n")
	if err := os.Remove(filepath.Join(dir, ownFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(dir, ownFile)); err != nil {
		t.Fatal(err)
	}
	file, err := Find(reads.Disk{}, dir)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(reads.Disk{}, file); err == nil || strings.Contains(err.Error(), "password") ||
		!strings.Contains(err.Error(), "a link is followed") {
		t.Errorf("a linked configuration: %v", err)
	}
}
