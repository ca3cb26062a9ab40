package main

// This file writes what products in bf16 need: their tiles, which are those of f32 with pairs of elements, and the rounding of rows and of
// pairs of channels. Go's assembler does not know the instructions, so they are written as bytes.

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
)

// evex writes an instruction of three 512-bit registers of the map 0F38 without a mask: dst, a, b as in Intel's manual.
// pp is 2 for the prefix F3, 3 for F2.
func (e *emitter) evex(pp, op int, dst, a, b string) {
	num := func(reg string) int {
		n, err := strconv.Atoi(reg[1:])
		if err != nil {
			panic(err)
		}
		return n
	}
	d, v, m := num(dst), num(a), num(b)
	not := func(x, bit int) int { return 1 - x>>bit&1 }
	code := []int{0x62, not(d, 3)<<7 | not(m, 4)<<6 | not(m, 3)<<5 | not(d, 4)<<4 | 2, (^v&15)<<3 | 4 | pp, 2<<5 | not(v, 4)<<3, op,
		0xc0 | d&7<<3 | m&7}
	var text bytes.Buffer
	for k, b := range code {
		if k > 0 {
			text.WriteString("; ")
		}
		fmt.Fprintf(&text, "BYTE $0x%02x", b)
	}
	e.f("%s", text.String())
}

// dot is VDPBF16PS: sums of the products of pairs are added to dst.
func (e *emitter) dot(a, b, dst string) { e.evex(2, 0x52, dst, a, b) }

// round is VCVTNEPS2BF16: 16 numbers of src, rounded, are the lower half of dst.
func (e *emitter) round(src, dst string) { e.evex(2, 0x72, dst, "Z0", src) }

// roundTwo is VCVTNE2PS2BF16: 16 numbers of low, rounded, are the lower half of dst, those of high the upper one.
func (e *emitter) roundTwo(low, high, dst string) { e.evex(3, 0x72, dst, high, low) }

// Offsets of tile.Halves's fields.
const hvX, hvX2, hvY, hvN, hvRows, hvPitchX, hvPitchY, hvMask = 0, 8, 16, 24, 32, 40, 48, 56

func halves(e *emitter, table *bytes.Buffer) {
	productTiles(e, table, avx512, "product", "BF16", halfPairs)
	productTiles(e, table, avx512, "scattered", "BF16", halfPairs)
	for _, f := range []struct {
		name          string
		pairs, narrow bool
	}{{"halvesRow", false, false}, {"halvesPairs", true, false}, {"halvesWoven", true, true}} {
		fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Halves)\n", f.name)
		rounding(e, f.name, f.pairs, f.narrow)
	}
}

// widened writes what reads a vector of bf16 into one of f32, with a mask or "".
func (e *emitter) widened(from, mask, to string) {
	if mask == "" {
		e.f("VPMOVZXWD %s, %s", from, to)
	} else {
		e.f("VPMOVZXWD.Z %s, %s, %s", from, mask, to)
	}
	e.f("VPSLLD $16, %s, %s", to, to)
}

// rounding writes one function. What it reads is narrow where it is of bf16 already. Registers: AX and BX what is
// read of a row, DX what is written, CX elements left; R8, R9 and R10 the row's, R11 the rows left.
func rounding(e *emitter, name string, pairs, narrow bool) {
	vector := func(mask string) {
		store := func(op, from string) {
			if mask == "" {
				e.f("%s %s, (DX)", op, from)
			} else {
				e.f("%s %s, %s, (DX)", op, from, mask)
			}
		}
		if narrow {
			zeroing := ""
			if mask != "" {
				zeroing = ".Z"
			}
			e.f("VPMOVZXWD%s (AX), %s", zeroing, strings.TrimPrefix(mask+", Z2", ", "))
			e.widened("(BX)", mask, "Z3")
			e.f("VPORD Z2, Z3, Z2")
			store("VMOVDQU32", "Z2")
			return
		}
		load := func(from, to string) {
			if mask == "" {
				e.f("VMOVUPS (%s), %s", from, to)
			} else {
				e.f("VMOVUPS.Z (%s), %s, %s", from, mask, to)
			}
		}
		load("AX", "Z0")
		e.round("Z0", "Z2")
		if !pairs {
			store("VMOVDQU16", "Y2")
			return
		}
		load("BX", "Z1")
		e.round("Z1", "Z3")
		e.f("VPMOVZXWD Y2, Z2")
		e.f("VPMOVZXWD Y3, Z3")
		e.f("VPSLLD $16, Z3, Z3")
		e.f("VPORD Z2, Z3, Z2")
		store("VMOVDQU32", "Z2")
	}
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), R8", hvX)
	e.f("MOVQ %d(DI), R9", hvX2)
	e.f("MOVQ %d(DI), R10", hvY)
	e.f("MOVQ %d(DI), R11", hvRows)
	e.f("MOVQ %d(DI), SI", hvMask)
	e.f("KMOVW SI, K1")
	e.label("row")
	e.f("MOVQ R8, AX")
	e.f("MOVQ R9, BX")
	e.f("MOVQ R10, DX")
	e.f("MOVQ %d(DI), CX", hvN)
	e.f("SUBQ $16, CX")
	e.f("JLT rest")
	e.label("whole")
	vector("")
	each := 64
	if narrow {
		each = 32
	}
	e.f("ADDQ $%d, AX", each)
	if pairs {
		e.f("ADDQ $%d, BX", each)
		e.f("ADDQ $64, DX")
	} else {
		e.f("ADDQ $32, DX")
	}
	e.f("SUBQ $16, CX")
	e.f("JGE whole")
	e.label("rest")
	e.f("ADDQ $16, CX")
	e.f("JZ next")
	vector("K1")
	e.label("next")
	e.f("ADDQ %d(DI), R8", hvPitchX)
	e.f("ADDQ %d(DI), R9", hvPitchX)
	e.f("ADDQ %d(DI), R10", hvPitchY)
	e.f("SUBQ $1, R11") // none is one
	e.f("JG row")
	e.f("VZEROUPPER")
	e.f("RET")
}
