package cli

// This file runs the programs of the repository with no package installed, and once more with
// every import of a package that is no framework replaced by one of a module that does not
// exist: what is unknown is never an error.

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer/lib"
	"shapecheck/tools/testfiles"
)

// packages are those that are built in, and taken away: all but the frameworks, whose decorators
// decide what a function gives, and Python's own modules.
var packages = strings.Fields(`beartype einops huggingface_hub jaxtyping lightning numpy packaging PIL pytorch_lightning regex
	shape_extensions six torchtyping torchvision tqdm typeguard`)

var (
	importLine = regexp.MustCompile(`^(\s*)import\s+([\w.]+(?:\s+as\s+\w+)?(?:\s*,\s*[\w.]+(?:\s+as\s+\w+)?)*)\s*(?:#.*)?$`)
	fromLine   = regexp.MustCompile(`^(\s*)from\s+(\w+)([\w.]*\s+import.*)$`)
)

// withoutPackages replaces the imports of packages by such of missing modules. beside are the
// modules of the program's own folder.
func withoutPackages(text string, beside []string) string {
	stays := func(top string) bool {
		return slices.Contains(beside, top) || lib.Known(top) && !slices.Contains(packages, top)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if m := fromLine.FindStringSubmatch(line); m != nil && !stays(m[2]) {
			lines[i] = m[1] + "from missing_" + m[2] + m[3]
		}
		m := importLine.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		names := strings.Split(m[2], ",")
		for k, name := range names {
			words := strings.Fields(name)
			top, _, _ := strings.Cut(words[0], ".")
			switch {
			case stays(top):
			case len(words) == 3:
				names[k] = "missing_" + words[0] + " as " + words[2]
			default:
				names[k] = "missing_" + top + " as " + top
			}
		}
		lines[i] = m[1] + "import " + strings.Join(names, ",")
	}
	return strings.Join(lines, "\n")
}

// errorsWithout runs a script where nothing is installed and gives its errors. Programs that take
// long are checked in part.
func errorsWithout(t *testing.T, file string, more ...string) (found []string) {
	t.Helper()
	args := append([]string{"--no-config", "--python", "none", "--output-format", "json", "--max-steps", "1000000", "--timeout", "1s"},
		more...)
	code, stdout, stderr := run(append(args, "--script", file)...)
	var doc struct {
		Diagnostics []struct {
			Code, Severity, File, Message string
			Line                          int
		}
	}
	if err := json.Unmarshal([]byte(stdout), &doc); err != nil || code > 2 {
		t.Errorf("%s: exit code %d, %v\n%s", file, code, err, stderr)
	}
	for _, d := range doc.Diagnostics {
		if d.Severity == "error" {
			found = append(found, fmt.Sprintf("%s:%d: %s %s", d.File, d.Line, d.Code, d.Message))
		}
	}
	return found
}

// foldersOfTests are testdata without the folders that have an archive, and those unpacked.
func foldersOfTests(t *testing.T) map[string]string {
	out := map[string]string{"": "../../testdata"}
	err := filepath.WalkDir("../../testdata", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == testfiles.Archive {
			out[filepath.Dir(path)] = testfiles.Unpack(t, filepath.Dir(path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// refused adds the programs of a folder of records that end in an error.
func refused(t *testing.T, folder string, out map[string]bool) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		var r struct {
			Source string
			Ends   string
			Calls  []struct{ Error *struct{ Type string } }
		}
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			t.Fatal(err)
		}
		out[filepath.Join(folder, r.Source)] = r.Ends != "" ||
			slices.ContainsFunc(r.Calls, func(c struct{ Error *struct{ Type string } }) bool { return c.Error != nil })
	}
}

func TestProgramsWithoutPackagesHaveNoErrors(t *testing.T) {
	folders, wrong, files := foldersOfTests(t), map[string]bool{}, 0
	for _, framework := range []string{"tf", "jax"} { // which refuse some
		refused(t, folders[filepath.Join("../../testdata/retrace", framework)], wrong)
	}
	wrong[filepath.Join(folders["../../testdata/retrace/branch"], "replay.py")] = true
	for _, needsArguments := range []string{"bugs/pyrefly.py", "door/confirm.py", "retrace/fixes.py", "retrace/sample.py", "retrace/sharing/check.py",
		"torchvision/record_stubs.py"} {
		wrong[filepath.Join("../../testdata", needsArguments)] = true
	}
	visit := func(path string, d fs.DirEntry, err error) error {
		if folders[path] != "" && path != folders[""] {
			return fs.SkipDir
		}
		if err != nil || filepath.Ext(path) != ".py" {
			return err
		}
		files++
		if found := errorsWithout(t, path); len(found) > 0 && !wrong[path] {
			t.Errorf("without packages: %s", strings.Join(found, "\n"))
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		folder := filepath.Dir(path)
		list, err := os.ReadDir(folder)
		if err != nil {
			return err
		}
		var beside []string
		for _, e := range list {
			beside = append(beside, strings.TrimSuffix(e.Name(), ".py"))
		}
		less := withoutPackages(string(text), beside)
		if less == string(text) {
			return nil
		}
		file := filepath.Join(t.TempDir(), filepath.Base(path))
		if err := os.WriteFile(file, []byte(less), 0o666); err != nil {
			return err
		}
		if found := errorsWithout(t, file, "--path", folder); len(found) > 0 && !wrong[path] {
			t.Errorf("%s with its imports taken away: %s", path, strings.Join(found, "\n"))
		}
		return nil
	}
	for _, folder := range folders {
		if err := filepath.WalkDir(folder, visit); err != nil {
			t.Fatal(err)
		}
	}
	if files < 500 {
		t.Errorf("%d programs, of more than 500", files)
	}
}

// The programs of the pages, but for fragments and for those that show a fault: the first of each
// code, all of messages.md, and in start.md the one that the page mends.
func TestProgramsOfThePagesWithoutPackagesHaveNoErrors(t *testing.T) {
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	programs := 0
	for _, page := range pages {
		b, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		name, folder := filepath.Base(page), t.TempDir()
		if name == "messages.md" {
			continue
		}
		for i, text := range guideBlocks(string(b), "python") {
			if name == "codes.md" && i%2 == 0 || name == "start.md" && i == 1 || !strings.Contains(text, "import ") {
				continue
			}
			file := fmt.Sprintf("block%d.py", i)
			if first, _, _ := strings.Cut(text, "\n"); strings.HasPrefix(first, "# ") && strings.HasSuffix(first, ".py") {
				file = filepath.Base(first[2:])
			}
			file = filepath.Join(folder, file)
			if err := os.WriteFile(file, []byte(withoutPackages(text, []string{"model"})), 0o666); err != nil {
				t.Fatal(err)
			}
			programs++
			if found := errorsWithout(t, file); len(found) > 0 {
				t.Errorf("%s, block %d: %s", name, i+1, strings.Join(found, "\n"))
			}
		}
	}
	if programs < 50 {
		t.Errorf("%d programs, of more than 50", programs)
	}
}
