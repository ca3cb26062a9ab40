// Command conformance compares shapecheck with recorded ground truth and prints
// the counts; it fails when something differs or was lost.
//
//	conformance zoo --path DIST [--traces DIR] [--only REGEXP] [--symbolic=false] [-v]
//	conformance contracts --path DIST [--recorded FILE] [-v]
//	conformance files --cases FILE [--only REGEXP] [--limit 1s] [-v]
//	conformance formats --sarif-schema FILE [--archives FILES]
//	conformance hostile [--program FILE] [--sample N] [--seed N] [--only REGEXP] [--files DIR] [--keep DIR] [-v]
//	conformance numeric [--data DIR] [--path DIST] [--only REGEXP] [--op REGEXP] [--symbolic] [--machine] [-v]
//	conformance rows TABLE <COUNTS
//
// DIR holds traces, or folders of traces. What is counted must be what
// testdata/counts.txt says; --update-counts writes it there.
//
// Each command is in the file of its name (contracts.go, files.go, formats.go with
// formatforms.go, hostile.go, numeric.go; zoo in main.go); counts.go compares what they count.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"

	"shapecheck/infer"
	"shapecheck/tools/conformance"
	"shapecheck/tools/counts"
)

const usage = `usage:
  conformance zoo --path DIST [--traces DIR] [--only REGEXP] [--symbolic=false] [-v]
  conformance contracts --path DIST [--recorded FILE] [-v]
  conformance files --cases FILE [--only REGEXP] [--limit 1s] [-v]
  conformance formats --sarif-schema FILE [--archives FILES]
  conformance hostile [--program FILE] [--sample N] [--seed N] [--only REGEXP] [--files DIR] [--keep DIR] [-v]
  conformance numeric [--data DIR] [--path DIST] [--only REGEXP] [--op REGEXP] [--symbolic] [--machine] [-v]
  conformance rows TABLE <COUNTS
`

func main() {
	commands := map[string]func(args []string){"zoo": zooTraces, "contracts": contracts, "files": files, "formats": formats,
		"hostile": hostilePrograms, "numeric": numeric, "rows": rows}
	if len(os.Args) < 2 || commands[os.Args[1]] == nil {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	commands[os.Args[1]](os.Args[2:])
}

// zooTraces compares torchvision's models with their traces.
func zooTraces(args []string) {
	fs := flag.NewFlagSet("zoo", flag.ExitOnError)
	z := zoo{cache: infer.NewCache()}
	fs.StringVar(&z.dist, "path", "", "the folder that holds torchvision's sources")
	traces := fs.String("traces", "testdata/torchvision", "the folder of recorded traces, or of such folders")
	only := fs.String("only", "", "a regular expression on the traces' names")
	fs.BoolVar(&z.symbolic, "symbolic", true, "run with symbolic sizes, too, and substitute")
	fs.BoolVar(&z.verbose, "v", false, "print every model")
	onFile := countsFlags(fs)
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	families, err := conformance.Families(*traces, *only)
	if err != nil || len(families) == 0 {
		fmt.Fprintf(os.Stderr, "no traces in %s: %v\n", *traces, err)
		os.Exit(2)
	}
	var recorded, symbolic conformance.Total
	var rows []counts.Row
	for _, f := range families {
		start := time.Now()
		results := z.run(f.Traces)
		a, b := z.report(results, false), z.report(results, true)
		recorded.Add(a)
		symbolic.Add(b)
		rows = append(rows, totalRow(filepath.Base(f.Dir), a))
		if b.Traces > 0 {
			rows = append(rows, totalRow(filepath.Base(f.Dir)+", symbolic sizes", b))
		}
		fmt.Printf("%-20s %s (%.1f s)\n", filepath.Base(f.Dir), a, time.Since(start).Seconds())
		if b.Traces > 0 {
			fmt.Printf("%-20s %s\n", "  symbolic sizes", b)
		}
	}
	fmt.Printf("%-20s %s\n", "total", recorded)
	if symbolic.Traces > 0 {
		fmt.Printf("%-20s %s\n", "  symbolic sizes", symbolic)
	}
	counted := onFile.check("zoo", append(rows, totalRow("total", recorded), totalRow("total, symbolic sizes", symbolic)), *only == "" &&
		z.symbolic)
	if !recorded.OK() || !symbolic.OK() || !counted {
		os.Exit(1)
	}
}

// A zoo runs the models of traces.
type zoo struct {
	dist              string
	symbolic, verbose bool
	cache             *infer.Cache
}

// run compares the traces, on all processors.
func (z *zoo) run(paths []string) [][]*conformance.ZooResult {
	results := make([][]*conformance.ZooResult, len(paths))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				results[i] = z.compare(paths[i])
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// compare replays a trace with the recorded sizes and, where they can be, with symbols in their
// place.
func (z *zoo) compare(path string) []*conformance.ZooResult {
	t, err := conformance.ReadTrace(path)
	if err != nil {
		return []*conformance.ZooResult{{ID: path, Problems: []string{err.Error()}}}
	}
	out := []*conformance.ZooResult{conformance.Zoo(t, z.dist, z.cache)}
	if z.symbolic {
		if r := conformance.ZooSymbolic(t, z.dist, z.cache); r != nil {
			out = append(out, r)
		}
	}
	return out
}

// report adds up the runs with recorded or with symbolic sizes, and prints what
// is wrong.
func (z *zoo) report(results [][]*conformance.ZooResult, symbolic bool) conformance.Total {
	var total conformance.Total
	for _, list := range results {
		for _, r := range list {
			if r.Symbolic != symbolic {
				continue
			}
			total.Count(r)
			if z.verbose || !r.OK() {
				fmt.Printf("%s: module calls: %s; ops: %s\n", r.ID, r.ModuleCalls, r.Ops)
				for _, p := range append(r.Problems, r.OpProblems...) {
					fmt.Printf("    %s\n", p)
				}
			}
		}
	}
	return total
}
