// Command housecount measures the structure of the code and prints it beside that of two packages of the Go
// distribution, counted in the same way:
//
//	go run ./tools/housecount [ROOT…]
//
// A ROOT is the root of a checkout of this module; the default is the current folder. Each ROOT is a column.
//
//	main.go    the columns and the table
//	load.go    packages with their types
//	methods.go methods of types, files of packages, arrows between files
//	words.go   names, comments, lines
//	facts.go   tables of operation names, messages matched as text, questions about tracers
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"text/tabwriter"
)

// A row of the table is a count of one column's packages. Anchor says that packages of other modules can be counted, too.
type row struct {
	name   string
	anchor bool
	count  func(*house) string
}

var rows = []row{
	{"methods of the largest type", true, largestType},
	{"files of the largest package", true, largestPackage},
	{"  arrows between its files", true, arrowCount},
	{"  of these up", true, arrowsUp},
	{"lines that ask which tracer runs", false, tracerQuestions},
	{"tables of operation names outside of records", false, operationTables},
	{"messages matched as text", false, matchedMessages},
	{"comment lines, of comment and code", true, commentShare},
	{"functions over 40 lines without a comment", true, longWithoutDoc},
	{"  of these rules of operations", false, longRulesWithoutDoc},
	{"exported functions that return an error", true, errorReturns},
	{"  and whose comment mentions it", true, errorComments},
	{"functions named by no verb or noun", false, oddNames},
	{"lines over 140 columns", true, longLines},
}

func main() {
	flag.Parse()
	if err := run(flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "housecount:", err)
		os.Exit(1)
	}
}

func run(roots []string) error {
	if len(roots) == 0 {
		roots = []string{"."}
	}
	var columns []*house
	for _, root := range roots {
		h, err := load(root, root, "./...")
		if err != nil {
			return err
		}
		h.ours = true
		columns = append(columns, h)
	}
	for _, anchor := range []string{"go/types", "cmd/compile/internal/ssa"} {
		h, err := load(anchor, roots[0], anchor)
		if err != nil {
			return err
		}
		columns = append(columns, h)
	}
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', 0)
	head := []string{""}
	for _, h := range columns {
		head = append(head, h.name)
	}
	fmt.Fprintln(w, strings.Join(head, "\t"))
	for _, r := range rows {
		cells := []string{r.name}
		for _, h := range columns {
			if h.ours || r.anchor {
				cells = append(cells, r.count(h))
			} else {
				cells = append(cells, "–")
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	return w.Flush()
}
