package export

// This file is about how a Dim is to be declared so that a module takes its sizes.

import (
	"fmt"
	"strconv"

	"shapecheck/symshape"
)

// A DeclarationKind says what a Dim is to be.
type DeclarationKind uint8

const (
	// Ranged is a Dim of its own, FixedSize a number; Derived is made of another Dim.
	Ranged DeclarationKind = iota
	FixedSize
	Derived
)

// A Declaration says what a name of dynamic_shapes is to be.
type Declaration struct {
	Name string
	Kind DeclarationKind
	// Dim is the name that a ranged one has, Min and Max are its bounds. 0: none is stated; symshape.PosInf: that there is none is.
	Dim      string
	Min, Max int64
	// Size is the number of a fixed one, Of what a derived one is.
	Size int64
	Of   DerivedSize
}

// A DerivedSize is made of a Dim.
type DerivedSize struct {
	Text string // as Python
	Dim  string
	// Offset is what is added to the Dim or a multiple of it; Plain says that it is the Dim itself.
	Offset int64
	Plain  bool
}

// multipleOf is factor·dim + offset.
func multipleOf(dim string, factor, offset int64) DerivedSize {
	d := DerivedSize{Text: dim, Dim: dim, Offset: offset, Plain: factor == 1 && offset == 0}
	if factor != 1 {
		d.Text = fmt.Sprintf("%d*%s", factor, dim)
	}
	switch {
	case offset > 0:
		d.Text += fmt.Sprintf(" + %d", offset)
	case offset < 0:
		d.Text += fmt.Sprintf(" - %d", -offset)
	}
	return d
}

// derivedFrom is a size that an expression makes of one Dim.
func derivedFrom(e *symshape.Expr) DerivedSize {
	d := DerivedSize{Text: e.String()}
	for _, sym := range e.Symbols() {
		d.Dim, d.Plain = sym.String(), sym == e
	}
	if n, err := e.Eval(func(string) (int64, bool) { return 0, true }); err == nil {
		d.Offset = n
	}
	return d
}

// rangedDim declares a Dim with the bounds that there are.
func rangedDim(name string, lo, hi int64) Declaration {
	d := Declaration{Name: name, Dim: name, Min: max(lo, 0)}
	if hi != symshape.PosInf {
		d.Max = hi
	}
	return d
}

// fixedDim declares a number.
func fixedDim(name string, n int64) Declaration {
	return Declaration{Name: name, Kind: FixedSize, Size: n}
}

// String is the declaration as torch.export suggests it.
func (d Declaration) String() string {
	if d.Kind == Ranged {
		return d.Name + " = " + d.dim("Dim", "'", true)
	}
	return d.Name + " = " + d.Python("")
}

// Python is what is declared as Python; dim is the name of torch.export.Dim.
func (d Declaration) Python(dim string) string {
	switch d.Kind {
	case FixedSize:
		return strconv.FormatInt(d.Size, 10)
	case Derived:
		return d.Of.Text
	}
	return d.dim(dim, `"`, false)
}

// dim is a call that makes a Dim; open says whether it states that there is no greatest size.
func (d Declaration) dim(function, quote string, open bool) string {
	text := function + "(" + quote + d.Dim + quote
	if d.Min != 0 {
		text += fmt.Sprintf(", min=%d", d.Min)
	}
	switch {
	case d.Max == 0:
	case d.Max != symshape.PosInf:
		text += fmt.Sprintf(", max=%d", d.Max)
	case open:
		text += ", max=oo"
	}
	return text + ")"
}
