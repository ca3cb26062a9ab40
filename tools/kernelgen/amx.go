package main

// This file writes blocks of products in bf16 on the processor's tiles (AMX). Go's assembler does not know the instructions, so they are
// written as bytes: Intel's manual, "Intel AMX Instruction Set Reference".

import (
	"bytes"
	"fmt"
	"strings"
)

// Numbers of the general registers in instructions.
var general = map[string]int{"AX": 0, "CX": 1, "DX": 2, "BX": 3, "SI": 6, "DI": 7, "R8": 8, "R9": 9}

// Prefixes of VEX.
const (
	noPrefix = 0
	prefixF3 = 2
	prefixF2 = 3
)

func (e *emitter) bytes(code ...int) {
	text := make([]string, len(code))
	for i, b := range code {
		text[i] = fmt.Sprintf("BYTE $0x%02x", b)
	}
	e.f("%s", strings.Join(text, "; "))
}

// tileMemory is an instruction of a tile and rows of memory: at base and so many bytes behind it, and index bytes apart.
func (e *emitter) tileMemory(prefix, tile int, base string, off int, index string) {
	b, x := general[base], general[index]
	e.bytes(0xc4, 1<<7|(1-x>>3)<<6|(1-b>>3)<<5|2, 0x78|prefix, 0x4b, 0x80|tile<<3|4, x&7<<3|b&7, off&0xff, off>>8, 0, 0)
}

// tileConfig is LDTILECFG of what the register DI points to.
func (e *emitter) tileConfig() { e.bytes(0xc4, 0xe2, 0x78|noPrefix, 0x49, general["DI"]) }

func (e *emitter) tileRelease() { e.bytes(0xc4, 0xe2, 0x78|noPrefix, 0x49, 0xc0) }

func (e *emitter) tileZero(tile int) { e.bytes(0xc4, 0xe2, 0x78|prefixF2, 0x49, 0xc0|tile<<3) }

// tileDot is TDPBF16PS: sums of the products of pairs of a's rows and b's columns are added to dst.
func (e *emitter) tileDot(dst, a, b int) {
	e.bytes(0xc4, 0xe2, (^b&15)<<3|prefixF3, 0x5c, 0xc0|dst<<3|a)
}

// Offsets of tile.Block's fields; its configuration comes first.
const (
	blA, blLDA, blStepA, blB, blLDB, blStepB, blC, blLDC, blSteps, blTaps, blNTaps = 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144
	blFirst, blCount, blNext, blNextStep                                           = 152, 160, 184, 192
)

// A blockForm is one function: of so many tiles of rows and of columns. What comes some steps later of the operand that is mostly read from
// memory is fetched meanwhile, where it lies line by line: of A, tile behind tile, or of B.
type blockForm struct {
	rows, cols     int
	fetchA, fetchB bool
}

// fetchesNext reports whether the operand that comes next is fetched meanwhile: that of many rows, with the largest form.
func (f blockForm) fetchesNext() bool { return f.rows == 2 && f.cols == 2 && !f.fetchA }

// nextLines are the lines that are fetched of it with each tap: tile.NextFetched bytes.
const nextLines = 8

func (f blockForm) name() string {
	name := fmt.Sprintf("block%d%d", f.rows, f.cols)
	if f.fetchA {
		name += "Packed"
	}
	return name
}

// Tiles of sums come first, then those of A, and the last ones are columns of B in turn.
func (f blockForm) sum(r, c int) int { return r*f.cols + c }
func (f blockForm) a(r int) int      { return f.rows*f.cols + r }
func (f blockForm) b(c int) int {
	first := f.a(f.rows)
	return first + c%(8-first)
}

// What is fetched comes so many steps later, of packed weights so many taps.
const stepsAhead, tapsAhead = 2, 2

// block writes a function. Registers: DI the record, AX rows of A and DX the second tile of them, SI its pitch, BX
// the columns of B of a step and R9 of a tap, R8 its pitch, R11 the tap, R12 taps left, CX steps left, R10 the
// columns and R13 how many times they are left, R14 what is fetched next and R15 how far it goes on.
func block(e *emitter, table *bytes.Buffer, f blockForm) {
	name := f.name()
	fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Block)\n", name)
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	e.tileConfig()
	e.f("MOVQ %d(DI), R8", blLDB)
	e.f("MOVQ %d(DI), R10", blFirst)
	e.f("MOVQ %d(DI), R13", blCount)
	if f.fetchesNext() {
		e.f("MOVQ %d(DI), R14", blNext)
		e.f("MOVQ %d(DI), R15", blNextStep)
	}
	e.label("%s_columns", name)
	e.f("MOVQ %d(DI), AX", blA)
	e.f("MOVQ %d(DI), SI", blLDA)
	if f.rows > 1 {
		e.f("MOVQ SI, DX")
		e.f("SHLQ $4, DX")
		e.f("ADDQ AX, DX")
	}
	e.f("MOVQ %d(DI), BX", blB)
	e.f("ADDQ R10, BX")
	e.f("MOVQ %d(DI), CX", blSteps)
	for t := range f.a(0) {
		e.tileZero(t)
	}
	e.label("%s_step", name)
	e.f("MOVQ %d(DI), R11", blTaps)
	e.f("MOVQ %d(DI), R12", blNTaps)
	if f.fetchB {
		e.f("MOVQ %d(DI), DX", blStepB)
		e.f("LEAQ (BX)(DX*%d), DX", stepsAhead)
	}
	e.label("%s_tap", name)
	e.f("MOVQ 8(R11), R9")
	e.f("ADDQ BX, R9")
	e.tileMemory(prefixF2, f.a(0), "AX", 0, "SI")
	for c := range f.cols {
		if f.fetchB {
			for line := range 16 {
				e.f("PREFETCHT0 %d(DX)", 64*(16*c+line))
			}
		}
		e.tileMemory(prefixF2, f.b(c), "R9", 64*c, "R8")
		e.tileDot(f.sum(0, c), f.a(0), f.b(c))
	}
	if f.fetchesNext() {
		for line := range nextLines {
			e.f("PREFETCHT1 %d(R14)", 64*line)
		}
		e.f("ADDQ R15, R14")
	}
	if f.fetchA {
		for line := range 16 * f.rows {
			e.f("PREFETCHT0 %d(AX)", 64*(16*f.rows*tapsAhead+line))
		}
	}
	if f.rows > 1 {
		e.tileMemory(prefixF2, f.a(1), "DX", 0, "SI")
		for c := range f.cols {
			e.tileDot(f.sum(1, c), f.a(1), f.b(c))
		}
		e.f("ADDQ %d(DI), DX", blStepA)
	}
	e.f("ADDQ %d(DI), AX", blStepA)
	e.f("ADDQ $16, R11")
	e.f("DECQ R12")
	e.f("JNZ %s_tap", name)
	e.f("ADDQ %d(DI), BX", blStepB)
	e.f("DECQ CX")
	e.f("JNZ %s_step", name)
	e.f("MOVQ %d(DI), AX", blC)
	e.f("ADDQ R10, AX")
	e.f("MOVQ %d(DI), SI", blLDC)
	for r := range f.rows {
		for c := range f.cols {
			e.tileMemory(prefixF3, f.sum(r, c), "AX", 64*c, "SI")
		}
		if r < f.rows-1 {
			e.f("MOVQ SI, DX")
			e.f("SHLQ $4, DX")
			e.f("ADDQ DX, AX")
		}
	}
	e.f("ADDQ $%d, R10", 64*f.cols)
	e.f("DECQ R13")
	e.f("JNZ %s_columns", name)
	e.tileRelease()
	e.f("RET")
}

// blocks writes the functions: for one or two tiles of rows and of columns each, and for one of rows and four of columns.
func blocks(e *emitter, table *bytes.Buffer) {
	for _, packed := range []bool{false, true} {
		for rows := 1; rows <= 2; rows++ {
			for cols := 1; cols <= 2; cols++ {
				block(e, table, blockForm{rows, cols, packed, false})
			}
		}
		block(e, table, blockForm{1, 4, packed, !packed})
	}
}
