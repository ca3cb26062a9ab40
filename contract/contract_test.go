package contract_test

// This file holds contracts against enumeration: for all sizes in small ranges
// the contract found with symbols must say what a run with those sizes finds,
// and what PyTorch was recorded to do.

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// Each run with concrete sizes takes a few milliseconds.
var full = flag.Bool("full", false, "run with all sizes; otherwise where the contract changes its mind and a spread of others")

// writes reports whether the contracts found are to be written into the
// archives; read the diff before committing it. The flag is the one of package golden.
func writes() bool { return flag.Lookup("update").Value.String() == "true" }

// An archive is a program of testdata/contracts.
type archive struct {
	path   string
	txt    *txtar.Archive
	code   string
	args   []string
	names  []string
	values [][]int64
	torch  string
}

func TestContractsEqualEnumeration(t *testing.T) {
	paths, err := filepath.Glob("../testdata/contracts/*.txtar")
	if err != nil || len(paths) < 30 {
		t.Fatalf("%d archives, %v", len(paths), err)
	}
	cache := infer.NewCache()
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			a, err := readArchive(path)
			if err != nil {
				t.Fatal(err)
			}
			a.check(t, cache)
		})
	}
}

func (a *archive) check(t *testing.T, cache *infer.Cache) {
	res := a.run(t, cache, a.args)
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			t.Fatalf("with symbols: %s", d.Msg)
		}
	}
	c := contract.Of(res)
	if c.Never {
		t.Fatal("the contract never holds")
	}
	var text strings.Builder
	for _, x := range c.Conditions {
		fmt.Fprintln(&text, x.Cond)
		if len(x.Because) == 0 {
			t.Errorf("%s: no line needs it", x.Cond)
		}
	}
	for i := range a.txt.Files {
		if f := &a.txt.Files[i]; f.Name == "want/contract" && string(f.Data) != text.String() {
			if writes() {
				f.Data = []byte(text.String())
				if err := os.WriteFile(a.path, txtar.Format(a.txt), 0o666); err != nil {
					t.Fatal(err)
				}
			} else {
				t.Errorf("contract:\n%swant\n%s", &text, f.Data)
			}
		}
	}
	n, before := 0, false
	a.points(func(env map[string]int64) {
		want := a.torch[n] == '1'
		n++
		got := true
		for _, x := range c.Conditions {
			if !got {
				break // as with Python's and
			}
			ok, err := x.Cond.Eval(func(s string) (int64, bool) { v, ok := env[s]; return v, ok })
			if err != nil {
				t.Fatalf("%s at %v: %v", x.Cond, env, err)
			}
			got = ok
		}
		if got != want {
			t.Errorf("%v: the contract says %t, PyTorch %t", env, got, want)
		}
		spread := *full || got != before || n%(1+len(a.torch)/12) == 0
		before = got
		if !spread {
			return
		}
		args := make([]string, len(a.args))
		for i, arg := range a.args {
			args[i] = at(arg, env)
		}
		clean := true
		for _, d := range a.run(t, cache, args).Diagnostics {
			clean = clean && d.Severity != diag.Error
		}
		if clean != want {
			t.Errorf("%v: the run with these sizes says %t, PyTorch %t", env, clean, want)
		}
	})
	if n != len(a.torch) {
		t.Errorf("%d sizes, but %d were recorded", n, len(a.torch))
	}
}

func (a *archive) run(t *testing.T, cache *infer.Cache, args []string) *infer.Result {
	t.Helper()
	res, err := infer.Run(infer.Config{File: filepath.Base(a.path) + ".py", Text: a.code, Args: args, Cache: cache, TorchVersion: "1.13.0"})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

// points calls f for all combinations of values, the last symbol fastest.
func (a *archive) points(f func(map[string]int64)) {
	env := map[string]int64{}
	var walk func(i int)
	walk = func(i int) {
		if i == len(a.names) {
			f(env)
			return
		}
		for _, v := range a.values[i] {
			env[a.names[i]] = v
			walk(i + 1)
		}
	}
	walk(0)
}

var word = regexp.MustCompile(`\b[A-Z]\w*\b`)

// at puts sizes into an argument.
func at(arg string, env map[string]int64) string {
	i := strings.IndexByte(arg, '[')
	return arg[:i] + word.ReplaceAllStringFunc(arg[i:], func(s string) string {
		if v, ok := env[s]; ok {
			return strconv.FormatInt(v, 10)
		}
		return s
	})
}

var argument = regexp.MustCompile(`--arg '([^']*)'`)

func readArchive(path string) (*archive, error) {
	txt, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	a := &archive{path: path, txt: txt}
	for _, m := range argument.FindAllStringSubmatch(string(txt.Comment), -1) {
		a.args = append(a.args, m[1])
	}
	for _, l := range strings.Split(string(txt.Comment), "\n") {
		sizes, ok := strings.CutPrefix(l, "sizes: ")
		if !ok {
			continue
		}
		for _, s := range strings.Fields(sizes) {
			name, text, _ := strings.Cut(s, "=")
			vals, err := numbers(text)
			if err != nil {
				return nil, err
			}
			a.names, a.values = append(a.names, name), append(a.values, vals)
		}
	}
	for _, f := range txt.Files {
		switch f.Name {
		case "model.py":
			a.code = string(f.Data)
		case "torch":
			a.torch = strings.ReplaceAll(string(f.Data), "\n", "")
		}
	}
	return a, nil
}

// numbers reads lists such as 1..8,16,24.
func numbers(s string) ([]int64, error) {
	var out []int64
	for _, x := range strings.Split(s, ",") {
		lo, hi, isRange := strings.Cut(x, "..")
		if !isRange {
			hi = lo
		}
		a, err := strconv.ParseInt(lo, 10, 64)
		if err != nil {
			return nil, err
		}
		b, err := strconv.ParseInt(hi, 10, 64)
		if err != nil {
			return nil, err
		}
		for n := a; n <= b; n++ {
			out = append(out, n)
		}
	}
	return out, nil
}
