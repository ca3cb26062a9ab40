package isa

// This file evaluates sizes.

import (
	"fmt"
	"math/bits"
	"slices"
)

// A SizeError is a size that cannot be computed for these symbols.
type SizeError struct {
	Size   int // the entry
	Reason string
}

func (e *SizeError) Error() string { return fmt.Sprintf("size %d: %s", e.Size, e.Reason) }

// EvalSizes evaluates the entries whose symbols are all known, in order, into vals, and sets
// ready for them. known and ready may be nil: everything is. Both slices have the
// table's length, syms and known that of the symbols. The program must have been verified.
// Arithmetic beyond 63 bits and division by zero are errors.
func (p *Program) EvalSizes(syms []int64, known []bool, vals []int64, ready []bool) error {
	for i := range p.Sizes {
		if err := p.evalSize(i, syms, known, vals, ready); err != nil {
			return err
		}
	}
	return nil
}

// evalSize computes an entry of the table, whose operands come before it; the error is an overflow or a
// division by zero. ready, where it is there, says which are computed so far: a symbol that is bound later
// leaves an entry open.
func (p *Program) evalSize(i int, syms []int64, known []bool, vals []int64, ready []bool) error {
	ok := true
	switch e := p.Sizes[i].E.(type) {
	case *Size_Const:
		vals[i] = e.Const
	case *Size_Symbol:
		if ok = known == nil || known[e.Symbol]; ok {
			vals[i] = syms[e.Symbol]
		}
	case *Size_Op:
		if ok = ready == nil || ready[e.Op.A] && ready[e.Op.B]; ok {
			v, why := applySize(e.Op.Kind, vals[e.Op.A], vals[e.Op.B])
			if why != "" {
				return &SizeError{i, why}
			}
			vals[i] = v
		}
	case *Size_Real:
		for _, s := range e.Real.Steps {
			ok = ok && (s.Op != RealStep_SIZE || ready == nil || ready[s.Size])
		}
		if ok {
			v, why := e.Real.eval(vals)
			if why != "" {
				return &SizeError{i, why}
			}
			vals[i] = v
		}
	}
	if ready != nil {
		ready[i] = ok
	}
	return nil
}

// applySize computes one operation, or says why it has no result.
func applySize(k SizeOp_Kind, a, b int64) (int64, string) {
	const over = "the result has more than 63 bits"
	switch k {
	case SizeOp_ADD:
		c := a + b
		if (c > a) != (b > 0) && b != 0 {
			return 0, over
		}
		return c, ""
	case SizeOp_SUB:
		c := a - b
		if (c < a) != (b > 0) && b != 0 {
			return 0, over
		}
		return c, ""
	case SizeOp_MUL:
		ua, ub := uint64(a), uint64(b)
		if a < 0 {
			ua = -ua
		}
		if b < 0 {
			ub = -ub
		}
		hi, lo := bits.Mul64(ua, ub)
		if hi != 0 || lo > 1<<63-1 {
			return 0, over
		}
		return a * b, ""
	case SizeOp_FLOORDIV, SizeOp_MOD:
		if b == 0 {
			return 0, "a division by zero"
		}
		if b == -1 {
			if k == SizeOp_MOD {
				return 0, ""
			}
			return applySize(SizeOp_SUB, 0, a)
		}
		q, r := a/b, a%b
		if r != 0 && (r < 0) != (b < 0) {
			q, r = q-1, r+b
		}
		if k == SizeOp_MOD {
			return r, ""
		}
		return q, ""
	case SizeOp_MAX:
		return max(a, b), ""
	case SizeOp_MIN:
		return min(a, b), ""
	}
	return 0, "the operation is not known"
}

// Dependents lists, for each symbol that an instruction binds, the entries that must be
// evaluated again when it is bound, in order; nil for other symbols.
func (p *Program) Dependents() [][]int {
	bound := make([]bool, len(p.Symbols))
	for _, i := range p.Code {
		for _, s := range i.Binds {
			bound[s] = true
		}
	}
	out := make([][]int, len(p.Symbols))
	for s := range p.Symbols {
		if !bound[s] {
			continue
		}
		on := make([]bool, len(p.Sizes))
		for i, z := range p.Sizes {
			switch e := z.E.(type) {
			case *Size_Symbol:
				on[i] = int(e.Symbol) == s
			default:
				on[i] = slices.ContainsFunc(z.parts(), func(x uint32) bool { return on[x] })
			}
			if on[i] {
				out[s] = append(out[s], i)
			}
		}
	}
	return out
}

// EvalSome evaluates the entries that are listed, in order; see EvalSizes. The error is a *SizeError: an entry is
// beyond 63 bits, or divides by zero.
func (p *Program) EvalSome(list []int, syms []int64, known []bool, vals []int64, ready []bool) error {
	for _, i := range list {
		if err := p.evalSize(i, syms, known, vals, ready); err != nil {
			return err
		}
	}
	return nil
}
