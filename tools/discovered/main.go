// Discovered measures discovery over folders of code that runs: in how many of the files with a
// model `shapecheck .` finds an entry with a result, how often it runs something of a file for it, and
// whether it finds faults in it.
//
//	discovered [--every N] [--timeout 20s] [--python ENV] [--verbose] PATH…
//
// A file counts when it defines a forward, an abstract one too. It is useful when an
// entry of it ran without a finding that counts and its result is known. Each file has a line: verdict,
// runs, file, and the entry or why there is none.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// silent watches nothing.
type silent struct{}

func (silent) Begin(string) {}
func (silent) End()         {}

func main() {
	every := flag.Int("every", 1, "look at one file of so many")
	timeout := flag.Duration("timeout", 20*time.Second, "limit for all trials of a file")
	python := flag.String("python", "", "the environment whose packages are used, as for shapecheck")
	verbose := flag.Bool("verbose", false, "show useful files, too")
	flag.Parse()
	if err := measure(flag.Args(), *every, *timeout, *python, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "discovered:", err)
		os.Exit(1)
	}
}

// measure checks every nth file that has a forward method as somebody would who gives nothing but the path, prints what came of
// those that gave no result, and at the end the share of useful files. A file is useful if one entry has a typed result without
// a finding.
func measure(paths []string, every int, timeout time.Duration, python string, verbose bool) error {
	all, err := (&check.Session{}).Files(paths)
	if err != nil {
		return err
	}
	var runs []int
	useful, findings, n := 0, 0, 0
	for _, file := range all {
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !strings.Contains(string(text), "def forward(") {
			continue
		}
		if n++; n%every != 0 {
			continue
		}
		s := &check.Session{Cache: infer.NewCache(), Limits: check.Limits{Timeout: timeout, MaxMemory: 1 << 30}}
		s.Environment.Python = python
		start := time.Now()
		p, err := trial.CheckFiles(context.Background(), s, []string{file}, silent{}, nil)
		if err != nil {
			return err
		}
		d := p.Discovered[0]
		runs = append(runs, d.Runs)
		verdict, why := "vain", d.WhyNot
		for _, x := range d.Entries {
			if x.Err != nil {
				why = x.Err.Error()
				continue
			}
			r := x.Result
			if r.Unsettled == "" && r.OutputType != "" && r.OutputType != "?" && !slices.ContainsFunc(r.Diagnostics, isFinding) {
				verdict, why = "useful", r.Target.Run.Entry+" "+strings.Join(r.Target.Run.Args, " ")+" -> "+r.OutputType
				break
			}
		}
		if verdict == "useful" {
			useful++
		}
		if verdict != "useful" || verbose {
			fmt.Printf("%s\t%d\t%s\t%s\t%.1f s\n", verdict, d.Runs, file, why, time.Since(start).Seconds())
		}
		for _, x := range d.Entries {
			if why := x.WhyNot(); why != "" && (verdict != "useful" || verbose) {
				fmt.Printf("\t\t\t%s: %s\n", x.Name, why)
			}
		}
		for _, x := range p.Diagnostics {
			if isFinding(x) {
				findings++
				fmt.Printf("finding\t\t%s\t%s %s\n", p.Files.Position(x.At.Start), x.Code, x.Msg)
			}
		}
	}
	slices.Sort(runs)
	median := 0
	if len(runs) > 0 {
		median = runs[len(runs)/2]
	}
	rate := 100 * float64(useful) / float64(max(len(runs), 1))
	fmt.Printf("# %d of %d files are useful (%.1f %%), %d findings, median %d runs\n", useful, len(runs), rate, findings, median)
	return nil
}

// isFinding reports whether a finding counts.
func isFinding(d *diag.Diagnostic) bool {
	return check.FindingCode(d.Code, d.Severity) != check.ExitClean
}
