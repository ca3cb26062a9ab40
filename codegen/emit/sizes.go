package emit

// This file writes sizes into their table, each once.

import (
	"fmt"

	"shapecheck/codegen/isa"
	"shapecheck/symshape"
)

// A sizeKey is an entry of the table.
type sizeKey struct {
	kind isa.SizeOp_Kind // NONE: a constant, or with a name a symbol
	name string
	n    int64
	a, b uint32
	real string // the content of one that is made of a float
}

// size gives the entry of an expression.
func (e *emitter) size(x *symshape.Expr) uint32 {
	i, ok := symshape.Build[uint32](x, sizeBuilder{e})
	if !ok {
		e.failf("the size %s is not known, or takes too many steps", x)
	}
	return i
}

type sizeBuilder struct{ *emitter }

func (s sizeBuilder) entry(k sizeKey, make func() *isa.Size) uint32 {
	if i, ok := s.sizes[k]; ok {
		return i
	}
	i := uint32(len(s.p.Sizes))
	s.p.Sizes = append(s.p.Sizes, make())
	s.sizes[k] = i
	return i
}

func (s sizeBuilder) op(kind isa.SizeOp_Kind, a, b uint32) uint32 {
	return s.entry(sizeKey{kind: kind, a: a, b: b}, func() *isa.Size {
		return &isa.Size{E: &isa.Size_Op{Op: &isa.SizeOp{Kind: kind, A: a,
			B: b}}}
	})
}

func (s sizeBuilder) Const(n int64) uint32 {
	return s.entry(sizeKey{n: n}, func() *isa.Size { return &isa.Size{E: &isa.Size_Const{Const: n}} })
}

func (s sizeBuilder) Symbol(name string) uint32 {
	id, ok := s.symbols[name]
	if !ok {
		s.failf("nothing binds the symbol %s", name)
	}
	return s.entry(sizeKey{name: name}, func() *isa.Size { return &isa.Size{E: &isa.Size_Symbol{Symbol: id}} })
}

func (s sizeBuilder) Add(a, b uint32) uint32      { return s.op(isa.SizeOp_ADD, a, b) }
func (s sizeBuilder) Mul(a, b uint32) uint32      { return s.op(isa.SizeOp_MUL, a, b) }
func (s sizeBuilder) FloorDiv(a, b uint32) uint32 { return s.op(isa.SizeOp_FLOORDIV, a, b) }
func (s sizeBuilder) Max(a, b uint32) uint32      { return s.op(isa.SizeOp_MAX, a, b) }
func (s sizeBuilder) Min(a, b uint32) uint32      { return s.op(isa.SizeOp_MIN, a, b) }

// Round makes an entry of floats, which older readers do not know.
func (s sizeBuilder) Round(how symshape.Rounding, steps []symshape.RealStep[uint32]) uint32 {
	r := &isa.RealSize{Round: isa.RealRound(how)}
	for _, x := range steps {
		step := &isa.RealStep{}
		switch x.Op {
		case symshape.OpInt:
			step.Op, step.Size = isa.RealStep_SIZE, x.Of
		case symshape.OpConst:
			step.Op, step.Const = isa.RealStep_CONST, x.Const
		default:
			step.Op, _ = isa.RealOp(x.Op)
		}
		r.Steps = append(r.Steps, step)
	}
	if len(s.p.Features) == 0 {
		s.p.Features, s.p.Minor = []string{isa.FeatureReal}, 1
	}
	return s.entry(sizeKey{real: fmt.Sprint(how, steps)}, func() *isa.Size { return &isa.Size{E: &isa.Size_Real{Real: r}} })
}
