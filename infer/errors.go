package infer

// This file holds the ends of a run that are no Python exceptions, and what
// becomes of exceptions that nobody catches.

import (
	"errors"
	"fmt"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/parser/ast"
)

// uncaught turns an error that reached the entry into a diagnostic.
func (in *Interp) uncaught(err error) {
	if in.spent.over != nil && errors.Is(err, in.spent.over) { // finish and result tell
		return
	}
	var e *value.Exception
	if !errors.As(err, &e) {
		in.Report(diag.New(diag.InternalError, in.Here(), err.Error()))
		return
	}
	if e.Diag != nil {
		in.report(e)
		return
	}
	in.report(&value.Exception{Value: e.Value, Diag: in.raises(e), At: e.At, Frames: e.Frames})
}

// raises is the diagnostic of an exception that the program raised.
func (in *Interp) raises(e *value.Exception) *diag.Diagnostic {
	in.quiet++
	text, _ := in.Str(e.Value)
	in.quiet--
	msg := "raises " + e.Value.Class.Name
	if text != "" {
		msg += ": " + text
	}
	d := diag.New(diag.UncaughtRaise, e.At, msg, e.Value.Class.Name, text)
	d.Operands, d.Sizes.Negative = e.Sides, e.Negative
	d.Fact = diag.Fact{Raised: e.Value.Class.Name + ": " + text}
	if e.Value.Class.Name == "NotImplementedError" {
		d.Fact.Kind = diag.NotImplemented
	} else if strings.Contains(text, "None") {
		d.Fact.Kind = diag.OfNone // in the program's words
	}
	if in.exceptions.wanted(e) != "" {
		d.Severity = diag.Info // that is said of the environment
	}
	return d
}

// wanted is the package that is not installed for want of which the program raises an exception; empty for others.
func (ex *exceptions) wanted(e *value.Exception) string {
	lacks := ex.in.imports.lacks
	if len(lacks) == 0 || e.Diag != nil {
		return ""
	}
	ex.quiet++
	text, _ := ex.in.Str(e.Value)
	ex.quiet--
	if !e.Value.Class.IsSubclass(ex.world.Class("ImportError")) && !strings.Contains(strings.ToLower(text), "install") {
		return ""
	}
	for _, name := range lacks {
		if strings.Contains(text, name) {
			return name
		}
	}
	return lacks[len(lacks)-1]
}

// topLevelFault decides what an exception at a module's top level means. In the
// entry's own file the rest still defines names, so the run goes on with the
// next statement after noting it; sys.exit ends the module.
func (im *imports) topLevelFault(m *value.Module, f *frame, s ast.Stmt, e *value.Exception) (stop bool) {
	exit := im.world.Class("SystemExit")
	reason := fmt.Sprintf("top-level code stopped with %s", e.Value.Class.Name)
	if exit != nil && e.Value.Class.IsSubclass(exit) {
		reason = "top-level code calls sys.exit"
	}
	c := &value.Cause{At: s.Span(), Reason: reason}
	if m.Partial == nil {
		m.Partial = c
	}
	im.rec.partial(m, c)
	im.losses.explain(c, diag.New(diag.PartialTopLevel, c.At, reason+": names that are not defined by then are unknown", m.Name))
	return false
}

// preludeText is the message of an error that library code raises, after the
// name of the layer whose code it is.
func (ex *exceptions) preludeText(f *frame, text string) string {
	if f.fn == nil || len(f.fn.Params.Args) == 0 || f.fn.Params.Args[0].Name != "self" || len(f.V) == 0 {
		return text
	}
	self, ok := f.V[0].(*value.Instance)
	if !ok || ex.modules["torch.nn"] == nil || !self.Class.IsSubclass(ex.in.Class("torch.nn.Module")) || strings.Contains(text, self.Class.Name) {
		return text
	}
	return self.Class.Name + ": " + text
}
