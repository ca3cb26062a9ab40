package infer

// This file gives results that are not known a cause: that of the operand by which they
// were lost, so that what a run says of an unknown value is where it began.

import (
	"maps"
	"slices"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// losses are the types and values that are not known, and why.
type losses struct {
	*base
	host     lossesHost
	stack    *stack
	rec      *recorder
	versions *versions
	// explained are the findings that tell of a loss, until the entry comes upon it.
	explained map[*value.Cause]*diag.Diagnostic
	// outsides are the causes of what files would say that may not be read, by name; see gate.go.
	outsides map[string]*value.Cause
	// placeless says that a value was lost where no statement of the program ran.
	placeless bool
}

// A lossesHost reports findings.
type lossesHost interface {
	Report(d *diag.Diagnostic)
}

// copied is a copy for the state after a load, from which each entry begins again.
func (l losses) copied() losses {
	l.explained, l.outsides = maps.Clone(l.explained), maps.Clone(l.outsides)
	for c, d := range l.explained {
		x := *d
		l.explained[c] = &x
	}
	return l
}

// caused notes why the result of what is not known, where nothing says so yet: the cause
// of the first operand that has one, else what itself.
func (l *losses) caused(v value.Value, what string, operands ...value.Value) {
	var w value.Visit
	l.causedIn(&w, v, what, operands)
}

// causedIn gives values that are not known the cause of the operand that was lost first, so that a report names
// the origin and not each place that it passed through. Parts of small tuples and open lists get it, too.
func (l *losses) causedIn(w *value.Visit, v value.Value, what string, operands []value.Value) {
	switch v := v.(type) {
	case *value.SymFloat:
		if v.Lost() && v.Cause == nil {
			v.Cause = l.causeOf(what, operands)
		}
	case *value.SymInt:
		if v.Lost() && v.Cause == nil {
			v.Cause = l.causeOf(what, operands)
		}
	case *value.Abstract:
		if v.Cause == nil || v.Cause.Vague {
			c := l.causeOf(what, operands)
			if v.Cause != nil && c.At == l.stack.currentSpan() {
				c.At = v.Cause.At
			}
			v.Cause = c
		}
	case *value.SymBool:
		if s := l.lostTruth(v); s != nil {
			if c := value.FirstCause(operands...); c != nil {
				l.rec.lostTruths[s] = c
			}
		}
	case *value.Tuple:
		if len(v.Elems) <= 4 && w.Enter(v) { // (fraction, exponent), (head, separator, tail): other tuples are built of elements
			for _, e := range v.Elems {
				l.causedIn(w, e, what, operands)
			}
			w.Leave()
		}
	case *value.List:
		if v.Open != nil && w.Enter(v) {
			l.causedIn(w, v.Open.Elem, what, operands)
			w.Leave()
		}
	}
}

// causeOf is the first cause among the operands, or else a new one that says which result is not known here.
func (l *losses) causeOf(what string, operands []value.Value) *value.Cause {
	if c := value.FirstCause(operands...); c != nil && !c.Vague {
		return c
	}
	reason := "the result of " + what + " is not known"
	for v := range value.Inside(operands...) {
		if r := l.textReason(v); r != "" {
			reason = r
			break
		}
	}
	return &value.Cause{At: l.stack.currentSpan(), Reason: reason}
}

// textReason says why the text of a value that is known is not; empty where it is.
func (l *losses) textReason(v value.Value) string {
	switch v := v.(type) {
	case *value.Set:
		if !v.OrderKnown() && v.Open == nil {
			return "the order of a set of other values than numbers differs between runs of Python"
		}
	case *value.Func, *value.BoundMethod, *value.Module, *value.Iterator:
		return "the text of a " + l.world.TypeOf(v).Name + " has an address in it"
	}
	return ""
}

// lostTruth is the symbol of a truth value that nothing but data decides, and of no
// tensor; nil for all others.
func (l *losses) lostTruth(b *value.SymBool) *symshape.Expr {
	if b.Source != nil || b.Known {
		return nil
	}
	if syms := b.Cond.Symbols(); len(syms) == 1 && l.rec.lostTruths[syms[0]] != nil {
		return syms[0]
	}
	return nil
}

// outputLost gives the causes of the parts of the entry's result of which no more than the
// type is known. Those of which nothing is known are surfaced.
func (en *entry) outputLost() []*value.Cause {
	if en.output == nil {
		return nil
	}
	const depth = 6
	var out []*value.Cause
	seen := map[source.Span]bool{}
	for x := range value.Walk(en.output, depth, value.AllParts&^value.Others) {
		c := value.CauseOf(x)
		if b, ok := x.(*value.SymBool); ok && !b.Known && b.Source == nil {
			for _, s := range b.Cond.Symbols() {
				if c = en.in.rec.lostTruths[s]; c != nil {
					break
				}
			}
		}
		switch {
		case c == nil || c.Reported:
		case value.IsUnknown(x):
			en.in.losses.surface(c)
		case !seen[c.At]:
			seen[c.At] = true
			out = append(out, c)
		}
	}
	return slices.DeleteFunc(out, func(c *value.Cause) bool { return en.in.rec.causeSeen[c.At] })
}

// causedBy is caused for a call of a builtin function.
func (l *losses) causedBy(fn *value.Builtin, v value.Value, args []value.Value, kw []value.Kw) {
	switch v.(type) {
	case *value.SymFloat, *value.SymInt, *value.SymBool, *value.Abstract, *value.Tuple, *value.List:
	default:
		return
	}
	for _, k := range kw {
		args = append(args[:len(args):len(args)], k.Value)
	}
	l.caused(v, strings.TrimSuffix(fn.Name, ".__new__")+"()", args...)
}
