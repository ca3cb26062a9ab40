package main

// This file compares the contracts of torchvision's classification models with
// the sizes that PyTorch was recorded to take.

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"

	"shapecheck/infer"
	"shapecheck/tools/conformance"
	"shapecheck/tools/counts"
)

// contracts holds the contracts of torchvision's models against the sizes that PyTorch took and refused. Models are checked on
// all processors; the rows come in the order of the file.
func contracts(args []string) {
	fs := flag.NewFlagSet("contracts", flag.ExitOnError)
	dist := fs.String("path", "", "the folder that holds torchvision's sources")
	recorded := fs.String("recorded", "testdata/torchvision/contracts.txt", "the sizes that were recorded")
	verbose := fs.Bool("v", false, "print every contract")
	onFile := countsFlags(fs)
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	models, err := conformance.ReadContracts(*recorded)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	cache := infer.NewCache()
	results := make([]*conformance.ContractResult, len(models))
	var wg sync.WaitGroup
	next := make(chan int)
	for range runtime.NumCPU() {
		wg.Go(func() {
			for i := range next {
				results[i] = conformance.ZooContract(models[i][0], models[i][1], *dist, cache)
			}
		})
	}
	for i := range models {
		next <- i
	}
	close(next)
	wg.Wait()
	sizes, wrong := 0, 0
	for _, r := range results {
		sizes += r.Sizes
		if *verbose {
			fmt.Printf("%-20s %s\n", r.Model, strings.Join(r.Contract, ", "))
		}
		if len(r.Problems) > 0 {
			wrong++
			fmt.Printf("%s: %s\n", r.Model, strings.Join(r.Problems, "\n    "))
		}
	}
	fmt.Printf("%d models, %d sizes, %d contracts wrong\n", len(results), sizes, wrong)
	row := counts.Row{Name: "classification", Counts: []counts.Count{{Name: "models", N: len(results)}, {Name: "sizes", N: sizes},
		{Name: "wrong", N: wrong}}}
	if !onFile.check("contracts", []counts.Row{row}, true) || wrong > 0 {
		os.Exit(1)
	}
}
