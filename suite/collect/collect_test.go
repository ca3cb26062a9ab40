package collect

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"shapecheck/internal/reads"
)

func TestExpressionsOfNames(t *testing.T) {
	names := []string{"test_net.py", "TestNet", "test_forward[relu-2]", "slow"}
	for text, want := range map[string]bool{
		"": true, "forward": true, "FORWARD": true, "not forward": false, "net and relu": true, "net and gelu": false, "gelu or relu": true,
		"not (gelu or tanh)": true, "forward and not slow": false, "relu-2": true, "[relu": true,
	} {
		e, err := ParseExpr(text, false)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := e.MatchesNames(names); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	for _, text := range []string{"(", "a b", "and", "a and", "not", "a)", "a == b", "'a'"} {
		if _, err := ParseExpr(text, false); err == nil {
			t.Errorf("%q has no error", text)
		}
	}
}

func TestExpressionsOfMarks(t *testing.T) {
	marks := []Mark{{Name: "slow", Args: map[string]any{"hours": int64(2), "why": "size"}}, {Name: "gpu"}}
	for text, want := range map[string]bool{
		"slow": true, "slo": false, "slow and gpu": true, "not gpu": false, "slow(hours=2)": true, "slow(hours=3)": false,
		"slow(hours=2, why='size')": true, "gpu(a=None)": false,
	} {
		e, err := ParseExpr(text, true)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if got := e.MatchesMarks(marks); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestConfigurationOfEachFile(t *testing.T) {
	for name, text := range map[string]string{
		"pytest.ini":     "[pytest]\ntestpaths = unit\n  more\naddopts = -k \"not slow\" --ignore=unit/old -q -p no:cacheprovider --runslow\n",
		"tox.ini":        "[tox]\nenvlist = py\n[pytest]\ntestpaths = unit more\naddopts = -k 'not slow' --ignore unit/old --runslow\n",
		"setup.cfg":      "[tool:pytest]\ntestpaths: unit more\naddopts: -k 'not slow' --ignore unit/old --runslow # why\n",
		"pyproject.toml": "[tool.pytest.ini_options]\ntestpaths = [\"unit\", \"more\"]\naddopts = [\"-k\", \"not slow\", \"--ignore=unit/old\", \"--runslow\"]\n",
		"pytest.toml":    "[pytest]\ntestpaths = [\"unit\", \"more\"]\naddopts = [\"-k\", \"not slow\", \"--ignore=unit/old\", \"--runslow\"]\n",
	} {
		dir := t.TempDir()
		for _, f := range []string{"unit/test_a.py", "unit/b/test_b.py", "unit/old/test_old.py", "unit/venv/test_v.py", "more/c_test.py", "more/d.py", "test_top.py"} {
			writeFile(t, filepath.Join(dir, f), "")
		}
		writeFile(t, filepath.Join(dir, name), text)
		c, err := Read(reads.Disk{}, dir, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if c.Root != dir || c.Keyword != "not slow" || len(c.Other) != 1 || c.Other[0][0] != "--runslow" {
			t.Errorf("%s: %+v", name, c)
		}
		files, err := c.Files(reads.Disk{}, dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, f := range files {
			ids = append(ids, f.ID)
		}
		if want := []string{"unit/b/test_b.py", "unit/test_a.py", "more/c_test.py"}; !slices.Equal(ids, want) {
			t.Errorf("%s: %v", name, ids)
		}
	}
}

func TestModulesOfFiles(t *testing.T) {
	dir := t.TempDir()
	for _, f := range []string{"pyproject.toml", "tests/test_a.py", "pkg/__init__.py", "pkg/tests/__init__.py", "pkg/tests/test_b.py", "pkg/tests/conftest.py"} {
		writeFile(t, filepath.Join(dir, f), "")
	}
	c, err := Read(reads.Disk{}, dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := c.module(reads.Disk{}, filepath.Join(dir, "tests", "test_a.py")); m.Name != "test_a" || m.Root != filepath.Join(dir, "tests") {
		t.Errorf("%+v", m)
	}
	m := c.module(reads.Disk{}, filepath.Join(dir, "pkg", "tests", "test_b.py"))
	if m.Name != "pkg.tests.test_b" || m.Root != dir || !slices.Equal(m.Packages, []string{"pkg", "pkg.tests"}) {
		t.Errorf("%+v", m)
	}
	if list := c.conftests(reads.Disk{}, filepath.Join(dir, "pkg", "tests")); len(list) != 1 || list[0].Base != "pkg/tests" {
		t.Errorf("%+v", list)
	}
	c.ImportMode = "importlib"
	if m := c.module(reads.Disk{}, filepath.Join(dir, "tests", "test_a.py")); m.Name != "tests.test_a" || m.Root != "" {
		t.Errorf("%+v", m)
	}
}

func TestSelectedTests(t *testing.T) {
	f := &File{Only: []string{"a.py::TestX", "a.py::test_y", "a.py::test_z[1]"}}
	for id, want := range map[string]bool{
		"a.py::TestX::test_a": true, "a.py::TestXY::test_a": false, "a.py::test_y": true, "a.py::test_y[2]": true, "a.py::test_z[1]": true,
		"a.py::test_z[2]": false,
	} {
		if f.Selected(id) != want {
			t.Error(id)
		}
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
