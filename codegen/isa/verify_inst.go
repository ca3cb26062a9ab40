package isa

// This file checks one instruction.

import (
	"cmp"
	"maps"
	"slices"

	"shapecheck/onnx"
)

func sorted[V any](m map[int32]V) []int32 { return slices.Sorted(maps.Keys(m)) }

// sameType compares types; equal sizes are one entry in the canonical form. Sizes are compared by
// their index, which is enough as the table has no two equal entries.
func sameType(a, b *Type) bool {
	for {
		if a == nil || b == nil {
			return a == b
		}
		if a.Kind != b.Kind || a.Elem != b.Elem || a.Unranked != b.Unranked || !slices.Equal(a.Dims, b.Dims) {
			return false
		}
		a, b = a.Of, b.Of
	}
}

// typeReady refuses a type with sizes that are not known here.
func (v *verifier) typeReady(t *Type) {
	for ; t != nil; t = t.Of {
		for _, d := range t.Dims {
			v.ready(d)
		}
	}
}

// instruction verifies one instruction against the record of its opcode: operands, attributes, region,
// symbols and results. Only jumps and loops have a region. Afterwards it follows what the opcode does to
// registers and loops. The order matters: operands are checked before the region, which may
// change what is set, and results after the symbols that the instruction binds, which their types
// may have. A value that the instruction frees is freed last.
func (v *verifier) instruction(i *Instruction) {
	op := Op(i.Op)
	info := op.Info()
	if i.Op > 1<<16-1 || info == nil {
		v.refuse("the opcode %d is not known", i.Op)
	}
	if len(i.In) > MaxOperands || len(i.Out) > MaxOperands {
		v.refuse("there are more than %d operands or results", MaxOperands)
	}
	vars := &v.vars
	*vars = (*vars)[:0]
	types := v.operands(i, info, vars)
	v.attrs(i, info)
	isJump := op == Jmp || op == Jmpt || op == Jmpf
	isLoop := op == LoopBegin || op == LoopNext || op == LoopEnd
	switch {
	case isJump:
		v.jump(i, op)
	case isLoop:
		v.loop(i, op)
	case i.Region != 0:
		v.refuse("only jumps and loops have a region")
	}
	if op == LoopNext {
		v.consume(i)
	}
	v.binds(i, op)
	v.results(i, info, vars, types)
	switch op {
	case In, Out:
		v.port(i, op, types)
	case Free:
		v.free(i.In[0])
	case LoopBegin:
		v.begin(i.Region-1, v.p.Regions[i.Region-1].Middle)
	case LoopEnd:
		v.loopEnd()
		v.free(i.In[0])
		v.free(i.In[1])
	}
}

// operands checks the operands and gives their types; nil: absent. An operand must be declared by
// the opcode (the last declaration may stand for all further ones), present unless it is
// optional, a constant where the opcode says so, set at this point on all paths, and not one
// whose memory a result has taken. The list is used again by the next instruction.
func (v *verifier) operands(i *Instruction, info *Info, vars *elemVars) []*Type {
	types := append(v.types[:0], make([]*Type, len(i.In))...)
	v.types = types
	for k, x := range i.In {
		o := operandAt(info.In, k)
		if o == nil {
			v.refuse("operand %d is one too many", k)
		}
		if x == Absent {
			if !o.Optional && !o.Variadic {
				v.refuse("operand %d (%s) is absent", k, o.Name)
			}
			continue
		}
		c, isConst := ConstIndex(x)
		if o.Constant && !isConst {
			v.refuse("operand %d (%s) is no constant", k, o.Name)
		}
		if isConst {
			types[k] = v.p.Constants[c].Type
		} else {
			s := v.slots[x]
			if s.typ == nil {
				v.refuse("operand %d, %%%d, is not set here", k, x)
			}
			if s.spent && Op(i.Op) != Free {
				v.refuse("operand %d, %%%d, has given its memory away", k, x)
			}
			types[k] = s.typ
		}
		v.fits("operand", k, o, types[k], vars)
	}
	for k := len(i.In); k < len(info.In); k++ {
		if o := info.In[k]; !o.Optional && (!o.Variadic || o.Min > 0) {
			v.refuse("operand %d (%s) is missing", k, o.Name)
		}
	}
	if n := len(info.In); n > 0 && info.In[n-1].Variadic && len(i.In) < n-1+info.In[n-1].Min {
		v.refuse("there are %d operands, less than %d", len(i.In), n-1+info.In[n-1].Min)
	}
	return types
}

// elemVars are the element types of an instruction's type variables, which are few. A type
// variable, as T in ONNX's operator texts, has one element type within an instruction; the first
// operand or result that has it decides.
type elemVars []elemVar

type elemVar struct {
	name string
	elem uint32
}

// operandAt is the declaration of operand k; the last may stand for all further ones.
func operandAt(list []Operand, k int) *Operand {
	switch n := len(list); {
	case k < n:
		return &list[k]
	case n > 0 && list[n-1].Variadic:
		return &list[n-1]
	}
	return nil
}

// fits checks a type by the schema of its place. A place is declared with kinds, element types,
// and perhaps a type variable. Mixed ones (variadic, of any types) do not bind their variable.
func (v *verifier) fits(what string, k int, o *Operand, t *Type, vars *elemVars) {
	if !o.Kinds.Has(t.Kind) {
		v.refuse("%s %d (%s) is of the wrong kind", what, k, o.Name)
	}
	if t.Kind != Type_TENSOR {
		return
	}
	if o.Elem != 0 && !o.Elem.Has(onnx.DType(t.Elem)) {
		v.refuse("%s %d (%s) has elements of type %s", what, k, o.Name, onnx.DType(t.Elem))
	}
	if o.Var == "" || o.Mixed {
		return
	}
	for _, x := range *vars {
		if x.name != o.Var {
			continue
		}
		if x.elem != t.Elem {
			v.refuse("%s %d (%s) has elements of type %s, not %s as those before it", what, k, o.Name, onnx.DType(t.Elem), onnx.DType(x.elem))
		}
		return
	}
	*vars = append(*vars, elemVar{o.Var, t.Elem})
}

// attrs verifies the attributes of an instruction: sorted by name and each there once, declared by the
// opcode with that kind, within its range or enumeration, and none missing that is required. Types and
// sizes must be ready. An empty range (Hi not above Lo) is no range.
func (v *verifier) attrs(i *Instruction, info *Info) {
	last := ""
	for k, a := range i.Attr {
		if k > 0 && a.Name <= last {
			v.refuse("the attributes are not sorted, or one is there twice")
		}
		last = a.Name
		s := info.Attr(a.Name)
		if s == nil {
			v.refuse("there is no attribute %q", a.Name)
		}
		if a.Kind() != s.Kind {
			v.refuse("the attribute %s is of another form", a.Name)
		}
		inRange := func(x int64) {
			if s.Hi > s.Lo && (x < s.Lo || x > s.Hi) {
				v.refuse("the attribute %s is %d, which is not within %d and %d", a.Name, x, s.Lo, s.Hi)
			}
		}
		inEnum := func(x []byte) {
			if s.Enum != nil && !slices.Contains(s.Enum, string(x)) {
				v.refuse("the attribute %s is %q, which is none of %q", a.Name, x, s.Enum)
			}
		}
		switch x := a.V.(type) {
		case *Attr_I:
			inRange(x.I)
		case *Attr_S:
			inEnum(x.S)
		case *Attr_Ints:
			for _, n := range x.Ints.GetList() {
				inRange(n)
			}
		case *Attr_Strings:
			for _, n := range x.Strings.GetList() {
				inEnum(n)
			}
		case *Attr_Type:
			v.typ(x.Type, v.ready)
		case *Attr_Sizes:
			for _, z := range x.Sizes.GetList() {
				v.ready(z)
			}
		}
	}
	for _, s := range info.Attrs {
		if s.Required && i.Find(s.Name) == nil {
			v.refuse("the attribute %s is missing", s.Name)
		}
	}
}

// consume ends the lives of what a loop's body made for the next trip. The condition and the
// states that loop.next takes are dead behind it, unless they are results as well: the machine
// moves them instead of copying.
func (v *verifier) consume(i *Instruction) {
	for _, x := range i.In[2:] {
		if x >= 0 && v.slots[x].typ != nil && v.slots[x].depth == len(v.frames) &&
			!slices.ContainsFunc(i.Out, func(r *Result) bool { return r.Value == x }) {
			v.change(x, slot{})
		}
	}
}

// binds checks that an instruction gives values to symbols which are sizes of its own results. Which symbols
// have values is followed through the code, as sizes are made of them. The instruction bind reads
// the elements of its operand; all others bind symbols that are dimensions of their results.
func (v *verifier) binds(i *Instruction, op Op) {
	if op == Bind && len(i.Binds) == 0 {
		v.refuse("it binds no symbol")
	}
	for k, s := range i.Binds {
		if slices.Contains(i.Binds[:min(k, MaxRank)], s) || k >= MaxRank {
			v.refuse("it binds a symbol twice, or more than %d", MaxRank)
		}
		if op != Bind && !v.isDim(i, s) {
			v.refuse("the symbol %s is no dimension of a result", v.p.Symbols[s].Name)
		}
		if op != LoopNext { // which binds again what loop.begin has bound
			v.setSymbol(s, true)
			v.bound = append(v.bound, s)
		} else if !slices.Contains(v.p.Code[v.p.Regions[i.Region-1].Begin].Binds, s) {
			v.refuse("loop.begin does not bind the symbol %s", v.p.Symbols[s].Name)
		}
	}
}

// isDim reports whether a symbol is by itself a dimension of a result, so that the instruction
// can bind it.
func (v *verifier) isDim(i *Instruction, s uint32) bool {
	for _, r := range i.Out {
		if r.Type.GetKind() != Type_TENSOR || r.Value < 0 {
			continue
		}
		for _, d := range r.Type.Dims {
			if e, ok := v.p.Sizes[d].E.(*Size_Symbol); ok && e.Symbol == s {
				return true
			}
		}
	}
	return false
}

// results checks the results and sets them. Types of states must keep kind and element type over
// all trips, while their sizes may change. A value is set once between its frees, with the states
// of loops as the only exception.
func (v *verifier) results(i *Instruction, info *Info, vars *elemVars, types []*Type) {
	op := Op(i.Op)
	for k, r := range i.Out {
		o := operandAt(info.Out, k)
		if o == nil {
			v.refuse("result %d is one too many", k)
		}
		if r.Value == Absent {
			continue
		}
		v.typ(r.Type, v.ready)
		v.fits("result", k, o, r.Type, vars)
		if v.slots[r.Value].typ != nil && op != LoopNext {
			v.refuse("result %d, %%%d, is set already", k, r.Value)
		}
		if slices.ContainsFunc(i.Out[:k], func(x *Result) bool { return x.Value == r.Value }) {
			v.refuse("two results are %%%d", r.Value)
		}
		switch op {
		case LoopBegin, LoopNext:
			if j := k + len(i.In) - len(i.Out); k >= 2 && (types[j] == nil || !sameKind(types[j], r.Type)) {
				v.refuse("state %d is of another type than its new value", k-2)
			}
		case Copy:
			if !sameKind(types[0], r.Type) {
				v.refuse("the copy is of another type")
			}
		}
		v.change(r.Value, v.memory(i, info, k, types))
	}
	for k := len(i.Out); k < len(info.Out); k++ {
		if o := info.Out[k]; !o.Optional && !o.Variadic {
			v.refuse("result %d (%s) is missing", k, o.Name)
		}
	}
}

// sameKind compares types but for dimensions.
func sameKind(a, b *Type) bool {
	for ; a != nil && b != nil; a, b = a.Of, b.Of {
		if a.Kind != b.Kind || a.Elem != b.Elem {
			return false
		}
	}
	return a == nil && b == nil
}

// memory checks where a result lies and gives its slot. A result without alias must have a class
// that no living value uses. One with an alias shares the operand's memory: as a view does, where
// nobody may overwrite it while two values have it, or in place, where the operand is spent from
// then on. In place is only right when the operand is the single value in its memory, occurs once
// among the operands, and was made at the same depth of regions: in a loop the next trip would
// otherwise read what this one has overwritten.
func (v *verifier) memory(i *Instruction, info *Info, k int, types []*Type) slot {
	r := i.Out[k]
	s := slot{typ: r.Type, class: r.Class, depth: len(v.frames)}
	if Op(i.Op) == LoopNext || Op(i.Op) == LoopEnd {
		s.depth-- // a state belongs to where its loop is
	}
	if r.Class > 0 && r.Type.Kind != Type_TENSOR {
		v.refuse("result %d is no tensor and has a class", k)
	}
	if r.Alias == 0 {
		if r.Class > 0 && v.busy[r.Class] > 0 {
			v.refuse("the memory of result %d, class %d, is in use", k, r.Class-1)
		}
		tensors := !slices.ContainsFunc(types, func(t *Type) bool { return t != nil && t.Kind != Type_TENSOR })
		shares := info.Alias || !tensors || r.Type.Kind != Type_TENSOR || Op(i.Op) == In || Op(i.Op) == LoopBegin || Op(i.Op) == LoopNext
		if !shares {
			v.groups = append(v.groups, 0)
			s.group = len(v.groups) - 1
		}
		return s
	}
	at := int(r.Alias - 1)
	x := i.Operand(at)
	if x < 0 || k > 0 {
		v.refuse("result %d cannot have the memory of operand %d", k, at)
	}
	from := v.slots[x]
	if from.class != r.Class || types[at].Kind != Type_TENSOR || r.Type.Kind != Type_TENSOR {
		v.refuse("the classes of result %d and operand %d differ, or they are no tensors", k, at)
	}
	s.group = from.group
	if info.Alias && at == 0 {
		return s
	}
	if !slices.Contains(info.InPlace, at) {
		v.refuse("operand %d cannot be overwritten by the result", at)
	}
	uses := 0
	for _, y := range i.In {
		if y == x {
			uses++
		}
	}
	if from.group == 0 || v.groups[from.group] != 1 || uses > 1 || from.depth != len(v.frames) {
		v.refuse("operand %d, %%%d, is overwritten while something else may have its memory", at, x)
	}
	from.spent = true
	v.change(x, from)
	return s
}

// port checks in and out: each port once, outside of all regions.
func (v *verifier) port(i *Instruction, op Op, types []*Type) {
	list, done := v.p.Inputs, v.inDone
	if op == Out {
		list, done = v.p.Outputs, v.out
	}
	k := i.Int("port", -1)
	if k < 0 || k >= int64(len(list)) || done[k] || len(v.frames) > 0 {
		v.refuse("the port %d is not there, has been used, or is used inside of a region", k)
	}
	done[k] = true
	t := list[k].Type
	if op == In && !sameType(t, i.Out[0].Type) || op == Out && !sameKind(t, types[0]) {
		v.refuse("the value is of another type than the port %q", list[k].Name)
	}
	if op == Out {
		v.typeReady(t)
	}
}

func (v *verifier) free(x int32) {
	if x < 0 {
		v.refuse("a constant is not freed")
	}
	v.change(x, slot{})
}

// static checks the plan of classes with a place: no two that are in use together overlap. It is
// a sweep over the code positions: classes come in the order of their first use, those whose last
// use is before are dropped, and the active ones are kept sorted by place, so that only the two
// neighbours can overlap. Its time is n·log n, plus moving at most maxStatic entries.
func (v *verifier) static() {
	type placed struct {
		span
		at, end int64
		class   int
	}
	var list []placed
	for c, x := range v.p.Classes {
		if v.fixed[x.Bytes] && v.constant[x.Bytes] < 0 {
			v.refuse("class %d has a negative size", c)
		}
		if x.Offset == 0 {
			continue
		}
		at := x.Offset - 1
		if at%segmentAlign != 0 || at > 1<<60 || !v.fixed[x.Bytes] || v.constant[x.Bytes] > 1<<60 {
			v.refuse("class %d has a place, but it is not aligned, too far, or the size is not constant", c)
		}
		if s := v.spans[c+1]; s.from <= s.to && v.constant[x.Bytes] > 0 {
			list = append(list, placed{s, int64(at), int64(at) + v.constant[x.Bytes], c})
		}
	}
	slices.SortFunc(list, func(a, b placed) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.class, b.class)) })
	var active []placed // by place
	for _, x := range list {
		active = slices.DeleteFunc(active, func(y placed) bool { return y.to < x.from })
		if len(active) >= maxStatic {
			v.refuse("more than %d classes with a place are in use together", maxStatic)
		}
		k, _ := slices.BinarySearchFunc(active, x.at, func(y placed, at int64) int { return cmp.Compare(y.at, at) })
		if k > 0 && active[k-1].end > x.at || k < len(active) && active[k].at < x.end {
			v.refuse("class %d overlaps another one that is in use at the same time", x.class)
		}
		active = slices.Insert(active, k, x)
	}
}

// maxStatic bounds the classes with a place that are in use together.
const maxStatic = 1 << 12
