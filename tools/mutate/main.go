// Command mutate measures the tests: it changes one token at a time in places drawn
// by a seed, and runs the tests of that package and those that replay records. A
// mutant that no test kills shows behaviour that nothing holds, unless it computes the
// same as the original: answers.txt says of which ones that is known, and why.
//
//	mutate [--seed N] [--n N] [--groups lower,inference,eval,symshape] [--list] [--only REGEXP] [--own]
//
// The tree is not touched: changed files stand in for the originals by an overlay. The
// programs of the tests hold all mutants of a group at once, and the environment says
// which one runs.
// Each of the groups has a fourth of the mutants. The printed lines are outcome,
// place, change, and the tests that failed; the last lines count. It fails if mutants
// survive that have no answer.
//
//	main.go    the flags, the groups, the counts    mutant.go  the places
//	weave.go   many mutants in one file             batch.go   programs and runs
//	answers.go what is known of mutants
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
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
	{"symshape", []string{"symshape", "symshape/dtype"}, []tests{{"symshape", ""}, {"symshape/dtype", ""}, {"contract", ""}, {"infer/ops/torch", ""}, {"infer", ""}}},
}

type options struct {
	seed      uint64
	n         int
	list, own bool
	only      *regexp.Regexp
}

func main() {
	o := options{}
	flag.Uint64Var(&o.seed, "seed", 1, "the seed of the places")
	flag.IntVar(&o.n, "n", 120, "the number of mutants")
	names := flag.String("groups", "lower,inference,eval,symshape", "the groups that are changed")
	flag.BoolVar(&o.list, "list", false, "print the mutants only")
	flag.BoolVar(&o.own, "own", false, "run only the tests of the package itself: quick, and harder on it")
	only := flag.String("only", "", "a regular expression on file:line:column of mutants to run")
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
	var lines []string
	unanswered := 0
	for _, name := range names {
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			return fmt.Errorf("no group %q", name)
		}
		c, err := groups[i].measure(o, o.n/len(names), known, filepath.Join(dir, name))
		if err != nil {
			return err
		}
		const format = "%s: %d killed, %d survived, %d the same by answers.txt, %d did not compile"
		lines = append(lines, fmt.Sprintf(format, name, c[killed], c[survived], c[equal], c[notCompiled]))
		unanswered += c[survived]
	}
	if o.list {
		return nil
	}
	fmt.Println(strings.Join(lines, "\n"))
	if unanswered > 0 {
		return fmt.Errorf("%d mutants survived without an answer", unanswered)
	}
	return nil
}

const (
	killed      = "killed"
	survived    = "survived"
	equal       = "the same"
	notCompiled = "does not compile"
)

// measure judges as many mutants of a group as are wanted.
func (g *group) measure(o options, want int, known map[string]string, dir string) (map[string]int, error) {
	var all []mutant
	for _, d := range g.dirs {
		found, err := mutants(d)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
	draw(o.seed, all)
	count := map[string]int{}
	if o.list {
		for _, m := range all[:min(want, len(all))] {
			fmt.Println(m)
		}
		return count, nil
	}
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
		for n, list := range lists {
			b, err := newBatch(filepath.Join(dir, fmt.Sprint(n)), list)
			if err != nil {
				return nil, err
			}
			for id := range list {
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
			if outcome, by, err = g.judge(batches[id], id, o); err != nil {
				return nil, err
			}
		}
		count[outcome]++
		fmt.Printf("%s\t%s\t%s\n", outcome, m, by)
	}
	return count, nil
}

// judge runs the tests of a group on a mutant, until some fail; those of its own package
// come first.
func (g *group) judge(b *batch, id int, o options) (outcome, by string, err error) {
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
		if by, _ := p.run(id, t); by != "" {
			return killed, by, nil
		}
	}
	return survived, "", nil
}
