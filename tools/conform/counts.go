package main

// This file compares what a run counted with testdata/counts.txt.

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"

	"shapecheck/tools/conformance"
	"shapecheck/tools/counts"
)

// A countsFile are the flags that say where the counts are.
type countsFile struct {
	path   string
	update bool
}

func countsFlags(fs *flag.FlagSet) *countsFile {
	f := &countsFile{}
	fs.StringVar(&f.path, "counts", "testdata/counts.txt", "the file that holds what must be counted; empty: none")
	fs.BoolVar(&f.update, "update-counts", false, "write what was counted into that file")
	return f
}

// check compares a table with the file and prints what differs. A run of a part of the
// cases, which counts less, is not compared.
func (f *countsFile) check(table string, rows []counts.Row, whole bool) (ok bool) {
	if f.path == "" || !whole {
		return true
	}
	if err := counts.Check(f.path, table, rows, f.update); err != nil {
		fmt.Fprintf(os.Stderr, "%v\n(--update-counts writes the file)\n", err)
		return false
	}
	return true
}

// totalRow are the counts of traces.
func totalRow(name string, t conformance.Total) counts.Row {
	r := counts.Row{Name: name, Counts: []counts.Count{{Name: "traces", N: t.Traces}, {Name: "agree", N: t.Good}}}
	for _, x := range [...]struct {
		name string
		c    conformance.Counts
	}{{"module calls", t.ModuleCalls}, {"ops", t.Ops}} {
		r.Counts = append(r.Counts, counts.Count{Name: x.name + " equal", N: x.c.Equal},
			counts.Count{Name: x.name + " data-dependent", N: x.c.Data},
			counts.Count{Name: x.name + " different", N: x.c.Different}, counts.Count{Name: x.name + " unknown", N: x.c.Unknown})
	}
	return r
}

// rows compares the counts of another command, which come as lines "NAME: 3 passed, 1 failed"
// from the standard input, with a table.
func rows(args []string) {
	fs := flag.NewFlagSet("rows", flag.ExitOnError)
	onFile := countsFlags(fs)
	if err := fs.Parse(args); err != nil || fs.NArg() != 1 {
		fmt.Fprint(os.Stderr, usage)
		os.Exit(2)
	}
	var list []counts.Row
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		name, text, ok := strings.Cut(in.Text(), ": ")
		found := counted.FindAllStringSubmatch(text, -1)
		if !ok || len(found) == 0 {
			fmt.Fprintf(os.Stderr, "a line without counts: %q\n", in.Text())
			os.Exit(2)
		}
		r := counts.Row{Name: name}
		for _, m := range found {
			n, err := strconv.Atoi(m[1])
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(2)
			}
			r.Counts = append(r.Counts, counts.Count{Name: m[2], N: n})
		}
		list = append(list, r)
	}
	if err := in.Err(); err != nil || len(list) == 0 {
		fmt.Fprintln(os.Stderr, "no counts were read", err)
		os.Exit(2)
	}
	if !onFile.check(fs.Arg(0), list, true) {
		os.Exit(1)
	}
}

var counted = regexp.MustCompile(`(\d+) (\w+(?: \w+)*)`)
