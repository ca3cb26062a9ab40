// Command mutate measures the tests: it changes one token at a time in places drawn
// by a seed, and runs the tests of that package and those that replay records. A
// mutant that no test kills shows behaviour that nothing holds, unless it computes the
// same as the original: answers.txt says of which ones that is known, and why.
//
//	mutate [--seed N] [--n N] [--groups lower,inference,eval,symshape] [--timeout 5m] [--list] [--only REGEXP]
//
// The tree is not touched: the mutated file stands in for the original by an overlay.
// Each of the groups has a fourth of the mutants. The printed lines are outcome,
// place, change, and the tests that failed; the last lines count. It fails if mutants
// survive that have no answer.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A group is a part of the program with the tests that hold it, cheapest first.
type group struct {
	name  string
	dirs  []string
	tests [][]string // arguments of go test
}

var groups = []group{
	{"lower", []string{"lower", "lower/aten"}, [][]string{
		{"./lower/..."}, {"./internal/conformance", "-run", "Numbers"}, {"./internal/cli", "-run", "Export|Weights|Inline|Unroll"}}},
	{"inference", []string{"internal/onnx/inference"}, [][]string{
		{"./internal/onnx/inference"}, {"./lower", "-run", "Recorded"}, {"./internal/cli", "-run", "Infer"}}},
	{"eval", []string{"internal/onnx/eval"}, [][]string{
		{"./internal/onnx/eval"}, {"./internal/conformance", "-run", "Numbers"}, {"./lower/initial"}}},
	{"symshape", []string{"symshape", "symshape/dtype"}, [][]string{
		{"./symshape/..."}, {"./infer/ops"}, {"./internal/contract"}, {"./infer"}}},
}

func main() {
	seed := flag.Uint64("seed", 1, "the seed of the places")
	n := flag.Int("n", 120, "the number of mutants")
	names := flag.String("groups", "lower,inference,eval,symshape", "the groups that are changed")
	timeout := flag.Duration("timeout", 5*time.Minute, "the time for each run of tests; a mutant that needs more is killed")
	list := flag.Bool("list", false, "print the mutants only")
	only := flag.String("only", "", "a regular expression on file:line:column of mutants to run")
	flag.Parse()
	re, err := regexp.Compile(*only)
	if err == nil {
		err = run(*seed, *n, strings.Split(*names, ","), *timeout, *list, re)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mutate:", err)
		os.Exit(1)
	}
}

func run(seed uint64, n int, names []string, timeout time.Duration, list bool, only *regexp.Regexp) error {
	dir, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	known, err := readAnswers()
	if err != nil {
		return err
	}
	count := map[string]map[string]int{}
	for _, name := range names {
		g, err := groupOf(name)
		if err != nil {
			return err
		}
		var all []mutant
		for _, d := range g.dirs {
			found, err := mutants(d)
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		draw(seed, all)
		count[name] = map[string]int{}
		want, done := n/len(names), 0
		for _, m := range all {
			if done == want {
				break
			}
			if !only.MatchString(m.place()) {
				done++
				continue
			}
			if list {
				fmt.Println(m)
				done++
				continue
			}
			var outcome, by string
			if by = known[m.key()]; by != "" {
				outcome = equal
			} else if outcome, by, err = g.judge(m, dir, timeout); err != nil {
				return err
			}
			if count[name][outcome]++; outcome != notCompiled { // which no test could see: another place is drawn
				done++
				fmt.Printf("%s\t%s\t%s\n", outcome, m, by)
			}
		}
	}
	unanswered := 0
	for _, name := range names {
		c := count[name]
		fmt.Printf("%s: %d killed, %d survived, %d the same by answers.txt, %d did not compile\n", name, c[killed], c[survived], c[equal], c[notCompiled])
		unanswered += c[survived]
	}
	if unanswered > 0 {
		return fmt.Errorf("%d mutants survived without an answer", unanswered)
	}
	return nil
}

func groupOf(name string) (*group, error) {
	for i := range groups {
		if groups[i].name == name {
			return &groups[i], nil
		}
	}
	return nil, fmt.Errorf("no group %q", name)
}

const (
	killed      = "killed"
	survived    = "survived"
	equal       = "the same"
	notCompiled = "does not compile"
)

// judge runs the tests of a group on a mutant, until some fail.
func (g *group) judge(m mutant, dir string, timeout time.Duration) (outcome, by string, err error) {
	original, err := filepath.Abs(m.file)
	if err != nil {
		return "", "", err
	}
	changed, overlay := filepath.Join(dir, "mutant.go"), filepath.Join(dir, "overlay.json")
	data, err := json.Marshal(map[string]map[string]string{"Replace": {original: changed}})
	if err = errors.Join(err, os.WriteFile(changed, m.text, 0o666)); err == nil {
		err = os.WriteFile(overlay, data, 0o666)
	}
	if err != nil {
		return "", "", err
	}
	if out, err := exec.Command("go", "build", "-overlay", overlay, "./"+filepath.Dir(m.file)).CombinedOutput(); err != nil {
		return notCompiled, strings.TrimSpace(string(out)), nil
	}
	for _, args := range g.tests {
		// The limit is go test's own: a process that were killed from here would leave the test's process behind.
		cmd := exec.Command("go", append([]string{"test", "-overlay", overlay, "-failfast", "-count=1", "-vet=off", "-timeout", timeout.String()}, args...)...)
		out, err := cmd.CombinedOutput()
		if err != nil {
			return killed, strings.Join(args, " ") + ": " + failure(string(out)), nil
		}
	}
	return survived, "", nil
}

var failed = regexp.MustCompile(`(?m)^\s*--- FAIL: (\S+)|^(panic: .*)`)

// failure is the name of the first test that failed.
func failure(out string) string {
	if f := failed.FindStringSubmatch(out); f != nil {
		return f[1] + f[2]
	}
	return "it did not end"
}
