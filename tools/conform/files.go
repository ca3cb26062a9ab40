package main

// This file compares the models of any source files with traces of them.

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"time"

	"shapecheck/infer"
	"shapecheck/tools/conformance"
)

// files compares models of files with what PyTorch recorded for them, and ends the process with 1
// if one differs and with 2 for faulty arguments.
func files(args []string) {
	fs := flag.NewFlagSet("files", flag.ExitOnError)
	z := zoo{}
	list := fs.String("cases", "", "a list of cases, as trace_shapes.py --batch reads it, with \"symbolic\" inputs and \"sizes\"")
	only := fs.String("only", "", "a regular expression on the cases' ids")
	limit := fs.Duration("limit", time.Second, "the time that a model may take")
	fs.BoolVar(&z.symbolic, "symbolic", true, "run with symbolic sizes, too, and substitute")
	fs.BoolVar(&z.verbose, "v", false, "print every model")
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	re, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	cases, err := conformance.ReadFileCases(*list)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var results [][]*conformance.ZooResult
	for _, c := range cases {
		if !re.MatchString(c.ID) {
			continue
		}
		cache := infer.NewCache()
		of := []*conformance.ZooResult{c.Compare(false, *limit, cache)}
		if r := c.Compare(true, *limit, cache); z.symbolic && r != nil {
			of = append(of, r)
		}
		results = append(results, of)
	}
	recorded, symbolic := z.report(results, false), z.report(results, true)
	fmt.Printf("%-20s %s\n%-20s %s\n", "recorded sizes", recorded, "symbolic sizes", symbolic)
	if !recorded.OK() || !symbolic.OK() {
		os.Exit(1)
	}
}
