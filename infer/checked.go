package infer

// This file says whether a run looked at anything: a run that came upon nothing must
// not read as one that found nothing wrong.

import (
	"cmp"
	"fmt"
	"slices"

	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// unchecked says why nothing of the entry was checked; empty when something was: a
// type that is known, a result that is known, an error on the way.
func (en *entry) unchecked() string {
	entryErrors := false
	for _, d := range en.sink.All() {
		entryErrors = entryErrors || d.Severity == diag.Error && !d.Aside && d.Code != diag.InternalError
	}
	switch {
	case en.wants != "" && !entryErrors: // what comes behind it is not known
		return en.wants + " is not installed"
	case en.in.rec.typed > 0:
		return ""
	case en.called && entryErrors:
		return ""
	case en.called && en.cfg.Script == nil && en.output != nil && !Lost(en.output):
		return ""
	}
	if en.exit.IsValid() {
		if p := en.files.Position(en.exit.Start); p.File != nil {
			return endsAt(p)
		}
	}
	if b, ok := en.in.spent.over.(errBudget); ok {
		return b.msg
	}
	if !en.called {
		for _, d := range en.sink.All() {
			if d.Severity == diag.Error && !d.Aside {
				d.Ended = true
				return "the entry was not called: " + d.Msg
			}
		}
	}
	if len(en.in.rec.causes) > 0 {
		return en.in.rec.causes[0].Reason
	}
	if en.cfg.Script != nil && !en.usesTensors() {
		return "the script computes no tensor whose type is known"
	}
	if en.cfg.Script != nil {
		return "" // it ran to its end, and nothing was lost
	}
	return "the entry computes nothing whose type is known"
}

// usesTensors reports whether a script has a library of tensors and calls something, even where no name of its own is bound to a tensor. A
// file of definitions alone runs to its end, too.
func (en *entry) usesTensors() bool {
	if en.main == nil || en.main.File == nil || !slices.ContainsFunc(en.in.LoadedModules(), catalog.IsLibrary) {
		return false
	}
	u, err := en.in.finder.unit(en.main.File, en.in.finder.isProjectFile(en.main.File))
	return err == nil && slices.ContainsFunc(u.tree.Body, func(s ast.Stmt) bool {
		e, ok := s.(*ast.ExprStmt)
		if !ok {
			return false
		}
		_, called := e.Value.(*ast.Call)
		return called
	})
}

// stopped says where a script ended itself before its last statement.
func (en *entry) stopped() string {
	p := en.files.Position(en.exit.Start)
	if !en.exit.IsValid() || p.File == nil || en.main == nil || en.main.File == nil {
		return ""
	}
	u, err := en.in.finder.unit(en.main.File, en.in.finder.isProjectFile(en.main.File))
	if err != nil || len(u.tree.Body) == 0 {
		return ""
	}
	last, _ := u.file.LineCol(u.tree.Body[len(u.tree.Body)-1].Span().Start)
	if en.in.rec.reachedLines[u.file][last] {
		return ""
	}
	return endsAt(p)
}

// endsAt names the line of a script's end.
func endsAt(p source.Position) string {
	if c, ok := p.File.Cell(p.Line); ok {
		return fmt.Sprintf("the notebook ends at line %d of cell %d", c.Line, c.Cell)
	}
	return fmt.Sprintf("the script ends at line %d", p.Line)
}

// weights sorts the causes of unknown targets.
func (en *entry) weights() []Weight {
	var first *value.Cause
	if en.output != nil && !Known(en.output) {
		first = value.FirstCause(en.output)
	}
	type key struct {
		at     source.Span
		reason string
	}
	index := map[key]int{}
	var out []Weight
	for c, n := range en.in.rec.weights {
		k := key{c.At, c.Reason}
		i, met := index[k]
		if !met {
			i = len(out)
			index[k] = i
			out = append(out, Weight{Cause: c})
		}
		out[i].Count += n
	}
	// Positions of files depend on which of several runs at the same time read them first: names do not.
	file := func(w Weight) string {
		if f := en.files.File(w.Cause.At.Start); f != nil {
			return f.Label()
		}
		return ""
	}
	inorder.By(out, func(a, b Weight) int {
		return cmp.Or(
			-boolOrder(sameCause(a.Cause, first), sameCause(b.Cause, first)),
			cmp.Compare(b.Count, a.Count), cmp.Compare(file(a), file(b)), cmp.Compare(a.Cause.At.Start, b.Cause.At.Start), cmp.Compare(a.Cause.Reason, b.Cause.Reason))
	})
	return out
}

// sameCause reports whether two causes say the same of the same place; b may be nil.
func sameCause(a, b *value.Cause) bool {
	return b != nil && a.At == b.At && a.Reason == b.Reason
}

// boolOrder compares truth values: false goes before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}
