package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/internal/columns"
)

func TestTheWidthIsThatOfTheTerminal(t *testing.T) {
	none := errors.New("no terminal")
	for _, c := range []struct {
		env      string
		terminal bool
		says     int
		err      error
		want     int
	}{
		{"", true, 0, none, 80}, {"", true, 132, nil, 132}, {"100", true, 132, nil, 100}, {"100", true, 0, none, 100},
		{"x", true, 132, nil, 132}, {"10", true, 132, nil, 132}, {"10", true, 20, nil, 80}, {"", true, 0, nil, 80},
		{"", false, 132, nil, 0}, {"100", false, 0, none, 100}, {"10", false, 132, nil, 0},
	} {
		if got := widthOf(c.env, c.terminal, func() (int, error) { return c.says, c.err }); got != c.want {
			t.Errorf("COLUMNS=%q, %d, %v: %d, want %d", c.env, c.says, c.err, got, c.want)
		}
	}
}

// No line is wider than the terminal, of models, of findings and where folders have long names.
func TestNoLineIsWiderThanTheTerminal(t *testing.T) {
	dir := t.TempDir()
	deep := filepath.Join(dir, "a_package_with_a_long_name", "architectures", "of_segmentation")
	if err := os.MkdirAll(deep, 0o777); err != nil {
		t.Fatal(err)
	}
	n := 0
	archives, err := filepath.Glob("../../testdata/*/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for i, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if folder := filepath.Base(filepath.Dir(name)); folder != "models" && folder != "corpus" && folder != "lint" || i%4 != 0 {
			continue
		}
		for _, f := range archive.Files {
			if strings.HasSuffix(f.Name, ".py") && n < 60 {
				writeFile(t, filepath.Join(deep, fmt.Sprintf("%d_%s", n, filepath.Base(f.Name))), string(f.Data))
				n++
			}
		}
	}
	for i, bug := range dataLines(t, "bugs.txt") {
		if i%40 == 0 {
			_, file, _ := plant(t, bug)
			writeFile(t, filepath.Join(deep, fmt.Sprintf("planted_%d.py", i)), readFile(t, file))
			n++
		}
	}
	t.Chdir(dir)
	for _, width := range []int{60, 72, 80, 100, 120, 160} {
		t.Setenv("COLUMNS", strconv.Itoa(width))
		_, stdout, stderr := run(".", "--no-config", "--python", "none", "--cache=kept")
		if n < 30 || strings.Count(stdout, "\n") < n {
			t.Errorf("%d files:\n%s%s", n, stdout, stderr)
		}
		for line := range strings.Lines(stdout) {
			if line = strings.TrimSuffix(line, "\n"); columns.Of(line) > width {
				t.Errorf("%d columns, not %d:\n%s", columns.Of(line), width, line)
			}
		}
	}
}
