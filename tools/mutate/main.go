// Command mutate measures the tests: it changes one token at a time in places drawn
// by a seed, and runs the tests of that package and those that replay records. A
// mutant that no test kills shows behaviour that nothing holds, unless it computes the
// same as the original: answers.txt says of which ones that is known, and why.
//
//	mutate [--seed N] [--n N] [--groups lower,inference,eval,symshape] [--list] [--only REGEXP] [--own]
//
//	mutate --changed REVISION [--draw N] [--timeout 3m]
//
// The second form draws from the lines that are not those of a revision, and runs the tests of their package alone, as far as the
// time goes: the gate does it.
//
// The tree is not touched: changed files stand in for the originals by an overlay. The
// programs of the tests hold all mutants of a group at once, and the environment says
// which one runs.
// Each of the groups has a fourth of the mutants. The printed lines are outcome,
// place, change, and the tests that failed; the last lines count. Mutants that survive and have no
// answer are listed in survivors.txt: the command fails if the list has others than the run, and
// --update rewrites it. With --changed, those that are new are printed and fail nothing.
//
//	main.go    the flags, the groups, the counts    mutant.go  the places
//	weave.go   many mutants in one file             batch.go   programs and runs
//	answers.go what is known of mutants             survivors.go  those that are known to survive
//	changed.go mutants of changed lines
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// A group is a part of the program with the tests that hold it, cheapest first.
type group struct {
	name  string
	dirs  []string
	tests []tests
}

// A tests is some of the tests of a package.
type tests struct{ pkg, run string }

var groups = []group{
	{"lower", []string{"lower", "lower/aten"}, []tests{{"lower", ""}, {"lower/aten", ""}, {"lower/initial", ""},
		{"tools/conformance", "Numbers"}, {"present/cli", "Export|Weights|Inline|Unroll"}}},
	{"inference", []string{"onnx/inference"}, []tests{{"onnx/inference", ""}, {"lower", "Recorded"}, {"present/cli", "Infer"}}},
	{"eval", []string{"onnx/eval"}, []tests{{"onnx/eval", ""}, {"lower/initial", ""}, {"tools/conformance", "Numbers"}}},
	{"symshape", []string{"symshape", "symshape/dtype"}, []tests{{"symshape", ""}, {"symshape/dtype", ""}, {"contract", ""},
		{"infer/ops/torch", ""}, {"infer", ""}}},
}

type options struct {
	seed      uint64
	n         int
	list, own bool
	only      *regexp.Regexp
	update    bool
	changed   string
	draw      int
	timeout   time.Duration
}

func main() {
	o := options{}
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the places")
	flag.IntVar(&o.n, "n", 120, "the number of mutants")
	names := flag.String("groups", "lower,inference,eval,symshape", "the groups that are changed")
	flag.BoolVar(&o.list, "list", false, "print the mutants only")
	flag.BoolVar(&o.own, "own", false, "run only the tests of the package itself: quick, and harder on it")
	only := flag.String("only", "", "a regular expression on file:line:column of mutants to run")
	flag.BoolVar(&o.update, "update", false, "rewrite "+survivorsFile)
	flag.StringVar(&o.changed, "changed", "", "draw from the lines that are not those of this revision")
	flag.IntVar(&o.draw, "draw", 40, "the number of mutants of changed lines")
	flag.DurationVar(&o.timeout, "timeout", 3*time.Minute, "how long mutants of changed lines are run")
	flag.Parse()
	var err error
	if o.only, err = regexp.Compile(*only); err == nil {
		err = run(o, strings.Split(*names, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

// run measures the mutants of changed lines, or those of the named groups of packages, and compares the survivors with the
// list. It fails where they differ.
func run(o options, names []string) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	known, err := readAnswers()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(survivorsFile)
	if err != nil {
		return err
	}
	list, err := readSurvivors(string(text))
	if err != nil {
		return err
	}
	if o.changed != "" {
		c, err := runChanged(o, known, list, dir)
		if err != nil {
			return err
		}
		const format = "lines changed since %s: %d killed, %d survived, %d the same by answers.txt, %d did not compile, %d not run in %s\n"
		fmt.Printf(format, o.changed, c[killed], c[survived], c[equal], c[notCompiled], c[notRun], o.timeout)
		return o.compare(list)
	}
	var lines []string
	for _, name := range names {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			return fmt.Errorf("no group %q", name)
		}
		c, err := groups[i].measure(o, o.n/len(names), known, list, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		const format = "%s: %d killed, %d survived, %d the same by answers.txt, %d did not compile"
		lines = append(lines, fmt.Sprintf(format, name, c[killed], c[survived], c[equal], c[notCompiled]))
	}
	if o.list {
		return nil
	}
	fmt.Println(strings.Join(lines, "\n"))
	return o.compare(list)
}

// compare reports what the list of survivors has otherwise than the run, or rewrites it.
func (o options) compare(list *survivors) error {
	fresh, stale := list.differences()
	if o.update {
		return list.write()
	}
	for _, line := range slices.Concat(fresh, stale) {
		fmt.Println(line)
	}
	if len(stale) > 0 || len(fresh) > 0 && o.changed == "" {
		return errors.New(survivorsFile + " has others; --update rewrites it")
	}
	return nil
}

const (
	killed      = "killed"
	survived    = "survived"
	equal       = "the same"
	notCompiled = "does not compile"
	notRun      = "not run"
)

// measure judges as many mutants of a group as are wanted.
func (g *group) measure(o options, want int, known map[string]string, list *survivors, dir string) (map[string]int, error) {
	var all []mutant
	for _, d := range g.dirs {
		found, err := mutants(d)
		if err != nil {
			return nil, err
		}
		list.look(d, found)
		all = append(all, found...)
	}
	draw(o.seed, all)
	if o.list {
		for _, m := range all[:min(want, len(all))] {
			fmt.Println(m)
		}
		return nil, nil
	}
	return g.judgeAll(context.Background(), o, all, want, known, list, dir)
}

// judgeAll judges the first of some mutants until so many compile, or the context ends.
func (g *group) judgeAll(ctx context.Context, o options, all []mutant, want int, known map[string]string, list *survivors,
	dir string) (map[string]int, error) {
	count := map[string]int{}
	// What does not compile no test could see: the next place is drawn.
	var chosen []int
	batches, bad := map[int]*batch{}, map[int]bool{}
	for again := true; again; {
		again, chosen = false, chosen[:0]
		lists := map[int]map[int]mutant{0: {}} // 0 has those within functions
		for id := 1; id <= len(all) && len(chosen) < want; id++ {
			if bad[id] {
				continue
			}
			chosen = append(chosen, id)
			switch m := all[id-1]; {
			case !o.only.MatchString(m.place()):
			case m.in != nil:
				lists[0][id] = m
			case batches[id] == nil:
				lists[id] = map[int]mutant{id: m}
			}
		}
		for n, some := range lists {
			b, err := newBatch(ctx, filepath.Join(dir, fmt.Sprint(n)), some)
			if ctx.Err() != nil {
				count[notRun] = min(want, len(all))
				return count, nil
			}
			if err != nil {
				return nil, err
			}
			b.passed = o.changed != "" // the gate has run the tests
			for id := range some {
				batches[id] = b
			}
			for id := range b.invalid {
				bad[id], again = true, true
			}
		}
	}
	count[notCompiled] = len(bad)
	for _, id := range chosen {
		m := all[id-1]
		if !o.only.MatchString(m.place()) {
			continue
		}
		outcome, by := equal, known[m.key()]
		if by == "" {
			var err error
			outcome, by, err = g.judge(ctx, batches[id], id, o)
			if ctx.Err() != nil {
				outcome, by = notRun, ""
			} else if err != nil {
				return nil, err
			}
			list.note(m, outcome)
		}
		count[outcome]++
		fmt.Printf("%s\t%s\t%s\n", outcome, m, by)
	}
	return count, nil
}

// judge runs the tests of a group on a mutant, until some fail; those of its own package
// come first.
func (g *group) judge(ctx context.Context, b *batch, id int, o options) (outcome, by string, err error) {
	own := filepath.Dir(b.list[id].file)
	order := slices.Clone(g.tests)
	if i := slices.IndexFunc(order, func(t tests) bool { return t.pkg == own }); i > 0 {
		order[0], order[i] = order[i], order[0]
	}
	for _, t := range order {
		if o.own && t.pkg != own {
			continue
		}
		p, err := b.program(t)
		if err != nil {
			return "", "", err
		}
		if by, _ := p.run(ctx, id, t); by != "" {
			return killed, by, nil
		}
	}
	return survived, "", nil
}
