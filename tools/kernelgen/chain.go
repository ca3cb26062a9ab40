package main

// This file writes the vector machine of chains: each function of elements once more, on a bank of vectors, going on
// with the next step of a program by a jump. A step is tile.Step; the bank is registers 0 and up, of which a function
// takes as many at a time as there are registers beside, so that their instructions alternate.

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Offsets of the fields of tile.Step, and its size.
const (
	stepBase, stepAt, stepMove, stepA, stepB = 8, 16, 24, 32, 36
	stepSize                                 = 40
)

// bank is the number of vectors of a bank; the two registers with the highest numbers are A and B.
func (v isa) bank() int { return v.count / 4 }

// lane is the view that the code of one vector of the bank has of the registers: 0 is the vector, 13 and 14 are A and B, others are from
// free.
func (v isa) lane(value int, used, free []int) isa {
	regs := map[int]int{0: value, 13: v.count - 2, 14: v.count - 1}
	for i, x := range used {
		regs[x] = free[i]
	}
	v.view = &view{regs: regs}
	return v
}

// registers lists those that code uses beside 0, A and B.
func (v isa) registers(code func(*emitter, isa)) (used []int) {
	v.view = &view{seen: func(i int) {
		if i != 0 && i != 13 && i != 14 && !slices.Contains(used, i) {
			used = append(used, i)
		}
	}}
	code(&emitter{}, v)
	slices.Sort(used)
	return used
}

// alternate writes the code of all vectors of the bank, as many at a time as there are registers; place is the vector's place in memory.
func (v isa) alternate(e *emitter, code func(e *emitter, v isa, place string)) {
	used := v.registers(func(e *emitter, v isa) { code(e, v, "") })
	var free []int
	for i := v.bank(); i < v.count-2; i++ {
		free = append(free, i)
	}
	at := v.bank()
	for at*len(used) > len(free) || at > 6 && v.bits == 512 && len(used) > 0 { // there are seven masks
		at /= 2
	}
	for first := 0; first < v.bank(); first += at {
		var lines [][]string
		for l := range at {
			var own emitter
			value := first + l
			code(&own, v.lane(value, used, free[l*len(used):]), fmt.Sprintf("%d(R9)", value*v.bytes()))
			lines = append(lines, strings.Split(strings.TrimSuffix(strings.ReplaceAll(own.String(), "K2", fmt.Sprintf("K%d", 1+l)), "\n"), "\n"))
		}
		for i := range lines[0] {
			for l := range at {
				fmt.Fprintln(e, lines[l][i])
			}
		}
	}
}

// ahead is a place some blocks behind one: a chain takes longer for a block than what fetches lines of itself looks ahead, above all
// at the end of a page.
func ahead(place string) string {
	var at int
	if _, err := fmt.Sscanf(place, "%d(R9)", &at); err != nil { // nobody writes it
		return place
	}
	return fmt.Sprintf("%d(R9)", at+2048)
}

// chains writes the machine for the functions of one and of two rows.
func chains(e *emitter, table *bytes.Buffer, list []fn) {
	type step struct {
		name    string
		memory  bool // it reads or writes at At
		numbers bool // it uses A and B
		code    func(e *emitter, v isa, place string)
	}
	steps := []step{
		{"load", true, false, func(e *emitter, v isa, place string) {
			e.f("PREFETCHT0 %s", ahead(place))
			e.f("VMOVUPS %s, %s", place, v.r(0))
		}},
		{"store", true, false, func(e *emitter, v isa, place string) {
			e.f("PREFETCHT0 %s", ahead(place))
			e.f("VMOVUPS %s, %s", v.r(0), place)
		}},
	}
	for _, f := range list {
		switch {
		case f.fold || f.more > 1 || slices.Contains([]string{"divide", "normalize", "normalizeScale"}, f.name): // parts of norms
		case f.more == 1:
			steps = append(steps, step{f.name, true, false, func(e *emitter, v isa, place string) {
				e.f("PREFETCHT0 %s", ahead(place))
				e.f("VMOVUPS %s, %s", place, v.r(1))
				f.body(e, v)
			}}, step{f.name + "Behind", true, false, func(e *emitter, v isa, place string) { // the bank is the second operand
				e.f("VMOVAPS %s, %s", v.r(0), v.r(1))
				e.f("PREFETCHT0 %s", ahead(place))
				e.f("VMOVUPS %s, %s", place, v.r(0))
				f.body(e, v)
			}})
		default:
			steps = append(steps, step{f.name, false, true, func(e *emitter, v isa, _ string) { f.body(e, v) }})
		}
	}
	fmt.Fprint(table, "\n// The steps of chains.\nconst (\n")
	for i, s := range steps {
		fmt.Fprintf(table, "chain%s", strings.ToUpper(s.name[:1])+s.name[1:])
		if i == 0 {
			fmt.Fprint(table, " = iota")
		}
		fmt.Fprintln(table)
	}
	fmt.Fprint(table, "chainEnd\nchainSteps\n)\n")
	for _, v := range []isa{avx512, avx2} {
		var names []string
		begin := func(name string) {
			name = fmt.Sprintf("chain%s%s", v.name, name)
			names = append(names, name)
			fmt.Fprintf(e, "\nTEXT ·%s(SB), NOSPLIT|NOFRAME, $0-0\n", name)
			fmt.Fprintf(table, "\nfunc %s()\n", name)
		}
		next := func() {
			e.f("MOVQ (SI), AX")
			e.f("JMP AX")
		}
		for _, s := range steps {
			begin(s.name)
			if s.memory {
				e.f("MOVQ %d(SI), R9", stepBase)
				e.f("MOVQ %d(SI), R10", stepMove)
				e.f("ADDQ %d(SI), R9", stepAt)
				e.f("ADDQ R10, %d(SI)", stepAt)
			}
			if s.numbers {
				e.f("VBROADCASTSS %d(SI), %s%d", stepA, v.reg, v.count-2)
				e.f("VBROADCASTSS %d(SI), %s%d", stepB, v.reg, v.count-1)
			}
			e.f("ADDQ $%d, SI", stepSize)
			v.alternate(e, s.code)
			next()
		}
		begin("end") // of a block of elements
		e.f("DECQ CX")
		e.f("JZ done")
		e.f("MOVQ R12, SI")
		next()
		e.label("done")
		e.f("VZEROUPPER")
		e.f("RET")
		for i, n := range names {
			fmt.Fprintf(e, "DATA chain%s<>+%d(SB)/8, $·%s(SB)\n", v.name, 8*i, n)
		}
		fmt.Fprintf(e, "GLOBL chain%s<>(SB), NOPTR, $%d\n", v.name, 8*len(names))
		fmt.Fprintf(e, "\nTEXT ·chainCodes%s(SB), NOSPLIT, $0-8\n", v.name)
		e.f("LEAQ chain%s<>(SB), AX", v.name)
		e.f("MOVQ AX, ret+0(FP)")
		e.f("RET")
		fmt.Fprintf(e, "\nTEXT ·chainRun%s(SB), NOSPLIT|NOFRAME, $0-16\n", v.name)
		e.f("MOVQ steps+0(FP), SI")
		e.f("MOVQ blocks+8(FP), CX")
		e.f("MOVQ SI, R12")
		next()
		fmt.Fprintf(table, "\nfunc chainCodes%s() *[chainSteps]uintptr\n\n//go:noescape\nfunc chainRun%s(steps *Step, blocks int)\n", v.name,
			v.name)
		fmt.Fprintf(table, "\nconst chainBlock%s = %d\n", v.name, v.bank()*v.lanes())
	}
}
