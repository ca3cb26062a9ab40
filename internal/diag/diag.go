// Package diag is the model of everything shapecheck reports.
//
// A Diagnostic is data: a code from the table in codes.go, a span, a message
// and the values inside it. Whoever finds a fault words it (New) and hands it to a
// Sink. Printers are pure functions of diagnostics and the file set (packages render/…).
//
//	diag.go         Diagnostic, Sink            codes.go  the table of codes
//	fact.go         what a finding comes down to, for who acts on it
//	sizes.go        what the values inside a message say of sizes
//	fingerprint.go  names that outlive edits    group.go  what several calls of the same code report, or one cause
//	code_*.go       what is said of each code, with examples: one file for each family
package diag

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/internal/source"
)

// A Severity ranks diagnostics.
type Severity uint8

const (
	Info Severity = iota
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// A Diagnostic is one finding.
type Diagnostic struct {
	Code     Code
	Severity Severity
	At       source.Span // primary; always in user code when there is any on the stack
	Msg      string      // one line, no full stop at the end
	Args     []any       // the dims, types and names inside Msg
	About    []string    // their texts, where they are gone; see Facts
	Fact     Fact        `json:",omitzero"` // what Msg says, for those who act on it
	Sizes    Sizes       `json:",omitzero"` // what its values say of sizes, for them, too
	Operands []Operand   // the tensors that a fault of shapes is about
	Related  []Related   // the lines that made the sizes in question, call frames innermost first
	Notes    []string    // explanations without a position
	Fixes    []Fix
	Others   []string      // what else was reported at this place, of other sizes; see Group
	Born     []source.Span // where the sizes at odds were made, in the order of places; empty: that is not known
	Also     []Also        // the other places of one cause; see Causes
	Count    int           // how many call contexts reported the same; 0 means one
	// Aside says that this is about the top level of a module, and that the entry has
	// nothing to do with what failed there.
	Aside bool
	// Ended says that it is why the entry was not called: nothing of that was checked.
	Ended bool `json:",omitempty"`
}

// An Origin tells which finding is meant: its code, and where it is.
type Origin struct {
	Code Code
	At   source.Span
}

// Ending is the origin of the finding of a list that ended the entry; the zero Origin: none did.
func Ending(list []*Diagnostic) Origin {
	for _, d := range list {
		if d.Ended {
			return Origin{d.Code, d.At}
		}
	}
	return Origin{}
}

// An Unchecked is an entry of which nothing was checked. That is no finding: nothing is
// known of the entry.
type Unchecked struct {
	Entry string // its name, or the expression; empty for a script
	Why   string
	// By is the finding that ended the entry before anything was checked; zero: there is none.
	By Origin
	// Failed says that the run has no result thereby: the entry could not be run, or no
	// other was checked either.
	Failed bool
	// Said says that standard error has it.
	Said bool
	// Skipped are the files or entries that a run did not come to, which was cut short: then Entry is empty.
	Skipped []string
}

func (u Unchecked) String() string {
	if len(u.Skipped) > 0 {
		return u.Why
	}
	if u.Entry == "" {
		return "not checked: " + u.Why
	}
	return u.Entry + " was not checked: " + u.Why
}

// An Operand is a tensor that took part in what failed.
type Operand struct {
	Name string   // of the parameter: "weight", "tensors[1]"
	Type string   // "f32[10,400]"
	Axes []string // what its axes are called; nil when they have no names
	// Fault is the axis at fault, from 0, and Size its size; -1 when none is.
	Fault int
	Size  string
}

// Axis is what the axis at fault is called: "C", "dimension 2".
func (o *Operand) Axis() string {
	if o.Fault < len(o.Axes) && o.Axes[o.Fault] != "…" {
		return o.Axes[o.Fault]
	}
	return fmt.Sprintf("dimension %d", o.Fault)
}

// CalledFrom is what a Related says of a call in which a fault came up; see Calling.
const CalledFrom = "called from here"

// Calling is the Related of a call in which a fault came up.
func Calling(at source.Span) Related { return Related{At: at, Msg: CalledFrom, Call: true} }

// FailsHere is what a Related says of the place in an installed package where a call fails.
const FailsHere = "where it fails"

// An Also is another place with the fault of a finding.
type Also struct {
	At    source.Span
	Msg   string   // what the finding of that place says
	About []string // its Facts
}

// A Related is a place that helps to understand a diagnostic.
type Related struct {
	At   source.Span
	Msg  string
	Call bool `json:",omitempty"` // a call in which the fault came up
}

// A Fix is a change that resolves a diagnostic. Its edits do not overlap; without edits it is a hint.
type Fix struct {
	Title string
	Edits []Edit
	// Safe fixes keep the meaning of correct code and may be applied unasked.
	Safe bool
	// State says whether the program was run with it, and Run what ran then, and what was found.
	State FixState
	Run   string
}

// A FixState says what is known of a fix beside that the failing call succeeds with it.
type FixState uint8

const (
	FixUntried     FixState = iota // nobody asked
	FixVerified                    // the finding is gone then, and none is new
	FixNotVerified                 // too many were suggested, or the run ended before
)

// Lead is how a fix is introduced: one without edits is no more than a hint.
func (f *Fix) Lead() string {
	if len(f.Edits) == 0 {
		return "hint"
	}
	return "fix"
}

// Text is the title, and that the fix was not verified.
func (f *Fix) Text() string {
	if f.State == FixNotVerified {
		return f.Title + " (not verified)"
	}
	return f.Title
}

// An Edit replaces the text at a span.
type Edit struct {
	At      source.Span
	NewText string
}

// New returns a diagnostic with the default severity of its code. The values inside of the message are args.
func New(code Code, at source.Span, msg string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Severity: code.Info().Severity, At: at, Msg: shorten(msg), Args: args, Fact: factOf(args),
		Sizes: sizesOf(code, msg, args)}
}

// Newf is New with the message that a format makes of its values.
func Newf(code Code, at source.Span, format string, args ...any) *Diagnostic {
	return &Diagnostic{Code: code, Severity: code.Info().Severity, At: at, Msg: shorten(fmt.Sprintf(format, args...)), Args: args,
		Fact: factOf(args), Sizes: sizesOf(code, format, args)}
}

// Measured says of which values the message was made where args of New are not all of them, and what its statement is told by:
// a format, the text of a line.
func (d *Diagnostic) Measured(form string, values ...any) *Diagnostic {
	d.Sizes = sizesOf(d.Code, form, values)
	return d
}

// maxMessage bounds a message, in bytes: texts and lists of a program may have millions of parts.
const maxMessage = 64 << 10

// shorten leaves out the middle of a message that is too long.
func shorten(msg string) string {
	if len(msg) <= maxMessage {
		return msg
	}
	half := maxMessage / 2
	return strings.ToValidUTF8(msg[:half], "") + " … " + strings.ToValidUTF8(msg[len(msg)-half:], "")
}

// A Sink collects diagnostics. The same code, span and message from several
// call contexts is kept once, with a count. The zero Sink is ready for use.
type Sink struct {
	list []*Diagnostic
	seen map[key]*Diagnostic
}

type key struct {
	code Code
	at   source.Span
	msg  string
}

// Copied is a Sink with what was reported until now.
func (s *Sink) Copied() *Sink {
	out := &Sink{list: make([]*Diagnostic, len(s.list))}
	for i, d := range s.list {
		x := *d
		out.list[i] = &x
		if out.seen == nil {
			out.seen = make(map[key]*Diagnostic, len(s.list))
		}
		out.seen[key{d.Code, d.At, d.Msg}] = &x
	}
	return out
}

// Report adds d.
func (s *Sink) Report(d *Diagnostic) {
	k := key{d.Code, d.At, d.Msg}
	if old := s.seen[k]; old != nil {
		old.Count = max(old.Count, 1) + 1
		if d.Severity > old.Severity { // what was in doubt is certain
			old.Severity, old.Notes, old.Fixes = d.Severity, d.Notes, d.Fixes
		}
		return
	}
	if s.seen == nil {
		s.seen = make(map[key]*Diagnostic)
	}
	s.seen[k] = d
	s.list = append(s.list, d)
}

// Has reports whether the same as d was reported before.
func (s *Sink) Has(d *Diagnostic) bool { return s.seen[key{d.Code, d.At, d.Msg}] != nil }

// Len returns the number of different diagnostics so far.
func (s *Sink) Len() int { return len(s.list) }

// All returns the diagnostics in the order of their first report.
func (s *Sink) All() []*Diagnostic { return s.list }

// Truncate forgets all diagnostics after the first n. Trial runs use it.
func (s *Sink) Truncate(n int) {
	for _, d := range s.list[n:] {
		delete(s.seen, key{d.Code, d.At, d.Msg})
	}
	s.list = s.list[:n]
}

// Sort orders diagnostics by position, keeping the order of equals.
func Sort(list []*Diagnostic) {
	slices.SortStableFunc(list, func(a, b *Diagnostic) int { return int(a.At.Start) - int(b.At.Start) })
}
