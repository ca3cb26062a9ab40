package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// suiteProject writes a project with tests into a folder, which becomes the working directory.
func suiteProject(t *testing.T) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	for name, text := range map[string]string{
		"net.py": "import torch\n\n\nclass Net(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.lin = torch.nn.Linear(4, 3)\n\n    def forward(self, x):\n        return self.lin(x)\n",
		"tests/test_net.py": "import pytest\nimport torch\nfrom net import Net\n\n\n" +
			"@pytest.mark.parametrize('n', [1, 2])\ndef test_shape(n):\n    assert Net()(torch.zeros(n, 4)).shape == (n, 3)\n\n\n" +
			"def test_sum():\n    assert Net()(torch.zeros(2, 4)).sum() > 0\n\n\n" +
			"class TestWide:\n    def test_five(self):\n        Net()(torch.zeros(2, 5))\n\n\n" +
			"@pytest.mark.skip(reason='later')\ndef test_later():\n    pass\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestPytestPrintsVerdicts(t *testing.T) {
	suiteProject(t)
	for _, c := range []struct {
		args []string
		code int
		says []string
	}{
		{[]string{"pytest"}, 1, []string{"tests/test_net.py  ✓ 2  ~ 1  ✗ 1  – 1", "✗ tests/test_net.py::TestWide::test_five", "SC101",
			"5 cases: 2 hold, 1 runs, 1 fails, 1 skipped"}},
		{[]string{"pytest", "-k", "shape or sum"}, 0, []string{"3 cases: 2 hold, 1 runs; 2 deselected"}},
		{[]string{"pytest", "-v", "tests/test_net.py::test_shape"}, 0, []string{"✓ tests/test_net.py::test_shape[1]\n✓ tests/test_net.py::test_shape[2]\n"}},
		{[]string{"pytest", "--collect-only"}, 0, []string{"tests/test_net.py::test_shape[1]\n", "tests/test_net.py::TestWide::test_five\n", "5 tests collected"}},
		{[]string{"pytest", "-k", "nothing"}, 2, []string{"5 deselected"}},
		{[]string{"pytest", "-k", "("}, 2, nil},
		{[]string{"pytest", "absent"}, 2, nil},
		{[]string{"pytest", "--output-format", "junit"}, 1, []string{`classname="tests.test_net.TestWide" name="test_five"`, `tests="5"`}},
	} {
		var out, errs strings.Builder
		code := Run(c.args, strings.NewReader(""), &out, &errs)
		if code != c.code {
			t.Errorf("%v: exit code %d, wanted %d\n%s%s", c.args, code, c.code, out.String(), errs.String())
		}
		for _, s := range c.says {
			if !strings.Contains(out.String(), s) {
				t.Errorf("%v: %q is not in\n%s%s", c.args, s, out.String(), errs.String())
			}
		}
	}
}

func TestPytestPrintsJSON(t *testing.T) {
	suiteProject(t)
	var out, errs strings.Builder
	Run([]string{"pytest", "--output-format", "json"}, strings.NewReader(""), &out, &errs)
	var doc suiteJSON
	if err := json.Unmarshal([]byte(out.String()), &doc); err != nil {
		t.Fatalf("%v\n%s%s", err, out.String(), errs.String())
	}
	if len(doc.Files) != 1 || len(doc.Files[0].Cases) != 5 || doc.Count["fails"] != 1 || doc.Count["holds"] != 2 {
		t.Errorf("%+v", doc)
	}
}
