package check

// This file solves the contract of an entry for numbers that are not known yet: Net(hidden=?).

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"shapecheck/check/record"
	"shapecheck/internal/diag"
	"shapecheck/internal/diag/place"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/parser"
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

// marked finds the marks in an entry, with the keyword before them, and texts, in which they are none.
var marked = lazyregexp.New(`"[^"]*"|'[^']*'|(?:(\w+)\s*=\s*)?\?`)

// unknowns are the names of marks.
type unknowns struct {
	names []string
	taken map[string]bool
}

// name is a name for a mark that no other has.
func (u *unknowns) name(wanted string) string {
	name := wanted
	for n := 2; u.taken[name]; n++ {
		name = fmt.Sprintf("%s%d", wanted, n)
	}
	u.taken[name] = true
	u.names = append(u.names, name)
	return name
}

// replace names the marks of an expression.
func (u *unknowns) replace(text string) string {
	return marked.ReplaceAllStringFunc(text, func(m string) string {
		keyword, isMark := strings.CutSuffix(m, "?")
		if !isMark {
			return m
		}
		return keyword + u.name(cmp.Or(strings.TrimRight(keyword, " \t="), "n"))
	})
}

// solvedEntry is the name of the function that makes the entry of numbers that it takes.
const solvedEntry = "_solved"

// Solve solves the contract of a target, whose entry and arguments have marks ?, for them. It returns an error where the entry cannot
// be run, or has no mark.
func (s *Session) Solve(ctx context.Context, t *Target) (*Solution, error) {
	u := &unknowns{taken: map[string]bool{}}
	for _, a := range t.Run.Args {
		u.taken[argName(a)] = true
	}
	x := *t
	entry := u.replace(t.Run.Entry)
	made := slices.Clone(u.names)
	x.Run.Args = nil
	var own, pass []string
	for _, a := range t.Run.Args {
		name := argName(a)
		value, isNumber := strings.CutPrefix(a[len(name):], "=")
		switch {
		case isNumber && value == "?":
			u.names = append(u.names, name)
			a = name + ":int"
		case !isNumber:
			for strings.Contains(a[len(name):], "?") {
				a = name + strings.Replace(a[len(name):], "?", u.name(name+"_size"), 1)
			}
		}
		x.Run.Args = append(x.Run.Args, a)
		own, pass = append(own, name), append(pass, name+"="+name)
	}
	if len(u.names) == 0 {
		return nil, errors.New("solve needs a mark ?: --entry 'Net(hidden=?)', --arg 'n=?' or --arg 'x:f32[B,?]'")
	}
	if len(made) > 0 {
		if t.Run.Module != "" || len(t.Run.Args) == 0 {
			return nil, errors.New("an entry with a mark ? needs FILE and --arg for the inputs of its call")
		}
		call := entry
		if t.Run.Eval {
			call, x.Run.Eval = "("+call+").eval()", false
		}
		if t.Run.Call != "" {
			call, x.Run.Call = "("+call+")."+t.Run.Call, ""
		}
		text, err := s.textOf(t)
		if err != nil {
			return nil, err
		}
		x.Run.Text = fmt.Sprintf("%s\n\n\ndef %s(%s):\n    return (%s)(%s)\n", strings.TrimRight(text, "\n"), solvedEntry,
			strings.Join(append(slices.Clone(own), made...), ", "), call, strings.Join(pass, ", "))
		entry = solvedEntry
		for _, name := range made {
			x.Run.Args = append(x.Run.Args, name+":int")
		}
	}
	x.Run.Entry = entry
	res, err := s.Check(ctx, &x)
	if err != nil {
		return nil, err
	}
	return solutionOf(res, u.names), nil
}

// argName is the name of an argument as --arg has it.
func argName(a string) string {
	if i := strings.IndexAny(a, ":="); i >= 0 {
		return a[:i]
	}
	return a
}

// textOf is the text of a target's file.
func (s *Session) textOf(t *Target) (string, error) {
	if t.Run.Text != "" {
		return t.Run.Text, nil
	}
	data, err := reads.File(reads.Or(s.FS), t.Run.File, source.MaxFileSize)
	if err != nil {
		return "", err
	}
	return parser.Decode(data)
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
