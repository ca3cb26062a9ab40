package infer_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// TestImportsFromOutside imports modules by names that lead out of the checked folders: each name is reported once, as
// unsupported, and others that are not found as modules.
func TestImportsFromOutside(t *testing.T) {
	for _, c := range []struct {
		name, imports string
		code          diag.Code
		want          []string // the names that are reported
	}{
		{"sibling of the folder", "from ..top import x", diag.Unsupported, []string{"'..top'"}},
		{"several names of it", "from ..top import x\nfrom ..top import y\nfrom ..out.o import x as z\nx = x, z", diag.Unsupported,
			[]string{"'..top'", "'..out'"}},
		{"far upwards", "from ....... import x", diag.Unsupported, []string{"'.......'"}},
		{"the folder above itself", "from .. import top as x", diag.Unsupported, []string{"'..top'"}},
		{"link of a folder", "from .linked.o import x", diag.Unsupported, []string{"'.linked'"}},
		{"link of a file", "from .module import x", diag.Unsupported, []string{"'.module'"}},
		{"link without dots", "import linked as x", diag.Unsupported, []string{"'linked'"}},
		{"inside and missing", "from .missing import x", diag.UnknownModule, []string{"module 'project'"}},
		{"missing", "import missing as x", diag.UnknownModule, []string{"module 'missing'"}},
		{"inside", "from .inner import x", "", nil},
	} {
		for _, exists := range []bool{true, false} {
			t.Run(c.name, func(t *testing.T) {
				dir, err := filepath.EvalSymlinks(t.TempDir())
				if err != nil {
					t.Fatal(err)
				}
				files := map[string]string{"project/main.py": c.imports + "\n\n\ndef f():\n    return x\n", "project/inner.py": "x = 1\n",
					"project/setup.py": ""}
				if exists { // which changes nothing
					files["top.py"], files["out/o.py"] = "x = y = 1\n", "x = 1\n"
				}
				for name, text := range files {
					path := filepath.Join(dir, filepath.FromSlash(name))
					if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
				for name, to := range map[string]string{"linked": "out", "module.py": "top.py"} {
					if err := os.Symlink(filepath.Join(dir, to), filepath.Join(dir, "project", name)); err != nil {
						t.Skip(err)
					}
				}
				t.Chdir(filepath.Join(dir, "project"))
				r, err := infer.Run(infer.Config{File: "main.py", Entry: "f"})
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, d := range r.Diagnostics {
					name, _, _ := strings.Cut(d.Msg, " is ")
					name, _, _ = strings.Cut(name, " was ")
					if got = append(got, name); d.Code != c.code {
						t.Errorf("%s: %s", d.Code, d.Msg)
					}
				}
				if !slices.Equal(got, c.want) {
					t.Errorf("files outside: %v: %q, want %q", exists, got, c.want)
				}
			})
		}
	}
}
