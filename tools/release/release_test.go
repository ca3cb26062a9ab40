package main

import (
	"archive/zip"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"shapecheck/internal/version"
)

// a release of which the programs are texts.
func trial(t *testing.T, targets []target) *release {
	t.Helper()
	r := &release{out: t.TempDir(), root: "../..", version: "1.2.3", targets: targets, time: time.Unix(1.7e9, 0)}
	r.info = &buildinfo.BuildInfo{GoVersion: "go1.26.8", Deps: []*debug.Module{{Path: "example.org/m", Version: "v1.0.0", Sum: "h1:x="}}}
	program := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(program, []byte("#!"), 0o755); err != nil {
		t.Fatal(err)
	}
	pages := []file{{"man/shapecheck.1", []byte(".TH"), 0o644}}
	for _, target := range targets {
		for _, err := range []error{r.wheel(target, program), r.archive(target, program, pages), r.image(target, program)} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, err := range []error{r.preCommit(), r.formula(), r.sums()} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *release) read(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(r.out, name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestTwoRunsMakeTheSameBytes(t *testing.T) {
	a, b := trial(t, targets), trial(t, targets)
	if a.read(t, "SHA256SUMS") != b.read(t, "SHA256SUMS") {
		t.Error("the checksums differ")
	}
	if n := strings.Count(a.read(t, "SHA256SUMS"), "\n"); n != len(a.made) || n < 2*len(targets) {
		t.Errorf("%d checksums of %d files", n, len(a.made))
	}
}

func TestWheels(t *testing.T) {
	r := trial(t, targets)
	for _, target := range targets {
		data := r.read(t, "wheels/"+version.Distribution+"-1.2.3-py3-none-"+target.tag+".whl")
		z, err := zip.NewReader(strings.NewReader(data), int64(len(data)))
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string]string{}
		for _, f := range z.File {
			want := fs.FileMode(0o644)
			if strings.HasSuffix(f.Name, "/scripts/"+target.program()) {
				want = 0o755
			}
			if f.Mode() != want {
				t.Errorf("%s: %s has the mode %v, want %v", target, f.Name, f.Mode(), want)
			}
			if !f.Modified.Equal(epoch) {
				t.Errorf("%s: %s has the time %v", target, f.Name, f.Modified)
			}
			e, err := f.Open()
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(e)
			if err != nil {
				t.Fatal(err)
			}
			texts[f.Name] = string(text)
		}
		dist := version.Distribution + "-1.2.3"
		info := dist + ".dist-info/"
		record := texts[info+"RECORD"]
		if n := strings.Count(record, "\n"); n != len(z.File) {
			t.Errorf("%s: RECORD has %d lines for %d files", target, n, len(z.File))
		}
		for name, text := range texts {
			sum := sha256.Sum256([]byte(text))
			line := fmt.Sprintf("%s,sha256=%s,%d\n", name, base64.RawURLEncoding.EncodeToString(sum[:]), len(text))
			if name == info+"RECORD" {
				line = name + ",,\n"
			}
			if !strings.Contains("\n"+record, "\n"+line) {
				t.Errorf("%s: RECORD lacks %s", target, line)
			}
		}
		for tag := range strings.SplitSeq(target.tag, ".") {
			if line := "\nTag: py3-none-" + tag + "\n"; !strings.Contains(texts[info+"WHEEL"], line) {
				t.Errorf("%s: WHEEL lacks %q", target, line)
			}
		}
		for name := range texts {
			if path, _, _ := strings.Cut(name, "/"); path != version.Distribution && path+"/" != info && path != dist+".data" {
				t.Errorf("%s: %s is outside of the package", target, name)
			}
		}
		for _, line := range []string{"Name: " + version.Distribution, "Version: 1.2.3"} {
			if !strings.Contains(texts[info+"METADATA"], "\n"+line+"\n") {
				t.Errorf("%s: METADATA lacks %q", target, line)
			}
		}
		const points = "[console_scripts]\nNAME = NAME.__main__:main\n\n[pytest11]\nshapecheck = NAME.pytest_plugin\n"
		if got, want := texts[info+"entry_points.txt"], strings.ReplaceAll(points, "NAME", version.Distribution); got != want {
			t.Errorf("%s: entry points:\n%s\nwant\n%s", target, got, want)
		}
		if id := `"pkg:pypi/` + version.Distribution + `@1.2.3"`; !strings.Contains(texts[info+"sboms/shapecheck.cdx.json"], id) {
			t.Errorf("%s: the bill of materials lacks %s", target, id)
		}
		for _, name := range []string{version.Distribution + "/__init__.py", version.Distribution + "/py.typed", info + "licenses/LICENSE",
			info + "sboms/shapecheck.cdx.json", dist + ".data/scripts/" + target.program()} {
			if _, ok := texts[name]; !ok {
				t.Errorf("%s: the wheel lacks %s", target, name)
			}
		}
	}
}

func TestTheMirrorNeedsTheWheel(t *testing.T) {
	r := trial(t, targets[:1])
	if text, want := r.read(t, "pre-commit/pyproject.toml"), `dependencies = ["`+version.Distribution+`==1.2.3"]`; !strings.Contains(text,
		want) {
		t.Errorf("%s lacks %s", text, want)
	}
}

func TestFormulaNamesTheArchives(t *testing.T) {
	r := trial(t, targets)
	formula, sums := r.read(t, "shapecheck.rb"), r.read(t, "SHA256SUMS")
	n := 0
	for line := range strings.Lines(sums) {
		sum, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		if !strings.HasSuffix(name, ".tar.gz") {
			continue
		}
		n++
		if !strings.Contains(formula, "url \"ADDRESS/"+name+"\"\n      sha256 \""+sum+"\"") {
			t.Errorf("the formula lacks %s with its checksum", name)
		}
	}
	if n != 4 {
		t.Errorf("%d archives", n)
	}
	few := trial(t, targets[:1])
	if _, err := os.Stat(filepath.Join(few.out, "shapecheck.rb")); err == nil {
		t.Error("a formula without its archives")
	}
}

func TestWheelsMayNotGrow(t *testing.T) {
	r := trial(t, targets[:1])
	r.sizes = filepath.Join(t.TempDir(), "sizes.txt")
	r.updateSizes = true
	if err := r.compareSizes(); err != nil {
		t.Fatal(err)
	}
	r.updateSizes = false
	if err := r.compareSizes(); err != nil {
		t.Errorf("the sizes that were just written: %v", err)
	}
	if err := os.WriteFile(r.sizes, []byte("linux/amd64 100\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := r.compareSizes(); err == nil {
		t.Error("a wheel of many times the size is taken")
	}
}

func TestDocuments(t *testing.T) {
	pages, err := documents("1.2.3", time.Unix(1.7e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	for _, p := range pages {
		names[p.name] = string(p.data)
	}
	if !strings.Contains(names["man/shapecheck-export.1"], "shapecheck 1.2.3") ||
		!strings.Contains(names["completions/shapecheck.bash"], "bash completion") {
		t.Errorf("made were %d pages", len(pages))
	}
}

// A dash in the name of a wheel begins another part of it.
func TestVersionsOfTags(t *testing.T) {
	for tag, want := range map[string]string{
		"0.2.0": "0.2.0", "1.0.0-rc.1": "1.0.0rc1", "1.0.0-rc2": "1.0.0rc2", "1.0.0-alpha.3": "1.0.0a3", "1.0.0-beta.10": "1.0.0b10",
		"1.0.0-nightly": "", "1.0.0-rc.1.2": "",
	} {
		if got, err := pythonVersion(tag); got != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q, %v, want %q", tag, got, err, want)
		}
	}
}

// A package that is named and not there would be inlined no more, and nobody would see it.
func TestInlinedPackagesExist(t *testing.T) {
	root, err := repository()
	if err != nil {
		t.Fatal(err)
	}
	flags, err := compilerFlags(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(flags) != 2+len(cold)+len(inlined) || flags[0] != "-trimpath" || !strings.HasSuffix(flags[1], "/...=-l") {
		t.Errorf("flags: %v", flags)
	}
	if text := strings.Join(flags, " "); len(strings.Fields(text)) != len(flags) {
		t.Errorf("a shell takes apart what is printed: %s", text)
	}
	for _, f := range flags[1:] {
		pattern, _, _ := strings.Cut(strings.TrimPrefix(f, "-gcflags="), "=")
		c := exec.Command("go", "list", pattern)
		c.Dir = root
		if out, err := c.Output(); err != nil || len(out) == 0 {
			t.Errorf("no package matches %s: %v", pattern, err)
		}
	}
}
