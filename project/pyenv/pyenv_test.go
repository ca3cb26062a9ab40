package pyenv

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"shapecheck/internal/reads"
)

// A tree writes files and links below a folder: a name that ends in "/" is a folder, a text
// that begins with "-> " a link. "$T" is the folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	links := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		text = strings.ReplaceAll(text, "$T", filepath.ToSlash(dir))
		if to, ok := strings.CutPrefix(text, "-> "); ok {
			links[path] = to
			continue
		}
		if strings.HasSuffix(name, "/") {
			err = os.MkdirAll(path, 0o755)
		} else if err = os.MkdirAll(filepath.Dir(path), 0o755); err == nil {
			err = os.WriteFile(path, []byte(text), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for path, to := range links {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, path); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	return dir
}

const site = "lib/python3.12/site-packages/"

func TestWhichEnvironment(t *testing.T) {
	venv := map[string]string{
		"p/pyproject.toml": "[project]\nname = 'my pkg'\n", "p/a/b/": "",
		"p/.venv/pyvenv.cfg": "home = /usr/bin\n", "p/.venv/" + site: "",
		"other/pyvenv.cfg": "home = /usr/bin\n", "other/" + site: "",
		"conda/conda-meta/": "", "conda/" + site: "",
	}
	for _, c := range []struct {
		name   string
		files  map[string]string
		search Search
		dir    string
		want   []string // $T is cut off
	}{
		{"off", venv, Search{}, "p", nil},
		{"none", venv, Search{Discover: true, Python: None}, "p", nil},
		{"configured none", venv, Search{Discover: true, Configured: None}, "p", nil},
		{"beside", venv, Search{Discover: true}, "p", []string{"p/.venv/" + site}},
		{"above", venv, Search{Discover: true}, "p/a/b", []string{"p/.venv/" + site}},
		{"active goes before", venv, Search{Discover: true, Active: []string{"$T/other"}}, "p", []string{"other/" + site}},
		{"active that is gone", venv, Search{Discover: true, Active: []string{"$T/gone"}}, "p", []string{"p/.venv/" + site}},
		{"conda's base goes after", venv, Search{Discover: true, Base: "$T/conda"}, "p", []string{"p/.venv/" + site}},
		{"conda's base", map[string]string{"p/": "", "conda/conda-meta/": "", "conda/" + site: ""}, Search{Discover: true, Base: "$T/conda"},
			"p", []string{"conda/" + site}},
		{"named goes before all", venv, Search{Discover: true, Python: "$T/conda", Active: []string{"$T/other"}}, "p", []string{"conda/" + site}},
		{"named site-packages", venv, Search{Python: "$T/other/" + site}, "p", []string{"other/" + site}},
		{"configured", map[string]string{"p/shapecheck.toml": "", "p/env/pyvenv.cfg": "", "p/env/" + site: ""},
			Search{Discover: true, Configured: "$T/p/env", Folder: "$T/p"}, "p", []string{"p/env/" + site}},
		{"configured elsewhere", venv, Search{Discover: true, Configured: "$T/other", Folder: "$T/p"}, "p", nil},
		{"interpreter", map[string]string{"e/bin/python3.12": "", "e/" + site: ""}, Search{Python: "$T/e/bin/python3.12"}, "",
			[]string{"e/" + site}},
		{"venv without a dot", map[string]string{"p/setup.py": "", "p/venv/pyvenv.cfg": "", "p/venv/" + site: ""}, Search{Discover: true}, "p",
			[]string{"p/venv/" + site}},
		{"a folder that is only called venv", map[string]string{"p/setup.py": "", "p/venv/" + site: ""}, Search{Discover: true}, "p", nil},
		{"pixi", map[string]string{"p/pixi.toml": "", "p/.pixi/envs/default/conda-meta/": "", "p/.pixi/envs/default/" + site: ""},
			Search{Discover: true}, "p", []string{"p/.pixi/envs/default/" + site}},
		{"Windows", map[string]string{"p/setup.py": "", "p/.venv/pyvenv.cfg": "", "p/.venv/Lib/site-packages/": ""}, Search{Discover: true},
			"p", []string{"p/.venv/Lib/site-packages"}},
		{"the repository's", map[string]string{".git/": "", ".venv/pyvenv.cfg": "", ".venv/" + site: "", "p/pyproject.toml": ""},
			Search{Discover: true}, "p", []string{".venv/" + site}},
		{"not above the project", map[string]string{".venv/pyvenv.cfg": "", ".venv/" + site: "", "p/pyproject.toml": ""},
			Search{Discover: true}, "p", nil},
		{"a link out of the project", map[string]string{"p/pyproject.toml": "", "p/.venv": "-> ../other", "other/pyvenv.cfg": "", "other/" +
			site: ""}, Search{Discover: true}, "p", nil},
		{"the newest Python first", map[string]string{"e/lib/python3.9/site-packages/": "", "e/lib/python3.10/site-packages/": "",
			"e/lib64": "-> lib"}, Search{Python: "$T/e"}, "", []string{"e/lib/python3.10/site-packages", "e/lib/python3.9/site-packages"}},
		{"Debian's", map[string]string{"usr/lib/python3/dist-packages/": "", "usr/local/lib/python3.12/dist-packages/": "",
			"usr/bin/python3": ""}, Search{Python: "$T/usr/bin/python3"}, "",
			[]string{"usr/local/lib/python3.12/dist-packages", "usr/lib/python3/dist-packages"}},
		{"with the system's", map[string]string{"e/pyvenv.cfg": "home = $T/s/bin\ninclude-system-site-packages = true\n", "e/" + site: "",
			"s/" + site: ""}, Search{Python: "$T/e"}, "", []string{"e/" + site, "s/" + site}},
		{"with the system's, out of the project", map[string]string{"p/setup.py": "",
			"p/.venv/pyvenv.cfg": "home = $T/s/bin\ninclude-system-site-packages = true\n", "p/.venv/" + site: "", "s/" + site: ""},
			Search{Discover: true}, "p", []string{"p/.venv/" + site}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := tree(t, c.files)
			at := func(s string) string { return strings.ReplaceAll(s, "$T", dir) }
			s := c.search
			s.Python, s.Configured, s.Folder, s.Base = at(s.Python), at(s.Configured), at(s.Folder), at(s.Base)
			s.Active = nil
			for _, path := range c.search.Active {
				s.Active = append(s.Active, at(path))
			}
			var got, want []string
			if e := s.Find(reads.Disk{}, filepath.Join(dir, c.dir)); e != nil {
				got = e.Paths
			}
			for _, path := range c.want {
				want = append(want, filepath.Join(dir, path))
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// The finder is as setuptools 65 and 80 write it.
const finder = `import sys

MAPPING: dict[str, str] = {'pkg': '$T/dev/src/pkg', 'mod': '$T/dev/src/mod', 'ns.part': '$T/dev/part'}
NAMESPACES: dict[str, list[str]] = {'ns': [], 'wide': ['$T/dev/wide']}
PATH_PLACEHOLDER = '__editable__.x-0.1.finder' + ".__path_hook__"


def install():
    sys.meta_path.append(None)
`

func TestEditable(t *testing.T) {
	files := map[string]string{
		"e/pyvenv.cfg":                                 "",
		"e/" + site + "a.pth":                          "# comment\n$T/plain\n../../../../rel\n$T/missing\nimport os; os.system('false')\n",
		"e/" + site + "__editable__.x.pth":             "import __editable___x_0_1_finder; __editable___x_0_1_finder.install()",
		"e/" + site + "_meson-editable.pth":            "import _meson_editable_loader",
		"e/" + site + "m-1.dist-info/RECORD":           "",
		"e/" + site + "m-1.dist-info/direct_url.json":  `{"url": "file://$T/meson", "dir_info": {"editable": true}}`,
		"e/" + site + "n-1.dist-info/direct_url.json":  `{"url": "file://$T/notedit", "dir_info": {}}`,
		"e/" + site + "__editable___x_0_1_finder.py":   finder,
		"e/" + site + "__editable___bad_0_1_finder.py": "MAPPING = {'bad': ",
		"plain/": "", "rel/": "", "meson/src/": "", "notedit/": "",
		"dev/src/pkg/__init__.py": "", "dev/src/mod.py": "", "dev/part/__init__.py": "", "dev/wide/": "",
	}
	dir := tree(t, files)
	e := (&Search{Python: filepath.Join(dir, "e")}).Find(reads.Disk{}, dir)
	if e == nil {
		t.Fatal("no environment")
	}
	in := func(paths ...string) (out []string) {
		for _, p := range paths {
			out = append(out, filepath.Join(dir, p))
		}
		return out
	}
	if want := in("e/"+site, "plain", "rel", "meson/src"); !reflect.DeepEqual(e.Paths, want) {
		t.Errorf("paths %q, want %q", e.Paths, want)
	}
	if want := map[string]string{"pkg": in("dev/src/pkg")[0], "mod": in("dev/src/mod.py")[0],
		"ns.part": in("dev/part")[0]}; !reflect.DeepEqual(e.Modules, want) {
		t.Errorf("modules %q, want %q", e.Modules, want)
	}
	if e.Outside {
		t.Error("folders were left out")
	}
	if want := map[string][]string{"ns": nil, "wide": in("dev/wide")}; !reflect.DeepEqual(e.Namespaces, want) {
		t.Errorf("namespaces %q, want %q", e.Namespaces, want)
	}
}

// TestProjectsEnvironmentStaysInside has the same packages in an environment of the project:
// nothing outside of the project is looked at.
func TestProjectsEnvironmentStaysInside(t *testing.T) {
	dir := tree(t, map[string]string{
		"p/pyproject.toml": "", "p/.venv/pyvenv.cfg": "", "p/src/pkg/__init__.py": "",
		"p/.venv/" + site + "a.pth":                      "$T/plain\n$T/p/src\n",
		"p/.venv/" + site + "__editable___x_0_finder.py": finder,
		"plain/": "", "dev/src/pkg/__init__.py": "", "dev/src/mod.py": "", "dev/part/": "", "dev/wide/": "",
	})
	e := (&Search{Discover: true}).Find(reads.Disk{}, filepath.Join(dir, "p"))
	if e == nil {
		t.Fatal("no environment")
	}
	if want := []string{filepath.Join(dir, "p/.venv", site), filepath.Join(dir, "p/src")}; !reflect.DeepEqual(e.Paths, want) {
		t.Errorf("paths %q, want %q", e.Paths, want)
	}
	if !e.Outside {
		t.Error("it is not said that folders were left out")
	}
	if len(e.Modules) > 0 || len(e.Namespaces["wide"]) > 0 {
		t.Errorf("modules %q and namespaces %q lie outside of the project", e.Modules, e.Namespaces)
	}
}

// The names are what poetry's EnvManager.generate_env_name gives; Poetry 2 was run for
// projects named My_Net.x (in [project]) and Other_Net.Y (in [tool.poetry]).
func TestPoetry(t *testing.T) {
	for project, want := range map[string]string{"My $Pkg": "my__pkg-zEklzEZj", "My_Net.x": "my-net-x-zEklzEZj",
		"Other_Net.Y": "other-net-y-zEklzEZj"} {
		if got := poetryName(project, "/home/me/my-pkg"); got != want {
			t.Errorf("%s: got %s, want %s", project, got, want)
		}
	}
	dir := tree(t, map[string]string{"p/pyproject.toml": "[tool.poetry]\nname = 'x'\n", "p/sub/": ""})
	cache := filepath.Join(dir, "cache")
	env := filepath.Join(cache, poetryName("x", filepath.Join(dir, "p"))+"-py3.12")
	if err := os.MkdirAll(filepath.Join(env, site), 0o755); err != nil {
		t.Fatal(err)
	}
	s := Search{Discover: true, Poetry: cache}
	if e := s.Find(reads.Disk{}, filepath.Join(dir, "p", "sub")); e == nil || e.Folder != env {
		t.Errorf("got %v, want %s", e, env)
	}
	if err := os.MkdirAll(filepath.Join(strings.TrimSuffix(env, "2")+"3", site), 0o755); err != nil {
		t.Fatal(err)
	}
	if e := s.Find(reads.Disk{}, filepath.Join(dir, "p")); e != nil {
		t.Errorf("of two environments %s was chosen", e.Folder)
	}
}

func TestCheck(t *testing.T) {
	dir := tree(t, map[string]string{"file": "", "folder/x.py": "", "e/" + site: ""})
	for name, ok := range map[string]bool{"file": false, "folder": false, "gone": false, "e": true} {
		if err := Check(reads.Disk{}, filepath.Join(dir, name)); (err == nil) != ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
