package main

// This file writes what ends the sums of a block: they are moved, and a bias of each row and a matrix are added. What
// is written and the matrix are of f32, or of bf16.

import (
	"bytes"
	"fmt"
	"strings"
)

// Offsets of tile.Ending's fields.
const enX, enPitchX, enY, enPitchY, enRows, enBias, enRes, enLo, enHi, enWhole, enMask = 0, 8, 16, 24, 32, 40, 48, 56, 60, 64, 72

func endings(e *emitter, table *bytes.Buffer) {
	ended(e, table, "ending", false, false)
	ended(e, table, "endingHalves", true, false)
	ended(e, table, "endingColumns", false, true)
}

// ended writes a function. Registers: DI the record, AX x and R8 its pitch, BX y and R9 its pitch, CX rows, SI the
// bias, R11 the residual less y, R15 a place in it, R12 the place in a row and R13 the bytes of its whole vectors;
// where y is narrow, its place in R14 and the pitch of x in it in R10, and a vector of y is two of x; where there is
// a bias of each column, that in R14. As the next panel is mostly the one behind, its lines are fetched.
func ended(e *emitter, table *bytes.Buffer, name string, narrow, columns bool) {
	v := avx512
	xs, bias, lo, hi, residual := []string{v.r(0)}, v.r(1), v.r(2), v.r(3), v.r(4)
	place, panel, panelCode := "R12", "R8", 0x02
	if narrow {
		xs, place, panel, panelCode = []string{v.r(0), v.r(5)}, "R14", "R10", 0x12
	}
	fmt.Fprintf(table, "\n//go:noescape\nfunc %s(p *Ending)\n", name)
	e.text(name, 8)
	e.f("MOVQ p+0(FP), DI")
	for _, f := range []struct {
		off int
		reg string
	}{{enX, "AX"}, {enPitchX, "R8"}, {enY, "BX"}, {enPitchY, "R9"}, {enRows, "CX"}, {enBias, "SI"}, {enRes, "R11"}, {enWhole, "R13"},
		{enMask, "DX"}} {
		e.f("MOVQ %d(DI), %s", f.off, f.reg)
	}
	e.f("KMOVW DX, K1")
	if narrow {
		e.f("KMOVD DX, K3")
		e.f("SHRQ $16, DX")
		e.f("KMOVW DX, K2")
		e.f("MOVQ R8, R10")
		e.f("SHRQ $1, R10")
	}
	if columns {
		e.f("MOVQ SI, R14")
		e.f("XORL SI, SI")
	}
	e.f("VBROADCASTSS %d(DI), %s", enLo, lo)
	e.f("VBROADCASTSS %d(DI), %s", enHi, hi)
	e.f("VPXORD %s, %s, %s", bias, bias, bias)
	e.f("TESTQ R11, R11")
	e.f("JNZ %s_residual", name)
	for _, res := range []bool{false, true} {
		row := name + "_row"
		if res {
			row = name + "_more"
			e.label("%s_residual", name)
			e.f("SUBQ BX, R11")
		}
		vector := func(masked bool) {
			zeroing := ""
			if masked {
				zeroing = ".Z"
			}
			mask := func(n int) string { // of a vector of x, or with 2 of one of y
				if masked {
					return fmt.Sprintf("K%d, ", 1+n)
				}
				return ""
			}
			if narrow {
				e.f("MOVQ R12, R14")
				e.f("SHRQ $1, R14")
			}
			e.f("LEAQ (BX)(%s*1), DX", place)
			e.bytes(0x42, 0x0f, 0x0d, 0x0c, panelCode) // PREFETCHW (DX)(panel*1), which Go's assembler does not know
			if res {
				e.f("LEAQ (DX)(R11*1), R15")
				e.f("PREFETCHT0 (R15)(%s*1)", panel)
			}
			for n, x := range xs {
				e.f("VMOVUPS%s %d(AX)(R12*1), %s%s", zeroing, n*v.bytes(), mask(n), x)
				if columns {
					e.f("VADDPS%s (R14)(R12*1), %s, %s%s", zeroing, x, mask(n), x)
				} else {
					e.f("VADDPS %s, %s, %s", bias, x, x)
				}
				switch {
				case res && narrow:
					e.widened(fmt.Sprintf("%d(R15)", n*v.bytes()/2), strings.TrimSuffix(mask(n), ", "), residual)
					e.f("VADDPS %s, %s, %s", residual, x, x)
				case res:
					e.f("VADDPS%s (R15), %s, %s%s", zeroing, x, mask(n), x)
				}
				e.f("VMAXPS %s, %s, %s", x, lo, x) // NaN passes as the operand written first
				e.f("VMINPS %s, %s, %s", x, hi, x)
			}
			if narrow {
				e.roundTwo(xs[0], xs[1], xs[0])
				e.f("VMOVDQU16 %s, %s(DX)", xs[0], mask(2))
			} else {
				e.f("VMOVUPS %s, %s(DX)", xs[0], mask(0))
			}
		}
		e.label(row)
		e.f("TESTQ SI, SI")
		e.f("JZ %s_none", row)
		e.f("VBROADCASTSS (SI), %s", bias)
		e.f("ADDQ $4, SI")
		e.label("%s_none", row)
		e.f("XORL R12, R12")
		e.f("JMP %s_test", row)
		e.label("%s_vector", row)
		vector(false)
		e.f("ADDQ $%d, R12", len(xs)*v.bytes())
		e.label("%s_test", row)
		e.f("CMPQ R12, R13")
		e.f("JLT %s_vector", row)
		vector(true)
		e.f("ADDQ R8, AX")
		e.f("ADDQ R9, BX")
		e.f("DECQ CX")
		e.f("JNZ %s", row)
		e.f("VZEROUPPER")
		e.f("RET")
	}
}
