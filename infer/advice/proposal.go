package advice

// This file says which other numbers in the source may resolve a fault: what made a
// size can lie far from the call that fails, so the whole entry is to be run again
// with the number changed. Package driver does that (numbers.go there), as a run
// does not start another one.

import (
	"strconv"

	"shapecheck/internal/diag"
	"shapecheck/internal/inorder"
)

// A Proposal is a fault and the changes that may resolve it; or says, without a
// change, what is needed.
type Proposal struct {
	Diag    *diag.Diagnostic
	Changes []NumberChange
	// Otherwise is the advice when none of the changes is right; empty: none.
	Otherwise string
}

// A NumberChange is another number at one place of the source, or at two.
type NumberChange struct {
	Title string
	// Edits are the changes of the text, the last place first.
	Edits []diag.Edit
	// Usual says that where several changes resolve the fault this one is meant.
	Usual bool
}

// A numberChange is a NumberChange that is being made.
type numberChange struct {
	title string
	at    *numeral
	n     int64
	// with is a normalisation's number of features that changes with it, or nil.
	with  *numeral
	usual bool
}

// A faultNumbers is a Proposal that is being made.
type faultNumbers struct {
	diag      *diag.Diagnostic
	changes   []numberChange
	otherwise string
}

func (f *faultNumbers) proposal() *Proposal {
	p := &Proposal{Diag: f.diag, Otherwise: f.otherwise}
	for _, c := range f.changes {
		p.Changes = append(p.Changes, NumberChange{c.title, c.edits(), c.usual})
	}
	return p
}

// edits are the changes of the text, the last place first.
func (c *numberChange) edits() []diag.Edit {
	text := strconv.FormatInt(c.n, 10)
	list := []diag.Edit{{At: c.at.expr.Span(), NewText: text}}
	if c.with != nil {
		list = append(list, diag.Edit{At: c.with.expr.Span(), NewText: text})
	}
	inorder.By(list, func(a, b diag.Edit) int { return int(b.At.Start) - int(a.At.Start) })
	return list
}
