package main

// This file writes sums, products and maxima over the taps of a window for the neighbouring
// outputs of a row, and the selection of every second element.
//
// A window is a list of taps, each an offset in bytes from the place of the output; that serves
// convolutions of single channels, pools of maxima and of sums, whatever stride the image had, as
// the planes were laid out for it. Vectors of neighbouring outputs go through all taps before
// they are written.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Window's fields.
const (
	winX, winY, winN, winOffs, winW, winTaps, winMasks = 0, 8, 16, 24, 32, 40, 48
	winBias, winLo, winHi                              = 56, 60, 64
)

// winUnroll is the number of vectors that go through the taps together.
const winUnroll = 4

// The tables of permutations for two vectors are written here, too.
func windows(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		fmt.Fprintf(table, "\nvar windows%s = windowTable{\n", v.name)
		var decl bytes.Buffer
		for _, name := range []string{"weighted", "largest", "total"} {
			full := fmt.Sprintf("window%s%s", v.name, name)
			fmt.Fprintf(table, "%s: %s,\n", name, full)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Window)\n", full)
			window(e, v, full, name)
		}
		for _, f := range []struct {
			name  string
			write func(*emitter, isa, string)
		}{{"second", second}, {"weave", weave}} {
			full := f.name + v.name
			fmt.Fprintf(table, "%s: %s,\n", f.name, full)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Row)\n", full)
			f.write(e, v, full)
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
	panels(e, table)
	for _, l := range []struct { // places of elements in two vectors
		name string
		at   func(i int) int
	}{
		{"evens", func(i int) int { return 2 * i }},
		{"mixLow", func(i int) int { return i/2 + i%2*16 }},
		{"mixHigh", func(i int) int { return 8 + i/2 + i%2*16 }},
	} {
		for i := range 16 {
			fmt.Fprintf(e, "DATA %s<>+%d(SB)/4, $%d\n", l.name, 4*i, l.at(i))
		}
		fmt.Fprintf(e, "GLOBL %s<>(SB), RODATA|NOPTR, $64\n", l.name)
	}
}

// window writes one function: y[i] is, over the taps t, the sum of w[t]·x[off[t]+i] from the bias on, or
// the largest of x[off[t]+i], or their sum times the bias; then within lo and hi. Registers: AX x, BX y, CX
// outputs left, DX offsets, SI weights, R8 masks, R9 taps left, R10 and R11 the places in both
// lists, R12 the tap's row. winUnroll vectors go through the taps together, which hides the
// latency of the additions. For maxima NaN is collected separately, because the instruction takes
// either operand of a comparison with NaN by their order.
func window(e *emitter, v isa, full, kind string) {
	n := v.lanes()
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), AX", winX)
	e.f("MOVQ %d(DI), BX", winY)
	e.f("MOVQ %d(DI), CX", winN)
	e.f("MOVQ %d(DI), DX", winOffs)
	e.f("MOVQ %d(DI), SI", winW)
	e.f("MOVQ %d(DI), R8", winMasks)
	if v.bits == 512 {
		e.f("MOVQ $0xffff, R9")
		e.f("KMOVW R9, K1")
	}
	block := func(unroll int, masked bool) {
		label := fmt.Sprintf("taps%d%v", unroll, masked)
		for u := range unroll {
			switch kind {
			case "weighted":
				e.f("VBROADCASTSS %d(DI), %s", winBias, v.r(u))
			case "largest":
				e.f("VMOVUPS %s, %s", k("ninf"), v.r(u))
			default:
				if v.bits == 512 {
					e.f("VPXORD %s, %s, %s", v.r(u), v.r(u), v.r(u))
				} else {
					e.f("VXORPS %s, %s, %s", v.r(u), v.r(u), v.r(u))
				}
			}
		}
		if kind == "largest" { // registers 12 on, or K2 on, collect NaN
			for u := range unroll {
				if v.bits == 512 {
					e.f("KXORW K%d, K%d, K%d", 2+u, 2+u, 2+u)
				} else {
					e.f("VXORPS %s, %s, %s", v.r(10+u), v.r(10+u), v.r(10+u))
				}
			}
		}
		e.f("MOVQ %d(DI), R9", winTaps)
		e.f("MOVQ DX, R10")
		e.f("MOVQ SI, R11")
		e.label(label)
		e.f("MOVQ (R10), R12")
		e.f("ADDQ AX, R12")
		if kind == "weighted" {
			e.f("VBROADCASTSS (R11), %s", v.r(4))
			e.f("ADDQ $4, R11")
		}
		for u := range unroll {
			from := fmt.Sprintf("%d(R12)", u*v.bytes())
			x := v.r(5 + u)
			switch {
			case !masked:
				e.f("VMOVUPS %s, %s", from, x)
			case v.bits == 512:
				e.f("VMOVUPS.Z %s, K1, %s", from, x)
			default:
				e.f("VMASKMOVPS %s, %s, %s", from, v.r(15), x)
			}
			switch kind {
			case "weighted":
				e.f("VFMADD231PS %s, %s, %s", x, v.r(4), v.r(u))
			case "largest":
				if v.bits == 512 {
					e.f("VCMPPS $3, %s, %s, K6", x, x)
					e.f("KORW K6, K%d, K%d", 2+u, 2+u)
				} else {
					e.f("VCMPPS $3, %s, %s, %s", x, x, v.r(9))
					e.f("VORPS %s, %s, %s", v.r(9), v.r(10+u), v.r(10+u))
				}
				e.f("VMAXPS %s, %s, %s", x, v.r(u), v.r(u))
			default:
				e.f("VADDPS %s, %s, %s", x, v.r(u), v.r(u))
			}
		}
		e.f("ADDQ $8, R10")
		e.f("DECQ R9")
		e.f("JNZ %s", label)
		if kind == "weighted" {
			e.f("VBROADCASTSS %d(DI), %s", winLo, v.r(5))
			e.f("VBROADCASTSS %d(DI), %s", winHi, v.r(6))
		}
		if kind == "total" {
			e.f("VBROADCASTSS %d(DI), %s", winBias, v.r(5))
		}
		for u := range unroll {
			y := v.r(u)
			switch kind {
			case "weighted":
				e.f("VMAXPS %s, %s, %s", y, v.r(5), y)
				e.f("VMINPS %s, %s, %s", y, v.r(6), y)
			case "largest":
				if v.bits == 512 {
					e.f("VMOVUPS %s, %s", k("nan"), v.r(9))
					e.f("VBLENDMPS %s, %s, K%d, %s", v.r(9), y, 2+u, y)
				} else {
					e.f("VORPS %s, %s, %s", v.r(10+u), y, y)
				}
			default:
				e.f("VDIVPS %s, %s, %s", v.r(5), y, y)
			}
			to := fmt.Sprintf("%d(BX)", u*v.bytes())
			switch {
			case !masked:
				e.f("VMOVUPS %s, %s", y, to)
			case v.bits == 512:
				e.f("VMOVUPS %s, K1, %s", y, to)
			default:
				e.f("VMASKMOVPS %s, %s, %s", y, v.r(15), to)
			}
		}
	}
	loop := func(name, next string, unroll int) {
		e.f("SUBQ $%d, CX", n*unroll)
		e.f("JLT %s", next)
		e.label("%s", name)
		block(unroll, false)
		e.f("ADDQ $%d, AX", unroll*v.bytes())
		e.f("ADDQ $%d, BX", unroll*v.bytes())
		e.f("SUBQ $%d, CX", n*unroll)
		e.f("JGE %s", name)
		e.label("%s", next)
		e.f("ADDQ $%d, CX", n*unroll)
	}
	loop("many", "few", winUnroll)
	loop("one", "tail", 1)
	e.f("JZ done")
	if v.bits == 512 {
		e.f("MOVQ $1, R9")
		e.f("SHLQ CX, R9")
		e.f("DECQ R9")
		e.f("KMOVW R9, K1")
	} else {
		e.f("SHLQ $5, CX")
		e.f("VMOVUPS (R8)(CX*1), %s", v.r(15))
	}
	block(1, true)
	e.label("done")
	e.f("VZEROUPPER")
	e.f("RET")
}

// second writes y[i] = x[2i] for whole vectors of outputs; two vectors of x are read for each. On
// AVX2 the shuffle works within halves, and a permutation of 64-bit lanes puts them in order.
func second(e *emitter, v isa, full string) {
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), AX", rowX)
	e.f("MOVQ %d(DI), BX", rowY)
	e.f("MOVQ %d(DI), CX", rowN)
	if v.bits == 512 {
		e.f("VMOVUPS evens<>+0(SB), Z2")
	}
	e.f("SUBQ $%d, CX", v.lanes())
	e.f("JLT done")
	e.label("loop")
	e.f("VMOVUPS (AX), %s", v.r(0))
	if v.bits == 512 {
		e.f("VPERMT2PS 64(AX), Z2, Z0")
	} else {
		e.f("VSHUFPS $0x88, 32(AX), Y0, Y0")
		e.f("VPERMPD $0xd8, Y0, Y0")
	}
	e.f("VMOVUPS %s, (BX)", v.r(0))
	e.f("ADDQ $%d, AX", 2*v.bytes())
	e.f("ADDQ $%d, BX", v.bytes())
	e.f("SUBQ $%d, CX", v.lanes())
	e.f("JGE loop")
	e.label("done")
	e.f("VZEROUPPER")
	e.f("RET")
}

// weave writes y[2i] = x[i] and y[2i+1] = z[i] for whole vectors of x and z. It is the inverse of
// taking every second element of two rows.
func weave(e *emitter, v isa, full string) {
	e.text(full, 8)
	e.f("MOVQ p+0(FP), DI")
	e.f("MOVQ %d(DI), AX", rowX)
	e.f("MOVQ %d(DI), BX", rowY)
	e.f("MOVQ %d(DI), CX", rowN)
	e.f("MOVQ %d(DI), DX", rowZ)
	if v.bits == 512 {
		e.f("VMOVUPS mixLow<>+0(SB), Z2")
		e.f("VMOVUPS mixHigh<>+0(SB), Z3")
	}
	e.f("SUBQ $%d, CX", v.lanes())
	e.f("JLT done")
	e.label("loop")
	e.f("VMOVUPS (AX), %s", v.r(0))
	e.f("VMOVUPS (DX), %s", v.r(1))
	if v.bits == 512 {
		e.f("VMOVAPS Z0, Z4")
		e.f("VPERMT2PS Z1, Z2, Z4")
		e.f("VPERMT2PS Z1, Z3, Z0")
	} else {
		e.f("VUNPCKLPS Y1, Y0, Y2")
		e.f("VUNPCKHPS Y1, Y0, Y3")
		e.f("VPERM2F128 $0x20, Y3, Y2, Y4")
		e.f("VPERM2F128 $0x31, Y3, Y2, Y0")
	}
	e.f("VMOVUPS %s, (BX)", v.r(4))
	e.f("VMOVUPS %s, %d(BX)", v.r(0), v.bytes())
	e.f("ADDQ $%d, AX", v.bytes())
	e.f("ADDQ $%d, DX", v.bytes())
	e.f("ADDQ $%d, BX", 2*v.bytes())
	e.f("SUBQ $%d, CX", v.lanes())
	e.f("JGE loop")
	e.label("done")
	e.f("VZEROUPPER")
	e.f("RET")
}

// Offsets of tile.Panel's fields.
const panX, panPitchX, panY, panPitchY, panRows, panMask = 0, 8, 16, 24, 32, 40

// panels writes copies of rows of one to four vectors (AVX2: two), of which the last one has a mask; behind
// it are zeros.
func panels(e *emitter, table *bytes.Buffer) {
	for _, v := range []isa{avx512, avx2} {
		widths := 4
		if v == avx2 {
			widths = 2
		}
		fmt.Fprintf(table, "\n// panels%s are copies by vectors-1.\nvar panels%s = [%d]func(*Columns){", v.name, v.name, widths)
		var decl bytes.Buffer
		for w := 1; w <= widths; w++ {
			name := fmt.Sprintf("panel%sw%d", v.name, w)
			fmt.Fprintf(table, "%s, ", name)
			fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Columns)\n", name)
			e.text(name, 8)
			e.f("MOVQ p+0(FP), DI")
			e.f("MOVQ %d(DI), AX", panX)
			e.f("MOVQ %d(DI), R8", panPitchX)
			e.f("MOVQ %d(DI), BX", panY)
			e.f("MOVQ %d(DI), R9", panPitchY)
			e.f("MOVQ %d(DI), CX", panRows)
			e.f("MOVQ %d(DI), DX", panMask)
			if v.bits == 512 {
				e.f("KMOVW DX, K1")
			} else {
				e.f("VMOVUPS (DX), Y15")
			}
			e.label("row")
			for c := range w {
				from, to := fmt.Sprintf("%d(AX)", c*v.bytes()), fmt.Sprintf("%d(BX)", c*v.bytes())
				switch {
				case c < w-1:
					e.f("VMOVUPS %s, %s", from, v.r(c))
				case v.bits == 512:
					e.f("VMOVUPS.Z %s, K1, %s", from, v.r(c))
				default:
					e.f("VMASKMOVPS %s, Y15, %s", from, v.r(c))
				}
				e.f("VMOVUPS %s, %s", v.r(c), to)
			}
			e.f("ADDQ R8, AX")
			e.f("ADDQ R9, BX")
			e.f("DECQ CX")
			e.f("JNZ row")
			e.f("VZEROUPPER")
			e.f("RET")
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
}
