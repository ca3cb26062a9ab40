package trace

// This file reports what a script's calls of traced functions do: which run the body, why,
// and what is printed then.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/present/render/text"
)

// A Script is the report of a file that was run as a script.
type Script struct {
	*record.Document // as JSON has it: WithDocument makes it
	// Framework is that of the calls, "tf", "jax", "jit", "export" or "compile"; empty: there are none.
	Framework string `json:"framework"`
	Calls     []Call `json:"calls"`
	// MaybeCalls are those of which it is not known whether they run.
	MaybeCalls []MaybeCall `json:"maybe_calls,omitempty"`
	// Effects are what happens once a trace.
	Effects []Effect `json:"effects"`
	// Sites are the warnings of torch.jit.trace in the program's lines; null: not known.
	Sites *[]Site `json:"sites,omitempty"`
	// SilentWrong says that a trace of torch.jit.trace gives something else than the model and the tracer does
	// not warn; null: not known, or there are no such traces.
	SilentWrong *bool `json:"silent_wrong"`
	traces      int   // of torch.jit.trace that are counted in SilentWrong
}

// An Effect is a place in a traced function whose effect a call has only if it traces.
type Effect struct {
	File string `json:"file"`
	Line int    `json:"line"`
	// What is "print"; Times is in how many of the Calls it happened.
	What    string `json:"what"`
	Times   int    `json:"times"`
	Calls   int    `json:"calls"`
	OncePer string `json:"once_per"`
}

// A Call is a call of a traced function from the top level of the script. What is not known
// is null.
type Call struct {
	Line     int      `json:"line"`
	Kind     string   `json:"kind,omitempty"`
	Function string   `json:"fn"`
	Args     []string `json:"args"`
	// Result is the type of what the call returned, or what torch.export makes in the mode of the call: an *Export.
	Result any `json:"result"`
	// Traces is how often the body ran.
	Traces *int `json:"traces"`
	// Equal says of a run of what torch.jit.trace made whether the model gives the same.
	Equal *bool `json:"equal,omitempty"`
	// Changed is what differs from the nearest earlier call, where the body ran again.
	Changed *[]string `json:"changed,omitempty"`
	// Stdout are the lines printed; null: how many is not known. A line whose text is not
	// known is null.
	Stdout        []*string `json:"stdout"`
	MadeVariables bool      `json:"made_variables,omitempty"`
	Warning       string    `json:"warning,omitempty"`
	Error         *Error    `json:"error,omitempty"`
	// Recompiles are, of functions under torch.compile, those of which a graph was made again, Breaks the lines at which
	// graphs end that were made, null: not known; Limit says that no further graph is made of a function.
	Recompiles []Recompile `json:"recompiles,omitempty"`
	Breaks     *[]Break    `json:"breaks,omitempty"`
	Limit      bool        `json:"limit,omitempty"`
	// Other is what torch.export makes in the other mode.
	Other *Export `json:"other,omitempty"`

	framework string   // of this call: a script may use several
	because   []string // Changed in words
	// maybe says that it may not run, loop that the length of the loop that makes it is not known;
	// doubted that a call which may not have run may have traced before.
	maybe, loop, doubted bool
}

// A MaybeCall is a call of a traced function of which it is not known whether it runs.
type MaybeCall struct {
	Line     int      `json:"line"`
	Kind     string   `json:"kind,omitempty"`
	Function string   `json:"fn"`
	Args     []string `json:"args"`
	// Loop says that a loop makes it of which the number of iterations is not known.
	Loop bool `json:"loop"`

	framework string
	after     int // as many calls were recorded before it
}

// WithDocument is the report with the document of the run.
func (d *Script) WithDocument(r *infer.Result) *Script {
	d.Document = record.Short(r)
	return d
}

// OfScript makes the report of a script's run, without its document.
func OfScript(r *infer.Result) *Script {
	d := &Script{Calls: []Call{}, Effects: []Effect{}}
	for _, calls := range byFunction(r.Retraces) {
		for _, e := range effects(calls) {
			at := r.Files.Position(e.at.Start)
			d.Effects = append(d.Effects, Effect{at.File.Name, at.Line, "print", e.times, e.calls, "trace"})
		}
	}
	d.Calls = slices.Grow(d.Calls, len(r.Retraces))
	for _, c := range r.Retraces {
		d.Framework = cmp.Or(d.Framework, c.Framework)
		x := Call{framework: c.Framework, Kind: c.Kind, Function: c.Function, Args: append([]string{}, c.Args...), Traces: c.Traces,
			MadeVariables: c.MadeVariables, doubted: c.Doubted}
		if c.At.IsValid() {
			x.Line = r.Files.Position(c.At.Start).Line
		}
		x.Equal = c.Equal
		x.exports(r, c)
		x.compiled(r, c)
		d.sites(r, c)
		if c.Result != "" {
			x.Result = c.Result
		}
		if c.Again && c.Traces != nil {
			x.Changed, x.because = &c.Changed, c.Because
		}
		if c.Warning {
			x.Warning = "frequent retracing"
		}
		if !c.Unprinted {
			x.Stdout = []*string{}
			for i := range c.Printed {
				var line *string
				if !c.Unread[i] {
					line = &c.Printed[i]
				}
				x.Stdout = append(x.Stdout, line)
			}
		}
		if c.Error != nil {
			x.Error = &Error{Type: c.Error.Value.Class.Name}
			if c.Error.Diag != nil {
				x.Error.Message = c.Error.Diag.Msg
			}
			if c.ErrorAt.IsValid() {
				at := r.Files.Position(c.ErrorAt.Start)
				x.Error.File, x.Error.Line = at.File.Name, at.Line
			}
		}
		d.Calls = append(d.Calls, x)
	}
	for _, c := range r.Maybe {
		x := MaybeCall{Kind: c.Kind, Function: c.Function, Args: append([]string{}, c.Args...), Loop: c.Loop, framework: c.Framework,
			after: c.After}
		if c.At.IsValid() {
			x.Line = r.Files.Position(c.At.Start).Line
		}
		d.MaybeCalls = append(d.MaybeCalls, x)
	}
	return d
}

// allCalls are the calls in the order in which the program makes them, with those that may not run.
func (d *Script) allCalls() []*Call {
	out := make([]*Call, 0, len(d.Calls)+len(d.MaybeCalls))
	maybe := d.MaybeCalls
	for i := 0; i <= len(d.Calls); i++ {
		for len(maybe) > 0 && (maybe[0].after <= i || i == len(d.Calls)) {
			m := maybe[0]
			out = append(out, &Call{Line: m.Line, Kind: m.Kind, Function: m.Function, Args: m.Args, framework: m.framework, maybe: true,
				loop: m.Loop})
			maybe = maybe[1:]
		}
		if i < len(d.Calls) {
			out = append(out, &d.Calls[i])
		}
	}
	return out
}

// callsByFunction divides calls by what they call, in the order of the first calls.
func callsByFunction(all []*Call) [][]*Call {
	type called struct{ framework, function string }
	number := map[called]int{} // of calls
	var order []called
	for i := range all {
		c := called{all[i].framework, all[i].Function}
		if number[c] == 0 {
			order = append(order, c)
		}
		number[c]++
	}
	out := make([][]*Call, 0, len(order))
	for _, c := range order {
		calls := make([]*Call, 0, number[c])
		for i := range all {
			if all[i].framework == c.framework && all[i].Function == c.function {
				calls = append(calls, all[i])
			}
		}
		out = append(out, calls)
	}
	return out
}

// frameworkNames are what traces, in the words of its users.
var frameworkNames = map[string]string{"tf": "tf.function", "jax": "jax.jit", "jit": "torch.jit.trace", "export": "torch.export",
	"compile": "torch.compile"}

// ScriptText prints the report for people: a table for each function that is called twice or
// more, and what a check finds. It returns an error only where w does.
func ScriptText(w io.Writer, d *Script, r *infer.Result, style text.Style) error {
	var b strings.Builder
	all := d.allCalls()
	if len(all) == 0 {
		b.WriteString("no call of a function that tf.function, jax.jit, torch.jit.trace, torch.compile or torch.export traces\n")
	}
	for _, calls := range callsByFunction(all) {
		switch framework := calls[0].framework; framework {
		case "jit":
			runs(&b, calls)
		case "export":
			exports(&b, calls)
		case "compile":
			compiles(&b, calls)
		default:
			table(&b, framework, calls)
		}
	}
	for _, x := range r.Diagnostics {
		b.WriteString("\n")
		text.Print(&b, r.Files, x, style)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func table(b *strings.Builder, framework string, calls []*Call) {
	fmt.Fprintf(b, "%s: %s (%s)\n", calls[0].Function, tally(calls, "trace"), frameworkNames[framework])
	var rows []row
	for i, c := range calls {
		why := because(c, i == 0)
		rows = append(rows, row{c.Line, called(c), traced(c) + "\t" + why, c.reuses() && why == ""})
	}
	inColumns(b, "  line\tcall\ttraced\tbecause", folded(rows))
}

// A row is what a table says of a call: quiet where that is nothing new.
type row struct {
	line       int
	call, said string
	quiet      bool
}

// mostQuiet is how many quiet calls in a row a table has one by one.
const mostQuiet = 3

// folded writes rows that are alike and follow each other as one, and of many quiet ones the first alone.
func folded(rows []row) []string {
	var out []string
	for i := 0; i < len(rows); {
		x, n, quiet := rows[i], 1, 0
		for i+n < len(rows) && rows[i+n] == x {
			n++
		}
		for i+quiet < len(rows) && rows[i+quiet].quiet && rows[i+quiet].said == x.said {
			quiet++
		}
		text := fmt.Sprintf("  %d\t%s\t%s", x.line, x.call, x.said)
		switch {
		case quiet > mostQuiet && quiet > n:
			text += " (and " + others(rows[i+1:i+quiet]) + ")"
			n = quiet
		case n > 1:
			text += fmt.Sprintf(" (%d times)", n)
		}
		out, i = append(out, text), i+n
	}
	return out
}

// mostLines bounds the lines of calls that are left out of a table which it names.
const mostLines = 6

// others names calls by their lines.
func others(rows []row) string {
	var lines []string
	for _, r := range rows {
		if n := strconv.Itoa(r.line); !slices.Contains(lines, n) {
			lines = append(lines, n)
		}
	}
	switch {
	case len(lines) == len(rows) && len(lines) <= mostLines:
		return strings.Join(lines, ", ")
	case len(lines) == 1:
		return fmt.Sprintf("%d more at %s", len(rows), lines[0])
	case len(lines) > mostLines:
		lines = []string{lines[0], "…", lines[len(lines)-1]}
	}
	return fmt.Sprintf("%d more at %s", len(rows), strings.Join(lines, ", "))
}

// reuses reports whether a call uses a trace that is there.
func (c *Call) reuses() bool { return c.Traces != nil && *c.Traces == 0 }

// tally says how often what is made in so many calls.
func tally(calls []*Call, what string) string {
	made, maybe, unknown := 0, 0, false
	for _, c := range calls {
		switch {
		case c.maybe:
			maybe++
		case c.Traces == nil:
			unknown = true
		default:
			made += *c.Traces
		}
	}
	if maybe == len(calls) {
		return fmt.Sprintf("an unknown number of %ss in %s that may run", what, plural(maybe, "call"))
	}
	s := plural(made, what)
	if unknown || maybe > 0 {
		s = "at least " + s
	}
	s += " in " + plural(len(calls)-maybe, "call")
	if maybe > 0 {
		s += fmt.Sprintf(", and in %d that may run", maybe)
	}
	return s
}

// inColumns writes rows of cells that tabs separate, under a head.
func inColumns(b *strings.Builder, head string, rows []string) {
	var table strings.Builder
	t := tabwriter.NewWriter(&table, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, head)
	for _, row := range rows {
		fmt.Fprintln(t, row)
	}
	_ = t.Flush() // writing to memory does not fail
	for line := range strings.Lines(table.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
}

func plural(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

func called(c *Call) string {
	name := c.Function
	if c.Kind != "" {
		name += "." + c.Kind
	}
	return name + "(" + strings.Join(c.Args, ", ") + ")"
}

func traced(c *Call) string {
	switch {
	case c.Traces == nil:
		return "?"
	case *c.Traces == 0:
		return "-"
	case *c.Traces == 1:
		return "yes"
	}
	return fmt.Sprintf("%d times", *c.Traces)
}

// unsettled says why it is not known whether a call traces, where the course of the program decides.
func (c *Call) unsettled() string {
	switch {
	case c.loop:
		return "how often it runs is not known"
	case c.maybe:
		return "may not run"
	case c.doubted:
		return "a call that may not run may have done it"
	}
	return ""
}

func because(c *Call, first bool) string {
	text := ""
	switch {
	case c.unsettled() != "":
		text = c.unsettled()
	case c.Traces == nil && slices.ContainsFunc(c.Args, func(a string) bool { return strings.Contains(a, "?") }):
		text = "its arguments are not known"
	case c.Traces == nil:
		text = "not known"
	case *c.Traces == 0:
	case c.Changed == nil && first:
		text = "first call"
	case c.Changed == nil:
		text = "a new function"
	case len(*c.Changed) == 0:
		text = "not kept"
	default:
		text = strings.Join(c.because, "; ")
	}
	if c.Error != nil {
		text = strings.TrimPrefix(text+"; ", "; ") + "raises " + c.Error.String()
	}
	return text
}
