package lib

// This file defines reveal_type, which type checkers know as a builtin and typing
// defines: it reports the type of its argument and returns it.

import (
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

func revealType(th value.Thread, a []value.Value) (value.Value, error) {
	t := a[0].String()
	th.Report(diag.New(diag.RevealedType, th.Here(), "the type is "+t, t))
	return a[0], nil
}
