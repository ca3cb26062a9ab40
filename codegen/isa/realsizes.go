package isa

// This file holds the sizes that are made of binary64 numbers: their evaluation, their checks
// and their text, such as "int(float(H) * 0.7)".
//
// Such a size comes from Python code like int(x.shape[2] * 0.5), which rounds in binary64 at each
// operation: it cannot be simplified as an integer expression without a change of the result. It
// is therefore stored as it was written, as the steps of a stack machine (reverse Polish
// notation): a step pushes a size or a number, or replaces its one or two operands by the result.
// The last step is followed by one rounding to an integer. The semantics of each step are
// symshape's, so that compiler and runtime compute the same number.

import (
	"fmt"
	"math"
	"strings"

	"shapecheck/symshape"
)

// FeatureReal is what a program names that has such sizes. A reader that does not know the
// feature refuses the program, instead of reading sizes that it cannot evaluate.
const FeatureReal = "real"

// maxRealSteps bounds the steps of one size. It bounds the time of a run's shape computation,
// which is proportional to it, and the stack.
const maxRealSteps = symshape.MaxRealSteps

// realOps say what the operations with operands compute. The index is the stored form; entries
// with 0 args (NONE, SIZE, CONST) are no operations.
var realOps = [...]struct {
	op   symshape.RealOp
	text string // between the operands, or before them in parentheses
	args int
}{
	RealStep_ADD: {symshape.OpAdd, "+", 2}, RealStep_SUB: {symshape.OpSub, "-", 2}, RealStep_MUL: {symshape.OpMul, "*", 2},
	RealStep_DIV: {symshape.OpDiv, "/", 2},
	RealStep_NEG: {symshape.OpNeg, "neg", 1}, RealStep_SQRT: {symshape.OpSqrt, "sqrt", 1}, RealStep_FLOORDIV: {symshape.OpFDiv, "//", 2},
	RealStep_MOD: {symshape.OpMod, "%", 2},
	RealStep_POW: {symshape.OpPow, "pow", 2}, RealStep_MIN: {symshape.OpMin, "min", 2}, RealStep_MAX: {symshape.OpMax, "max", 2},
}

// roundings are the ways to an integer; their texts are symshape's.
var roundings = [...]symshape.Rounding{RealSize_FLOOR: symshape.RoundFloor, RealSize_CEIL: symshape.RoundCeil,
	RealSize_INT: symshape.RoundTrunc, RealSize_ROUND: symshape.RoundEven}

// RealOp and RealRound give the stored forms of symshape's; ok is false for what has none. The
// search is linear: there are a dozen operations.
func RealOp(op symshape.RealOp) (RealStep_Op, bool) {
	for i, r := range realOps {
		if r.args > 0 && r.op == op {
			return RealStep_Op(i), true
		}
	}
	return 0, false
}

// RealRound gives the stored form of a rounding.
func RealRound(how symshape.Rounding) RealSize_Round {
	for i, r := range roundings {
		if i > 0 && r == how {
			return RealSize_Round(i)
		}
	}
	return RealSize_NONE
}

// parts gives the entries that an entry is made of. These are indices into the program's table of
// sizes; a size or symbol without parts gives nil, and an entry that is used twice stands twice.
func (z *Size) parts() []uint32 {
	switch e := z.E.(type) {
	case *Size_Op:
		return []uint32{e.Op.A, e.Op.B}
	case *Size_Real:
		var out []uint32
		for _, s := range e.Real.Steps {
			if s.Op == RealStep_SIZE {
				out = append(out, s.Size)
			}
		}
		return out
	}
	return nil
}

// with is the entry with its parts mapped. The entry itself is not changed. Those without parts
// are returned as they are.
func (z *Size) with(to func(uint32) uint32) *Size {
	switch e := z.E.(type) {
	case *Size_Op:
		a := to(e.Op.A)
		return &Size{E: &Size_Op{&SizeOp{Kind: e.Op.Kind, A: a, B: to(e.Op.B)}}}
	case *Size_Real:
		r := &RealSize{Round: e.Real.Round}
		for _, s := range e.Real.Steps {
			t := &RealStep{Op: s.Op, Const: s.Const}
			if s.Op == RealStep_SIZE {
				t.Size = to(s.Size)
			}
			r.Steps = append(r.Steps, t)
		}
		return &Size{E: &Size_Real{r}}
	}
	return z
}

// key is the content of an entry as text. Numbers are written by their bits: 0 and -0 are
// different, and two equal keys always compute the same.
func (r *RealSize) key() string {
	var b strings.Builder
	fmt.Fprint(&b, int32(r.Round))
	for _, s := range r.Steps {
		fmt.Fprintf(&b, " %d %d %x", s.Op, s.Size, math.Float64bits(s.Const))
	}
	return b.String()
}

// wellFormed says why the entry at index i cannot be evaluated; empty: it can. It walks the steps
// and counts the height of the stack: no operation may find too few operands and one number must
// be left. Sizes must have a smaller index than i, so that one pass over the table computes all
// of them and there are no cycles. A program that passes cannot make eval go out of bounds.
func (r *RealSize) wellFormed(i int) string {
	if r == nil || r.Round <= RealSize_NONE || int(r.Round) >= len(roundings) {
		return "is rounded in no known way"
	}
	if len(r.Steps) > maxRealSteps {
		return fmt.Sprintf("has more than %d steps", maxRealSteps)
	}
	depth := 0
	for _, s := range r.Steps {
		switch {
		case s == nil:
			return "has an empty step"
		case s.Op != RealStep_SIZE && s.Size != 0, s.Op != RealStep_CONST && s.Const != 0, math.IsNaN(s.Const) || math.IsInf(s.Const, 0):
			return "has a step with a number that it cannot have"
		case s.Op == RealStep_SIZE && int(s.Size) >= i:
			return "is not made of earlier sizes"
		case s.Op == RealStep_SIZE, s.Op == RealStep_CONST:
			depth++
		case s.Op <= RealStep_NONE || int(s.Op) >= len(realOps):
			return "has a step that is not known"
		case depth < realOps[s.Op].args:
			return "lacks operands"
		default:
			depth -= realOps[s.Op].args - 1
		}
	}
	if depth != 1 {
		return "does not make one number"
	}
	return ""
}

// eval computes the entry from those before it, or says why it has no result. vals are the sizes
// that were computed already. A division of two sizes is Python's division of integers, whose
// result is the rounded true quotient even where one of them is above 2⁵³; floats would round
// twice. What fails is a division by zero, a root or power without a real result, and a rounded
// number that is not finite or exceeds 64 bits.
func (r *RealSize) eval(vals []int64) (int64, string) {
	type item struct {
		v   float64
		n   int64
		int bool
	}
	// Most sizes need a few places: they stay on the stack of the goroutine.
	var space [16]item
	stack := space[:0]
	for _, s := range r.Steps {
		switch s.Op {
		case RealStep_SIZE:
			n := vals[s.Size]
			stack = append(stack, item{float64(n), n, true})
		case RealStep_CONST:
			stack = append(stack, item{v: s.Const})
		default:
			o := &realOps[s.Op]
			top := len(stack) - o.args
			var y item
			if o.args == 2 {
				y = stack[top+1]
			}
			var v float64
			var err error
			if x := stack[top]; s.Op == RealStep_DIV && x.int && y.int {
				v, err = symshape.IntQuotient(x.n, y.n)
			} else {
				v, err = symshape.EvalReal(o.op, x.v, y.v)
			}
			if err != nil {
				return 0, err.Error()
			}
			stack = append(stack[:top], item{v: v})
		}
	}
	n, err := symshape.RoundFloat(stack[0].v, roundings[r.Round])
	if err != nil {
		return 0, err.Error()
	}
	return n, ""
}

// text writes the entry with the texts of those that it uses. Operators with a sign are written
// between their operands in parentheses, the others as calls, so that the text needs no
// precedences to be read back: the assembler's real is its inverse.
func (r *RealSize) text(names []string) string {
	var stack []string
	for _, s := range r.Steps {
		switch s.Op {
		case RealStep_SIZE:
			stack = append(stack, "float("+names[s.Size]+")")
		case RealStep_CONST:
			stack = append(stack, floatText(s.Const))
		default:
			o := &realOps[s.Op]
			args := stack[len(stack)-o.args:]
			text := o.text + "(" + strings.Join(args, ", ") + ")"
			if o.args == 2 && o.text[0] < 'a' {
				text = "(" + strings.Join(args, " "+o.text+" ") + ")"
			}
			stack = append(stack[:len(stack)-o.args], text)
		}
	}
	inner := stack[0]
	if inner[0] != '(' {
		inner = "(" + inner + ")"
	}
	return roundings[r.Round].String() + inner
}

// rounded reads what text writes, after the name of the rounding. It returns the index of the
// entry, which is an older one if there is one with the same key.
func (a *assembler) rounded(round RealSize_Round) uint32 {
	r := &RealSize{Round: round}
	a.expect("(")
	a.real(r)
	a.expect(")")
	z := &Size{E: &Size_Real{r}}
	if len(r.Steps) > maxRealSteps {
		a.fail("the number has more than %d steps", maxRealSteps)
	}
	return a.entry(sizeKey{kind: -3, real: r.key()}, z)
}

// real reads a number, or one operation between two; further ones are in parentheses. Nesting is
// bounded, so that a text of many parentheses cannot exhaust the stack.
func (a *assembler) real(r *RealSize) {
	if a.depth++; a.depth > 4*MaxNesting {
		a.fail("expressions are nested too deep")
	}
	defer func() { a.depth-- }()
	a.realOperand(r)
	for op := range realOps {
		if o := &realOps[op]; o.args == 2 && o.text[0] < 'a' && a.take(o.text) {
			a.realOperand(r)
			r.Steps = append(r.Steps, &RealStep{Op: RealStep_Op(op)})
			return
		}
	}
}

// realOperand reads a number, float(size) or an operation, into the steps of a stack machine.
// Names beside float must be those of operations that text writes as calls. "inf" and "nan" are
// read as numbers here and are refused by wellFormed.
func (a *assembler) realOperand(r *RealSize) {
	if a.take("(") {
		a.real(r)
		a.expect(")")
		return
	}
	if w := a.peek(); w.kind != 'n' || w.text == "inf" || w.text == "nan" {
		r.Steps = append(r.Steps, &RealStep{Op: RealStep_CONST, Const: a.float()})
		return
	}
	name := a.name()
	a.expect("(")
	if name == "float" {
		r.Steps = append(r.Steps, &RealStep{Op: RealStep_SIZE, Size: a.expr(0)})
		a.expect(")")
		return
	}
	for op := range realOps {
		if o := &realOps[op]; o.args > 0 && o.text == name {
			a.real(r)
			if o.args == 2 {
				a.expect(",")
				a.real(r)
			}
			a.expect(")")
			r.Steps = append(r.Steps, &RealStep{Op: RealStep_Op(op)})
			return
		}
	}
	a.fail("%q is no operation of numbers", name)
}
