package main

// This file replays the programs whose results PyTorch computed.

import (
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"

	"shapecheck/infer"
	"shapecheck/tools/conformance"
)

// numeric runs the recorded programs of random arguments, exports and evaluates them, and compares the numbers. Counts are
// compared only where no flag leaves programs out.
func numeric(args []string) {
	fs := flag.NewFlagSet("numeric", flag.ExitOnError)
	data := fs.String("data", "testdata/numeric", "the folder of the records")
	only := fs.String("only", "", "a regular expression on the programs' identifiers")
	op := fs.String("op", "", "a regular expression on the functions")
	verbose := fs.Bool("v", false, "print every program that is not equal")
	text := fs.Bool("text", false, "print the programs, too")
	run := conformance.NumericRun{Cache: infer.NewCache()}
	fs.StringVar(&run.Dist, "path", "", "the folder that holds torchvision's sources")
	fs.BoolVar(&run.Symbolic, "symbolic", false, "every size above 1 is a symbol")
	fs.Int64Var(&run.Opset, "opset", 0, "the version of the operators")
	machine := fs.Bool("machine", false, "compile the models, too, and run the programs in both engines")
	onFile := countsFlags(fs)
	if err := fs.Parse(args); err != nil {
		os.Exit(2)
	}
	programs, err := conformance.ReadPrograms(*data)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	id, err := regexp.Compile(*only)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	about, err := regexp.Compile(*op)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	programs = slices.DeleteFunc(programs, func(p *conformance.Program) bool { return !id.MatchString(p.ID) || !about.MatchString(p.Op) })
	if *machine {
		run.Engines = conformance.Engines()
	}
	results := run.All(programs)
	for _, r := range results {
		if *verbose && r.Why != "" {
			fmt.Printf("%s\t%s\t%s\t%s\n", r.Worst(), r.Program.ID, r.Program.Op, r.Why)
			if *text {
				fmt.Println(r.Program.Src)
			}
		}
	}
	rows := conformance.NumericRows(results)
	fmt.Println(rows[len(rows)-1])
	table := "numeric"
	if run.Symbolic {
		table = "numeric with symbols"
	}
	if run.Dist != "" {
		table += " and torchvision"
	}
	whole := *only == "" && *op == "" && *data == "testdata/numeric" && run.Opset == 0
	good := onFile.check(table, rows, whole)
	for i, e := range run.Engines {
		rows := conformance.MachineRows(results, i)
		fmt.Printf("%s engine: %s\n", e.Name, rows[len(rows)-1])
		good = onFile.check(table+", "+e.Name+" engine", rows[len(rows)-1:], whole) && good
	}
	if !good {
		os.Exit(1)
	}
}
