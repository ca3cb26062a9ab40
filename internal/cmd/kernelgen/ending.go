package main

// This file writes what ends the sums of a block: they are moved, and a bias of each row and a matrix are added.

import (
	"bytes"
	"fmt"
)

// Offsets of tile.Ending's fields.
const enX, enPitchX, enY, enPitchY, enRows, enBias, enRes, enLo, enHi, enMask = 0, 8, 16, 24, 32, 40, 48, 56, 60, 64

// endings writes a function for each number of vectors of a row. Registers: DI the record, AX x and R8 its pitch, BX y and R9 its pitch, CX rows,
// SI the bias and R10 its step, R11 the residual less y.
func endings(e *emitter, table *bytes.Buffer) {
	v := avx512
	const widths = 4
	fmt.Fprintf(table, "\n// endings are those of so many vectors, less one.\nvar endings = [%d]func(*Ending){", widths)
	var decl bytes.Buffer
	for w := 1; w <= widths; w++ {
		name := fmt.Sprintf("ending%d", w)
		fmt.Fprintf(table, "%s, ", name)
		fmt.Fprintf(&decl, "\n//go:noescape\nfunc %s(p *Ending)\n", name)
		bias, lo, hi := v.r(4), v.r(5), v.r(6)
		e.text(name, 8)
		e.f("MOVQ p+0(FP), DI")
		for _, x := range []struct {
			off int
			reg string
		}{{enX, "AX"}, {enPitchX, "R8"}, {enY, "BX"}, {enPitchY, "R9"}, {enRows, "CX"}, {enBias, "SI"}, {enRes, "R11"}, {enMask, "DX"}} {
			e.f("MOVQ %d(DI), %s", x.off, x.reg)
		}
		e.f("KMOVW DX, K1")
		e.f("VBROADCASTSS %d(DI), %s", enLo, lo)
		e.f("VBROADCASTSS %d(DI), %s", enHi, hi)
		e.f("VPXORD %s, %s, %s", bias, bias, bias)
		for _, res := range []bool{false, true} {
			row := "row"
			if res {
				row = "more"
				e.label("residual")
				e.f("SUBQ BX, R11")
			} else {
				e.f("TESTQ R11, R11")
				e.f("JNZ residual")
			}
			e.label(row)
			e.f("TESTQ SI, SI")
			e.f("JZ %s_none", row)
			e.f("VBROADCASTSS (SI), %s", bias)
			e.f("ADDQ $4, SI")
			e.label("%s_none", row)
			for c := range w {
				mask := ""
				if c == w-1 {
					mask = "K1, "
				}
				load := func(op, from, other, to string) {
					if mask != "" {
						op += ".Z"
					}
					e.f("%s %s, %s%s%s", op, from, other, mask, to)
				}
				x := v.r(c)
				load("VMOVUPS", fmt.Sprintf("%d(AX)", c*v.bytes()), "", x)
				e.f("VADDPS %s, %s, %s", bias, x, x)
				if res {
					load("VADDPS", fmt.Sprintf("%d(BX)(R11*1)", c*v.bytes()), x+", ", x)
				}
				e.f("VMAXPS %s, %s, %s", x, lo, x) // NaN passes as the operand written first
				e.f("VMINPS %s, %s, %s", x, hi, x)
				e.f("VMOVUPS %s, %s%d(BX)", x, mask, c*v.bytes())
			}
			e.f("ADDQ R8, AX")
			e.f("ADDQ R9, BX")
			e.f("DECQ CX")
			e.f("JNZ %s", row)
			e.f("VZEROUPPER")
			e.f("RET")
		}
	}
	fmt.Fprintln(table, "}")
	table.Write(decl.Bytes())
}
