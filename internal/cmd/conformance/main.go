// Command conformance compares shapecheck with recorded ground truth and prints
// the counts; it fails when something differs.
//
//	conformance zoo --path DIST [--traces DIR]… [--only REGEXP] [-v]
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
	"shapecheck/internal/conformance"
)

func main() {
	if len(os.Args) < 2 || os.Args[1] != "zoo" {
		fmt.Fprintln(os.Stderr, "usage: conformance zoo --path DIST [--traces DIR] [--only REGEXP] [-v]")
		os.Exit(2)
	}
	fs := flag.NewFlagSet("zoo", flag.ExitOnError)
	dist := fs.String("path", "", "the folder that holds torchvision's sources")
	traces := fs.String("traces", "testdata/torchvision/classification", "the folder of recorded traces")
	only := fs.String("only", "", "a regular expression on the traces' names")
	symbolic := fs.Bool("symbolic", true, "run with symbolic sizes, too, and substitute")
	verbose := fs.Bool("v", false, "print every model")
	if err := fs.Parse(os.Args[2:]); err != nil {
		os.Exit(2)
	}
	paths, err := conformance.Traces(*traces, *only)
	if err != nil || len(paths) == 0 {
		fmt.Fprintf(os.Stderr, "no traces in %s: %v\n", *traces, err)
		os.Exit(2)
	}
	start := time.Now()
	cache := infer.NewCache()
	results := make([][]*conformance.ZooResult, len(paths))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				t, err := conformance.ReadTrace(paths[i])
				if err != nil {
					results[i] = []*conformance.ZooResult{{ID: paths[i], Problems: []string{err.Error()}}}
					continue
				}
				results[i] = append(results[i], conformance.Zoo(t, *dist, cache))
				if *symbolic {
					if r := conformance.ZooSymbolic(t, *dist, cache); r != nil {
						results[i] = append(results[i], r)
					}
				}
			}
		})
	}
	for i := range paths {
		next <- i
	}
	close(next)
	wg.Wait()
	ok := report("recorded sizes", results, false, *verbose)
	if *symbolic {
		ok = report("symbolic sizes", results, true, *verbose) && ok
	}
	fmt.Printf("%d traces of %s in %.1f s\n", len(paths), filepath.Base(*traces), time.Since(start).Seconds())
	if !ok {
		os.Exit(1)
	}
}

func report(title string, results [][]*conformance.ZooResult, symbolic, verbose bool) bool {
	var models, good, calls, equal, different, unknown, data int
	var ops conformance.Counts
	for _, list := range results {
		for _, r := range list {
			if r.Symbolic != symbolic {
				continue
			}
			models++
			calls += r.Calls
			equal += r.Equal
			different += r.Different
			unknown += r.Unknown
			data += r.Data
			ops.Add(r.Ops)
			if r.OK() {
				good++
			}
			if verbose || !r.OK() || len(r.OpProblems) > 0 {
				fmt.Printf("%s: %d of %d calls equal\n", r.ID, r.Equal+r.Data, r.Calls)
				for _, p := range append(r.Problems, r.OpProblems...) {
					fmt.Printf("    %s\n", p)
				}
			}
		}
	}
	fmt.Printf("%s: %d of %d models agree; module calls: %d compared, %d equal, %d data-dependent, %d different, %d unknown\n",
		title, good, models, calls, equal, data, different, unknown)
	if !symbolic {
		fmt.Printf("%s: ops: %d compared, %d equal, %d data-dependent, %d different, %d unknown\n",
			title, ops.Compared, ops.Equal, ops.Data, ops.Different, ops.Unknown)
	}
	return good == models
}
