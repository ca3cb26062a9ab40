package main

// This file writes the cells of an LSTM from the sums of their gates on.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Cell's fields, and the bytes of a gate.
const ceGates, ceMore, ceC, ceH, ceN, ceMasks, ceGate = 0, 8, 16, 24, 32, 40, 64

func cells(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		name := "cell" + v.name
		fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Cell)\n", name)
		cell(e, v, name)
	}
}

// cell writes one function. Registers: DI the record, AX gates and BX what is added to them, SI cells, DX states, CX
// units left, R8 masks; vectors 6 to 9 what the functions of rows leave.
func cell(e *emitter, v isa, name string) {
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{ceGates, "AX"}, {ceMore, "BX"}, {ceC, "SI"}, {ceH, "DX"}, {ceN, "CX"}, {ceMasks, "R8"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	e.label("units")
	e.f("MOVQ CX, R9")
	e.f("CMPQ R9, $%d", v.lanes())
	e.f("JLE few")
	e.f("MOVQ $%d, R9", v.lanes())
	e.label("few")
	if v.bits == 512 {
		e.f("XCHGQ CX, R9")
		e.f("MOVQ $1, R10")
		e.f("SHLQ CX, R10")
		e.f("DECQ R10")
		e.f("KMOVW R10, K1")
		e.f("XCHGQ CX, R9")
	} else {
		e.f("MOVQ R9, R10")
		e.f("SHLQ $5, R10")
		e.f("VMOVUPS (R8)(R10*1), %s", v.r(12))
	}
	gate := func(i int, body func(*emitter, isa)) {
		e.f("VMOVUPS %d(AX), %s", ceGate*i, v.r(0))
		e.f("VADDPS %d(BX), %s, %s", ceGate*i, v.r(0), v.r(0))
		body(e, v)
	}
	store := func(to string) {
		if v.bits == 512 {
			e.f("VMOVUPS %s, K1, (%s)", v.r(0), to)
		} else {
			e.f("VMASKMOVPS %s, %s, (%s)", v.r(0), v.r(12), to)
		}
	}
	for i, to := range []int{6, 7, 8} { // i, o, f
		gate(i, sigmoidBody)
		e.f("VMOVAPS %s, %s", v.r(0), v.r(to))
	}
	gate(3, tanhBody)
	e.f("VMULPS %s, %s, %s", v.r(0), v.r(6), v.r(6))
	if v.bits == 512 {
		e.f("VMOVUPS.Z (SI), K1, %s", v.r(9))
	} else {
		e.f("VMASKMOVPS (SI), %s, %s", v.r(12), v.r(9))
	}
	e.f("VMULPS %s, %s, %s", v.r(9), v.r(8), v.r(9))
	e.f("VADDPS %s, %s, %s", v.r(6), v.r(9), v.r(0))
	store("SI")
	tanhBody(e, v)
	e.f("VMULPS %s, %s, %s", v.r(7), v.r(0), v.r(0))
	store("DX")
	for _, reg := range []string{"AX", "BX", "SI", "DX"} {
		e.f("ADDQ $%d, %s", v.bytes(), reg)
	}
	e.f("SUBQ R9, CX")
	e.f("JNZ units")
	e.f("VZEROUPPER")
	e.f("RET")
}
