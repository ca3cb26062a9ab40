package main

// This file compares what a run counted with testdata/counts.txt.

import (
	"flag"
	"fmt"
	"os"

	"shapecheck/internal/conformance"
	"shapecheck/internal/counts"
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
		r.Counts = append(r.Counts, counts.Count{Name: x.name + " equal", N: x.c.Equal}, counts.Count{Name: x.name + " data-dependent", N: x.c.Data},
			counts.Count{Name: x.name + " different", N: x.c.Different}, counts.Count{Name: x.name + " unknown", N: x.c.Unknown})
	}
	return r
}
