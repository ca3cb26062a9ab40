// Package changes tells what became of a project's models between two revisions: their results,
// contracts, parameters, costs, state dicts and findings. Snapshot takes what counts of a run,
// Compare finds the differences.
//
//	changes.go    what is compared
//	edit.go       two checks of the same files
//	revisions.go  the runs of a project at both revisions
//	print.go      text, markdown, JSON
package changes

// This file holds snapshots and differences.

import (
	"fmt"
	"path"
	"slices"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/present/summary"
	"shapecheck/symshape"
)

// A Snapshot is what is compared of one entry at one revision.
type Snapshot struct {
	// File is the path that findings give the file, Name the entry, Inputs its arguments.
	File, Name string
	Inputs     []string
	// Failed is why the entry could not be run; then there is nothing else.
	Failed string
	// Result is the type of the result; empty where the entry raises.
	Result     string
	Contract   []record.Condition
	Parameters Amount
	MultAdds   Amount
	Peak       Amount // bytes
	State      []Tensor
	Findings   []Finding
}

// An Amount is a number, or an expression over the sizes; empty where it is not known.
type Amount struct {
	N    int64
	Expr string // empty: N is it
	Ok   bool
}

// A Tensor is an entry of a state dict.
type Tensor struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// A Finding is an error or a warning.
type Finding struct {
	Severity string `json:"severity"`
	Code     string `json:"code"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Message  string `json:"message"`
	print    string
}

// Of takes a snapshot of a run. Sizes, if there are any, are those of the amounts.
func Of(file, name string, inputs []string, r *infer.Result, findings []*diag.Diagnostic, sizes summary.Sizes) *Snapshot {
	s := &Snapshot{File: file, Name: name, Inputs: inputs}
	if r.Output != nil {
		s.Result = r.Output.String()
	}
	s.Contract = record.Contract(r, contract.Of(r))
	costs := summary.Of(r)
	s.Parameters, s.MultAdds = amount(costs.Params, sizes), amount(costs.MultAdds, sizes)
	if _, n, ok := costs.Peak.At(sizes); ok {
		s.Peak = Amount{N: n, Ok: true}
	} else {
		s.Peak = amount(costs.Peak.Bytes, sizes)
	}
	for _, t := range r.State {
		s.State = append(s.State, Tensor{t.Name, t.Tensor.Type().String()})
	}
	prints := diag.Fingerprints(r.Files, findings)
	for i, d := range findings {
		if d.Severity == diag.Info {
			continue
		}
		f := Finding{Severity: d.Severity.String(), Code: string(d.Code), Message: place.OneLine(d), print: prints[i]}
		if p, ok := place.Of(r.Files, d.At); ok {
			f.File, f.Line = p.Where(), p.Line
		}
		s.Findings = append(s.Findings, f)
	}
	return s
}

func amount(d symshape.Dim, sizes summary.Sizes) Amount {
	if n, ok := summary.At(d, sizes); ok {
		return Amount{N: n, Ok: true}
	}
	if d.Expr == nil {
		return Amount{}
	}
	return Amount{Expr: summary.Expr(d, sizes), Ok: true}
}

// A Pair is something before and after.
type Pair[T any] struct {
	Old T `json:"old"`
	New T `json:"new"`
}

// A Kind says what became of an entry.
type Kind string

// The kinds.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed"
)

// A Difference is what became of an entry. What did not change is nil or empty; of an entry that
// was added or removed there is but what it is.
type Difference struct {
	File, Name string
	Kind       Kind
	Failed     *Pair[string]
	Inputs     *Pair[[]string]
	Result     *Pair[string]
	// Contract are conditions that came and went, without those of sizes that only have
	// another name.
	ContractAdded, ContractRemoved []record.Condition
	Parameters, MultAdds, Peak     *Pair[Amount]
	StateAdded, StateRemoved       []Tensor
	StateChanged                   []Retyped
	FindingsNew, FindingsFixed     []Finding
}

// A Retyped is an entry of a state dict that has another type.
type Retyped struct {
	Name string `json:"name"`
	Pair[string]
}

// Compare tells the difference between two snapshots of an entry; nil where there is none. One
// of them may be nil.
func Compare(old, now *Snapshot) *Difference {
	switch {
	case old == nil && now == nil:
		return nil
	case old == nil:
		return &Difference{File: now.File, Name: now.Name, Kind: Added, Result: &Pair[string]{New: now.Result}, FindingsNew: now.Findings}
	case now == nil:
		return &Difference{File: old.File, Name: old.Name, Kind: Removed, Result: &Pair[string]{Old: old.Result}, FindingsFixed: old.Findings}
	}
	d := &Difference{File: now.File, Name: now.Name, Kind: Changed}
	if d.Failed = changed(old.Failed, now.Failed); now.Failed != "" {
		d.Name = old.Name
		return d
	}
	if old.Failed != "" {
		d.Result, d.FindingsNew = changed("", now.Result), now.Findings
		return d
	}
	if !slices.Equal(old.Inputs, now.Inputs) {
		d.Inputs = &Pair[[]string]{old.Inputs, now.Inputs}
	}
	d.FindingsNew = missing(now.Findings, old.Findings, func(f Finding) string { return f.print })
	d.FindingsFixed = missing(old.Findings, now.Findings, func(f Finding) string { return f.print })
	d.Result = changed(old.Result, now.Result)
	condition := func(c record.Condition) string { return c.Condition }
	d.ContractAdded = missing(now.Contract, old.Contract, condition)
	d.ContractRemoved = missing(old.Contract, now.Contract, condition)
	d.Parameters, d.MultAdds, d.Peak = changed(old.Parameters, now.Parameters), changed(old.MultAdds, now.MultAdds),
		changed(old.Peak, now.Peak)
	name := func(t Tensor) string { return t.Name }
	d.StateAdded, d.StateRemoved = missing(now.State, old.State, name), missing(old.State, now.State, name)
	before := map[string]string{}
	for _, t := range old.State {
		before[t.Name] = t.Type
	}
	for _, t := range now.State {
		if was, ok := before[t.Name]; ok && was != t.Type {
			d.StateChanged = append(d.StateChanged, Retyped{t.Name, Pair[string]{was, t.Type}})
		}
	}
	if d.empty() {
		return nil
	}
	return d
}

func (d *Difference) empty() bool {
	return d.Failed == nil && d.Inputs == nil && d.Result == nil && d.Parameters == nil && d.MultAdds == nil && d.Peak == nil &&
		!d.Has(InContract) && !d.Has(InState) && len(d.FindingsNew)+len(d.FindingsFixed) == 0
}

func changed[T comparable](old, now T) *Pair[T] {
	if old == now {
		return nil
	}
	return &Pair[T]{old, now}
}

// missing are the elements of list whose key none of others has.
func missing[T any](list, others []T, key func(T) string) []T {
	there := map[string]bool{}
	for _, x := range others {
		there[key(x)] = true
	}
	var out []T
	for _, x := range list {
		if !there[key(x)] {
			out = append(out, x)
		}
	}
	return out
}

// A Part is something of an entry whose change can be a fault: --fail-on.
type Part string

// The parts. New findings count, not fixed ones; an entry that cannot be run any more counts as
// a finding.
const (
	InFindings Part = "findings"
	InContract Part = "contract"
	InState    Part = "state-dict"
	InResult   Part = "result"
)

// Parts are all of them.
var Parts = []Part{InFindings, InContract, InState, InResult}

// Has reports whether a part of an entry has changed. Entries that came are no change of what
// was; those that went are in all but findings.
func (d *Difference) Has(p Part) bool {
	if d.Kind == Removed {
		return p != InFindings
	}
	switch p {
	case InFindings:
		return len(d.FindingsNew) > 0 || d.Failed != nil && d.Failed.New != ""
	case InContract:
		return len(d.ContractAdded)+len(d.ContractRemoved) > 0
	case InState:
		return len(d.StateAdded)+len(d.StateRemoved)+len(d.StateChanged) > 0
	case InResult:
		return d.Kind == Changed && d.Result != nil
	}
	return false
}

// Sort puts differences into the order of files and names.
func Sort(list []*Difference) {
	slices.SortStableFunc(list, func(a, b *Difference) int {
		return slices.Compare([]string{path.Dir(a.File), a.File, a.Name}, []string{path.Dir(b.File), b.File, b.Name})
	})
}

// String is the amount as a number or an expression.
func (a Amount) String() string {
	switch {
	case !a.Ok:
		return "?"
	case a.Expr != "":
		return a.Expr
	}
	return fmt.Sprint(a.N)
}
