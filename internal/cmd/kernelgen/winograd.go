package main

// This file writes the transforms of tiles of 6×6 pixels before and after the products of a Winograd convolution, for
// a vector of neighbouring tiles. Both go over the rows first and keep 36, or 24, vectors between.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Winograd's fields.
const (
	wgX, wgRowX, wgPlaneX, wgY, wgRowY, wgPlaneY = 0, 8, 16, 24, 32, 40
	wgCount, wgTemp, wgMasks                     = 48, 56, 64
	wgRows, wgBias, wgBiasStep, wgRes            = 96, 104, 112, 120
	wgLo, wgHi, wgAt                             = 128, 132, 136
)

// The registers of vectors: 0 to 5 are a row or column of a tile, 6 to 9 are free, and these are constants.
const wgC4, wgC5, wgC2, wgC8, wgBiasV = 11, 12, 13, 12, 14

func winograd(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		fmt.Fprintf(table, "\nvar winograd%s = winogradTable{\n", v.name)
		var decl bytes.Buffer
		for _, f := range []struct {
			name  string
			write func(*emitter, isa, string)
		}{{"before", winogradBefore}, {"after", winogradAfter}} {
			full := "winograd" + v.name + f.name
			fmt.Fprintf(table, "%s: %s,\n", f.name, full)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Winograd)\n", full)
			f.write(e, v, full)
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
	lists := []struct {
		name string
		at   func(i int) int
	}{
		{"odds", func(i int) int { return 2*i + 1 }},
		{"mixLow", func(i int) int { return i/2 + i%2*16 }},
		{"mixHigh", func(i int) int { return 8 + i/2 + i%2*16 }},
	}
	for _, l := range lists { // places of elements in two vectors
		for i := range 16 {
			fmt.Fprintf(e, "DATA %s<>+%d(SB)/4, $%d\n", l.name, 4*i, l.at(i))
		}
		fmt.Fprintf(e, "GLOBL %s<>(SB), RODATA|NOPTR, $64\n", l.name)
	}
	for _, x := range []int{2, 4, 5, 8} {
		fmt.Fprintf(e, "DATA whole%d<>+0(SB)/4, $%d.0\nGLOBL whole%d<>(SB), RODATA|NOPTR, $4\n", x, x, x)
	}
}

// winogradStart loads what both transforms need. Registers: DI the record, AX x, BX y, CX channels left, R8 and R9 the
// pitches of x, R10 and R11 those of y, R12 memory for the vectors between, DX six times the pitch of places.
func winogradStart(e *emitter, v isa, full string, places string) {
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{wgX, "AX"}, {wgRowX, "R8"}, {wgPlaneX, "R9"}, {wgY, "BX"}, {wgRowY, "R10"}, {wgPlaneY, "R11"}, {wgCount, "CX"}, {wgTemp, "R12"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	e.f("LEAQ (%s)(%s*2), DX", places, places)
	e.f("SHLQ $1, DX")
	e.f("VBROADCASTSS whole4<>+0(SB), %s", v.r(wgC4))
	e.f("VBROADCASTSS whole2<>+0(SB), %s", v.r(wgC2))
}

// winogradNext goes to the next channel and ends the function.
func winogradNext(e *emitter) {
	e.f("ADDQ R9, AX")
	e.f("ADDQ R11, BX")
	e.f("DECQ CX")
	e.f("JNZ channel")
	e.f("VZEROUPPER")
	e.f("RET")
}

// winogradBefore writes y = Bᵀ·x·B for the tiles whose upper left pixels are the elements 0, 4, 8 … behind X. Place (i, j) of all tiles
// is at Y + (6i+j)·RowY.
func winogradBefore(e *emitter, v isa, full string) {
	winogradStart(e, v, full, "R10")
	e.f("VBROADCASTSS whole5<>+0(SB), %s", v.r(wgC5))
	e.f("MOVQ %d(DI), SI", wgMasks)
	if v.bits == 512 {
		e.f("KMOVW SI, K1")
		e.f("VMOVUPS evens<>+0(SB), Z28")
		e.f("VMOVUPS odds<>+0(SB), Z27")
	} else {
		e.f("VMOVUPS (SI), Y15")
	}
	e.label("channel")
	e.f("MOVQ AX, R13")
	for i := range 6 {
		if v.bits == 512 {
			apart512(e)
		} else {
			apart256(e)
		}
		for j, r := range timesB(e, v) {
			e.f("VMOVUPS %s, %d(R12)", v.r(r), (6*i+j)*v.bytes())
		}
		if i < 5 {
			e.f("ADDQ R8, R13")
		}
	}
	e.f("MOVQ BX, R13")
	for j := range 6 {
		for i := range 6 {
			e.f("VMOVUPS %d(R12), %s", (6*i+j)*v.bytes(), v.r(i))
		}
		e.f("MOVQ R13, SI")
		for i, r := range timesB(e, v) {
			if v.bits == 512 {
				e.f("VMOVUPS %s, K1, (SI)", v.r(r))
			} else {
				e.f("VMASKMOVPS %s, Y15, (SI)", v.r(r))
			}
			if i < 5 {
				e.f("ADDQ DX, SI")
			}
		}
		if j < 5 {
			e.f("ADDQ R10, R13")
		}
	}
	winogradNext(e)
}

// apart512 loads the columns 0 to 5 of a row of 16 tiles from R13 on.
func apart512(e *emitter) {
	for c := range 4 {
		e.f("VMOVUPS %d(R13), Z%d", 64*c, 16+c)
	}
	e.f("VBROADCASTSS 256(R13), Z22") // columns 0 and 1 of the next tile
	e.f("VBROADCASTSS 260(R13), Z23")
	pick := func(a, b, index, to int) {
		e.f("VMOVAPS Z%d, Z%d", a, to)
		e.f("VPERMT2PS Z%d, Z%d, Z%d", b, index, to)
	}
	const even, odd = 28, 27
	pick(16, 17, even, 20)
	pick(18, 19, even, 21)
	pick(16, 17, odd, 24)
	pick(18, 19, odd, 25)
	pick(20, 21, even, 0)
	pick(24, 25, even, 1)
	pick(20, 21, odd, 2)
	pick(24, 25, odd, 3)
	e.f("VALIGND $1, Z0, Z22, Z4")
	e.f("VALIGND $1, Z1, Z23, Z5")
}

// apart256 does so for 8 tiles.
func apart256(e *emitter) {
	for c := range 5 { // tiles c and c+4
		e.f("VMOVUPS %d(R13), X%d", 16*c, c)
		e.f("VINSERTF128 $1, %d(R13), Y%d, Y%d", 16*c+64, c, c)
	}
	e.f("VUNPCKLPS Y1, Y0, Y5")
	e.f("VUNPCKHPS Y1, Y0, Y6")
	e.f("VUNPCKLPS Y3, Y2, Y7")
	e.f("VUNPCKHPS Y3, Y2, Y8")
	e.f("VUNPCKLPS Y2, Y1, Y9")
	e.f("VUNPCKLPS Y4, Y3, Y10")
	e.f("VUNPCKLPD Y7, Y5, Y0")
	e.f("VUNPCKHPD Y7, Y5, Y1")
	e.f("VUNPCKLPD Y8, Y6, Y2")
	e.f("VUNPCKHPD Y8, Y6, Y3")
	e.f("VUNPCKLPD Y10, Y9, Y4")
	e.f("VUNPCKHPD Y10, Y9, Y5")
}

// timesB multiplies registers 0 to 5 by Bᵀ and says where the six results are.
func timesB(e *emitter, v isa) [6]int {
	r := v.r
	const a, b, d, f = 6, 7, 8, 9
	e.f("VMOVAPS %s, %s", r(4), r(a))
	e.f("VFNMADD231PS %s, %s, %s", r(wgC4), r(2), r(a)) // x4 − 4·x2
	e.f("VMOVAPS %s, %s", r(3), r(b))
	e.f("VFNMADD231PS %s, %s, %s", r(wgC4), r(1), r(b)) // x3 − 4·x1
	e.f("VSUBPS %s, %s, %s", r(2), r(4), r(d))          // x4 − x2
	e.f("VSUBPS %s, %s, %s", r(1), r(3), r(f))          // x3 − x1
	e.f("VFNMADD231PS %s, %s, %s", r(wgC5), r(2), r(4))
	e.f("VFMADD231PS %s, %s, %s", r(wgC4), r(0), r(4)) // x4 − 5·x2 + 4·x0
	e.f("VFNMADD231PS %s, %s, %s", r(wgC5), r(3), r(5))
	e.f("VFMADD231PS %s, %s, %s", r(wgC4), r(1), r(5)) // x5 − 5·x3 + 4·x1
	e.f("VADDPS %s, %s, %s", r(b), r(a), r(0))
	e.f("VSUBPS %s, %s, %s", r(b), r(a), r(1))
	e.f("VMOVAPS %s, %s", r(d), r(2))
	e.f("VFMADD231PS %s, %s, %s", r(wgC2), r(f), r(2))
	e.f("VFNMADD231PS %s, %s, %s", r(wgC2), r(f), r(d))
	return [6]int{4, 0, 1, 2, d, 5}
}

// winogradAfter writes y = Aᵀ·x·A with bias, residual and bounds: up to 4 rows of pixels from Y on, RowY apart. Place (i, j) of the tiles is
// at X + (6i+j)·RowX. The residual is R15 behind the result.
func winogradAfter(e *emitter, v isa, full string) {
	winogradStart(e, v, full, "R8")
	e.f("VBROADCASTSS whole8<>+0(SB), %s", v.r(wgC8))
	if v.bits == 512 {
		for q := range 4 {
			e.f("MOVQ %d(DI), SI", wgMasks+8*q)
			e.f("KMOVW SI, K%d", 1+q)
		}
		e.f("VMOVUPS mixLow<>+0(SB), Z28")
		e.f("VMOVUPS mixHigh<>+0(SB), Z27")
	}
	e.f("MOVQ %d(DI), SI", wgBias)
	e.f("MOVQ SI, %d(DI)", wgAt)
	e.f("MOVQ %d(DI), R15", wgRes)
	e.f("SUBQ BX, R15")
	e.label("channel")
	e.f("MOVQ AX, R13")
	for j := range 6 {
		e.f("MOVQ R13, SI")
		for i := range 6 {
			e.f("VMOVUPS (SI), %s", v.r(i))
			if i < 5 {
				e.f("ADDQ DX, SI")
			}
		}
		for i, r := range timesA(e, v) {
			e.f("VMOVUPS %s, %d(R12)", v.r(r), (6*i+j)*v.bytes())
		}
		if j < 5 {
			e.f("ADDQ R8, R13")
		}
	}
	e.f("MOVQ %d(DI), SI", wgAt)
	e.f("VBROADCASTSS (SI), %s", v.r(wgBiasV))
	e.f("ADDQ %d(DI), SI", wgBiasStep)
	e.f("MOVQ SI, %d(DI)", wgAt)
	e.f("MOVQ BX, R13")
	e.f("MOVQ %d(DI), SI", wgRows)
	for i := range 4 {
		for j := range 6 {
			e.f("VMOVUPS %d(R12), %s", (6*i+j)*v.bytes(), v.r(j))
		}
		y := timesA(e, v)
		var out [4]int
		if v.bits == 512 {
			out = together512(e, y)
		} else {
			out = together256(e, y)
		}
		winogradStore(e, v, out, fmt.Sprintf("plain%d", i))
		if i < 3 {
			e.f("DECQ SI")
			e.f("JZ next")
			e.f("ADDQ R10, R13")
		}
	}
	e.label("next")
	winogradNext(e)
}

// winogradStore adds bias and residual to four vectors of pixels, keeps them within the bounds and stores them at R13.
func winogradStore(e *emitter, v isa, out [4]int, plain string) {
	const temp, mask = 10, 15
	move := func(q int, from, to string, load bool) {
		switch {
		case v.bits != 512:
			e.f("MOVQ %d(DI), R14", wgMasks+8*q)
			e.f("VMOVUPS (R14), %s", v.r(mask))
			e.f("VMASKMOVPS %s, %s, %s", from, v.r(mask), to)
		case load:
			e.f("VMOVUPS.Z %s, K%d, %s", from, 1+q, to)
		default:
			e.f("VMOVUPS %s, K%d, %s", from, 1+q, to)
		}
	}
	for _, r := range out {
		e.f("VADDPS %s, %s, %s", v.r(wgBiasV), v.r(r), v.r(r))
	}
	e.f("CMPQ %d(DI), $0", wgRes) // R15 is 0 where the result takes its place
	e.f("JEQ %s", plain)
	for q, r := range out {
		move(q, fmt.Sprintf("%d(R13)(R15*1)", q*v.bytes()), v.r(temp), true)
		e.f("VADDPS %s, %s, %s", v.r(temp), v.r(r), v.r(r))
	}
	e.label("%s", plain)
	for _, x := range []struct {
		op  string
		off int
	}{{"VMAXPS", wgLo}, {"VMINPS", wgHi}} { // NaN passes as the operand written first
		e.f("VBROADCASTSS %d(DI), %s", x.off, v.r(temp))
		for _, r := range out {
			e.f("%s %s, %s, %s", x.op, v.r(r), v.r(temp), v.r(r))
		}
	}
	for q, r := range out {
		move(q, v.r(r), fmt.Sprintf("%d(R13)", q*v.bytes()), false)
	}
}

// timesA multiplies registers 0 to 5 by Aᵀ and says where the four results are.
func timesA(e *emitter, v isa) [4]int {
	r := v.r
	const p, q, s, d = 6, 7, 8, 9
	e.f("VADDPS %s, %s, %s", r(2), r(1), r(p))
	e.f("VSUBPS %s, %s, %s", r(2), r(1), r(q))
	e.f("VADDPS %s, %s, %s", r(4), r(3), r(s))
	e.f("VSUBPS %s, %s, %s", r(4), r(3), r(d))
	e.f("VADDPS %s, %s, %s", r(p), r(0), r(0))
	e.f("VADDPS %s, %s, %s", r(s), r(0), r(0))
	e.f("VMOVAPS %s, %s", r(q), r(1))
	e.f("VFMADD231PS %s, %s, %s", r(wgC2), r(d), r(1))
	e.f("VFMADD231PS %s, %s, %s", r(wgC4), r(s), r(p))
	e.f("VADDPS %s, %s, %s", r(q), r(5), r(5))
	e.f("VFMADD231PS %s, %s, %s", r(wgC8), r(d), r(5))
	return [4]int{0, 1, p, 5}
}

// together512 makes four vectors of neighbouring pixels of four columns of 16 tiles.
func together512(e *emitter, y [4]int) [4]int {
	mix := func(a, b, index, to int) {
		e.f("VMOVAPS Z%d, Z%d", a, to)
		e.f("VPERMT2PS Z%d, Z%d, Z%d", b, index, to)
	}
	const low, high = 28, 27
	mix(y[0], y[2], low, 16)
	mix(y[1], y[3], low, 17)
	mix(y[0], y[2], high, 18)
	mix(y[1], y[3], high, 19)
	mix(16, 17, low, 20)
	mix(16, 17, high, 21)
	mix(18, 19, low, 22)
	mix(18, 19, high, 23)
	return [4]int{20, 21, 22, 23}
}

// together256 does so for 8 tiles.
func together256(e *emitter, y [4]int) [4]int {
	e.f("VUNPCKLPS Y%d, Y%d, Y2", y[1], y[0])
	e.f("VUNPCKHPS Y%d, Y%d, Y3", y[1], y[0])
	e.f("VUNPCKLPS Y%d, Y%d, Y4", y[3], y[2])
	e.f("VUNPCKHPS Y%d, Y%d, Y7", y[3], y[2])
	e.f("VUNPCKLPD Y4, Y2, Y0") // tiles 0 and 4
	e.f("VUNPCKHPD Y4, Y2, Y1")
	e.f("VUNPCKLPD Y7, Y3, Y5")
	e.f("VUNPCKHPD Y7, Y3, Y6")
	e.f("VPERM2F128 $0x20, Y1, Y0, Y2")
	e.f("VPERM2F128 $0x20, Y6, Y5, Y3")
	e.f("VPERM2F128 $0x31, Y1, Y0, Y4")
	e.f("VPERM2F128 $0x31, Y6, Y5, Y7")
	return [4]int{2, 3, 4, 7}
}
