// Command housecount measures the structure of the code and prints it beside that of two packages of the Go
// distribution, counted in the same way:
//
//	go run ./tools/housecount [-v] [ROOT…]
//
// A ROOT is the root of a checkout of this module; the default is the current folder. Each ROOT is a column. With -v
// the findings of each row are listed below the table, with file and line.
//
// In the code a column is a house and a package a room. An arrow leads from a file to another of the same package of which
// it uses a declaration; it leads up where the other file comes earlier in the order of files that has few such arrows.
// A new measure is a row of rows, and a function that counts it in the file of its subject:
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

// A row of the table is a count of one column's packages. The function gives the cell's text and may note what it found
// (house.note). anchor says that the packages of Go are counted, too: what a row asks has a meaning outside of this module.
type row struct {
	name   string
	anchor bool
	count  func(*house) string
}

// rows are in the order of the table. Two spaces in front of a name say that the row is a part of the one above.
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
	verbose := flag.Bool("v", false, "list what was counted")
	flag.Parse()
	if err := run(flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "housecount:", err)
		os.Exit(1)
	}
}

// run prints a table: a column for each root and for two packages of Go as anchors, a row for each measure; with verbose
// also what the rows found in the roots. It returns an error where a package does not compile.
func run(roots []string, verbose bool) error {
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
	var counted strings.Builder
	for _, r := range rows {
		cells := []string{r.name}
		for _, h := range columns {
			if !h.ours && !r.anchor {
				cells = append(cells, "–")
				continue
			}
			h.found = nil
			cells = append(cells, r.count(h))
			if h.ours && len(h.found) > 0 {
				fmt.Fprintf(&counted, "\n%s in %s:\n\t%s\n", strings.TrimSpace(r.name), h.name, strings.Join(h.found, "\n\t"))
			}
		}
		fmt.Fprintln(w, strings.Join(cells, "\t"))
	}
	if err := w.Flush(); err != nil || !verbose {
		return err
	}
	_, err := fmt.Print(counted.String())
	return err
}
