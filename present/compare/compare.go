// Package compare tells whether two models have the same contract, whatever libraries
// they are written in: one in Chainer and one in PyTorch, or two versions of one. It
// takes the results of two runs; Of is the way in.
//
//	compare.go  Of, the outcome          sizes.go   symbols of one run as those of the other
//	values.go   results and their types  calls.go   calls of layers, in order, and their parameters
//	origin.go   where a size came from   names.go   which parameter is which
//	print.go    the text and the document
//	recurrent.go  parameters of recurrent layers, gate by gate
package compare

// This file holds the outcome and the order of the comparison.

import (
	"fmt"
	"slices"

	"shapecheck/check/record"
	"shapecheck/contract"
	"shapecheck/infer"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// A Verdict is what the comparison found.
type Verdict string

const (
	// Same: everything that is compared is known and the same.
	Same Verdict = "same"
	// Different: there is a difference, for certain.
	Different Verdict = "different"
	// Unknown: no difference was found, but not everything is known or could be proved.
	Unknown Verdict = "unknown"
	// NotChecked: a run has errors, or came upon nothing to check.
	NotChecked Verdict = "not checked"
)

// An Outcome is what a comparison found. All pairs have the first model's before the
// second's.
type Outcome struct {
	Verdict Verdict
	// First is the first difference in the order of the run; where nothing differs, what
	// is not known. Nil when the models are the same.
	First *Difference
	// Entries are the expressions that were run, Types the results.
	Entries, Types [2]string
	// Contracts are the conditions on the sizes.
	Contracts [2][]record.Condition
	// Calls is how many calls of layers with parameters agree.
	Calls int
	// Parameters are those that were found to be the same, as far as the comparison came.
	Parameters []Pair
	// Renamed are the sizes that have another name in the second model.
	Renamed [][2]string
	// Findings are the errors of each run, where that is why nothing was compared.
	Findings [2][]*diag.Diagnostic
}

// A Pair is a parameter under its names in both models.
type Pair struct {
	Names [2]string
	Type  string
}

// A Difference is a place where the models are not the same.
type Difference struct {
	// What is different, in words.
	What string
	// Places are the lines of each model that say so; there may be none.
	Places [2][]Place
	// Sizes are an example for which they differ, by the first model's names; nil where
	// they differ for all.
	Sizes map[string]int64
}

// A Place is a line of a model, and what is seen there.
type Place struct {
	File string
	Line int
	Text string // of the line
	Note string
}

// Of compares two runs. The names say which parameters correspond; what they do not
// name corresponds by the order of calls. An error is a fault in the names.
func Of(first, second *infer.Result, names Names) (*Outcome, error) {
	c := &comparison{visit: value.Visit{Repeats: value.SomeRepeats}, runs: [2]*infer.Result{first, second}, out: &Outcome{Verdict: Same},
		names: names}
	for i, r := range c.runs {
		c.out.Entries[i] = r.Entry
		if r.Output != nil {
			c.out.Types[i] = r.Output.String()
		}
		for _, d := range r.Diagnostics {
			if d.Severity == diag.Error {
				c.out.Findings[i] = append(c.out.Findings[i], d)
			}
		}
		if !r.Checked || len(c.out.Findings[i]) > 0 || r.Exceeded {
			c.out.Verdict = NotChecked
		}
	}
	if c.out.Verdict == NotChecked {
		return c.out, nil
	}
	if err := names.check(first, second); err != nil {
		return nil, err
	}
	var contracts [2]*contract.Contract
	for i, r := range c.runs {
		contracts[i] = contract.Of(r)
		c.out.Contracts[i] = record.Contract(r, contracts[i])
	}
	c.sizes = newSizes(first, second, contracts)
	c.parameters = newParameters(first, second, &c.names)
	for _, step := range []func() *finding{c.calls, c.results, func() *finding { return c.contract(contracts) }, c.uncalled} {
		f := step()
		if f == nil {
			continue
		}
		if f.verdict == Different || c.out.Verdict == Same {
			c.out.Verdict, c.out.First = f.verdict, &f.Difference
		}
		if f.verdict == Different {
			break
		}
	}
	c.out.Renamed, c.out.Parameters = c.sizes.renamed(), c.parameters.pairs
	return c.out, nil
}

// A comparison is one in progress.
type comparison struct {
	runs       [2]*infer.Result
	out        *Outcome
	names      Names
	sizes      *sizes
	parameters *parameters
	visit      value.Visit // of the first of two values
}

// A finding is a difference, or something unknown.
type finding struct {
	verdict Verdict
	Difference
}

// results compares what the entries return.
func (c *comparison) results() *finding {
	f := c.value(c.runs[0].Output, c.runs[1].Output)
	if f == nil {
		return nil
	}
	f.What = "the results: " + f.What
	if !c.explain(f, c.runs[0].Output, c.runs[1].Output, nil, nil) {
		for i, r := range c.runs {
			for _, l := range r.Lines {
				if l.Target == "return" && l.Type.String() == c.out.Types[i] {
					f.Places[i] = c.places(i, text(r.Output), l.At)
				}
			}
		}
	}
	return f
}

// contract compares the conditions on the sizes: each of one must follow from the
// other's.
func (c *comparison) contract(list [2]*contract.Contract) *finding {
	if list[0].Never != list[1].Never {
		return &finding{Different, Difference{What: "the conditions: those of one model hold for no sizes"}}
	}
	for from := range list {
		for _, cond := range list[from].Conditions {
			f := c.sizes.follows(from, cond.Cond, list[1-from])
			if f == nil {
				continue
			}
			needs, lacks := "the first", "the second"
			if from == 1 {
				needs, lacks = lacks, needs
			}
			if f.verdict == Different {
				f.What = fmt.Sprintf("the conditions: %s model needs %s, %s does not", needs, cond.Cond, lacks)
			} else {
				f.What = fmt.Sprintf("the conditions: %s model needs %s; whether %s does is not known", needs, cond.Cond, lacks)
			}
			for _, why := range cond.Because {
				p, ok := place(c.runs[from], why.At, why.What)
				if ok && !slices.Contains(f.Places[from], p) && len(f.Places[from]) < 3 {
					f.Places[from] = append(f.Places[from], p)
				}
			}
			return f
		}
	}
	return nil
}
