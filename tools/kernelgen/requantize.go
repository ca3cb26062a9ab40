package main

// This file writes what makes sums of products of integers results of another scale, in float64, as the reference does.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Requantizing's fields.
const (
	rqX, rqPitch, rqRows, rqVectors, rqBias, rqFactor, rqScale = 0, 8, 16, 24, 32, 40, 48
	rqMost, rqZero, rqLow, rqHigh                              = 56, 64, 68, 72
)

func requantizings(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		name := "requantize" + v.name
		fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Requantizing)\n", name)
		requantizing(e, v, name)
	}
}

// requantizing writes one function. Registers: DI the record, AX the sums of a row, R8 the pitch, CX rows left; BX, R9 and R10 sums,
// addends and factors of a vector, DX vectors left.
func requantizing(e *emitter, v isa, name string) {
	narrow, convert := isa{reg: "Y"}, "VCVTPD2DQ"
	if v.bits == 256 {
		narrow.reg, convert = "X", "VCVTPD2DQY"
	}
	const x, scale, most, least, zero, low, high = 0, 1, 2, 3, 4, 5, 6
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), AX", rqX)
	e.f("MOVQ %d(DI), R8", rqPitch)
	e.f("MOVQ %d(DI), CX", rqRows)
	e.f("VBROADCASTSD %d(DI), %s", rqScale, v.r(scale))
	e.f("VBROADCASTSD %d(DI), %s", rqMost, v.r(most))
	e.f("VXORPD %s, %s, %s", v.r(least), v.r(least), v.r(least))
	e.f("VSUBPD %s, %s, %s", v.r(most), v.r(least), v.r(least))
	for i, off := range []int{rqZero, rqLow, rqHigh} {
		e.f("VPBROADCASTD %d(DI), %s", off, narrow.r(zero+i))
	}
	e.label("row")
	e.f("MOVQ AX, BX")
	e.f("MOVQ %d(DI), R9", rqBias)
	e.f("MOVQ %d(DI), R10", rqFactor)
	e.f("MOVQ %d(DI), DX", rqVectors)
	e.label("vector")
	e.f("VCVTDQ2PD (BX), %s", v.r(x))
	e.f("VADDPD (R9), %s, %s", v.r(x), v.r(x))
	e.f("VMULPD (R10), %s, %s", v.r(x), v.r(x))
	e.f("VDIVPD %s, %s, %s", v.r(scale), v.r(x), v.r(x))
	e.f("VMINPD %s, %s, %s", v.r(most), v.r(x), v.r(x))
	e.f("VMAXPD %s, %s, %s", v.r(least), v.r(x), v.r(x))
	e.f("%s %s, %s", convert, v.r(x), narrow.r(x))
	e.f("VPADDD %s, %s, %s", narrow.r(zero), narrow.r(x), narrow.r(x))
	e.f("VPMAXSD %s, %s, %s", narrow.r(low), narrow.r(x), narrow.r(x))
	e.f("VPMINSD %s, %s, %s", narrow.r(high), narrow.r(x), narrow.r(x))
	e.f("VMOVUPS %s, (BX)", narrow.r(x))
	e.f("ADDQ $%d, BX", v.bytes()/2)
	e.f("ADDQ $%d, R9", v.bytes())
	e.f("ADDQ $%d, R10", v.bytes())
	e.f("DECQ DX")
	e.f("JNZ vector")
	e.f("ADDQ R8, AX")
	e.f("DECQ CX")
	e.f("JNZ row")
	e.f("VZEROUPPER")
	e.f("RET")
}
