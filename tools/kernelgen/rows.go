package main

// This file writes functions of one row: exp, tanh, erf, sigmoid, and what softmax and norms
// are made of. Polynomials are weighted minimax fits of our own in float64, rounded to
// float32; the errors are those that a test measures.
//
// The generator knows two instruction sets, and each function is written once as a body for both:
// what differs is masks (K registers, or a vector as a mask) and a few instructions. Rests of a
// row that are no whole vector go through the same body with a mask, so the results do not depend
// on where an element stands in its row.

import (
	"bytes"
	"fmt"
	"math"
)

// Offsets of tile.Row's fields.
const (
	rowX, rowY, rowN, rowZ, rowZ2, rowMasks = 0, 8, 16, 24, 32, 40
	rowA, rowB, rowOut                      = 48, 52, 56
)

// consts are the numbers that the functions use, each as wide as a vector in one table.
var consts = []struct {
	name string
	bits uint32
}{
	{"log2e", fb(1.4426950408889634)}, {"ln2hi", fb(0.693359375)}, {"ln2lo", fb(-2.12194440e-4)}, {"one", fb(1)}, {"two", fb(2)},
	{"explo", fb(-104)}, {"exphi", fb(89)}, {"sign", 1 << 31}, {"abs", 1<<31 - 1},
	{"e4", fb(0.001381459878757596)}, {"e3", fb(0.008368716575205326)}, {"e2", fb(0.04166838899254799)}, {"e1", fb(0.1666652113199234)},
	{"e0", fb(0.4999999403953552)},
	{"t5", fb(0.0001842935016611591)}, {"t4", fb(0.001392585108987987)}, {"t3", fb(0.008335970342159271)}, {"t2", fb(0.04166654869914055)},
	{"t1", fb(0.16666655242443085)}, {"t0", fb(0.5)},
	{"tmax", fb(20)}, {"tcut", fb(0.3465)}, {"fcut", fb(0.9375)}, {"fmax", fb(4)},
	{"f5", fb(-0.0005919418763369322)}, {"f4", fb(0.00497913034632802)}, {"f3", fb(-0.02675703540444374)}, {"f2", fb(0.11281552165746689)},
	{"f1", fb(-0.37612468004226685)}, {"f0", fb(0.12837915122509003)},
	{"g8", fb(-2.2219051061256323e-06)}, {"g7", fb(3.552716952981427e-05)}, {"g6", fb(-0.00022547596017830074)},
	{"g5", fb(0.0005408609285950661)}, {"g4", fb(0.0017467482248321176)},
	{"g3", fb(-0.02119026705622673)}, {"g2", fb(0.1041252538561821)}, {"g1", fb(0.6361129283905029)}, {"g0", fb(0.12846213579177856)},
	{"bias", 127}, {"half", fb(0.5)}, {"rsqrt2", fb(0.7071067811865476)}, {"gelu1", fb(0.7978845608028654)}, {"gelu3", fb(0.044715)},
	{"inf", 0x7f800000}, {"ninf", 0xff800000}, {"nan", 0x7fc00000},
}

func fb(f float32) uint32 { return math.Float32bits(f) }

// k is the place of a constant.
func k(name string) string {
	for i, c := range consts {
		if c.name == name {
			return fmt.Sprintf("rowConst<>+%d(SB)", 64*i)
		}
	}
	panic("no constant " + name)
}

// A fn is a function of a row: body turns register 0 into register 0 (a map), or adds to the
// accumulator (a fold). body may use registers 0 to 11; 12 has AVX2's mask.
type fn struct {
	name string
	// init prepares registers; body works on register 0; fold says that the result is the
	// accumulator, which is stored as one vector at Out, and that nothing (or, with store, also
	// the row) is written.
	init, body  func(e *emitter, v isa)
	fold, store bool
	// more counts the further rows that are read: Z into register 1, Z2 into register 2.
	more int
	// last ends a fold before its accumulator is stored; nil: nothing.
	last func(e *emitter, v isa)
}

const accReg = 15 // of folds; 13 and 14 hold a and b

// rows writes the functions that work on a row of f32: what is done with a vector is a fn, and the loop around it, with its
// tail, is row's. Each exists for AVX2 and AVX-512; a Go table lists the functions of each.
// Constants are a table of vectors, as AVX2 has no operand that broadcasts from memory.
func rows(e *emitter, table *bytes.Buffer) {
	for i, c := range consts {
		for j := range 16 {
			fmt.Fprintf(e, "DATA rowConst<>+%d(SB)/4, $0x%08x\n", 64*i+4*j, c.bits)
		}
	}
	fmt.Fprintf(e, "GLOBL rowConst<>(SB), RODATA|NOPTR, $%d\n", 64*len(consts))
	none := func(*emitter, isa) {}
	loadAB := func(e *emitter, v isa) {
		e.f("VBROADCASTSS %d(DI), %s", rowA, v.r(13))
		e.f("VBROADCASTSS %d(DI), %s", rowB, v.r(14))
	}
	zero := func(e *emitter, v isa) {
		loadAB(e, v)
		if v.bits == 512 {
			e.f("VPXORD %s, %s, %s", v.r(accReg), v.r(accReg), v.r(accReg))
		} else {
			e.f("VXORPS %s, %s, %s", v.r(accReg), v.r(accReg), v.r(accReg))
		}
	}
	list := []fn{
		{name: "exp", init: none, body: expBody}, {name: "tanh", init: none, body: tanhBody}, {name: "erf", init: none, body: erfBody},
		{name: "sigmoid", init: none, body: sigmoidBody},
		{name: "sum", init: zero, fold: true, body: func(e *emitter, v isa) { e.f("VADDPS %s, %s, %s", v.r(0), v.r(accReg), v.r(accReg)) }},
		{name: "sumSquares", init: zero, fold: true, body: func(e *emitter, v isa) { // of x - a
			e.f("VSUBPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			tailZero(e, v)
			e.f("VFMADD231PS %s, %s, %s", v.r(0), v.r(0), v.r(accReg))
		}},
		{name: "expSum", init: zero, fold: true, store: true, body: func(e *emitter, v isa) { // exp(x - a), stored and added
			e.f("VSUBPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			expBody(e, v)
			tailZero(e, v)
			e.f("VADDPS %s, %s, %s", v.r(0), v.r(accReg), v.r(accReg))
		}},
		{name: "divide", init: loadAB, body: func(e *emitter, v isa) { e.f("VDIVPS %s, %s, %s", v.r(13), v.r(0), v.r(0)) }}, // x / a
		{name: "normalize", init: loadAB, body: func(e *emitter, v isa) { // (x - a) * b
			e.f("VSUBPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			e.f("VMULPS %s, %s, %s", v.r(14), v.r(0), v.r(0))
		}},
	}
	list = append(list, fn{name: "mark", init: loadAB, more: 2, body: func(e *emitter, v isa) { // a where x is z, or NaN, else what is in z2
		if v.bits == 512 {
			e.f("VCMPPS $0, %s, %s, K2", v.r(1), v.r(0))
			e.f("VCMPPS $3, %s, %s, K3", v.r(0), v.r(0))
			e.f("KORW K2, K3, K2")
			e.f("VMOVAPS %s, K2, %s", v.r(13), v.r(2))
			e.f("VMOVAPS %s, %s", v.r(2), v.r(0))
			return
		}
		e.f("VCMPPS $0, %s, %s, %s", v.r(1), v.r(0), v.r(3))
		e.f("VCMPPS $3, %s, %s, %s", v.r(0), v.r(0), v.r(4))
		e.f("VORPS %s, %s, %s", v.r(4), v.r(3), v.r(3))
		e.f("VBLENDVPS %s, %s, %s, %s", v.r(3), v.r(13), v.r(2), v.r(0))
	}})
	list = append(list, pointwise(none, loadAB, zero)...)
	for _, v := range []isa{avx512, avx2} {
		fmt.Fprintf(table, "\nvar rows%s = rowTable{\n", v.name)
		var decl bytes.Buffer
		for _, f := range list {
			name := fmt.Sprintf("row%s%s", v.name, f.name)
			fmt.Fprintf(table, "%s: %s,\n", f.name, name)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Row)\n", name)
			row(e, v, name, f)
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
	chains(e, table, list)
}

// tailZero clears the lanes behind the end, for which K1 or register 12 is the mask; in whole
// vectors all lanes are within it.
func tailZero(e *emitter, v isa) {
	if v.bits == 512 {
		e.f("VMOVAPS.Z %s, K1, %s", v.r(0), v.r(0))
	} else {
		e.f("VANDPS %s, %s, %s", v.r(12), v.r(0), v.r(0))
	}
}

// row writes the loop over a row. AX is x, BX y, CX what is left. The tail's mask is made by a
// shift on AVX-512, and read from a table on AVX2.
func row(e *emitter, v isa, name string, f fn) {
	n := v.lanes()
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), AX", rowX)
	e.f("MOVQ %d(DI), BX", rowY)
	e.f("MOVQ %d(DI), CX", rowN)
	e.f("MOVQ %d(DI), R8", rowMasks)
	for i, field := range []int{rowZ, rowZ2}[:f.more] {
		e.f("MOVQ %d(DI), R%d", field, 9+i)
	}
	if v.bits == 512 {
		e.f("MOVQ $0xffff, DX")
		e.f("KMOVW DX, K1")
	} else {
		e.f("VMOVUPS 256(R8), %s", v.r(12)) // the mask of eight lanes
	}
	f.init(e, v)
	e.f("SUBQ $%d, CX", n)
	e.f("JLT tail")
	e.label("loop")
	e.f("VMOVUPS (AX), %s", v.r(0))
	for i := range f.more {
		e.f("VMOVUPS (R%d), %s", 9+i, v.r(1+i))
		e.f("ADDQ $%d, R%d", v.bytes(), 9+i)
	}
	f.body(e, v)
	if !f.fold || f.store {
		e.f("VMOVUPS %s, (BX)", v.r(0))
		e.f("ADDQ $%d, BX", v.bytes())
	}
	e.f("ADDQ $%d, AX", v.bytes())
	e.f("SUBQ $%d, CX", n)
	e.f("JGE loop")
	e.label("tail")
	e.f("ADDQ $%d, CX", n)
	e.f("JZ done")
	if v.bits == 512 {
		e.f("MOVQ $1, DX")
		e.f("SHLQ CX, DX")
		e.f("DECQ DX")
		e.f("KMOVW DX, K1")
		e.f("VMOVUPS.Z (AX), K1, %s", v.r(0))
	} else {
		e.f("SHLQ $5, CX")
		e.f("VMOVUPS (R8)(CX*1), %s", v.r(12))
		e.f("VMASKMOVPS (AX), %s, %s", v.r(12), v.r(0))
	}
	for i := range f.more {
		if v.bits == 512 {
			e.f("VMOVUPS.Z (R%d), K1, %s", 9+i, v.r(1+i))
		} else {
			e.f("VMASKMOVPS (R%d), %s, %s", 9+i, v.r(12), v.r(1+i))
		}
	}
	f.body(e, v)
	if !f.fold || f.store {
		if v.bits == 512 {
			e.f("VMOVUPS %s, K1, (BX)", v.r(0))
		} else {
			e.f("VMASKMOVPS %s, %s, (BX)", v.r(0), v.r(12))
		}
	}
	e.label("done")
	if f.fold {
		if f.last != nil {
			f.last(e, v)
		}
		e.f("VMOVUPS %s, %d(DI)", v.r(accReg), rowOut)
	}
	e.f("VZEROUPPER")
	e.f("RET")
}

func and(e *emitter, v isa, a, b, to string) {
	if v.bits == 512 {
		e.f("VPANDD %s, %s, %s", a, b, to)
	} else {
		e.f("VANDPS %s, %s, %s", a, b, to)
	}
}

func or(e *emitter, v isa, a, b, to string) {
	if v.bits == 512 {
		e.f("VPORD %s, %s, %s", a, b, to)
	} else {
		e.f("VORPS %s, %s, %s", a, b, to)
	}
}

// horner evaluates a polynomial in register x into register to. The coefficients are named from
// the highest power on; one fused multiply-add for each.
func horner(e *emitter, v isa, to, x int, names ...string) {
	e.f("VMOVUPS %s, %s", k(names[0]), v.r(to))
	for _, n := range names[1:] {
		e.f("VFMADD213PS %s, %s, %s", k(n), v.r(x), v.r(to))
	}
}

// reduce writes register 0 as n·ln 2 + r, with n in register 1 and r in 3. ln 2 is two constants
// (Cody and Waite): n·ln2hi is exact for the n that occur, so that r keeps its digits.
func reduce(e *emitter, v isa) {
	x, n, r := v.r(0), v.r(1), v.r(3)
	e.f("VMULPS %s, %s, %s", k("log2e"), x, n)
	if v.bits == 512 {
		e.f("VRNDSCALEPS $8, %s, %s", n, n)
	} else {
		e.f("VROUNDPS $8, %s, %s", n, n)
	}
	e.f("VMOVAPS %s, %s", x, r)
	e.f("VFNMADD231PS %s, %s, %s", k("ln2hi"), n, r)
	e.f("VFNMADD231PS %s, %s, %s", k("ln2lo"), n, r)
}

// expBody is exp of register 0; it uses 1 to 3. The range keeps what overflows an infinity and
// what vanishes zero; NaN passes as it is written first in both comparisons. e^x = 2^n·e^r with
// |r| ≤ ln 2/2, where e^r is a polynomial of degree 6 with the first two coefficients 1.
func expBody(e *emitter, v isa) {
	e.f("VMOVUPS %s, %s", k("exphi"), v.r(1))
	e.f("VMINPS %s, %s, %s", v.r(0), v.r(1), v.r(0))
	expNegative(e, v)
}

// expNegative is exp of what is not above its range. What is below, such as what a mask hides, is zero without a product that vanishes, for
// which processors of Intel take some hundred cycles.
func expNegative(e *emitter, v isa) {
	x, n, p, r := v.r(0), v.r(1), v.r(2), v.r(3)
	if v.bits == 512 {
		e.f("VCMPPS $5, %s, %s, K2", k("explo"), x) // not below: NaN is neither
		reduce(e, v)
		horner(e, v, 2, 3, "e4", "e3", "e2", "e1", "e0", "one", "one")
		e.f("VSCALEFPS.Z %s, %s, K2, %s", n, p, x)
		return
	}
	e.f("VMOVUPS %s, %s", k("explo"), n)
	e.f("VMAXPS %s, %s, %s", x, n, x)
	reduce(e, v)
	horner(e, v, 2, 3, "e4", "e3", "e2", "e1", "e0", "one", "one")
	// 2^n as two factors, of which only the last one can round.
	e.f("VCVTPS2DQ %s, %s", n, n)
	e.f("VPSRAD $1, %s, %s", n, r)
	e.f("VPSUBD %s, %s, %s", r, n, n)
	for _, y := range []string{r, n} {
		e.f("VPADDD %s, %s, %s", k("bias"), y, y)
		e.f("VPSLLD $23, %s, %s", y, y)
	}
	e.f("VMULPS %s, %s, %s", r, p, p)
	e.f("VCMPPS $6, %s, %s, %s", k("explo"), x, r) // above, or NaN
	e.f("VANDPS %s, %s, %s", r, p, p)
	e.f("VMULPS %s, %s, %s", n, p, x)
}

// blend takes register a where register x is below the constant, else b, into register 0. The
// result is in register 0.
func blend(e *emitter, v isa, cut string, x, a, b int) {
	if v.bits == 512 {
		e.f("VCMPPS $1, %s, %s, K2", k(cut), v.r(x))
		e.f("VBLENDMPS %s, %s, K2, %s", v.r(a), v.r(b), v.r(0))
	} else {
		e.f("VCMPPS $1, %s, %s, %s", k(cut), v.r(x), v.r(x))
		e.f("VBLENDVPS %s, %s, %s, %s", v.r(x), v.r(a), v.r(b), v.r(0))
	}
}

// tanhBody uses 1 to 5: |e|/(e + 2) with e = exp(t) - 1, which is 2ⁿ·p + (2ⁿ·r + 2ⁿ - 1) where p is exp(r) - 1 - r,
// so that nothing is lost near 0. t is 2|x|, or near 0, where n is 0, its negation, because e + 2 is then below 2,
// where the unit is smaller. |x| is bounded by 10, where tanh is 1 in f32.
func tanhBody(e *emitter, v isa) {
	x, n, p, r, s, sign := v.r(0), v.r(1), v.r(2), v.r(3), v.r(4), v.r(5)
	and(e, v, k("sign"), x, sign)
	e.f("VADDPS %s, %s, %s", x, x, x)
	and(e, v, k("abs"), x, x)
	e.f("VMOVUPS %s, %s", k("tmax"), n)
	e.f("VMINPS %s, %s, %s", x, n, x)
	if v.bits == 512 {
		e.f("VCMPPS $1, %s, %s, K2", k("tcut"), x)
		e.f("VPORD %s, %s, K2, %s", k("sign"), x, x)
	} else {
		e.f("VCMPPS $1, %s, %s, %s", k("tcut"), x, n)
		and(e, v, k("sign"), n, n)
		or(e, v, n, x, x)
	}
	reduce(e, v)
	horner(e, v, 2, 3, "t5", "t4", "t3", "t2", "t1", "t0")
	e.f("VMULPS %s, %s, %s", r, r, s)
	e.f("VMULPS %s, %s, %s", s, p, p) // exp(r) - 1 - r
	if v.bits == 512 {
		e.f("VMOVUPS %s, %s", k("one"), s)
		e.f("VSCALEFPS %s, %s, %s", n, s, s)
	} else {
		e.f("VCVTPS2DQ %s, %s", n, s)
		e.f("VPADDD %s, %s, %s", k("bias"), s, s)
		e.f("VPSLLD $23, %s, %s", s, s)
	}
	e.f("VSUBPS %s, %s, %s", k("one"), s, n)
	e.f("VFMADD213PS %s, %s, %s", n, s, r)
	e.f("VFMADD213PS %s, %s, %s", r, s, p)
	e.f("VADDPS %s, %s, %s", k("two"), p, n)
	e.f("VDIVPS %s, %s, %s", n, p, x)
	and(e, v, k("abs"), x, x)
	or(e, v, sign, x, x)
}

// erfBody uses 1 to 7: below 15/16 x + x·P(s), else 1 - exp(-(t + t·Q(t))) with t = min(|x|, 4).
// Both branches are computed for all lanes and blended, as is usual where lanes may differ.
func erfBody(e *emitter, v isa) {
	and(e, v, k("abs"), v.r(0), v.r(4))
	and(e, v, k("sign"), v.r(0), v.r(5))
	e.f("VMULPS %s, %s, %s", v.r(0), v.r(0), v.r(6))
	horner(e, v, 7, 6, "f5", "f4", "f3", "f2", "f1", "f0")
	e.f("VFMADD213PS %s, %s, %s", v.r(0), v.r(0), v.r(7))
	e.f("VMOVUPS %s, %s", k("fmax"), v.r(1))
	e.f("VMINPS %s, %s, %s", v.r(4), v.r(1), v.r(6))
	horner(e, v, 1, 6, "g8", "g7", "g6", "g5", "g4", "g3", "g2", "g1", "g0")
	e.f("VFMADD213PS %s, %s, %s", v.r(6), v.r(6), v.r(1))
	e.f("VMOVUPS %s, %s", k("sign"), v.r(0))
	if v.bits == 512 {
		e.f("VPXORD %s, %s, %s", v.r(1), v.r(0), v.r(0))
	} else {
		e.f("VXORPS %s, %s, %s", v.r(1), v.r(0), v.r(0))
	}
	expBody(e, v)
	e.f("VMOVUPS %s, %s", k("one"), v.r(1))
	e.f("VSUBPS %s, %s, %s", v.r(0), v.r(1), v.r(1))
	or(e, v, v.r(5), v.r(1), v.r(1))
	blend(e, v, "fcut", 4, 7, 1)
}

// sigmoidBody is 1/(1 + exp(-x)) for x ≥ 0 and exp(x)/(1 + exp(x)) below, both by exp(-|x|). The
// exponent is never positive, so nothing overflows.
func sigmoidBody(e *emitter, v isa) {
	e.f("VMOVAPS %s, %s", v.r(0), v.r(4))
	or(e, v, k("sign"), v.r(0), v.r(0))
	expNegative(e, v)
	e.f("VADDPS %s, %s, %s", k("one"), v.r(0), v.r(5))
	e.f("VMOVUPS %s, %s", k("one"), v.r(1))
	if v.bits == 512 {
		e.f("VPMOVD2M %s, K2", v.r(4))
		e.f("VBLENDMPS %s, %s, K2, %s", v.r(0), v.r(1), v.r(0))
	} else {
		e.f("VBLENDVPS %s, %s, %s, %s", v.r(4), v.r(0), v.r(1), v.r(0))
	}
	e.f("VDIVPS %s, %s, %s", v.r(5), v.r(0), v.r(0))
}
