package hostile

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A Program is a text with the arguments of the command that checks it.
type Program struct {
	Name string // kind/size/context
	Args []string
	// Text makes the text, which may be long.
	Text func() string
}

// A kind is a fragment of a program that asks for much. In its text N stands for a size, x for a
// tensor of two axes, n for its first size; it leaves its result in r.
type kind struct {
	name  string
	text  string
	sizes []int
	// expand replaces @ in the text, by the size; nil: there is none.
	expand func(n int) string
	// alone says that the text is a whole program, to be run as a script.
	alone bool
}

// Sizes of what a program repeats, nests or doubles, and the exponents of what it makes by doubling.
var (
	many    = []int{10_000, 100_000, 1_000_000}
	some    = []int{500, 5_000, 50_000}
	nested  = []int{50, 500, 5_000}
	doubled = []int{16, 24, 60}
)

// A context is a program around a fragment. # stands for the fragment, indented as it is.
type context struct {
	name, text string
	args       []string
}

const imports = "import torch\nimport numpy as np\nfrom torch import nn\n"

var contexts = []context{
	{"script", imports + "x = torch.zeros(6, 4)\nn = 6\n#\n", []string{"--script"}},
	{"printed", imports + "x = torch.zeros(6, 4)\nn = 6\n#\nprint(r)\n", []string{"--script"}},
	{"function", imports + "def f(x):\n    n = x.shape[0]\n    #\n    return r\n", []string{"--entry", "f", "--arg", "x:f32[N,4]"}},
	{"caught", imports + "def f(x):\n    n = x.shape[0]\n    r = None\n    for i in range(3):\n        try:\n            #\n        except Exception as e:\n            r = e\n    return x, [r]\n", []string{"--entry", "f", "--arg", "x:f32[N,4]", "--output-format", "json"}},
	{"module", imports + "class M(nn.Module):\n    def __init__(self):\n        super().__init__()\n        x = torch.zeros(6, 4)\n        n = 6\n        #\n        self.r = r\n    def forward(self, x):\n        return x, self.r\n", []string{"--entry", "M()", "--arg", "x:f32[N,4]"}},
	{"branch", imports + "def f(x):\n    n = x.shape[0]\n    r = None\n    if x.sum() > 0:\n        #\n    return r\n",
		[]string{"--entry", "f", "--arg", "x:f32[N,4]", "--output-format", "json"}},
}

// Programs returns all programs: each kind in each size and context.
func Programs() []Program {
	var out []Program
	for _, k := range kinds {
		for _, n := range k.sizes {
			if k.alone {
				out = append(out, Program{fmt.Sprintf("%s/%d/alone", k.name, n), []string{"--script"}, func() string { return k.fragment(n) }})
				continue
			}
			for _, c := range contexts {
				out = append(out, Program{fmt.Sprintf("%s/%d/%s", k.name, n, c.name), c.args, func() string { return c.around(k.fragment(n)) }})
			}
		}
	}
	return out
}

// Sample returns n of the programs, or all if they are fewer: first one of each kind, then further ones. The seed
// decides the order of the kinds and the programs.
func Sample(all []Program, n int, seed uint64) []Program {
	if n >= len(all) {
		return all
	}
	byKind := map[string][]Program{}
	var names []string
	for _, p := range all {
		name, _, _ := strings.Cut(p.Name, "/")
		if byKind[name] == nil {
			names = append(names, name)
		}
		byKind[name] = append(byKind[name], p)
	}
	random := rand.New(rand.NewPCG(seed, 0))
	random.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var out []Program
	for len(out) < n {
		for _, name := range names {
			rest := byKind[name]
			if len(rest) == 0 || len(out) == n {
				continue
			}
			i := random.IntN(len(rest))
			out = append(out, rest[i])
			byKind[name] = append(rest[:i:i], rest[i+1:]...)
		}
	}
	return out
}

// fragment is the text of a kind for a size.
func (k *kind) fragment(n int) string {
	text := k.text
	if k.expand != nil {
		text = strings.ReplaceAll(text, "@", k.expand(n))
	}
	return strings.ReplaceAll(text, "$N", strconv.Itoa(n))
}

// around puts a fragment into a context.
func (c *context) around(text string) string {
	before, after, _ := strings.Cut(c.text, "#")
	indent := before[strings.LastIndexByte(before, '\n')+1:]
	return before + strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n"+indent) + after
}

// repeated gives text as often as a size says; %d in it is the number of the turn.
func repeated(text string) func(int) string {
	return func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.ReplaceAll(text, "%d", strconv.Itoa(i)))
		}
		return b.String()
	}
}

// nestedIn puts text into as many pairs of brackets as a size says.
func nestedIn(before, inner, after string) func(int) string {
	return func(n int) string {
		return strings.Repeat(before, n) + inner + strings.Repeat(after, n)
	}
}

// Files returns the programs of a folder. The first line of one that is no script is "# arguments: " and the
// arguments of its check, with spaces between them. It returns an error where a program cannot be read.
func Files(dir string) ([]Program, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.py"))
	if err != nil {
		return nil, err
	}
	var out []Program
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		p := Program{filepath.Base(path), []string{"--script"}, func() string { return string(text) }}
		first, _, _ := strings.Cut(string(text), "\n")
		if args, ok := strings.CutPrefix(first, "# arguments: "); ok {
			p.Args = strings.Fields(args)
		}
		out = append(out, p)
	}
	return out, nil
}
