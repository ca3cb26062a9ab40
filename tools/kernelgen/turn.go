package main

// This file writes transposes of up to a vector of rows, square by square, with what ends a convolution: a matrix is
// added, and bounds are kept. A form of it rounds to bf16 instead.
//
// A transpose in registers takes log2(n) rounds of shuffles of n registers, instead of n² single
// loads: unpack pairs of elements, then pairs of pairs, then exchange quarters (or halves) of
// registers. It follows a convolution whose product has channels along vectors, while its result
// wants pixels there.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Turn's fields.
const (
	tnX, tnPitchX, tnRows, tnCols, tnY, tnPitchY, tnRes, tnLo, tnHi = 0, 8, 16, 24, 32, 40, 48, 56, 60
	tnMasks                                                         = 64 // of whole vectors, of the last columns, of the rows
)

// turns writes the functions of all tiers and their declarations.
func turns(e *emitter, table *bytes.Buffer) {
	for _, f := range []struct {
		name string
		v    isa
		bf16 bool
	}{{"turn512", avx512, false}, {"turn256", avx2, false}, {"turnBF16", avx512, true}} {
		fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Turn)\n", f.name)
		turn(e, f.v, f.name, f.bf16)
	}
}

// turn writes one function. Registers: DI the record, AX x and R8 its pitch, BX y and R9 its pitch, CX rows, DX
// columns left, R15 the residual less y, R10 the row that is read or written, R12 and R13 the masks of columns and
// rows of AVX2. The record is tile.Turn. A square has n rows and n columns, where n is the number
// of lanes; rows that are missing are read from the last one again and not written.
func turn(e *emitter, v isa, name string, bf16 bool) {
	n := v.lanes()
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{tnX, "AX"}, {tnPitchX, "R8"}, {tnRows, "CX"}, {tnCols, "DX"}, {tnY, "BX"}, {tnPitchY, "R9"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	if v.bits == 512 {
		e.f("MOVQ %d(DI), R10", tnMasks)
		e.f("KMOVW R10, K1") // of columns
		e.f("MOVQ %d(DI), R10", tnMasks+16)
		e.f("KMOVW R10, K2") // of rows
	} else {
		e.f("MOVQ %d(DI), R12", tnMasks)
		e.f("MOVQ %d(DI), R13", tnMasks+16)
	}
	e.f("MOVQ %d(DI), R15", tnRes)
	e.f("SUBQ BX, R15")
	e.label("square")
	e.f("CMPQ DX, $%d", n)
	e.f("JGE whole")
	if v.bits == 512 {
		e.f("MOVQ %d(DI), R10", tnMasks+8)
		e.f("KMOVW R10, K1")
	} else {
		e.f("MOVQ %d(DI), R12", tnMasks+8)
	}
	e.label("whole")
	loadSquare(e, v)
	var out []string
	if v.bits == 512 {
		out = turned512(e)
	} else {
		out = turned256(e)
	}
	e.f("MOVQ BX, R10")
	if bf16 {
		storeRounded(e, v, out)
	} else {
		storeSquare(e, v, out)
	}
	e.f("ADDQ R9, R10")
	e.f("MOVQ R10, BX")
	e.f("ADDQ $%d, AX", v.bytes())
	e.f("SUBQ $%d, DX", n)
	e.f("JNZ square")
	e.label("done")
	e.f("VZEROUPPER")
	e.f("RET")
}

// turnMask is the register of masks of AVX2: of columns while a square is loaded, of rows while it is stored.
func turnMask(v isa) string { return v.r(15) }

// loadSquare reads n rows of the matrix to registers 0 to n-1.
func loadSquare(e *emitter, v isa) {
	n, mask := v.lanes(), turnMask(v)
	if v.bits == 256 {
		e.f("VMOVUPS (R12), %s", mask)
	}
	e.f("MOVQ AX, R10")
	for i := range n { // behind the last row it is read again
		if v.bits == 512 {
			e.f("VMOVUPS.Z (R10), K1, %s", v.r(i))
		} else {
			e.f("VMASKMOVPS (R10), %s, %s", mask, v.r(i))
		}
		if i < n-1 {
			e.f("LEAQ (R10)(R8*1), R14")
			e.f("CMPQ CX, $%d", i+1)
			e.f("CMOVQGT R14, R10")
		}
	}
}

// storeRounded writes the rows of the result, rounded to bf16.
func storeRounded(e *emitter, v isa, rows []string) {
	for i, r := range rows {
		e.round(r, "Z31")
		e.f("VMOVDQU16 Y31, K2, (R10)")
		turnNext(e, i, v.lanes())
	}
}

// storeSquare writes the rows of the result, after the residual is added and the bounds are kept.
func storeSquare(e *emitter, v isa, rows []string) {
	lo, hi, res, mask := v.r(12), v.r(13), v.r(14), turnMask(v) // free behind the transpose
	if v.bits == 512 {
		lo, hi = v.r(28), v.r(29)
	}
	n := v.lanes()
	if v.bits == 256 {
		e.f("VMOVUPS (R13), %s", mask)
	}
	e.f("VBROADCASTSS %d(DI), %s", tnLo, lo)
	e.f("VBROADCASTSS %d(DI), %s", tnHi, hi)
	e.f("CMPQ %d(DI), $0", tnRes) // R15 is 0 where the result takes its place
	e.f("JEQ plain")
	for i, r := range rows {
		if v.bits == 512 {
			e.f("VADDPS.Z (R10)(R15*1), %s, K2, %s", r, r)
		} else {
			e.f("VMASKMOVPS (R10)(R15*1), %s, %s", mask, res)
			e.f("VADDPS %s, %s, %s", res, r, r)
		}
		if i < n-1 {
			e.f("CMPQ DX, $%d", i+1)
			e.f("JEQ added")
			e.f("ADDQ R9, R10")
		}
	}
	e.label("added")
	e.f("MOVQ BX, R10")
	e.label("plain")
	for i, r := range rows {
		e.f("VMAXPS %s, %s, %s", r, lo, r) // NaN passes as the operand written first
		e.f("VMINPS %s, %s, %s", r, hi, r)
		if v.bits == 512 {
			e.f("VMOVUPS %s, K2, (R10)", r)
		} else {
			e.f("VMASKMOVPS %s, %s, (R10)", r, mask)
		}
		turnNext(e, i, n)
	}
}

// turnNext goes to the next row of the result, of which there are as many as columns. It jumps to
// the end of the function after the last one.
func turnNext(e *emitter, i, n int) {
	if i < n-1 {
		e.f("CMPQ DX, $%d", i+1)
		e.f("JEQ done")
		e.f("ADDQ R9, R10")
	}
}

// turned512 transposes registers 0 to 15 by means of 16 to 31 and says where the results are. The
// third and the fourth round are by VSHUFF32X4, which picks quarters of two registers, the even
// ones or the odd ones.
func turned512(e *emitter) []string {
	two := func(op string, a, b, to int) { e.f("%s Z%d, Z%d, Z%d", op, b, a, to) }
	for i := 0; i < 16; i += 2 {
		two("VUNPCKLPS", i, i+1, 16+i)
		two("VUNPCKHPS", i, i+1, 17+i)
	}
	for g := 0; g < 16; g += 4 { // register g+k has column k of each quarter, of four rows
		two("VUNPCKLPD", 16+g, 18+g, g)
		two("VUNPCKHPD", 16+g, 18+g, g+1)
		two("VUNPCKLPD", 17+g, 19+g, g+2)
		two("VUNPCKHPD", 17+g, 19+g, g+3)
	}
	quarters := func(imm, a, b, to int) { e.f("VSHUFF32X4 $%d, Z%d, Z%d, Z%d", imm, b, a, to) }
	const even, odd = 0x88, 0xdd
	out := make([]string, 16)
	for k := range 4 {
		quarters(even, k, 4+k, 16)
		quarters(even, 8+k, 12+k, 17)
		quarters(odd, k, 4+k, 18)
		quarters(odd, 8+k, 12+k, 19)
		quarters(even, 16, 17, k)
		quarters(even, 18, 19, 4+k)
		quarters(odd, 16, 17, 8+k)
		quarters(odd, 18, 19, 12+k)
	}
	for i := range out {
		out[i] = fmt.Sprintf("Z%d", i)
	}
	return out
}

// turned256 transposes registers 0 to 7 by means of 8 to 15. The last round exchanges halves.
func turned256(e *emitter) []string {
	two := func(op string, a, b, to int) { e.f("%s Y%d, Y%d, Y%d", op, b, a, to) }
	for i := 0; i < 8; i += 2 {
		two("VUNPCKLPS", i, i+1, 8+i)
		two("VUNPCKHPS", i, i+1, 9+i)
	}
	for g := 0; g < 8; g += 4 {
		two("VUNPCKLPD", 8+g, 10+g, g)
		two("VUNPCKHPD", 8+g, 10+g, g+1)
		two("VUNPCKLPD", 9+g, 11+g, g+2)
		two("VUNPCKHPD", 9+g, 11+g, g+3)
	}
	out := make([]string, 8)
	for k := range 4 {
		e.f("VPERM2F128 $0x20, Y%d, Y%d, Y%d", 4+k, k, 8+k)
		e.f("VPERM2F128 $0x31, Y%d, Y%d, Y%d", 4+k, k, k)
		out[k], out[4+k] = fmt.Sprintf("Y%d", 8+k), fmt.Sprintf("Y%d", k)
	}
	return out
}
