package main

// This file writes the conversions between f32 and its halves, f16 and bf16.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Widening's fields.
const wdX, wdY, wdVectors = 0, 8, 16

// widenings writes a loop for each conversion and instruction set, one vector a turn; the caller converts the rest. BF16 is the
// upper half of an f32, so that only the way to it needs rounding, for which AVX2 has no instruction.
func widenings(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		for _, f := range []struct {
			name     string
			from, to int // bytes of an element
			write    func(*emitter, isa)
		}{
			{"F16", 2, 4, func(e *emitter, v isa) {
				e.f("VCVTPH2PS (AX), %s", v.r(0))
				e.f("VMOVUPS %s, (BX)", v.r(0))
			}},
			{"BF16", 2, 4, func(e *emitter, v isa) {
				e.f("VPMOVZXWD (AX), %s", v.r(0))
				e.f("VPSLLD $16, %s, %s", v.r(0), v.r(0))
				e.f("VMOVUPS %s, (BX)", v.r(0))
			}},
			{"ToF16", 4, 2, func(e *emitter, v isa) {
				e.f("VMOVUPS (AX), %s", v.r(0))
				e.f("VCVTPS2PH $0, %s, (BX)", v.r(0)) // to the nearest, of two the even one
			}},
			{"ToBF16", 4, 2, toBF16},
		} {
			name := "widen" + f.name + v.name
			fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Widening)\n", name)
			e.text(name, 8)
			e.f("MOVQ p+0(FP), DI")
			e.f("MOVQ %d(DI), AX", wdX)
			e.f("MOVQ %d(DI), BX", wdY)
			e.f("MOVQ %d(DI), CX", wdVectors)
			if f.name == "ToBF16" {
				for i, x := range []string{"one", "below", "quiet"} {
					e.f("VPBROADCASTD %s32<>+0(SB), %s", x, v.r(13+i))
				}
			}
			e.label("vector")
			f.write(e, v)
			e.f("ADDQ $%d, AX", v.lanes()*f.from)
			e.f("ADDQ $%d, BX", v.lanes()*f.to)
			e.f("DECQ CX")
			e.f("JNZ vector")
			e.f("VZEROUPPER")
			e.f("RET")
		}
	}
	for _, x := range []struct {
		name  string
		value int
	}{{"one", 1}, {"below", 0x7fff}, {"quiet", 0x40}} {
		fmt.Fprintf(e, "DATA %s32<>+0(SB)/4, $%d\nGLOBL %s32<>(SB), RODATA|NOPTR, $4\n", x.name, x.value, x.name)
	}
}

// toBF16 rounds a vector to the nearest, of two to the even one. A NaN stays one.
func toBF16(e *emitter, v isa) {
	x, r, nan := v.r(0), v.r(1), v.r(2)
	one, below, quiet := v.r(13), v.r(14), v.r(15)
	e.f("VMOVUPS (AX), %s", x)
	e.f("VPSRLD $16, %s, %s", x, nan)
	and := "VPANDD"
	if v.bits == 256 {
		and = "VPAND"
	}
	e.f("%s %s, %s, %s", and, one, nan, r)
	e.f("VPADDD %s, %s, %s", below, r, r)
	e.f("VPADDD %s, %s, %s", x, r, r)
	e.f("VPSRLD $16, %s, %s", r, r)
	if v.bits == 512 {
		e.f("VCMPPS $3, %s, %s, K1", x, x)
		e.f("VPORD %s, %s, K1, %s", quiet, nan, r)
		e.f("VPMOVDW %s, (BX)", r)
		return
	}
	e.f("VPOR %s, %s, %s", quiet, nan, nan)
	e.f("VCMPPS $3, %s, %s, %s", x, x, v.r(3))
	e.f("VBLENDVPS %s, %s, %s, %s", v.r(3), nan, r, r)
	e.f("VPACKUSDW %s, %s, %s", r, r, r)
	e.f("VPERMQ $8, %s, %s", r, r)
	e.f("VMOVUPS X1, (BX)")
}
