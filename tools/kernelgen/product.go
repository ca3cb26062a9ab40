package main

// This file writes the tiles of the packed matrix product: R rows by W vectors of columns,
// each output one chain of fused multiply-adds over k in ascending order.
//
// A tile keeps all its sums in registers: on AVX-512 6 rows by 4 vectors are 24 of 32 registers,
// on AVX2 6 by 2 are 12 of 16, and what is left are a line of B and a broadcast element of A. For
// each k, w loads of B and R broadcasts of A give R·w multiply-adds, so the loads hide behind
// them.
//
// Scattered tiles have their rows of A anywhere (pixels of an image), by offsets in the record;
// those of the family product have a fixed pitch.

import (
	"bytes"
	"fmt"
	"strings"
)

// Offsets of tile.Product's fields, which a test compares with the struct.
const (
	offA, offLDA, offB, offLDB, offK     = 0, 8, 16, 24, 32
	offTaps, offNTaps                    = 40, 48
	offC, offLDC                         = 56, 64
	offBias, offRowBias, offRes, offLDR  = 72, 80, 88, 96
	offLo, offHi, offMask, offFlags      = 104, 108, 112, 120
	offRows, offNext, offStep            = 128, 168, 176
	flagAccumulate, flagPartial, flagFar = 1, 2, 4
	flagFetch                            = 16
)

// maxRows is the most rows of a tile.
const maxRows = 6

// A dot is how an element of A is multiplied with those of B: as numbers of f32, as pairs of bf16, as pairs of words,
// or as four bytes, those of A without sign.
type dot int

const (
	floats dot = iota
	halfPairs
	wordPairs
	byteQuads
)

// sumsIntegers reports whether sums are integers: nothing is done to them at the end.
func (d dot) sumsIntegers() bool { return d == wordPairs || d == byteQuads }

// products writes all tiles: 1 to 6 rows of 1 to 4 vectors (AVX-512) or 1 and 2 (AVX2), and those of scattered rows and packed panels.
func products(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		productTiles(e, table, v, "product", v.name, floats)
		productTiles(e, table, v, "scattered", v.name, floats)
	}
	productTiles(e, table, avx512, "scattered", "Bytes", byteQuads)
	productTiles(e, table, avx2, "scattered", "Words", wordPairs)
}

// productTiles writes the tiles of one family, product or scattered, and their table. Each number
// of rows and vectors is a function of its own, since a count in a register would be a branch in
// the innermost loop.
func productTiles(e *emitter, table *bytes.Buffer, v isa, family, suffix string, kind dot) {
	widths := 4
	if v == avx2 {
		widths = 2
	}
	fmt.Fprintf(table, "\n// %ss%s are tiles by rows-1 and vectors-1.\nvar %ss%s = [%d][%d]func(*Product){\n", family, suffix, family,
		suffix, maxRows, widths)
	var decl bytes.Buffer
	for rows := 1; rows <= maxRows; rows++ {
		fmt.Fprint(table, "{")
		for w := 1; w <= widths; w++ {
			name := fmt.Sprintf("%s%sr%dw%d", family, suffix, rows, w)
			fmt.Fprintf(table, "%s, ", name)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Product)\n", name)
			product(e, v, name, rows, w, kind, family == "scattered")
		}
		fmt.Fprintln(table, "},")
	}
	fmt.Fprintln(table, "}")
	table.Write(decl.Bytes())
}

// rowAddr is the place of row r of the matrix at base with the pitch in R9, three times it in
// R10 and five times in R11. x86 addresses have the scales 1, 2, 4 and 8, so multiples 3 and 5
// need registers of their own.
func rowAddr(disp int, base string, r int) string {
	index := [maxRows]string{"", "(R9*1)", "(R9*2)", "(R10*1)", "(R9*4)", "(R11*1)"}[r]
	return fmt.Sprintf("%d(%s)%s", disp, base, index)
}

// panelAddr is the place of row u of the panel at base, with its pitch in R12 and three times that in R13.
func panelAddr(disp int, base string, u int) string {
	return fmt.Sprintf("%d(%s)%s", disp, base, [4]string{"", "(R12*1)", "(R12*2)", "(R13*1)"}[u])
}

// product writes one tile. Registers: AX row pointer, BX panel, CX k, DX taps, SI taps left,
// DI the record, R8 A, R9–R11 multiples of the pitch, R12 and R13 those of B's pitch,
// R15 the panel's next rows. Elements of A and B are what kind says. Scattered rows of A are where Rows says,
// behind the first one, in R9 to R13; their panels are packed, and all columns are stored; what
// is fetched is at R14, in steps of R15. The chain is unrolled by four. The flags say whether the
// sums go on from what C has (Accumulate), and whether the epilogue is left out (Partial).
func product(e *emitter, v isa, name string, rows, w int, kind dot, scattered bool) {
	acc := func(r, c int) string { return v.r(v.accum + r*w + c) }
	masked := v.r(v.accum - 1) // AVX2 keeps its mask here
	col, bcast := func(c int) string { return v.r(c) }, v.r(w)
	load := func(from, to string, c int) {
		switch {
		case c < w-1:
			e.f("VMOVUPS %s, %s", from, to)
		case v.bits == 512:
			e.f("VMOVUPS.Z %s, K1, %s", from, to)
		default:
			e.f("VMASKMOVPS %s, %s, %s", from, masked, to)
		}
	}
	whole := load
	if scattered {
		whole = func(from, to string, _ int) { e.f("VMOVUPS %s, %s", from, to) }
	}
	store := func(from, to string, c int) {
		switch {
		case scattered || c < w-1:
			e.f("VMOVUPS %s, %s", from, to)
		case v.bits == 512:
			e.f("VMOVUPS %s, K1, %s", from, to)
		default:
			e.f("VMASKMOVPS %s, %s, %s", from, masked, to)
		}
	}
	multiples := func(field int) {
		e.f("MOVQ %d(DI), R9", field)
		e.f("LEAQ (R9)(R9*2), R10")
		e.f("LEAQ (R9)(R9*4), R11")
	}
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	if v.bits == 512 {
		e.f("MOVQ %d(DI), AX", offMask)
		e.f("KMOVW AX, K1")
	} else if !kind.sumsIntegers() {
		e.f("MOVQ %d(DI), AX", offMask)
		e.f("VMOVUPS (AX), %s", masked)
	}
	e.f("MOVQ %d(DI), AX", offFlags)
	e.f("TESTQ $%d, AX", flagAccumulate)
	e.f("JNZ load")
	for r := range rows {
		for c := range w {
			if v.bits == 512 {
				e.f("VPXORD %s, %s, %s", acc(r, c), acc(r, c), acc(r, c))
			} else {
				e.f("VXORPS %s, %s, %s", acc(r, c), acc(r, c), acc(r, c))
			}
		}
	}
	if v.bits == 512 && !kind.sumsIntegers() && !scattered {
		fetchResults(e, v, rows, w, multiples)
	}
	e.f("JMP start")
	e.label("load")
	multiples(offLDC)
	e.f("MOVQ %d(DI), AX", offC)
	for r := range rows {
		for c := range w {
			whole(rowAddr(c*v.bytes(), "AX", r), acc(r, c), c)
		}
	}
	e.label("start")
	rowOf := func(disp, r int) string { return rowAddr(disp, "AX", r) }
	if scattered {
		index := [maxRows]string{"", "(R9*1)", "(R10*1)", "(R11*1)", "(R12*1)", "(R13*1)"}
		rowOf = func(disp, r int) string { return fmt.Sprintf("%d(AX)%s", disp, index[r]) }
		for r := 1; r < rows; r++ {
			e.f("MOVQ %d(DI), %s", offRows+8*(r-1), index[r][1:strings.IndexByte(index[r], '*')])
		}
	} else {
		multiples(offLDA)
	}
	e.f("MOVQ %d(DI), R8", offA)
	ahead := v.bits == 512 && rows >= 4 && !scattered // the rows of the next tile are fetched: they may be weights that nobody has read yet
	if ahead {
		e.f("MOVQ $%d, R14", rows)
		e.f("IMULQ R9, R14")
		e.f("ADDQ R8, R14")
	}
	if scattered {
		e.f("MOVQ %d(DI), R14", offNext)
		e.f("MOVQ %d(DI), R15", offStep)
	} else {
		e.f("MOVQ %d(DI), R12", offLDB)
		e.f("LEAQ (R12)(R12*2), R13")
	}
	e.f("MOVQ %d(DI), DX", offTaps)
	e.f("MOVQ %d(DI), SI", offNTaps)
	e.label("tap")
	e.f("DECQ SI")
	e.f("JLT done")
	e.f("MOVQ (DX), AX")
	e.f("MOVQ 8(DX), BX")
	e.f("ADDQ $16, DX")
	e.f("ADDQ R8, AX")
	e.f("ADDQ %d(DI), BX", offB)
	e.f("MOVQ %d(DI), CX", offK)
	step := func(u int) {
		for c := range w {
			from := panelAddr(c*v.bytes(), "BX", u)
			if scattered {
				from = fmt.Sprintf("%d(BX)", (u*w+c)*v.bytes())
			}
			whole(from, col(c), c)
		}
		for r := range rows {
			e.f("VBROADCASTSS %s, %s", rowOf(4*u, r), bcast)
			for c := range w {
				switch kind {
				case halfPairs:
					e.dot(bcast, col(c), acc(r, c))
				case byteQuads:
					e.f("VPDPBUSD %s, %s, %s", col(c), bcast, acc(r, c))
				case wordPairs:
					e.f("VPMADDWD %s, %s, %s", col(c), bcast, masked) // there is no mask
					e.f("VPADDD %s, %s, %s", masked, acc(r, c), acc(r, c))
				default:
					e.f("VFMADD231PS %s, %s, %s", col(c), bcast, acc(r, c))
				}
			}
		}
	}
	fetches := v.bits == 512 && w == 4 && rows >= 4 && !scattered // with fewer rows fetching takes longer than it saves
	fours := func(label string, fetch bool) {
		e.label("%s", label)
		if scattered { // weights that nobody may have read yet
			e.f("PREFETCHT1 (R14)")
			e.f("PREFETCHT1 64(R14)")
			e.f("ADDQ R15, R14")
		}
		if ahead {
			e.f("PREFETCHT0 (R14)")
			e.f("PREFETCHT0 64(R14)")
			e.f("ADDQ $128, R14")
		}
		if !scattered {
			e.f("LEAQ (BX)(R12*4), R15")
		}
		for u := range 4 {
			for c := 0; fetch && c <= w; c++ { // rows need not begin with a line
				e.f("PREFETCHT0 %s", panelAddr(c*v.bytes(), "R15", u))
			}
			step(u)
		}
		e.f("ADDQ $16, AX")
		if scattered {
			e.f("ADDQ $%d, BX", 4*w*v.bytes())
		} else {
			e.f("MOVQ R15, BX")
		}
		e.f("SUBQ $4, CX")
		e.f("JGE %s", label)
	}
	e.f("SUBQ $4, CX")
	e.f("JLT rest")
	if fetches {
		e.f("MOVQ %d(DI), R15", offFlags)
		e.f("TESTQ $%d, R15", flagFar)
		e.f("JNZ far")
	}
	fours("four", false)
	if fetches {
		e.f("JMP rest")
		fours("far", true)
	}
	e.label("rest")
	e.f("ADDQ $4, CX")
	e.f("JZ tap")
	e.label("one")
	step(0)
	e.f("ADDQ $4, AX")
	if scattered {
		e.f("ADDQ $%d, BX", w*v.bytes())
	} else {
		e.f("ADDQ R12, BX")
	}
	e.f("DECQ CX")
	e.f("JNZ one")
	e.f("JMP tap")
	e.label("done")
	if !kind.sumsIntegers() {
		epilogue(e, v, rows, w, acc, col, bcast, load, multiples)
		e.label("store")
	}
	multiples(offLDC)
	e.f("MOVQ %d(DI), AX", offC)
	for r := range rows {
		for c := range w {
			store(acc(r, c), rowAddr(c*v.bytes(), "AX", r), c)
		}
	}
	e.f("VZEROUPPER")
	e.f("RET")
}

// fetchResults fetches, where that is asked for, the lines that a tile will write and those of the residual that it
// will add, while it multiplies: with few products for each result a tile would wait for them at
// its end. Prefetches do not fault, whatever address they have.
func fetchResults(e *emitter, v isa, rows, w int, multiples func(int)) {
	e.f("TESTQ $%d, AX", flagFetch)
	e.f("JZ start")
	for _, x := range []struct{ at, pitch int }{{offC, offLDC}, {offRes, offLDR}} {
		e.f("MOVQ %d(DI), AX", x.at)
		if x.at == offRes {
			e.f("TESTQ AX, AX")
			e.f("JZ start")
		}
		multiples(x.pitch)
		for r := range rows {
			for c := range w {
				e.f("PREFETCHT0 %s", rowAddr(c*v.bytes(), "AX", r))
			}
		}
	}
}

// epilogue writes bias, residual and clamp, which partial sums skip. The order is the same for
// each element: bias of the column, bias of the row, residual, bounds.
func epilogue(e *emitter, v isa, rows, w int, acc func(r, c int) string, col func(int) string, bcast string,
	load func(from, to string, c int),
	multiples func(int)) {
	e.f("MOVQ %d(DI), AX", offFlags)
	e.f("TESTQ $%d, AX", flagPartial)
	e.f("JNZ store")
	e.f("MOVQ %d(DI), AX", offBias)
	e.f("TESTQ AX, AX")
	e.f("JZ rowbias")
	for c := range w {
		load(fmt.Sprintf("%d(AX)", c*v.bytes()), col(c), c)
	}
	for r := range rows {
		for c := range w {
			e.f("VADDPS %s, %s, %s", col(c), acc(r, c), acc(r, c))
		}
	}
	e.label("rowbias")
	e.f("MOVQ %d(DI), AX", offRowBias)
	e.f("TESTQ AX, AX")
	e.f("JZ residual")
	for r := range rows {
		e.f("VBROADCASTSS %d(AX), %s", 4*r, bcast)
		for c := range w {
			e.f("VADDPS %s, %s, %s", bcast, acc(r, c), acc(r, c))
		}
	}
	e.label("residual")
	e.f("MOVQ %d(DI), AX", offRes)
	e.f("TESTQ AX, AX")
	e.f("JZ clamp")
	multiples(offLDR)
	for r := range rows {
		for c := range w {
			load(rowAddr(c*v.bytes(), "AX", r), bcast, c)
			e.f("VADDPS %s, %s, %s", bcast, acc(r, c), acc(r, c))
		}
	}
	e.label("clamp")
	for _, x := range []struct {
		op  string
		off int
	}{{"VMAXPS", offLo}, {"VMINPS", offHi}} { // NaN passes as the operand written first
		e.f("VBROADCASTSS %d(DI), %s", x.off, bcast)
		for r := range rows {
			for c := range w {
				e.f("%s %s, %s, %s", x.op, acc(r, c), bcast, acc(r, c))
			}
		}
	}
}
