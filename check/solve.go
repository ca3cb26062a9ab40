package check

// This file solves the contract of an entry for numbers that are not known yet: Net(hidden=?). Each
// mark ? becomes a symbol of its own, the entry is checked once with the symbols, and the
// conditions of its contract are then solved for them. Those on one symbol alone are solved by
// trying 1, 2, 3, …; those between several stay as they are, since trying all combinations would
// take too long and a list of tuples would tell a reader less than the condition.

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

// A Solution says which numbers the marks ? of an entry and its arguments may be. It answers the
// command solve and the tool of the same name, whose JSON it is; lists are never nil there.
type Solution struct {
	Unknowns []SolvedNumber `json:"unknowns"`
	// Conditions are those between several sizes or numbers.
	Conditions []record.Condition `json:"conditions"`
	// Failed says why no numbers work; empty: some do.
	Failed string `json:"failed,omitempty"`
}

// A SolvedNumber is one of the numbers. A SolvedNumber without Needs may be any number: Values then
// are only the first few of them.
type SolvedNumber struct {
	Name string `json:"name"`
	// Values are the first that work, of those up to 4096; All says that no other one does.
	Values []int64 `json:"values"`
	All    bool    `json:"all"`
	// Needs are the conditions on it alone.
	Needs []string `json:"needs"`
}

// Solve solves the contract of a target, whose entry and arguments have marks ?, for them. It returns an error where the entry cannot
// be run, or has no mark. The run is that of Check, so its findings and its limits on time hold
// here too. A run that fails is no error but a Solution with Failed set.
func (s *Session) Solve(ctx context.Context, t *Target) (*Solution, error) {
	x := *t
	x.Run.Args = nil
	var names []string // of the marks in arguments; those of the entry the run names
	for _, a := range t.Run.Args {
		name := argName(a)
		switch value, isNumber := strings.CutPrefix(a[len(name):], "="); {
		// A number becomes a symbol of type int under the argument's own name.
		case isNumber && value == "?":
			names = append(names, name)
			a = name + ":int"
		// An array has a name for each ? of its shape: x_size, x_size2, and so on. Their order is
		// that of the sizes.
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
	// Made here since it is returned at two places: marks in the entry are only known after the
	// run.
	unmarked := errors.New("solve needs a mark ?: --entry 'Net(hidden=?)', --arg 'n=?' or --arg 'x:f32[B,?]'")
	if len(names) == 0 && !strings.Contains(t.Run.Entry, "?") {
		return nil, unmarked
	}
	res, err := s.Check(ctx, &x)
	// Those of the entry come first, as a reader meets them on the command line in this order.
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

// solutionOf reads the contract of a run. The first error of the run, if any, is why no numbers
// work: what a run demands of numbers is only complete where the run came to its end.
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
	// The contract after reduction: conditions that follow from others are gone, so Needs are
	// short.
	c := res.Reduced()
	if out.Failed != "" || c == nil {
		return out
	}
	texts := record.Contract(res.Result, c)
	for _, name := range names {
		one := SolvedNumber{Name: name, Values: []int64{}, All: true, Needs: []string{}}
		works := func(int64) bool { return true }
		// A condition counts here if the number is its only symbol. It is evaluated for each
		// candidate below, with the conditions that were found before it.
		for i, x := range c.Conditions {
			if list := x.Cond.Symbols(); len(list) != 1 || list[0].String() != name {
				continue
			}
			one.Needs = append(one.Needs, texts[i].Condition)
			before := works
			works = func(n int64) bool {
				// A condition that cannot be evaluated for a number (a division by zero, an
				// overflow) does not hold for it.
				ok, err := x.Cond.Eval(func(string) (int64, bool) { return n, true })
				return ok && err == nil && before(n)
			}
		}
		// One more than maxSolving is looked for: it is not listed, and only says that there are
		// others.
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
	// What is left: conditions of several symbols, and those of sizes that are no marks.
	for i, x := range c.Conditions {
		list := x.Cond.Symbols()
		if len(list) != 1 || !slices.Contains(names, list[0].String()) {
			out.Conditions = append(out.Conditions, texts[i])
		}
	}
	return out
}

// Text is a solution in lines. It is what the command prints: a line for each number, then a line
// for each condition between several, with at most three of its reasons.
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
