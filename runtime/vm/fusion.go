package vm

// This file says what is computed together at the sizes of a run, and of all neighbours that are not, why.

import (
	"fmt"
	"slices"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/kernel"
)

// A Fusion is instructions that are computed together, or, with a reason, two of which one needs the other's result and that are not.
type Fusion struct {
	PCs    []int
	Reason string
}

// Fusions lists the groups at the sizes of inputs, and why each kernel that could have been computed with the one whose result it needs is
// not: one of the two is a function of elements. It returns an *Error if the model runs on the reference engine, or if
// the inputs are refused as Run refuses them.
func (m *Model) Fusions(in Inputs) ([]Fusion, error) {
	if m.kernels == nil {
		return nil, &Error{Code: CodeLoad, PC: -1, Reason: "the reference engine computes each instruction by itself"}
	}
	ports, err := m.ports(in)
	if err != nil {
		return nil, err
	}
	f := m.newFrame(m.kept)
	if f.binding, err = m.bind(ports); err != nil {
		return nil, err
	}
	p := f.planning()
	p.refused = map[int]string{}
	groups := p.groups()
	var out []Fusion
	of := make([]*group, len(m.p.Code))
	for _, g := range groups {
		if g == nil {
			continue
		}
		x := Fusion{}
		for pc := g.first; pc < g.first+g.n; pc++ {
			if of[pc] = g; g.entries[pc-g.first] != nil {
				x.PCs = append(x.PCs, pc)
			}
		}
		out = append(out, x)
	}
	makes, needs := map[int32]int{}, map[int32]int{} // of values: the instruction, and how many
	for pc, i := range m.p.Code {
		for _, r := range i.Out {
			makes[r.Value] = pc
		}
		for _, x := range i.In {
			if op := isa.Op(i.Op); x >= 0 && op != isa.Free {
				needs[x]++
			}
		}
	}
	for pc, i := range m.p.Code {
		seen := map[int]bool{}
		for _, x := range i.In {
			q, ok := makes[x]
			if !ok || x < 0 || q >= pc || seen[q] || m.kernels[pc] == nil || m.kernels[q] == nil || of[q] != nil && of[q] == of[pc] {
				continue
			}
			seen[q] = true
			if why := p.whyUnfused(q, pc, x, needs[x], groups); why != "" {
				out = append(out, Fusion{[]int{q, pc}, why})
			}
		}
	}
	return out, nil
}

// whyUnfused says why an instruction is not computed with the one that makes its operand; empty: nobody expects it.
func (p *planning) whyUnfused(q, pc int, x int32, needs int, groups []*group) string {
	code := p.m.p.Code
	from, to := isa.Op(code[q].Op), isa.Op(code[pc].Op)
	elements := func(pc int) bool { return p.chosen[pc] != nil && p.chosen[pc].entry.Elementwise(&p.chosen[pc].sig) }
	switch {
	case p.chosen[q] == nil:
		return fmt.Sprintf("it is not known before the run what computes %s", from)
	case p.chosen[pc] == nil:
		return fmt.Sprintf("it is not known before the run what computes %s", to)
	case !elements(pc) && !elements(q):
		return ""
	case len(p.chosen[q].entry.Packs) > 0 && elements(pc):
		return p.epilogue(q, pc, x, needs)
	case !elements(q):
		return fmt.Sprintf("%s is no function of elements", from)
	case !elements(pc):
		return fmt.Sprintf("%s is no function of elements", to)
	}
	first := q
	for k := q; k >= 0; k-- { // the group that the first one ended in
		if g := groups[k]; g != nil && q < k+g.n {
			first = k
			break
		}
	}
	c := p.chosen[q]
	if why := p.refuses(pc, c.sig.Out[0].Dims, map[int32]bool{x: true}, kernel.Row(c.entry.State(&c.sig))); why != "" {
		return why
	}
	return p.refused[first]
}

// epilogue says why a function of elements is not part of the product whose result it needs.
func (p *planning) epilogue(q, pc int, x int32, needs int) string {
	code := p.m.p.Code
	from, to := isa.Op(code[q].Op), isa.Op(code[pc].Op)
	for _, i := range code {
		if isa.Op(i.Op) == isa.Out && i.In[0] == x {
			return fmt.Sprintf("the result of %s is an output", from)
		}
	}
	switch name := to.Info().Name; {
	case from != isa.Conv && from != isa.MatMul && !slices.Contains([]string{"Conv", "MatMul", "Gemm"}, from.Info().Name):
		return fmt.Sprintf("%s has no epilogue", from)
	case needs > 1:
		return fmt.Sprintf("the result of %s is needed %d times", from, needs)
	case !slices.Contains([]string{"Add", "Relu", "Clip", "Mul"}, name):
		return fmt.Sprintf("the epilogue of %s adds and bounds, it does not compute %s", from, name)
	case code[q].Str("act", "none") != "none":
		return fmt.Sprintf("%s bounds its result before, and %s comes behind that", from, name)
	case name == "Add" && len(code[q].In) > 3 && code[q].In[3] >= 0:
		return fmt.Sprintf("%s adds a tensor already", from)
	}
	var sizes []string
	for n := range code[pc].In {
		if code[pc].In[n] != x && !p.chosen[pc].sig.In[n].Absent {
			sizes = append(sizes, strings.ReplaceAll(fmt.Sprint(p.chosen[pc].sig.In[n].Dims), " ", ","))
		}
	}
	return fmt.Sprintf("the compiler has not taken what is beside it, %s, for a bias, a factor or a tensor of the result's sizes",
		strings.Join(sizes, " and "))
}
