package infer

// This file has a run measured (Config.Time): the modules that it imports and the functions of the program that it calls, with
// its steps and nodes.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/source"
	"shapecheck/internal/timing"
)

// tellCounts says how many steps and nodes the run has by now.
func (in *Interp) tellCounts() {
	if t := in.cfg.Time; t != nil {
		t.At(in.spent.steps, in.build.Made())
	}
}

// beginPhase begins a part of a run, which endSpan ends.
func (in *Interp) beginPhase(name string) timing.Span {
	in.tellCounts()
	return in.cfg.Time.Begin(timing.Phase, name)
}

func (in *Interp) endSpan(s timing.Span) {
	in.tellCounts()
	s.End()
}

// timeModule measures the top level of a module until the function that it gives is called.
func (in *Interp) timeModule(m *value.Module, file *source.File) (end func()) {
	phase := in.beginPhase(timing.Import)
	span := in.cfg.Time.BeginIn(timing.Module, m.Name, timedFile(file))
	return func() {
		in.endSpan(span)
		phase.End()
	}
}

// timedFile is what a file is called where it is measured; our own have the names of their modules alone.
func timedFile(file *source.File) string {
	if file.Prelude {
		return ""
	}
	return file.Label()
}

// timeCall measures a call of a function until the function that it gives is called.
func (in *Interp) timeCall(c *code, fn *value.Func) (end func()) {
	span := in.beginCall(c, fn)
	return func() { in.endSpan(span) }
}

// beginCall is timeCall for who calls endSpan. The row of a function is found once for each track.
func (in *Interp) beginCall(c *code, fn *value.Func) timing.Span {
	t := in.cfg.Time
	if c.row == nil || c.timedBy != t {
		line := 0
		if c.node != nil {
			line = in.files.Position(c.node.Span().Start).Line
		}
		c.row, c.timedBy = t.Row(timing.Function, fn.Qualname, timedFile(c.unit.file), line), t
	}
	in.tellCounts()
	return t.BeginRow(c.row)
}
