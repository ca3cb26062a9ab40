package infer_test

import (
	"maps"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/reads"
)

// Modules are kept while the imports and the files behind them are what they were, and not where a run
// would come to another state with them.
func TestKeptModules(t *testing.T) {
	const net = "from lib import width\n\n\ndef forward(x):\n    return x[:width]\n"
	for _, c := range []struct {
		name  string
		files map[string]string
		// edits are made one after the other, each followed by a run, whose result is want; resumed
		// says whether it had the modules of the run before.
		edits []edit
	}{
		{"an edit of the file", map[string]string{"/net.py": net, "/lib.py": "width = 3\n"}, []edit{
			{nil, "f32[3,C]", false},
			{map[string]string{"/net.py": "# more\n" + net + "\nforward(None)\n"}, "f32[3,C]", true},
			{map[string]string{"/net.py": net + "    # less\n"}, "f32[3,C]", true},
		}},
		{"an edit of what it imports", map[string]string{"/net.py": net, "/lib.py": "from sizes import width\n", "/sizes.py": "width = 3\n"},
			[]edit{
				{nil, "f32[3,C]", false},
				{map[string]string{"/sizes.py": "width = 4\n"}, "f32[4,C]", false},
				{nil, "f32[4,C]", true},
			}},
		{"a module that was missing", map[string]string{"/net.py": "import lib\n\n\ndef forward(x):\n    return x[:lib.width]\n",
			"/lib.py": "try:\n    from sizes import width\nexcept ImportError:\n    width = 3\n"}, []edit{
			{nil, "f32[3,C]", false},
			{map[string]string{"/sizes.py": "width = 5\n"}, "f32[5,C]", false},
		}},
		{"other imports", map[string]string{"/net.py": net, "/lib.py": "width = 3\n", "/other.py": "import lib\n\nlib.width = 2\n"}, []edit{
			{nil, "f32[3,C]", false},
			{map[string]string{"/net.py": "import other\n" + net}, "f32[2,C]", false},
			{map[string]string{"/net.py": net}, "f32[3,C]", false},
		}},
		{"a module that holds the file's",
			map[string]string{"/net.py": "from lib import width\n\nscale = 2\n\n\ndef forward(x):\n    return x[:width()]\n",
				"/lib.py": "def width():\n    return net.scale\n\n\nimport net\n"}, []edit{
				{nil, "f32[2,C]", false},
				{map[string]string{"/net.py": "from lib import width\n\nscale = 3\n\n\ndef forward(x):\n    return x[:width()]\n"}, "f32[3,C]", true},
			}},
		{"what a run writes into a module",
			map[string]string{"/net.py": "import lib\n\n\ndef forward(x):\n    lib.calls.append(1)\n    lib.width += 1\n    return x[:lib.width * len(lib.calls)]\n", "/lib.py": "width, calls = 3, []\n"}, []edit{
				{nil, "f32[4,C]", false},
				{nil, "f32[4,C]", true},
				{nil, "f32[4,C]", true},
			}},
		{"a syntax error", map[string]string{"/net.py": net, "/lib.py": "width = 3\n"}, []edit{
			{nil, "f32[3,C]", false},
			{map[string]string{"/net.py": net + "def\n"}, "", true},
			{map[string]string{"/net.py": net}, "f32[3,C]", true},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, cache, modules := maps.Clone(c.files), infer.NewCache(), &infer.Modules{}
			for i, e := range c.edits {
				maps.Copy(files, e.files)
				before := modules.Resumed()
				r, err := infer.Run(infer.Config{File: "/net.py", Entry: "forward", Args: []string{"x:f32[9,C]"}, FS: reads.NewMemory(files),
					Cache: cache, Modules: modules})
				if err != nil {
					t.Fatal(err)
				}
				got := ""
				if r.Output != nil {
					got = r.Output.String()
				}
				if resumed := modules.Resumed() > before; got != e.want || resumed != e.resumed {
					t.Errorf("run %d: %q, want %q; resumed %v, want %v", i+1, got, e.want, resumed, e.resumed)
				}
			}
		})
	}
}

type edit struct {
	files   map[string]string
	want    string
	resumed bool
}

// Imports after a statement that only chooses between imports are kept, too; not where it imports a module of
// the user's, which may change what follows.
func TestImportsAfterAChoiceAreKept(t *testing.T) {
	const lib = "width = 6\n"
	const rest = "from lib import width\n\n\ndef forward(x):\n    return x[:width]\n"
	for _, c := range []struct {
		name, before string
		files        map[string]string
		want         string
		kept         bool
	}{
		{"built in", "try:\n    from typing import Literal\nexcept ImportError:\n    from typing_extensions import Literal\n", nil, "f32[6,C]",
			true},
		{"missing", "try:\n    import absent\n    has = True\nexcept ImportError:\n    has = False\n", nil, "f32[6,C]", true},
		{"for type checkers", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import other\n",
			map[string]string{"/other.py": "import lib\nlib.width = 2\n"}, "f32[6,C]", true},
		{"of the user", "try:\n    import other\nexcept ImportError:\n    other = None\n",
			map[string]string{"/other.py": "import lib\nlib.width = 2\n"}, "f32[2,C]", false},
		{"with an effect", "import math\ntry:\n    import cmath\n    print(math.pi)\nexcept ImportError:\n    pass\n", nil, "f32[6,C]", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			files, cache, modules := map[string]string{"/net.py": c.before + rest, "/lib.py": lib}, infer.NewCache(), &infer.Modules{}
			maps.Copy(files, c.files)
			for i := range 3 {
				files["/net.py"] += "# more\n"
				if i == 2 { // what is kept is that module only if its change has it go
					files["/lib.py"] += "# more\n"
				}
				before := modules.Resumed()
				r, err := infer.Run(infer.Config{File: "/net.py", Entry: "forward", Args: []string{"x:f32[9,C]"}, FS: reads.NewMemory(files),
					Cache: cache, Modules: modules})
				if err != nil {
					t.Fatal(err)
				}
				if got := r.Output.String(); got != c.want {
					t.Errorf("run %d: %s, want %s", i+1, got, c.want)
				}
				if resumed, want := modules.Resumed() > before, i == 1 || i == 2 && !c.kept; resumed != want {
					t.Errorf("run %d: resumed %v, want %v", i+1, resumed, want)
				}
			}
		})
	}
}
