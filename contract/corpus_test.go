package contract_test

// This file holds the programs of testdata/corpus against concrete sizes: the
// sizes of a "sizes:" line run as with symbols, and for those of a "grid:" line
// the contract says what our own concrete runs find and what PyTorch was
// recorded to do.

import (
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/symshape"
	"shapecheck/tools/golden"
)

// The corpus is to have this many programs at least, and contracts.
const (
	minPrograms  = 200
	minContracts = 35
)

func TestCorpusAtSizes(t *testing.T) {
	paths, err := filepath.Glob("../testdata/corpus/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	cache := infer.NewCache()
	programs, contracts := 0, 0
	for _, path := range paths {
		ar, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range golden.Cases(ar) {
			programs++
			p := &program{Case: c, cache: cache}
			t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar")+"/"+c.Name, func(t *testing.T) {
				for _, l := range strings.Split(c.Header, "\n") {
					if sizes, ok := strings.CutPrefix(l, "sizes: "); ok {
						p.atSizes(t, sizes)
					}
					if grid, ok := strings.CutPrefix(l, "grid: "); ok {
						contracts++
						p.onGrid(t, grid)
					}
				}
			})
		}
	}
	if programs < minPrograms || contracts < minContracts {
		t.Errorf("%d programs, %d with a contract held against enumeration", programs, contracts)
	}
}

type program struct {
	golden.Case
	cache *infer.Cache
}

// run gives the result with sizes, and the lines of its errors.
func (p *program) run(t *testing.T, env map[string]int64) (*infer.Result, map[int]bool) {
	t.Helper()
	cfg, err := p.Config(func(arg string) string {
		name, typ, _ := strings.Cut(arg, ":")
		if v, ok := env[name]; ok && typ == "int" {
			return name + ":int=" + strconv.FormatInt(v, 10)
		}
		if !strings.Contains(arg, "[") {
			return arg
		}
		return at(arg, env)
	})
	if err != nil {
		t.Fatal(err)
	}
	cfg.Cache, cfg.TorchVersion = p.cache, "1.13.0"
	res, err := infer.Run(cfg)
	if err != nil {
		t.Fatal(err)
	}
	lines := map[int]bool{}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			lines[res.Files.Position(d.At.Start).Line] = true
		}
	}
	return res, lines
}

// atSizes compares the errors with those that the comments expect.
func (p *program) atSizes(t *testing.T, sizes string) {
	env := map[string]int64{}
	for _, w := range strings.Fields(sizes) {
		name, text, _ := strings.Cut(w, "=")
		v, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		env[name] = v
	}
	_, got := p.run(t, env)
	want := p.ErrorLines()
	for l := range want {
		if !got[l] {
			t.Errorf("line %d: no error with %s", l, sizes)
		}
	}
	for l := range got {
		if !want[l] {
			t.Errorf("line %d: an error with %s", l, sizes)
		}
	}
}

// onGrid compares the contract with concrete runs and with PyTorch.
func (p *program) onGrid(t *testing.T, grid string) {
	var a archive
	for _, s := range strings.Fields(grid) {
		name, text, _ := strings.Cut(s, "=")
		vals, err := numbers(text)
		if err != nil {
			t.Fatal(err)
		}
		a.names, a.values = append(a.names, name), append(a.values, vals)
	}
	recorded, _ := p.Section("want/torch")
	recorded = strings.ReplaceAll(recorded, "\n", "")
	if _, ok := p.Section("want/contract"); !ok {
		t.Fatal("no section want/contract")
	}
	res, errors := p.run(t, nil)
	never := len(errors) > 0
	c := contract.Of(res)
	n, before := 0, byte(0)
	a.points(func(env map[string]int64) {
		if n >= len(recorded) {
			n++
			return
		}
		want := recorded[n] == '1'
		n++
		got := !never && holds(t, c, env)
		if got != want {
			t.Errorf("%v: the contract says %t, PyTorch %t", env, got, want)
		}
		spread := *full || recorded[n-1] != before || n%(1+len(recorded)/6) == 0
		before = recorded[n-1]
		if !spread {
			return
		}
		if _, errs := p.run(t, env); (len(errs) == 0) != want {
			t.Errorf("%v: the run with these sizes says %t, PyTorch %t", env, len(errs) == 0, want)
		}
	})
	if n != len(recorded) {
		t.Errorf("%d sizes, but %d were recorded", n, len(recorded))
	}
}

// holds evaluates a contract as Python's and would.
func holds(t *testing.T, c *contract.Contract, env map[string]int64) bool {
	t.Helper()
	for _, x := range c.Conditions {
		ok, err := evalAt(x.Cond, env)
		if err != nil {
			t.Fatalf("%s at %v: %v", x.Cond, env, err)
		}
		if !ok {
			return false
		}
	}
	return !c.Never
}

func evalAt(c *symshape.Cond, env map[string]int64) (bool, error) {
	return c.Eval(func(s string) (int64, bool) { v, ok := env[s]; return v, ok })
}
