package isa

// This file gives a program its one form: the same program has the same bytes, whatever
// made it, and the text form assembles to them.

import (
	"cmp"
	"math"
	"slices"
)

// maxInline bounds the height of a size that is written inside of another one.
const maxInline = 12

// Canonicalize brings a program into its canonical form: sizes that are equal are one
// entry, unused ones go, and all are in the order in which the text form has them; features,
// metadata and attributes are sorted; equal places and origins are one. The program must
// pass checkTables, as everything does that comes from Decode or Parse.
func (p *Program) Canonicalize() {
	p.orderSizes()
	p.orderOrigins()
	slices.Sort(p.Features)
	slices.SortStableFunc(p.Metadata, func(a, b *Entry) int { return cmp.Compare(a.Key, b.Key) })
	for _, i := range p.Code {
		slices.SortStableFunc(i.Attr, func(a, b *Attr) int { return cmp.Compare(a.Name, b.Name) })
		for _, a := range i.Attr {
			switch v := a.V.(type) {
			case *Attr_F:
				v.F = plainNaN(v.F)
			case *Attr_Floats:
				for k, f := range v.Floats.GetList() {
					v.Floats.List[k] = plainNaN(f)
				}
			}
		}
	}
}

// plainNaN gives all NaNs the same bits.
func plainNaN(f float64) float64 {
	if f != f {
		return math.NaN()
	}
	return f
}

// A sizeKey is an entry by its content.
type sizeKey struct {
	kind int // -3 made of a float, -2 const, -1 symbol, else the operation
	a, b int64
	real string // the content of one that is made of a float
}

// sizeShape is the table as the text form has it: equal entries joined, unused ones dropped.
type sizeShape struct {
	same []uint32 // of each entry, the first one that is equal
	line []bool   // those that have a line of their own
}

// shapeOfSizes finds what has a line: operations that are used outside of the table or more
// than once, and every maxInline-th level of those that are not.
func (p *Program) shapeOfSizes() sizeShape {
	n := len(p.Sizes)
	s := sizeShape{make([]uint32, n), make([]bool, n)}
	seen := map[sizeKey]uint32{}
	for i, z := range p.Sizes {
		k := sizeKey{}
		switch e := z.E.(type) {
		case *Size_Const:
			k = sizeKey{kind: -2, a: e.Const}
		case *Size_Symbol:
			k = sizeKey{kind: -1, a: int64(e.Symbol)}
		case *Size_Op:
			k = sizeKey{kind: int(e.Op.Kind), a: int64(s.same[e.Op.A]), b: int64(s.same[e.Op.B])}
		case *Size_Real:
			k = sizeKey{kind: -3, real: z.with(func(x uint32) uint32 { return s.same[x] }).GetReal().key()}
		}
		if first, ok := seen[k]; ok {
			s.same[i] = first
		} else {
			seen[k], s.same[i] = uint32(i), uint32(i)
		}
	}
	used, inner := make([]bool, n), make([]int, n)
	p.eachSize(func(i *uint32) { used[s.same[*i]] = true })
	copy(s.line, used)
	for i := n - 1; i >= 0; i-- { // what a used entry is made of is used
		if !used[i] {
			continue
		}
		for _, x := range p.Sizes[i].parts() {
			used[s.same[x]] = true
			inner[s.same[x]]++
		}
	}
	height := make([]int, n)
	for i, z := range p.Sizes {
		_, isOp := z.E.(*Size_Op)
		_, isReal := z.E.(*Size_Real)
		if !isOp && !isReal || !used[i] {
			s.line[i] = false
			continue
		}
		for _, x := range z.parts() {
			height[i] = max(height[i], 1+height[s.same[x]])
		}
		if s.line[i] = s.line[i] || inner[i] > 1 || height[i] > maxInline; s.line[i] {
			height[i] = 0
		}
	}
	return s
}

// orderSizes writes the table anew.
func (p *Program) orderSizes() {
	s := p.shapeOfSizes()
	var table []*Size
	to := make([]int, len(p.Sizes))
	for i := range to {
		to[i] = -1
	}
	var emit func(i uint32) uint32
	emit = func(i uint32) uint32 {
		i = s.same[i]
		if to[i] < 0 {
			z := p.Sizes[i].with(emit)
			to[i] = len(table)
			table = append(table, z)
		}
		return uint32(to[i])
	}
	for i := range p.Sizes {
		if s.line[i] {
			emit(uint32(i))
		}
	}
	p.eachSize(func(i *uint32) { *i = emit(*i) })
	p.Sizes = table
}

// orderOrigins joins equal places and origins and orders them by their first use.
func (p *Program) orderOrigins() {
	if p.Debug == nil {
		return
	}
	type placeKey struct {
		file   string
		line   uint32
		module string
	}
	old := p.Debug
	p.Debug = &Debug{}
	places, origins, moved := map[placeKey]uint32{}, map[string]uint32{}, make([]uint32, len(old.Origins))
	for _, i := range p.Code {
		if i.Debug == 0 {
			continue
		}
		k := i.Debug - 1
		if moved[k] == 0 {
			o := &Origin{Nodes: old.Origins[k].Nodes, Pass: old.Origins[k].Pass}
			for _, at := range old.Origins[k].Places {
				x := old.Places[at]
				key := placeKey{x.File, x.Line, x.Module}
				id, ok := places[key]
				if !ok {
					id = uint32(len(p.Debug.Places))
					places[key] = id
					p.Debug.Places = append(p.Debug.Places, x)
				}
				o.Places = append(o.Places, id)
			}
			text := originKey(o)
			id, ok := origins[text]
			if !ok {
				p.Debug.Origins = append(p.Debug.Origins, o)
				id = uint32(len(p.Debug.Origins))
				origins[text] = id
			}
			moved[k] = id
		}
		i.Debug = moved[k]
	}
	if len(p.Debug.Origins) == 0 {
		p.Debug = nil
	}
}
