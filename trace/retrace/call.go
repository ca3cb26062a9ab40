// Package retrace keeps the calls of functions that a framework traces (tf.function, jax.jit, torch.jit.trace, torch.export,
// torch.compile) as a script makes them: how often a body ran, why it ran again, what was printed, and what came of it. Which call runs
// a body is decided by the preludes of the frameworks, which the interpreter runs.
//
//	call.go       what is recorded of a call
//	record.go     Record: the calls of a script
//	arguments.go  the arguments of calls as texts
package retrace

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/trace/dynamo"
	"shapecheck/trace/export"
)

// A Call is a call of a traced function from the program's top level.
type Call struct {
	// Framework is "tf", "jax", "jit", "export" or "compile".
	Framework string
	// Kind is empty for a call, else what was called instead, as "get_concrete_function".
	Kind string
	// At is where the statement of the top level stands that makes the call.
	At       source.Span
	Function string
	// Args and Result are types and values as texts.
	Args   []string
	Result string
	// Traces is how often the body ran; nil: not known. Doubted says that it is not, as an
	// earlier call that may not have run may have traced.
	Traces  *int
	Doubted bool
	// Changed says what differs from the nearest earlier call, where the body ran again.
	Changed []string
	// Because says the same in words, where these are known: what is now, and what was.
	Because []string
	// Again says that there was an earlier call to differ from.
	Again bool
	// Printed are the lines printed, Unread says of which the text is not known; Unprinted
	// that how many there are is not known.
	Printed   []string
	Unread    []bool
	Unprinted bool
	// Index is the number of the call. Born is the number of calls that there were when the
	// function was wrapped; -1: not known.
	Index, Born int
	// Effects are what a call of torch.jit.trace or torch.export does while tracing, and a run does not.
	Effects []Effect
	// Prints are the places of print that ran while tracing.
	Prints []source.Span
	// MadeVariables says that the first call made variables, Warning that the framework
	// warns of frequent retracing.
	MadeVariables, Warning bool
	// Equal says of a run of what torch.jit.trace made whether the model gives the same; nil: not known.
	Equal *bool
	// Sites are the tracer's warnings in a trace, where Looked says that they are known.
	// SilentWrong says that there are none, nor in libraries, and a run differs; nil: not known.
	Sites       []*Site
	Looked      bool
	SilentWrong *bool
	// Exports are what torch.export makes in the mode of the call and in the other one; nil: not known.
	Exports []*export.Outcome
	// Compiled is what a call under torch.compile compiled; nil: not known.
	Compiled *dynamo.Call
	// Error ended the call; ErrorAt is where in the program.
	Error   *value.Exception
	ErrorAt source.Span
}

// NewCall is a call of a function that is traced, from a statement of the top level.
func NewCall(framework string, at source.Span) *Call {
	return &Call{Framework: framework, At: at, Born: -1}
}

// A MaybeCall is a call of a traced function under a condition that is not decided, or in a
// loop of which the number of iterations is not known.
type MaybeCall struct {
	// Framework is "tf", "jax" or "compile"; Kind as in Call.
	Framework, Kind, Function string
	At                        source.Span
	// Args are types and values as texts.
	Args []string
	// After is the number of recorded calls before it.
	After int
	// Loop says that a loop of unknown length makes it.
	Loop bool
}

// A Site is a place at which a tracer makes a number, truth value, list or array of
// Python out of a size or tensor, and says so in a warning.
type Site struct {
	At source.Span
	// Kind is what the warning tells: bool, int, float, number (item), list (tolist), numpy,
	// len, iterate, torch.tensor, from_numpy, as_tensor.
	Kind string
	// Verdict is "wrong" where a run shows that the trace gives something else than the model,
	// "harmless" where the runs show no difference, else "unknown".
	Verdict string
	// ShownBy is the run that shows it; nil: none.
	ShownBy *Call
	// OnData says that the elements of tensors decide, not sizes alone.
	OnData bool
	// Check says that it is an assert or the condition of a raise, Raises what the model raises in the run that shows it to be wrong,
	// where the trace gives a result; empty: it does not.
	Check  bool
	Raises string
}

// An Effect is a place of the program and what happens there, as a sentence.
type Effect struct {
	At   source.Span
	What string
}

// The effects that are told apart.
const (
	Printed = "this is printed while tracing only, not by the runs of the trace"
	Grows   = "a list grows here while tracing only, not in the runs of the trace"
	Counts  = "this is counted while tracing only, not in the runs of the trace"
)

// Finding is the warning for people.
func (e Effect) Finding() *diag.Diagnostic {
	d := diag.New(diag.PrintedOnce, e.At, e.What)
	if e.What != Printed {
		d.Notes = append(d.Notes, "keep it in a buffer, give it back as a result, or do it where the model is called")
	}
	return d
}
