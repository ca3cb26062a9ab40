package config

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"shapecheck/internal/reads"
)

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func TestFaultsOfAFileAreNamed(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ text, want string }{
		{"selct = [\"SC1\"]", "unknown key selct; did you mean select?"},
		{"per_file_ignores = {}", "did you mean per-file-ignores?"},
		{"nonsense = 1", "unknown key nonsense; there are paths,"},
		{"[[entries]]\nfile = \"a.py\"\narg = []", "unknown key entries.arg; did you mean args?"},
		{"[[entries]]\nentry = \"f\"", "entry 1: give either file or module"},
		{"[[entries]]\nfile = \"a.py\"\n[[entries]]\nfile = \"a.py\"", "two entries have the name"},
		{"select = [\"E1\"]", "select: \"E1\" is neither a code"},
		{"severity = {SC101 = \"fatal\"}", "\"fatal\" is not one of"},
		{"severity = {SC000 = \"off\"}", "\"SC000\" is no code"},
		{"device = \"tpu\"", "device: \"tpu\" is neither cuda nor cpu"},
		{"strict = 1", "strict"},
		{"min-typed = 101", "min-typed"},
		{"timeout = '1 minute'", "timeout: \"1 minute\" is no duration"},
		{"timeout = '-3s'", "timeout"},
		{"\nexclude = 3", ":2: exclude must be a list, not a whole number"},
		{"discover = 'x'", "discover must be true or false, not a string"},
		{"[[entries]]\nfile = 5", "entries.file must be a string, not a whole number"},
		{"a = 1\nb = = 2", "shapecheck.toml:2:"},
	} {
		_, err := Read(reads.Disk{}, write(t, filepath.Join(dir, ownFile), c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v; want %q", c.text, err, c.want)
		}
	}
}

// Each key of the configuration, of its entries and of what it accepts is in the guide.
func TestEveryKeyIsInTheGuide(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, guide, _ := strings.Cut(string(text), "\n## Configuration\n")
	guide, _, _ = strings.Cut(guide, "\n## ")
	for _, of := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Entry](), reflect.TypeFor[Accept]()} {
		for _, key := range keys(of) {
			if !regexp.MustCompile(`\b` + regexp.QuoteMeta(key) + `\b`).MatchString(guide) {
				t.Errorf("docs/ci.md does not say what the key %s does", key)
			}
		}
	}
}

func TestTheNearestFileIsFound(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "pyproject.toml"),
		"[tool.other]\nx = 1\n[tool.shapecheck]\nstrict = true\n\n[[tool.shapecheck.entries]]\nfile = \"a.py\"\nentry = \"f\"\n")
	write(t, filepath.Join(dir, "a", "pyproject.toml"), "[project]\nname = \"mentions shapecheck\"\n")
	write(t, filepath.Join(dir, "a", "b", "x.py"), "")
	file, err := Find(reads.Disk{}, filepath.Join(dir, "a", "b"))
	if err != nil || file != filepath.Join(dir, "pyproject.toml") {
		t.Fatalf("%s, %v", file, err)
	}
	c, err := Read(reads.Disk{}, file)
	if err != nil || !c.Strict || len(c.Entries) != 1 || c.Entries[0].Name != "a.py f" || c.EntryLine(0) != 6 {
		t.Errorf("%+v, %v", c, err)
	}
	own := write(t, filepath.Join(dir, "a", "b", ownFile), "")
	if file, err := Find(reads.Disk{}, filepath.Join(dir, "a", "b")); err != nil || file != own {
		t.Errorf("%s, %v", file, err)
	}
	write(t, filepath.Join(dir, "a", "pyproject.toml"), "[tool.shapecheck]\nstrikt = true\n")
	if _, err := Find(reads.Disk{}, filepath.Join(dir, "a")); err == nil || !strings.Contains(err.Error(), "tool.shapecheck.strikt") &&
		!strings.Contains(err.Error(), "did you mean strict?") {
		t.Errorf("%v", err)
	}
}
