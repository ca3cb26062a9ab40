package export

// This file has what torch.export makes of a module, or why it makes nothing.

import (
	"strconv"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// An Outcome is what torch.export says of a module in one of its two modes.
type Outcome struct {
	Strict bool
	// Inputs are the tensors among the arguments with their sizes, and other arguments.
	Inputs []Input
	Ranges []Range
	// Error is what it refuses; nil: it makes a program.
	Error *Error
}

// An Input is an argument: the sizes of a tensor as texts, or what else it is.
type Input struct {
	Name  string
	Sizes []string
	Text  string // of what is no tensor
}

// A Range bounds a symbol; symshape.NegInf and PosInf: it does not.
type Range struct {
	Name   string
	Lo, Hi int64
}

// An ErrorKind says what a program is refused for.
type ErrorKind uint8

// The kinds of errors. OfTracer is what another tracer than torch.export raises.
const (
	OfTracer ErrorKind = iota
	ConstraintsViolated
	DataDependentGuard
	DataDependentSize
	DataDependentBranch
	Unsupported
	OtherError
	errorKinds
)

// kindNames are the names of kinds in reports.
var kindNames = [errorKinds]string{
	ConstraintsViolated: "constraints violated",
	DataDependentGuard:  "data-dependent guard",
	DataDependentSize:   "data-dependent size",
	DataDependentBranch: "data-dependent branch",
	Unsupported:         "unsupported",
	OtherError:          "other",
}

func (k ErrorKind) String() string { return kindNames[k] }

// ErrorKinds are all kinds of errors of torch.export.
func ErrorKinds() []ErrorKind {
	out := make([]ErrorKind, 0, errorKinds-1)
	for k := ConstraintsViolated; k < errorKinds; k++ {
		out = append(out, k)
	}
	return out
}

// An Error is why there is no program.
type Error struct {
	Type, Message string
	Kind          ErrorKind
	// At is where in the program; it may be invalid.
	At source.Span
	// Fixes are the declarations of sizes that the module takes, as torch.export suggests them; Further those that it leaves to find.
	Fixes, Further []Declaration
	// Raised is the exception of the program itself; nil: it is torch.export's own.
	Raised *value.Exception
	// Reported is the finding that says so; nil: there is none.
	Reported *diag.Diagnostic
}

// Finding is the error for people, at the call of torch.export unless it has a place of its own.
func (e *Error) Finding(call source.Span) *diag.Diagnostic {
	code := diag.DataDecides
	if e.Kind == ConstraintsViolated || e.Kind == OtherError {
		code = diag.RestrictedDim
	}
	at := e.At
	if !at.IsValid() {
		at = call
	}
	d := diag.New(code, at, "torch.export: "+e.Message)
	for _, f := range e.Fixes {
		d.Notes = append(d.Notes, "declare "+f.String())
	}
	for _, f := range e.Further {
		d.Notes = append(d.Notes, "declare "+f.String()+", which torch.export does not say at once")
	}
	return d
}

// Outcome is what torch.export makes of a run of the body, which raised an exception or nil; nil: that is not known.
func (p *Program) Outcome(notes *Run, raised *value.Exception) *Outcome {
	out := &Outcome{Strict: notes.strict}
	switch {
	case notes.fault != nil:
		f := notes.fault
		out.Error = &Error{Type: f.class, Kind: f.kind, Message: f.text, At: p.host.InProgram(f.at)}
		return out
	case notes.missed:
		return nil
	case raised != nil:
		e := raised
		out.Error = &Error{Type: e.Value.Class.Name, Kind: OtherError, Message: e.Error(), At: p.host.OwnPlace(e), Raised: e}
		if e.Value.Class.Name == "UncapturedHigherOrderOpError" || notes.strict {
			out.Error.Kind = Unsupported
		}
		return out
	}
	s := p.solve(notes)
	if out.Error = s.violated(); out.Error != nil {
		return out
	}
	for _, l := range p.leaves {
		given := Input{Name: l.name}
		if t, ok := l.given.(*value.Tensor); ok && t.Type().Ranked {
			given.Sizes = []string{}
			for i, d := range t.Type().Shape {
				text := d.String()
				if l.dims[i] != nil && l.dims[i].size != nil {
					text = s.text(l.dims[i].size)
				}
				given.Sizes = append(given.Sizes, text)
			}
		} else if len(l.dims) == 1 {
			given.Text = s.text(l.dims[0].size)
		} else {
			given.Text = ScalarText(l.given)
		}
		out.Inputs = append(out.Inputs, given)
	}
	out.Ranges = s.ranges()
	return out
}

// ScalarText is an argument that is no tensor: a number as Python has it.
func ScalarText(v value.Value) string {
	switch v := v.(type) {
	case value.Int:
		return strconv.FormatInt(int64(v), 10)
	case value.Str:
		return string(v)
	case value.Bool:
		if v {
			return "True"
		}
		return "False"
	case value.Float:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	}
	return v.String()
}
