// Parserdiff compares package parser with CPython's ast.parse.
//
//	go run ./tools/parserdiff [--python PY | --pyodide DIR] [--mutants N] PATH…
//
// It parses every .py file below the paths with both; a path may also be a zip
// archive, or a file of recorded programs (record.go). Both must accept or refuse
// a file alike, and the trees must be equal, with all positions. It prints the
// counts and the speed of both, and exits with 1 after a difference that the
// file of accepted differences does not list.
//
// --pyodide names the folder of npm's package pyodide, which holds CPython as
// WebAssembly; it is run by Node. Its release decides which Python that is: 314.0.7
// is Python 3.14.2, whose grammar package parser follows. Older versions refuse
// what newer ones accept: the comparison with them is for the files of their own
// library.
//
// Up to Python 3.11 the positions of nodes inside f-strings are not compared:
// CPython computes right ones since 3.12.
//
// main.go has the command line, the comparison and the report; inputs.go finds the
// sources; mutate.go changes them; reference.go, with reference.py and for Pyodide
// reference.mjs, is the Python that parses; record.go writes what it says.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"shapecheck/internal/source"
	"shapecheck/parser"
	"shapecheck/parser/ast"
)

type config struct {
	python   string
	pyodide  string
	accepted string
	mutants  int
	sample   int
	seed     int64
	verbose  bool
	jobs     int
}

func main() {
	var c config
	flag.StringVar(&c.python, "python", findPython(), "the Python `interpreter` to compare with")
	flag.StringVar(&c.pyodide, "pyodide", "", "compare with the Python of the pyodide package in `DIR` instead")
	flag.StringVar(&c.accepted, "accepted", "parser/testdata/accepted_differences.txt", "`file` of known differences, each with a reason")
	flag.IntVar(&c.mutants, "mutants", 0, "compare `N` single-token changes of the files instead of the files")
	flag.IntVar(&c.sample, "sample", 1, "compare one of `N` files only")
	flag.Int64Var(&c.seed, "seed", 1, "`number` that chooses the mutants")
	flag.IntVar(&c.jobs, "jobs", min(runtime.NumCPU(), 4), "`number` of Python processes")
	recordFile := flag.String("record", "", "rewrite the verdicts and trees in `FILE` instead, see record.go")
	flag.BoolVar(&c.verbose, "v", false, "show each difference with its surroundings")
	flag.Parse()
	if *recordFile != "" {
		if err := record(&c, *recordFile); err != nil {
			fmt.Fprintln(os.Stderr, "parserdiff:", err)
			os.Exit(2)
		}
		return
	}
	if flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	differ, err := run(&c, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, "parserdiff:", err)
		os.Exit(2)
	}
	if differ {
		os.Exit(1)
	}
}

// A difference is a source on which the two parsers disagree.
type difference struct {
	name string
	what string
}

// A tally counts the results of one or all workers.
type tally struct {
	version         int // of the reference
	files, refused  int
	bytes           int64
	ours, reference time.Duration
	differences     []difference
}

// run compares files, or mutants of them, with Python's parser; differ says that there are
// differences that nobody has accepted.
func run(c *config, paths []string) (differ bool, err error) {
	all, err := findInputs(paths)
	if err != nil {
		return false, err
	}
	var files []input
	for i := 0; i < len(all); i += max(c.sample, 1) {
		files = append(files, all[i])
	}
	accepted, err := readAccepted(c.accepted)
	if err != nil {
		return false, err
	}
	inputs := make(chan input)
	go func() {
		defer close(inputs)
		if c.mutants > 0 {
			mutants(files, c.mutants, c.seed, inputs)
			return
		}
		for _, f := range files {
			inputs <- f
		}
	}()
	total, err := compareAll(c, inputs)
	if err != nil {
		return false, err
	}
	return report(c, total, accepted), nil
}

// An input is a source to compare.
type input struct {
	name string
	data []byte
}

// compareAll shares the inputs among processes of Python and adds up what they found. The first
// error of one is returned.
func compareAll(c *config, inputs <-chan input) (*tally, error) {
	var wg sync.WaitGroup
	var mu sync.Mutex
	total := &tally{}
	var first error
	for range c.jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			t, err := worker(c, inputs)
			mu.Lock()
			defer mu.Unlock()
			if err != nil && first == nil {
				first = err
			}
			total.version = max(total.version, t.version)
			total.files += t.files
			total.refused += t.refused
			total.bytes += t.bytes
			total.ours += t.ours
			total.reference += t.reference
			total.differences = append(total.differences, t.differences...)
		}()
	}
	wg.Wait()
	return total, first
}

// worker compares inputs with one Python process of its own.
func worker(c *config, inputs <-chan input) (*tally, error) {
	t := &tally{}
	ref, err := startReference(c)
	if err != nil {
		for range inputs { // let the producer end
		}
		return t, err
	}
	t.version = ref.version
	opts := ast.DumpOptions{Version: ast.DumpVersion(ref.version), Attributes: true, MaskFStrings: ref.version < 312}
	for in := range inputs {
		want, err := ref.parse(in.data)
		if err != nil {
			for range inputs {
			}
			return t, fmt.Errorf("%s: %w", in.name, err)
		}
		got := ours(in, opts)
		t.files++
		if !want.ok {
			t.refused++
		} else {
			t.bytes += int64(len(in.data))
			t.ours += got.spent
			t.reference += want.spent
		}
		if what := compare(c, got, want); what != "" {
			t.differences = append(t.differences, difference{in.name, what})
		}
	}
	return t, ref.stop()
}

// ours parses in with package parser.
func ours(in input, opts ast.DumpOptions) (res result) {
	defer func() {
		if r := recover(); r != nil {
			res = result{text: fmt.Sprintf("PANIC: %v\n%s", r, debug.Stack())}
		}
	}()
	start := time.Now()
	text, err := parser.Decode(in.data)
	if err != nil {
		return result{text: err.Error(), spent: time.Since(start)}
	}
	set := source.NewFileSet()
	f := source.NewFile(in.name, text)
	if err := set.Add(f); err != nil {
		return result{text: err.Error()}
	}
	m, diags := parser.Parse(f)
	spent := time.Since(start)
	if len(diags) > 0 {
		line, _ := f.LineCol(diags[0].At.Start)
		return result{text: fmt.Sprintf("%d: %s", line, diags[0].Msg), spent: spent}
	}
	return result{ok: true, text: ast.Dump(m, opts), spent: spent}
}

// compare describes how the results differ, or returns "".
func compare(c *config, got, want result) string {
	switch {
	case strings.HasPrefix(got.text, "PANIC"):
		return got.text
	case got.ok && !want.ok:
		return "we accept what Python refuses: " + want.text
	case !got.ok && want.ok:
		return "we refuse what Python accepts: " + got.text
	case !got.ok || got.text == want.text:
		return ""
	}
	i := 0
	for i < len(got.text) && i < len(want.text) && got.text[i] == want.text[i] {
		i++
	}
	around := 120
	if c.verbose {
		around = 600
	}
	cut := func(s string) string { return s[max(0, i-around):min(len(s), i+around)] }
	return fmt.Sprintf("trees differ at %d\n  ours:   …%s…\n  python: …%s…", i, cut(got.text), cut(want.text))
}

// report prints differences, numbers and times, and says whether a difference was not accepted.
func report(c *config, t *tally, accepted map[string]string) (differ bool) {
	known := 0
	for _, d := range t.differences {
		if reason := acceptedReason(accepted, d.name); reason != "" {
			known++
			if c.verbose {
				fmt.Printf("%s: accepted difference: %s\n", d.name, reason)
			}
			continue
		}
		fmt.Printf("%s: %s\n", d.name, d.what)
	}
	n := len(t.differences)
	name := c.python
	if c.pyodide != "" {
		name = "pyodide"
	}
	fmt.Printf("reference: %s (%d.%d)", name, t.version/100, t.version%100)
	if t.version < 312 {
		fmt.Print(", positions inside f-strings not compared")
	}
	fmt.Printf("\nfiles %d equal %d differ %d (accepted %d), refused by Python %d\n", t.files, t.files-n, n-known, known, t.refused)
	mb := float64(t.bytes) / 1e6
	if t.ours > 0 && t.reference > 0 {
		fmt.Printf("speed: shapecheck %.1f MB/s, ast.parse %.1f MB/s, ratio %.2f (%.1f MB)\n",
			mb/t.ours.Seconds(), mb/t.reference.Seconds(), t.reference.Seconds()/t.ours.Seconds(), mb)
	}
	return n > known
}

// readAccepted reads lines of "path suffix<TAB>reason".
func readAccepted(name string) (map[string]string, error) {
	f, err := os.Open(name)
	if os.IsNotExist(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	list := map[string]string{}
	s := bufio.NewScanner(f)
	for s.Scan() {
		line := strings.TrimSpace(s.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		path, reason, ok := strings.Cut(line, "\t")
		if !ok || strings.TrimSpace(reason) == "" {
			return nil, fmt.Errorf("%s: line without a reason: %q", name, line)
		}
		list[path] = strings.TrimSpace(reason)
	}
	return list, s.Err()
}

func acceptedReason(accepted map[string]string, name string) string {
	for suffix, reason := range accepted {
		if strings.HasSuffix(filepath.ToSlash(name), suffix) {
			return reason
		}
	}
	return ""
}
