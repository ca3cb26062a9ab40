package check

// This file solves the contract of an entry for numbers that are not known yet: Net(hidden=?).

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
)

// Bounds of what is tried and listed.
const (
	maxSolved  = 4096 // the largest number that is tried
	maxSolving = 8    // numbers of one answer
)

// A Solution says which numbers the marks ? of an entry and its arguments may be.
type Solution struct {
	Unknowns []SolvedNumber `json:"unknowns"`
	// Conditions are those between several sizes or numbers.
	Conditions []record.Condition `json:"conditions"`
	// Failed says why no numbers work; empty: some do.
	Failed string `json:"failed,omitempty"`
}

// A SolvedNumber is one of the numbers.
type SolvedNumber struct {
	Name string `json:"name"`
	// Values are the first that work, of those up to 4096; All says that no other one does.
	Values []int64 `json:"values"`
	All    bool    `json:"all"`
	// Needs are the conditions on it alone.
	Needs []string `json:"needs"`
}

// Solve solves the contract of a target, whose entry and arguments have marks ?, for them. It returns an error where the entry cannot
// be run, or has no mark.
func (s *Session) Solve(ctx context.Context, t *Target) (*Solution, error) {
	x := *t
	x.Run.Args = nil
	var names []string // of the marks in arguments; those of the entry the run names
	for _, a := range t.Run.Args {
		name := argName(a)
		switch value, isNumber := strings.CutPrefix(a[len(name):], "="); {
		case isNumber && value == "?":
			names = append(names, name)
			a = name + ":int"
		case !isNumber:
			sizes := a[len(name):]
			for n := 1; strings.Contains(sizes, "?"); n++ {
				size := name + "_size"
				if n > 1 {
					size += strconv.Itoa(n)
				}
				names = append(names, size)
				sizes = strings.Replace(sizes, "?", size, 1)
			}
			a = name + sizes
		}
		x.Run.Args = append(x.Run.Args, a)
	}
	unmarked := errors.New("solve needs a mark ?: --entry 'Net(hidden=?)', --arg 'n=?' or --arg 'x:f32[B,?]'")
	if len(names) == 0 && !strings.Contains(t.Run.Entry, "?") {
		return nil, unmarked
	}
	res, err := s.Check(ctx, &x)
	if err != nil {
		return nil, err
	}
	if names = append(slices.Clone(res.Unknowns), names...); len(names) == 0 { // those of the entry are in texts
		return nil, unmarked
	}
	return solutionOf(res, names), nil
}

// argName is the name of an argument as --arg has it.
func argName(a string) string {
	if i := strings.IndexAny(a, ":="); i >= 0 {
		return a[:i]
	}
	return a
}

// solutionOf reads the contract of a run.
func solutionOf(res *Result, names []string) *Solution {
	out := &Solution{Conditions: []record.Condition{}}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			out.Failed = place.OneLine(d)
			if p, ok := place.Of(res.Files, d.At); ok {
				out.Failed = fmt.Sprintf("%s:%d: %s", p.Where(), p.Line, out.Failed)
			}
			break
		}
	}
	if !res.Checked && out.Failed == "" {
		out.Failed = "not checked: " + res.WhyNot
	}
	c := res.Reduced()
	if out.Failed != "" || c == nil {
		return out
	}
	texts := record.Contract(res.Result, c)
	for _, name := range names {
		one := SolvedNumber{Name: name, Values: []int64{}, All: true, Needs: []string{}}
		works := func(int64) bool { return true }
		for i, x := range c.Conditions {
			if list := x.Cond.Symbols(); len(list) != 1 || list[0].String() != name {
				continue
			}
			one.Needs = append(one.Needs, texts[i].Condition)
			before := works
			works = func(n int64) bool {
				ok, err := x.Cond.Eval(func(string) (int64, bool) { return n, true })
				return ok && err == nil && before(n)
			}
		}
		for n := int64(1); n <= maxSolved; n++ {
			if !works(n) {
				continue
			}
			if len(one.Values) == maxSolving {
				one.All = false
				break
			}
			one.Values = append(one.Values, n)
		}
		out.Unknowns = append(out.Unknowns, one)
	}
	for i, x := range c.Conditions {
		list := x.Cond.Symbols()
		if len(list) != 1 || !slices.Contains(names, list[0].String()) {
			out.Conditions = append(out.Conditions, texts[i])
		}
	}
	return out
}

// Text is a solution in lines.
func (x *Solution) Text() string {
	if x.Failed != "" {
		return "no value: " + x.Failed + "\n"
	}
	var b strings.Builder
	for _, u := range x.Unknowns {
		var values []string
		for _, n := range u.Values {
			values = append(values, fmt.Sprint(n))
		}
		if !u.All {
			values = append(values, "…")
		}
		needs := strings.Join(u.Needs, ", ")
		switch {
		case len(u.Needs) == 0:
			fmt.Fprintf(&b, "%s may be any number\n", u.Name)
		case len(values) == 0:
			fmt.Fprintf(&b, "%s: no value up to %d: %s\n", u.Name, maxSolved, needs)
		case len(values) == 1:
			fmt.Fprintf(&b, "%s = %s\n", u.Name, values[0])
		default:
			fmt.Fprintf(&b, "%s = %s  (%s)\n", u.Name, strings.Join(values, ", "), needs)
		}
	}
	for _, c := range x.Conditions {
		fmt.Fprintf(&b, "when %s", c.Condition)
		if len(c.Because) > 0 {
			fmt.Fprintf(&b, "  # %s", strings.Join(c.Because[:min(3, len(c.Because))], ", "))
		}
		b.WriteByte('\n')
	}
	return b.String()
}
