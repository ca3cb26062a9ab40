package main

// This file writes functions of elements: of two rows, of a row and a number, and of one row.
//
// Each fn has the body for one vector, and the emitter writes the loop, the loads and the masked
// tail around it. Names are those of tile.Rows' functions.

// pointwise lists them. Numbers are in registers 13 (A) and 14 (B), the second row in register 1.
// none, loadAB and zero are the beginnings that functions need: nothing, the numbers in
// registers, a zero sum.
func pointwise(none, loadAB, zero func(*emitter, isa)) []fn {
	op := func(ins string, a, b int) func(*emitter, isa) { // register a by b in Intel's order
		return func(e *emitter, v isa) { e.f("%s %s, %s, %s", ins, v.r(b), v.r(a), v.r(0)) }
	}
	var list []fn
	for _, x := range []struct{ name, ins string }{{"add", "VADDPS"}, {"sub", "VSUBPS"}, {"mul", "VMULPS"}, {"div", "VDIVPS"}} {
		list = append(list, fn{name: x.name, init: none, body: op(x.ins, 0, 1), more: 1},
			fn{name: x.name + "A", init: loadAB, body: op(x.ins, 0, 13)})
		if x.name == "sub" || x.name == "div" {
			list = append(list, fn{name: x.name + "From", init: loadAB, body: op(x.ins, 13, 0)})
		}
	}
	for _, x := range []struct{ name, ins string }{{"max", "VMAXPS"}, {"min", "VMINPS"}} {
		list = append(list, fn{name: x.name, init: none, more: 1, body: func(e *emitter, v isa) { extreme(e, v, x.ins, 1) }},
			fn{name: x.name + "A", init: loadAB, body: func(e *emitter, v isa) { extreme(e, v, x.ins, 13) }})
	}
	return append(list,
		fn{name: "clip", init: loadAB, body: func(e *emitter, v isa) { // within A and B; NaN passes as it is written first
			e.f("VMAXPS %s, %s, %s", v.r(0), v.r(13), v.r(0))
			e.f("VMINPS %s, %s, %s", v.r(0), v.r(14), v.r(0))
		}},
		fn{name: "abs", init: none, body: func(e *emitter, v isa) { and(e, v, k("abs"), v.r(0), v.r(0)) }},
		fn{name: "neg", init: none, body: func(e *emitter, v isa) {
			if v.bits == 512 {
				e.f("VPXORD %s, %s, %s", k("sign"), v.r(0), v.r(0))
			} else {
				e.f("VXORPS %s, %s, %s", k("sign"), v.r(0), v.r(0))
			}
		}},
		fn{name: "sqrt", init: none, body: func(e *emitter, v isa) { e.f("VSQRTPS %s, %s", v.r(0), v.r(0)) }},
		fn{name: "floor", init: none, body: func(e *emitter, v isa) { rounded(e, v, 9) }},
		fn{name: "ceil", init: none, body: func(e *emitter, v isa) { rounded(e, v, 10) }},
		fn{name: "even", init: none, body: func(e *emitter, v isa) { rounded(e, v, 8) }},
		fn{name: "leaky", init: loadAB, body: func(e *emitter, v isa) { // A·x below zero
			e.f("VMULPS %s, %s, %s", v.r(13), v.r(0), v.r(1))
			negative(e, v, 0, 1, 0)
		}},
		fn{name: "hard", init: loadAB, body: func(e *emitter, v isa) { hardBody(e, v, 0) }}, // A·x + B within 0 and 1
		fn{name: "hardSwish", init: loadAB, body: func(e *emitter, v isa) { // x times hard
			e.f("VMOVAPS %s, %s", v.r(0), v.r(2))
			hardBody(e, v, 0)
			e.f("VMULPS %s, %s, %s", v.r(2), v.r(0), v.r(0))
		}},
		fn{name: "silu", init: loadAB, body: func(e *emitter, v isa) { // x times the sigmoid of A·x
			e.f("VMOVAPS %s, %s", v.r(0), v.r(7))
			e.f("VMULPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			sigmoidBody(e, v)
			// Where the sigmoid is 0 so is the result, also of an infinity.
			if v.bits == 512 {
				e.f("VPXORD %s, %s, %s", v.r(1), v.r(1), v.r(1))
				e.f("VCMPPS $4, %s, %s, K2", v.r(1), v.r(0))
				e.f("VMULPS %s, %s, %s", v.r(7), v.r(0), v.r(0))
				e.f("VMOVAPS.Z %s, K2, %s", v.r(0), v.r(0))
			} else {
				e.f("VXORPS %s, %s, %s", v.r(1), v.r(1), v.r(1))
				e.f("VCMPPS $4, %s, %s, %s", v.r(1), v.r(0), v.r(1))
				e.f("VMULPS %s, %s, %s", v.r(7), v.r(0), v.r(0))
				e.f("VANDPS %s, %s, %s", v.r(1), v.r(0), v.r(0))
			}
		}},
		fn{name: "gelu", init: none, body: func(e *emitter, v isa) { // x/2 times 1 + erf(x/√2)
			e.f("VMOVAPS %s, %s", v.r(0), v.r(8))
			e.f("VMULPS %s, %s, %s", k("rsqrt2"), v.r(0), v.r(0))
			erfBody(e, v)
			half(e, v, 8)
		}},
		fn{name: "geluTanh", init: none, body: func(e *emitter, v isa) { // x/2 times 1 + tanh(√(2/π)·(x + 0.044715·x³))
			e.f("VMOVAPS %s, %s", v.r(0), v.r(8))
			e.f("VMULPS %s, %s, %s", v.r(0), v.r(0), v.r(1))
			e.f("VMULPS %s, %s, %s", k("gelu3"), v.r(1), v.r(1))
			e.f("VFMADD213PS %s, %s, %s", v.r(0), v.r(1), v.r(0))
			e.f("VMULPS %s, %s, %s", k("gelu1"), v.r(0), v.r(0))
			tanhBody(e, v)
			half(e, v, 8)
		}},
		fn{name: "affine", init: loadAB, body: func(e *emitter, v isa) { e.f("VFMADD213PS %s, %s, %s", v.r(14), v.r(13), v.r(0)) }}, // A·x + B
		fn{name: "normalizeScale", init: loadAB, more: 1, body: func(e *emitter, v isa) { // (x - A)·B·z
			e.f("VSUBPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			e.f("VMULPS %s, %s, %s", v.r(14), v.r(0), v.r(0))
			e.f("VMULPS %s, %s, %s", v.r(1), v.r(0), v.r(0))
		}},
		fn{name: "normalizeAffine", init: loadAB, more: 2, body: func(e *emitter, v isa) { // (x - A)·B·z + z2
			e.f("VSUBPS %s, %s, %s", v.r(13), v.r(0), v.r(0))
			e.f("VMULPS %s, %s, %s", v.r(14), v.r(0), v.r(0))
			e.f("VFMADD213PS %s, %s, %s", v.r(2), v.r(1), v.r(0))
		}},
		fn{name: "sumAbs", init: zero, fold: true, body: func(e *emitter, v isa) {
			and(e, v, k("abs"), v.r(0), v.r(0))
			e.f("VADDPS %s, %s, %s", v.r(0), v.r(accReg), v.r(accReg))
		}},
		extremeFold("maxFold", "VMAXPS", "ninf"), extremeFold("minFold", "VMINPS", "inf"),
	)
}

// extreme is the larger or smaller one of registers 0 and y; NaN wins. The hardware's maximum
// gives its second source, in Intel's order, if either is NaN; a comparison and a blend make that
// NaN, whichever side it is on. It uses registers 2 and 3.
func extreme(e *emitter, v isa, ins string, y int) {
	e.f("%s %s, %s, %s", ins, v.r(0), v.r(y), v.r(2)) // x where one is NaN
	if v.bits == 512 {
		e.f("VCMPPS $3, %s, %s, K2", v.r(y), v.r(y))
		e.f("VBLENDMPS %s, %s, K2, %s", v.r(y), v.r(2), v.r(0))
		return
	}
	e.f("VCMPPS $3, %s, %s, %s", v.r(y), v.r(y), v.r(3))
	e.f("VBLENDVPS %s, %s, %s, %s", v.r(3), v.r(y), v.r(2), v.r(0))
}

// extremeFold is the largest or smallest element of a row. Lanes that have seen a NaN become NaN
// at the end: register 11 of AVX2, or K3, collects them. Lanes behind the end are from. A mask in
// place of a comparison for each pair keeps the chain of dependences at one instruction.
func extremeFold(name, ins, from string) fn {
	return fn{name: name, fold: true,
		init: func(e *emitter, v isa) {
			e.f("VMOVUPS %s, %s", k(from), v.r(accReg))
			e.f("VMOVUPS %s, %s", k(from), v.r(10))
			if v.bits == 512 {
				e.f("KXORW K3, K3, K3")
			} else {
				e.f("VXORPS %s, %s, %s", v.r(11), v.r(11), v.r(11))
			}
		},
		body: func(e *emitter, v isa) {
			if v.bits == 512 {
				e.f("VBLENDMPS %s, %s, K1, %s", v.r(0), v.r(10), v.r(0))
				e.f("VCMPPS $3, %s, %s, K2", v.r(0), v.r(0))
				e.f("KORW K2, K3, K3")
			} else {
				e.f("VBLENDVPS %s, %s, %s, %s", v.r(12), v.r(0), v.r(10), v.r(0))
				e.f("VCMPPS $3, %s, %s, %s", v.r(0), v.r(0), v.r(1))
				e.f("VORPS %s, %s, %s", v.r(1), v.r(11), v.r(11))
			}
			e.f("%s %s, %s, %s", ins, v.r(0), v.r(accReg), v.r(accReg))
		},
		last: func(e *emitter, v isa) {
			if v.bits == 512 {
				e.f("VMOVUPS %s, %s", k("nan"), v.r(0))
				e.f("VBLENDMPS %s, %s, K3, %s", v.r(0), v.r(accReg), v.r(accReg))
			} else {
				e.f("VORPS %s, %s, %s", v.r(11), v.r(accReg), v.r(accReg)) // all bits set are a NaN
			}
		}}
}

// rounded rounds register 0 to a whole number: mode 8 to the nearest even, 9 down, 10 up, all
// without an exception for what is lost.
func rounded(e *emitter, v isa, mode int) {
	if v.bits == 512 {
		e.f("VRNDSCALEPS $%d, %s, %s", mode, v.r(0), v.r(0))
	} else {
		e.f("VROUNDPS $%d, %s, %s", mode, v.r(0), v.r(0))
	}
}

// negative takes register a where register x has its sign set, else b, into register 0.
func negative(e *emitter, v isa, x, a, b int) {
	if v.bits == 512 {
		e.f("VPMOVD2M %s, K2", v.r(x))
		e.f("VBLENDMPS %s, %s, K2, %s", v.r(a), v.r(b), v.r(0))
	} else {
		e.f("VBLENDVPS %s, %s, %s, %s", v.r(x), v.r(a), v.r(b), v.r(0))
	}
}

// hardBody is A·x + B within 0 and 1, NaN passing; it uses 1.
func hardBody(e *emitter, v isa, x int) {
	e.f("VFMADD213PS %s, %s, %s", v.r(14), v.r(13), v.r(x))
	e.f("VMOVUPS %s, %s", k("one"), v.r(1))
	e.f("VMINPS %s, %s, %s", v.r(x), v.r(1), v.r(x))
	if v.bits == 512 {
		e.f("VPXORD %s, %s, %s", v.r(1), v.r(1), v.r(1))
	} else {
		e.f("VXORPS %s, %s, %s", v.r(1), v.r(1), v.r(1))
	}
	e.f("VMAXPS %s, %s, %s", v.r(x), v.r(1), v.r(x))
}

// half is register x over two times 1 + register 0. It is the end of both forms of GELU.
func half(e *emitter, v isa, x int) {
	e.f("VADDPS %s, %s, %s", k("one"), v.r(0), v.r(0))
	e.f("VMULPS %s, %s, %s", k("half"), v.r(x), v.r(x))
	e.f("VMULPS %s, %s, %s", v.r(x), v.r(0), v.r(0))
}
