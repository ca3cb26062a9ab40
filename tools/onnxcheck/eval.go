package main

// This file runs ONNX's recorded tests on the reference evaluator.

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"shapecheck/onnx/eval"
	"shapecheck/onnx/eval/evaltest"
)

// evaluate runs all tests below folders and prints what fails.
func evaluate(w io.Writer, dirs []string, only string) (bool, error) {
	good := true
	for _, dir := range dirs {
		fsys := os.DirFS(dir)
		names, err := evaltest.List(fsys)
		if err != nil {
			return false, err
		}
		if len(names) == 0 {
			return false, fmt.Errorf("no tests below %s", dir)
		}
		slices.Sort(names)
		passed, failed, excepted, loose := 0, 0, 0, 0
		for _, name := range names {
			if !strings.Contains(name, only) {
				continue
			}
			c, err := evaltest.Load(fsys, name)
			why := ""
			if err == nil {
				why = c.Exception()
				if c.Random() {
					loose++
				}
				err = c.Run(eval.Config{}, c.Random())
			}
			switch {
			case err == nil && why == "":
				passed++
			case err == nil:
				failed++
				fmt.Fprintf(w, "PASSES %s, which is an exception: %s\n", name, why)
			case why != "":
				excepted++
			default:
				failed++
				fmt.Fprintf(w, "FAILED %s: %v\n", name, err)
			}
		}
		fmt.Fprintf(w, "%s: %d passed (%d of random numbers by type and size alone), %d failed, %d excepted\n", dir, passed, loose, failed,
			excepted)
		good = good && failed == 0
	}
	return good, nil
}
