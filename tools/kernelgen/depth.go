package main

// This file writes convolutions of single channels, and maxima of windows of bf16, for a vector of neighbouring
// columns of the result, some rows together, straight from the image: rows outside of it are left out, columns
// outside of it are masked.
//
// A depthwise convolution has few products for each element that it reads, so what counts is that
// nothing is read twice and nothing is copied before. A function computes depthRows rows of the
// result for one vector of columns: each row of the image is read once and added to all rows of
// the result that see it. Rows above and below the image are skipped by a comparison without
// sign, which also catches negative ones; columns left and right of it are masked loads, which
// give zeros.
//
// Masks and the record's other fields are prepared by the Go side (tile.Depth), so that the
// assembly has no case distinctions but those of the generator.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Depth's fields.
const (
	dpX, dpCol, dpRowX, dpPlaneX, dpHeight, dpFirst = 0, 8, 16, 24, 32, 40
	dpY, dpRowY, dpPlaneY, dpRows, dpChannels       = 48, 56, 64, 72, 80
	dpW, dpBias, dpBiasStep, dpMasks, dpLo, dpHi    = 88, 96, 104, 112, 120, 124
	dpAt                                            = 128 // the channel's X, Y and Bias
)

// depthTaps are the rows and columns of kernels, depthStrides their strides.
var depthTaps, depthStrides = []int{3, 5}, []int{1, 2}

// depthRows is the number of rows of the result that are computed together: they share what they read of the image, and none is stored
// before the next one has been read, as processors take a store for one to a place 4 KiB away that is read next.
const depthRows = 4

// The names and the tables by taps and stride are written beside the code, so that Go finds a
// function by two indices.
func depths(e *emitter, table *bytes.Buffer) {
	for i := range 16 { // the places of two vectors' halves in turn
		fmt.Fprintf(e, "DATA halvesInTurn<>+%d(SB)/4, $%d\n", 4*i, i|(16+i)<<16)
	}
	fmt.Fprintln(e, "GLOBL halvesInTurn<>(SB), RODATA|NOPTR, $64")
	for _, f := range []struct {
		isa
		suffix  string
		narrow  bool
		strides []int // those of bf16 with a stride of 2 are woven
	}{{avx512, avx512.name, false, depthStrides}, {avx2, avx2.name, false, depthStrides}, {avx512, "BF16", true, depthStrides[:1]},
		{avx512, "Woven", true, depthStrides}} {
		fmt.Fprintf(table, "\n// depths%s are by taps (3, 5) and stride (1, 2).\nvar depths%s = [2][2]func(*Depth){\n", f.suffix, f.suffix)
		var decl bytes.Buffer
		for _, taps := range depthTaps {
			fmt.Fprint(table, "{")
			for _, stride := range f.strides {
				name := fmt.Sprintf("depth%sk%ds%d", f.suffix, taps, stride)
				fmt.Fprintf(table, "%s, ", name)
				fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Depth)\n", name)
				if f.suffix == "Woven" {
					depthWoven(e, name, taps, stride)
				} else {
					depth(e, f.isa, name, taps, stride, f.narrow)
				}
			}
			fmt.Fprintln(table, "},")
		}
		fmt.Fprintln(table, "}")
		table.Write(decl.Bytes())
	}
	fmt.Fprint(table, "\n// depthsLargest are by taps (2, 3).\nvar depthsLargest = [2]func(*Depth){depthLargestk2, depthLargestk3}\n")
	for taps := 2; taps <= 3; taps++ {
		name := fmt.Sprintf("depthLargestk%d", taps)
		fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Depth)\n", name)
		largestWoven(e, name, taps)
	}
}

// depth writes one function. Registers: DI the record, AX the image's channel with the column of the first tap, BX
// the result's row, CX rows of the result left, DX the row that the first tap of the block meets, SI that of a tap,
// R8 its place, R9 weights, R10 the pitch of the image, R11 that of the result, R13 masks, R15 the image's height.
// Vectors: from 0 on the sums, then the columns of a row of the image and a free one; AVX2 has a weight and a mask
// behind them, AVX-512 all weights of a small kernel. Images and results that are narrow are of
// bf16. Go's VMAXPS a, b, c gives its first source when an operand is NaN; the order is chosen so
// that NaN stays.
func depth(e *emitter, v isa, name string, taps, stride int, narrow bool) {
	size := 4 // of an element
	if narrow {
		size = 2
	}
	count := taps * stride // masks of loads
	cols := depthRows      // the first register of columns
	free := cols + taps
	weight, mask := free+1, free+2
	maskBytes := 8
	if v.bits == 256 {
		maskBytes = v.bytes()
	}
	inRegisters := v.bits == 512 && taps == 3
	preloaded := v.bits == 512 && count <= 6
	load := func(i int, from, to string) { // with the mask of that number
		switch {
		case preloaded && narrow:
			e.widened(from, fmt.Sprintf("K%d", 1+i), to)
		case preloaded:
			e.f("VMOVUPS.Z %s, K%d, %s", from, 1+i, to)
		case v.bits == 512:
			e.f("KMOVW %d(R13), K1", maskBytes*(1+i))
			e.f("VMOVUPS.Z %s, K1, %s", from, to)
		default:
			e.f("VMOVUPS %d(R13), %s", maskBytes*(1+i), v.r(mask))
			e.f("VMASKMOVPS %s, %s, %s", from, v.r(mask), to)
		}
	}
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{dpRowX, "R10"}, {dpRowY, "R11"}, {dpMasks, "R13"}, {dpHeight, "R15"}, {dpW, "R9"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	if v.bits == 512 {
		if stride == 2 {
			e.f("VMOVUPS evens<>+0(SB), Z31")
		}
		e.f("VBROADCASTSS %d(DI), Z30", dpLo)
		e.f("VBROADCASTSS %d(DI), Z29", dpHi)
		e.f("KMOVW (R13), K7")
	} else {
		e.f("VMOVUPS (R13), Y15")
	}
	for i := 0; preloaded && i < count; i++ {
		e.f("KMOVW %d(R13), K%d", maskBytes*(1+i), 1+i)
	}
	for i, off := range [...]int{dpX, dpY, dpBias} {
		e.f("MOVQ %d(DI), AX", off)
		e.f("MOVQ AX, %d(DI)", dpAt+8*i)
	}
	e.label("channel")
	for t := 0; inRegisters && t < taps*taps; t++ {
		e.f("VBROADCASTSS %d(R9), Z%d", 4*t, 16+t)
	}
	e.f("MOVQ %d(DI), AX", dpAt)
	e.f("ADDQ %d(DI), AX", dpCol)
	e.f("MOVQ %d(DI), BX", dpAt+8)
	e.f("MOVQ %d(DI), CX", dpRows)
	e.f("MOVQ %d(DI), DX", dpFirst)
	e.label("block")
	e.f("MOVQ %d(DI), SI", dpAt+16)
	e.f("VBROADCASTSS (SI), %s", v.r(0))
	for r := 1; r < depthRows; r++ {
		e.f("VMOVAPS %s, %s", v.r(0), v.r(r))
	}
	e.f("MOVQ DX, SI")
	e.f("MOVQ DX, R8")
	e.f("IMULQ R10, R8")
	e.f("ADDQ AX, R8")
	for i := range (depthRows-1)*stride + taps { // rows of the image
		e.f("CMPQ SI, R15")
		e.f("JCC outside%d", i) // also where it is negative
		for x := range taps {
			at := fmt.Sprintf("%d(R8)", size*x)
			if stride == 1 {
				load(x, at, v.r(cols+x))
				continue
			}
			load(2*x, at, v.r(cols+x))
			load(2*x+1, fmt.Sprintf("%d(R8)", size*(x+v.lanes())), v.r(free))
			if v.bits == 512 {
				e.f("VPERMT2PS %s, Z31, %s", v.r(free), v.r(cols+x))
			} else {
				e.f("VSHUFPS $0x88, %s, %s, %s", v.r(free), v.r(cols+x), v.r(cols+x))
				e.f("VPERMPD $0xd8, %s, %s", v.r(cols+x), v.r(cols+x))
			}
		}
		for x := range taps {
			for r := range depthRows {
				y := i - r*stride // row of the kernel
				if y < 0 || y >= taps {
					continue
				}
				t := y*taps + x
				switch {
				case inRegisters:
					e.f("VFMADD231PS %s, Z%d, %s", v.r(cols+x), 16+t, v.r(r))
				case v.bits == 512:
					e.f("VFMADD231PS.BCST %d(R9), %s, %s", 4*t, v.r(cols+x), v.r(r))
				default:
					e.f("VBROADCASTSS %d(R9), %s", 4*t, v.r(weight))
					e.f("VFMADD231PS %s, %s, %s", v.r(cols+x), v.r(weight), v.r(r))
				}
			}
		}
		e.label("outside%d", i)
		e.f("INCQ SI")
		e.f("ADDQ R10, R8")
	}
	lo, hi := "Z30", "Z29"
	if v.bits == 256 {
		lo, hi = v.r(cols), v.r(cols+1)
		e.f("VBROADCASTSS %d(DI), %s", dpLo, lo)
		e.f("VBROADCASTSS %d(DI), %s", dpHi, hi)
	}
	for r := range depthRows {
		e.f("VMAXPS %s, %s, %s", v.r(r), lo, v.r(r)) // NaN passes as the operand written first
		e.f("VMINPS %s, %s, %s", v.r(r), hi, v.r(r))
		switch {
		case narrow:
			e.round(v.r(r), v.r(free))
			e.f("VMOVDQU16 Y%d, K7, (BX)", free)
		case v.bits == 512:
			e.f("VMOVUPS %s, K7, (BX)", v.r(r))
		default:
			e.f("VMASKMOVPS %s, Y15, (BX)", v.r(r))
		}
		e.f("ADDQ R11, BX")
		e.f("DECQ CX")
		e.f("JZ next")
	}
	nextDepth(e, taps, stride)
}

// depthWoven writes a function for images and results of bf16, which are read two columns to a lane: the even and the
// odd ones are two vectors of f32 without any being moved to another lane, and where the stride is 1 so are those of
// the result. Registers are those of depth; vectors: the sums from 0 on, those of odd columns behind those of even
// ones, columns of a row of the image from 8 on, weights of a small kernel from 16 on. A 32-bit
// lane has the even column in its lower half and the odd one in its upper half; a shift and a
// mask make two vectors of f32 of it.
func depthWoven(e *emitter, name string, taps, stride int) {
	const cols, free, weight, order = 8, 14, 16, "Z28"
	loads := (taps + 1) / 2
	inRegisters := taps == 3
	sum := func(r, odd int) string { return fmt.Sprintf("Z%d", r+odd*depthRows) }
	sides := 2 / stride // of the result's columns: even ones, and odd ones
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{dpRowX, "R10"}, {dpRowY, "R11"}, {dpMasks, "R13"}, {dpHeight, "R15"}, {dpW, "R9"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	if sides > 1 {
		e.f("VMOVDQU32 halvesInTurn<>+0(SB), %s", order)
	}
	e.f("VPTERNLOGD $0xff, Z31, Z31, Z31")
	e.f("VPSLLD $16, Z31, Z31")
	e.f("VBROADCASTSS %d(DI), Z30", dpLo)
	e.f("VBROADCASTSS %d(DI), Z29", dpHi)
	e.f("KMOVD (R13), K7")
	for i := range loads {
		e.f("KMOVD %d(R13), K%d", 8*(1+i), 1+i)
	}
	for i, off := range [...]int{dpX, dpY, dpBias} {
		e.f("MOVQ %d(DI), AX", off)
		e.f("MOVQ AX, %d(DI)", dpAt+8*i)
	}
	e.label("channel")
	for t := 0; inRegisters && t < taps*taps; t++ {
		e.f("VBROADCASTSS %d(R9), Z%d", 4*t, weight+t)
	}
	e.f("MOVQ %d(DI), AX", dpAt)
	e.f("ADDQ %d(DI), AX", dpCol)
	e.f("MOVQ %d(DI), BX", dpAt+8)
	e.f("MOVQ %d(DI), CX", dpRows)
	e.f("MOVQ %d(DI), DX", dpFirst)
	e.label("block")
	e.f("MOVQ %d(DI), SI", dpAt+16)
	e.f("VBROADCASTSS (SI), Z0")
	for r := 1; r < sides*depthRows; r++ {
		e.f("VMOVAPS Z0, Z%d", r)
	}
	e.f("MOVQ DX, SI")
	e.f("MOVQ DX, R8")
	e.f("IMULQ R10, R8")
	e.f("ADDQ AX, R8")
	for i := range (depthRows-1)*stride + taps { // rows of the image
		e.f("CMPQ SI, R15")
		e.f("JCC outside%d", i) // also where it is negative
		for l := range loads {
			even, odd := cols+2*l, cols+2*l+1
			e.f("VMOVDQU16.Z %d(R8), K%d, Z%d", 4*l, 1+l, even)
			if odd-cols < taps || sides > 1 {
				e.f("VPANDD Z%d, Z31, Z%d", even, odd)
			}
			e.f("VPSLLD $16, Z%d, Z%d", even, even)
		}
		for x := range taps {
			for r := range depthRows {
				y := i - r*stride // row of the kernel
				if y < 0 || y >= taps {
					continue
				}
				for odd := range sides {
					if t := y*taps + x; inRegisters {
						e.f("VFMADD231PS Z%d, Z%d, %s", cols+x+odd, weight+t, sum(r, odd))
					} else {
						e.f("VFMADD231PS.BCST %d(R9), Z%d, %s", 4*t, cols+x+odd, sum(r, odd))
					}
				}
			}
		}
		e.label("outside%d", i)
		e.f("INCQ SI")
		e.f("ADDQ R10, R8")
	}
	for r := range depthRows {
		for odd := range sides {
			e.f("VMAXPS %s, Z30, %s", sum(r, odd), sum(r, odd)) // NaN passes as the operand written first
			e.f("VMINPS %s, Z29, %s", sum(r, odd), sum(r, odd))
		}
		if sides > 1 {
			e.roundTwo(sum(r, 0), sum(r, 1), fmt.Sprintf("Z%d", free))
			e.f("VPERMW Z%d, %s, Z%d", free, order, free)
			e.f("VMOVDQU16 Z%d, K7, (BX)", free)
		} else {
			e.round(sum(r, 0), fmt.Sprintf("Z%d", free))
			e.f("VMOVDQU16 Y%d, K7, (BX)", free)
		}
		e.f("ADDQ R11, BX")
		e.f("DECQ CX")
		e.f("JZ next")
	}
	nextDepth(e, taps, stride)
}

// largestWoven writes the maxima of windows with a stride of 2, read as depthWoven does; where a window has one that
// is no number, so is its maximum. Vectors: 0 to 3 the maxima of rows, from 8 on columns of a row of the image; K3 to
// K6 say where there are no numbers. Maxima of bf16 are maxima of the same numbers as f32, so no
// rounding is needed at the end, only the upper halves.
func largestWoven(e *emitter, name string, taps int) {
	const cols, stride, none, row, other = 8, 2, 3, 0, 5
	loads := (taps + 1) / 2
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, x := range []struct {
		off int
		reg string
	}{{dpRowX, "R10"}, {dpRowY, "R11"}, {dpMasks, "R13"}, {dpHeight, "R15"}} {
		e.f("MOVQ %d(DI), %s", x.off, x.reg)
	}
	e.f("VPTERNLOGD $0xff, Z31, Z31, Z31")
	e.f("VPSLLD $16, Z31, Z31")
	e.f("VPSLLW $7, Z31, Z30") // minus infinity in bf16, in the upper halves
	e.f("VPSRLD $16, Z30, Z29")
	e.f("VPORD Z29, Z30, Z29")
	e.f("KMOVW (R13), K7")
	for i := range loads {
		e.f("KMOVD %d(R13), K%d", 8*(1+i), 1+i)
	}
	for i, off := range [...]int{dpX, dpY} {
		e.f("MOVQ %d(DI), AX", off)
		e.f("MOVQ AX, %d(DI)", dpAt+8*i)
	}
	e.label("channel")
	e.f("MOVQ %d(DI), AX", dpAt)
	e.f("ADDQ %d(DI), AX", dpCol)
	e.f("MOVQ %d(DI), BX", dpAt+8)
	e.f("MOVQ %d(DI), CX", dpRows)
	e.f("MOVQ %d(DI), DX", dpFirst)
	e.label("block")
	for r := range depthRows {
		e.f("VMOVAPS Z30, Z%d", r)
		e.f("KXORW K%d, K%d, K%d", none+r, none+r, none+r)
	}
	e.f("MOVQ DX, SI")
	e.f("MOVQ DX, R8")
	e.f("IMULQ R10, R8")
	e.f("ADDQ AX, R8")
	for i := range (depthRows-1)*stride + taps { // rows of the image
		e.f("CMPQ SI, R15")
		e.f("JCC outside%d", i) // also where it is negative
		for l := range loads {
			even, odd := cols+2*l, cols+2*l+1
			e.f("VMOVDQA64 Z29, Z%d", even)
			e.f("VMOVDQU16 %d(R8), K%d, Z%d", 4*l, 1+l, even)
			if odd-cols < taps {
				e.f("VPANDD Z%d, Z31, Z%d", even, odd)
			}
			e.f("VPSLLD $16, Z%d, Z%d", even, even)
		}
		e.f("VCMPPS $3, Z%d, Z%d, K%d", cols, cols+1, row)
		e.f("VMAXPS Z%d, Z%d, Z%d", cols, cols+1, other)
		if taps > 2 {
			e.f("VCMPPS $3, Z%d, Z%d, K1", cols+2, cols+2)
			e.f("KORW K1, K%d, K%d", row, row)
			e.f("KMOVD 8(R13), K1")
			e.f("VMAXPS Z%d, Z%d, Z%d", cols+2, other, other)
		}
		for r := range depthRows {
			if y := i - r*stride; y >= 0 && y < taps {
				e.f("VMAXPS Z%d, Z%d, Z%d", other, r, r)
				e.f("KORW K%d, K%d, K%d", row, none+r, none+r)
			}
		}
		e.label("outside%d", i)
		e.f("INCQ SI")
		e.f("ADDQ R10, R8")
	}
	for r := range depthRows {
		e.f("VMOVUPS %s, Z%d", k("nan"), other)
		e.f("VBLENDMPS Z%d, Z%d, K%d, Z%d", other, r, none+r, r)
		e.f("VPSRLD $16, Z%d, Z%d", r, r)
		e.f("VPMOVDW Z%d, Y%d", r, other)
		e.f("VMOVDQU16 Y%d, K7, (BX)", other)
		e.f("ADDQ R11, BX")
		e.f("DECQ CX")
		e.f("JZ next")
	}
	e.f("ADDQ $%d, DX", depthRows*stride)
	e.f("JMP block")
	e.label("next")
	for i, step := range [...]int{dpPlaneX, dpPlaneY} {
		e.f("MOVQ %d(DI), AX", step)
		e.f("ADDQ AX, %d(DI)", dpAt+8*i)
	}
	e.f("DECQ %d(DI)", dpChannels)
	e.f("JNZ channel")
	e.f("VZEROUPPER")
	e.f("RET")
}

// nextDepth ends a block of rows and goes on with the next one, or at its label "next" with the
// next channel. It ends the function after the last channel.
func nextDepth(e *emitter, taps, stride int) {
	e.f("ADDQ $%d, DX", depthRows*stride)
	e.f("JMP block")
	e.label("next")
	for i, step := range [...]int{dpPlaneX, dpPlaneY, dpBiasStep} {
		e.f("MOVQ %d(DI), AX", step)
		e.f("ADDQ AX, %d(DI)", dpAt+8*i)
	}
	e.f("ADDQ $%d, R9", 4*taps*taps)
	e.f("DECQ %d(DI)", dpChannels)
	e.f("JNZ channel")
	e.f("VZEROUPPER")
	e.f("RET")
}
