package main

// This file writes the transforms of tiles of 6×6 pixels before and after the products of a Winograd convolution, of a tile and
// vectors of neighbouring channels, and of its weights. All go over the rows first and keep up to 36 vectors between.
//
// The algorithm is F(4×4, 3×3) of Lavin and Gray (Fast Algorithms for Convolutional Neural
// Networks, 2015): a tile of 4×4 outputs needs 36 products instead of 144. With a tile x of 6×6
// pixels and weights w,
//
//	y = Aᵀ·[(G·w·Gᵀ) ⊙ (Bᵀ·x·B)]·A
//
//	Bᵀ = | 4  0 -5  0 1 0 |   G = |  1/4     0    0  |   Aᵀ = | 1 1  1 1  1 0 |
//	     | 0 -4 -4  1 1 0 |       | -1/6 -1/6 -1/6  |        | 0 1 -1 2 -2 0 |
//	     | 0  4 -4 -1 1 0 |       | -1/6  1/6 -1/6  |        | 0 1  1 4  4 0 |
//	     | 0 -2 -1  2 1 0 |       | 1/24  1/12  1/6 |        | 0 1 -1 8 -8 1 |
//	     | 0  2 -1 -2 1 0 |       | 1/24 -1/12  1/6 |
//	     | 0  4  0 -5 0 1 |       |   0     0    1  |
//
// The products over channels in the middle are those of product.go. Weights are transformed in
// float64, as the divisions by 6 and 24 would lose digits.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Winograd's fields.
const (
	wgX, wgRowX, wgColX, wgY, wgRowY, wgColY = 0, 8, 16, 24, 32, 40
	wgVectors, wgTemp, wgBias                = 48, 56, 64
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
		}{{"before", winogradBefore}, {"after", winogradAfter}, {"weights", winogradWeights}} {
			full := "winograd" + v.name + f.name
			fmt.Fprintf(table, "%s: %s,\n", f.name, full)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Winograd)\n", full)
			f.write(e, v, full)
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
	for _, x := range []int{2, 4, 5, 8} {
		fmt.Fprintf(e, "DATA whole%d<>+0(SB)/4, $%d.0\nGLOBL whole%d<>(SB), RODATA|NOPTR, $4\n", x, x, x)
	}
	for _, x := range []struct{ name, value string }{{"quarter", "0.25"}, {"half", "0.5"}, {"six", "6.0"}, {"minusSix", "-6.0"}} {
		fmt.Fprintf(e, "DATA %s64<>+0(SB)/8, $%s\nGLOBL %s64<>(SB), RODATA|NOPTR, $8\n", x.name, x.value, x.name)
	}
}

// winogradStart loads what both transforms need. Registers: DI the record, AX x, BX y, CX vectors left, R8 and R9 the
// pitches of rows and columns of x, R10 and R11 those of y, R12 memory for the vectors between, DX and R15 three and five times
// the pitch of columns in R14.
func winogradStart(e *emitter, v isa, full string, columns string) {
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{wgX, "AX"}, {wgRowX, "R8"}, {wgColX, "R9"}, {wgY, "BX"}, {wgRowY, "R10"}, {wgColY, "R11"}, {wgVectors, "CX"}, {wgTemp, "R12"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	e.f("MOVQ %s, R14", columns)
	e.f("LEAQ (R14)(R14*2), DX")
	e.f("LEAQ (R14)(R14*4), R15")
	e.f("VBROADCASTSS whole4<>+0(SB), %s", v.r(wgC4))
	e.f("VBROADCASTSS whole2<>+0(SB), %s", v.r(wgC2))
}

// winogradColumns are the places of a row of pixels behind R13.
var winogradColumns = [6]string{"(R13)", "(R13)(R14*1)", "(R13)(R14*2)", "(R13)(DX*1)", "(R13)(R14*4)", "(R13)(R15*1)"}

// winogradNext goes to the next vector of channels and ends the function. Channels are in the
// lanes, so a vector of them is transformed at once.
func winogradNext(e *emitter, v isa) {
	e.f("ADDQ $%d, AX", v.bytes())
	e.f("ADDQ $%d, BX", v.bytes())
	e.f("DECQ CX")
	e.f("JNZ vector")
	e.f("VZEROUPPER")
	e.f("RET")
}

// winogradBefore writes y = Bᵀ·x·B. Rows first, into the memory between, then columns.
func winogradBefore(e *emitter, v isa, full string) {
	winogradStart(e, v, full, "R9")
	e.f("VBROADCASTSS whole5<>+0(SB), %s", v.r(wgC5))
	e.label("vector")
	e.f("MOVQ AX, R13")
	for i := range 6 {
		for j := range 6 {
			e.f("VMOVUPS %s, %s", winogradColumns[j], v.r(j))
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
			e.f("VMOVUPS %s, (SI)", v.r(r))
			if i < 5 {
				e.f("ADDQ R10, SI")
			}
		}
		if j < 5 {
			e.f("ADDQ R11, R13")
		}
	}
	winogradNext(e, v)
}

// timesB multiplies registers 0 to 5 by Bᵀ and says where the six results are. Common parts of
// rows 2 and 3, and of 4 and 5, are computed once.
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

// winogradAfter writes y = Aᵀ·x·A with bias. The bias is added to the results, in the last pass.
func winogradAfter(e *emitter, v isa, full string) {
	winogradStart(e, v, full, "R11")
	e.f("VBROADCASTSS whole8<>+0(SB), %s", v.r(wgC8))
	e.f("MOVQ %d(DI), DI", wgBias)
	e.label("vector")
	e.f("MOVQ AX, R13")
	for j := range 6 {
		e.f("MOVQ R13, SI")
		for i := range 6 {
			e.f("VMOVUPS (SI), %s", v.r(i))
			if i < 5 {
				e.f("ADDQ R8, SI")
			}
		}
		for i, r := range timesA(e, v) {
			e.f("VMOVUPS %s, %d(R12)", v.r(r), (6*i+j)*v.bytes())
		}
		if j < 5 {
			e.f("ADDQ R9, R13")
		}
	}
	e.f("VMOVUPS (DI), %s", v.r(wgBiasV))
	e.f("ADDQ $%d, DI", v.bytes())
	e.f("MOVQ BX, R13")
	for i := range 4 {
		for j := range 6 {
			e.f("VMOVUPS %d(R12), %s", (6*i+j)*v.bytes(), v.r(j))
		}
		for j, r := range timesA(e, v) {
			e.f("VADDPS %s, %s, %s", v.r(wgBiasV), v.r(r), v.r(r))
			e.f("VMOVUPS %s, %s", v.r(r), winogradColumns[j])
		}
		if i < 3 {
			e.f("ADDQ R10, R13")
		}
	}
	winogradNext(e, v)
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

// The registers of constants of the transform of weights.
const wgQuarter, wgHalf, wgSix, wgMinusSix = 12, 13, 14, 15

// winogradWeights writes y = G·x·Gᵀ of 3×3 weights, computed in float64: half a vector at a time.
// CX counts half vectors, as a lane of float64 is twice as wide.
func winogradWeights(e *emitter, v isa, full string) {
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{wgX, "AX"}, {wgRowX, "R8"}, {wgColX, "R9"}, {wgY, "BX"}, {wgRowY, "R10"}, {wgColY, "R11"}, {wgVectors, "CX"}, {wgTemp, "R12"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	e.f("ADDQ CX, CX")
	for _, x := range []struct {
		name string
		reg  int
	}{{"quarter", wgQuarter}, {"half", wgHalf}, {"six", wgSix}, {"minusSix", wgMinusSix}} {
		e.f("VBROADCASTSD %s64<>+0(SB), %s", x.name, v.r(x.reg))
	}
	narrow := isa{reg: "Y"}
	convert := "VCVTPD2PS"
	if v.bits == 256 {
		narrow.reg, convert = "X", "VCVTPD2PSY"
	}
	e.label("vector")
	e.f("MOVQ AX, R13")
	for i := range 3 {
		for j, place := range []string{"(R13)", "(R13)(R9*1)", "(R13)(R9*2)"} {
			e.f("VCVTPS2PD %s, %s", place, v.r(j))
		}
		for j, r := range timesG(e, v) {
			e.f("VMOVUPD %s, %d(R12)", v.r(r), (6*i+j)*v.bytes())
		}
		if i < 2 {
			e.f("ADDQ R8, R13")
		}
	}
	e.f("MOVQ BX, R13")
	for j := range 6 {
		for i := range 3 {
			e.f("VMOVUPD %d(R12), %s", (6*i+j)*v.bytes(), v.r(i))
		}
		e.f("MOVQ R13, SI")
		for i, r := range timesG(e, v) {
			e.f("%s %s, %s", convert, v.r(r), narrow.r(r))
			e.f("VMOVUPS %s, (SI)", narrow.r(r))
			if i < 5 {
				e.f("ADDQ R10, SI")
			}
		}
		if j < 5 {
			e.f("ADDQ R11, R13")
		}
	}
	e.f("ADDQ $%d, AX", v.bytes()/2)
	e.f("ADDQ $%d, BX", v.bytes()/2)
	e.f("DECQ CX")
	e.f("JNZ vector")
	e.f("VZEROUPPER")
	e.f("RET")
}

// timesG multiplies registers 0 to 2, of float64, by G and says where the six results are.
func timesG(e *emitter, v isa) [6]int {
	r := v.r
	const q, h, a, b, c, d = 3, 4, 5, 6, 7, 8
	e.f("VMULPD %s, %s, %s", r(wgQuarter), r(0), r(q))
	e.f("VMULPD %s, %s, %s", r(wgHalf), r(1), r(h))
	e.f("VADDPD %s, %s, %s", r(1), r(0), r(a))
	e.f("VADDPD %s, %s, %s", r(2), r(a), r(a))
	e.f("VDIVPD %s, %s, %s", r(wgMinusSix), r(a), r(a)) // −(x0 + x1 + x2)/6
	e.f("VSUBPD %s, %s, %s", r(0), r(1), r(b))
	e.f("VSUBPD %s, %s, %s", r(2), r(b), r(b))
	e.f("VDIVPD %s, %s, %s", r(wgSix), r(b), r(b)) // (x1 − x0 − x2)/6
	e.f("VADDPD %s, %s, %s", r(h), r(q), r(c))
	e.f("VADDPD %s, %s, %s", r(2), r(c), r(c))
	e.f("VDIVPD %s, %s, %s", r(wgSix), r(c), r(c)) // (x0/4 + x1/2 + x2)/6
	e.f("VSUBPD %s, %s, %s", r(h), r(q), r(d))
	e.f("VADDPD %s, %s, %s", r(2), r(d), r(d))
	e.f("VDIVPD %s, %s, %s", r(wgSix), r(d), r(d)) // (x0/4 − x1/2 + x2)/6
	return [6]int{q, a, b, c, d, 2}
}
