package main

// This file writes blocks of products in bf16 on the processor's tiles (AMX). Go's assembler does not know the instructions, so they are
// written as bytes: Intel's manual, "Intel AMX Instruction Set Reference".

import (
	"bytes"
	"fmt"
	"strings"
)

// Numbers of the general registers in instructions.
var general = map[string]int{"AX": 0, "CX": 1, "DX": 2, "BX": 3, "SI": 6, "DI": 7, "R8": 8, "R9": 9, "R10": 10, "R11": 11}

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

// tileMemory is an instruction of a tile and rows of memory: at base, and index bytes apart.
func (e *emitter) tileMemory(prefix, tile int, base, index string) {
	b, x := general[base], general[index]
	e.bytes(0xc4, 1<<7|(1-x>>3)<<6|(1-b>>3)<<5|2, 0x78|prefix, 0x4b, tile<<3|4, x&7<<3|b&7)
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
const blA, blLDA, blStepA, blB, blLDB, blStepB, blC, blLDC, blSteps, blTaps, blNTaps = 64, 72, 80, 88, 96, 104, 112, 120, 128, 136, 144

// beginBlock begins a function: A is in AX, its pitch in SI, B's pitch in R8, the taps in R11 and their number in R12. It goes on with the first
// step of a tap: B is in BX, the steps of the tap in CX.
func (e *emitter) beginBlock(table *bytes.Buffer, name string, tiles ...int) {
	fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Block)\n", name)
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	e.tileConfig()
	e.f("MOVQ %d(DI), AX", blA)
	e.f("MOVQ %d(DI), SI", blLDA)
	e.f("MOVQ %d(DI), R8", blLDB)
	e.f("MOVQ %d(DI), R11", blTaps)
	e.f("MOVQ %d(DI), R12", blNTaps)
	for _, t := range tiles {
		e.tileZero(t)
	}
	e.label("%s_tap", name)
	e.f("MOVQ %d(DI), BX", blB)
	e.f("ADDQ 8(R11), BX")
	e.f("MOVQ %d(DI), CX", blSteps)
}

// nextTap goes from the last step of a tap to the next one.
func (e *emitter) nextTap(name string) {
	e.f("ADDQ $16, R11")
	e.f("DECQ R12")
	e.f("JNZ %s_tap", name)
	e.f("MOVQ %d(DI), AX", blC)
	e.f("MOVQ %d(DI), SI", blLDC)
}

// wideBlock writes a function for one tile of rows and four of columns. Tiles 0 to 3 are sums, 4 has rows of A, 5 to 7 columns of B in turn.
// Where B is read once, mostly from memory, and lies line by line, what comes some steps later is fetched meanwhile.
func wideBlock(e *emitter, table *bytes.Buffer, name string, fetch bool) {
	const tiles, ahead = 4, 2
	e.beginBlock(table, name, 0, 1, 2, 3)
	if fetch {
		e.f("MOVQ %d(DI), DX", blStepB)
		e.f("LEAQ (BX)(DX*%d), DX", ahead)
	}
	e.label("%s_step", name)
	e.tileMemory(prefixF2, 4, "AX", "SI")
	e.f("MOVQ BX, R9")
	for c := range tiles {
		for line := range 16 {
			if fetch {
				e.f("PREFETCHT0 %d(DX)", 64*(16*c+line))
			}
		}
		e.tileMemory(prefixF2, 5+c%3, "R9", "R8")
		e.tileDot(c, 4, 5+c%3)
		e.f("ADDQ $64, R9")
	}
	e.f("ADDQ %d(DI), AX", blStepA)
	e.f("ADDQ %d(DI), BX", blStepB)
	if fetch {
		e.f("ADDQ %d(DI), DX", blStepB)
	}
	e.f("DECQ CX")
	e.f("JNZ %s_step", name)
	e.nextTap(name)
	for c := range tiles {
		e.tileMemory(prefixF3, c, "AX", "SI")
		e.f("ADDQ $64, AX")
	}
	e.tileRelease()
	e.f("RET")
}

// blocks writes a function for one or two tiles of rows and of columns each. Tiles 0 to 3 are sums, 4 and 5 rows of A, 6 and 7 columns of B.
func blocks(e *emitter, table *bytes.Buffer) {
	for rows := 1; rows <= 2; rows++ {
		for cols := 1; cols <= 2; cols++ {
			name := fmt.Sprintf("block%d%d", rows, cols)
			var sums []int
			for r := range rows {
				for c := range cols {
					sums = append(sums, 2*r+c)
				}
			}
			e.beginBlock(table, name, sums...)
			e.f("MOVQ SI, DX")
			e.f("SHLQ $4, DX")
			e.f("ADDQ AX, DX") // the second tile of rows
			e.f("LEAQ 64(BX), R9")
			e.label("%s_step", name)
			e.tileMemory(prefixF2, 4, "AX", "SI")
			e.tileMemory(prefixF2, 6, "BX", "R8")
			e.tileDot(0, 4, 6)
			if cols > 1 {
				e.tileMemory(prefixF2, 7, "R9", "R8")
				e.tileDot(1, 4, 7)
			}
			if rows > 1 {
				e.tileMemory(prefixF2, 5, "DX", "SI")
				e.tileDot(2, 5, 6)
			}
			if rows > 1 && cols > 1 {
				e.tileDot(3, 5, 7)
			}
			e.f("ADDQ %d(DI), AX", blStepA)
			e.f("ADDQ %d(DI), DX", blStepA)
			e.f("ADDQ %d(DI), BX", blStepB)
			e.f("ADDQ %d(DI), R9", blStepB)
			e.f("DECQ CX")
			e.f("JNZ %s_step", name)
			e.nextTap(name)
			e.f("MOVQ SI, DX")
			e.f("SHLQ $4, DX")
			for r := range rows {
				if r > 0 {
					e.f("ADDQ DX, AX")
				}
				e.tileMemory(prefixF3, 2*r, "AX", "SI")
				if cols > 1 {
					e.f("LEAQ 64(AX), BX")
					e.tileMemory(prefixF3, 2*r+1, "BX", "SI")
				}
			}
			e.tileRelease()
			e.f("RET")
		}
	}
	wideBlock(e, table, "blockWide", true)
	wideBlock(e, table, "blockWideNear", false)
}
