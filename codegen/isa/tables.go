package isa

// This file checks that everything a program's tables refer to is there, so that whatever
// walks over a decoded program may index without asking. Verify checks what it means.
//
// It runs right after decoding, before any other function sees the program. All counts are
// bounded by constants (Max…), so that a small file cannot ask for tables of any size, and
// references are checked once here instead of at every use.

// checkTables checks counts, indices and the presence of messages. It returns the first fault as
// an error of the format. A number in a field that is 1 + an index means none with 0, which is
// why such fields may equal the length. Sizes refer to earlier ones only, so that one pass
// evaluates them.
func (p *Program) checkTables() error {
	for _, c := range []struct {
		what   string
		n, max int
	}{{"symbols", len(p.Symbols), MaxSymbols}, {"sizes", len(p.Sizes), MaxSizes}, {"conditions", len(p.Contract), MaxConditions},
		{"inputs", len(p.Inputs), MaxPorts},
		{"outputs", len(p.Outputs), MaxPorts}, {"constants", len(p.Constants), MaxConstants}, {"classes", len(p.Classes), MaxValues},
		{"instructions", len(p.Code), MaxInstructions},
		{"regions", len(p.Regions), MaxRegions}, {"groups", len(p.Groups), MaxGroups}, {"values", int(p.Values), MaxValues}} {
		if c.n > c.max {
			return badFormat("it has %d %s, more than %d", c.n, c.what, c.max)
		}
	}
	results := 0
	for _, i := range p.Code {
		results += len(i.Out)
	}
	if int(p.Values) > results {
		return badFormat("it has %d values, but its instructions have %d results", p.Values, results)
	}
	for i, z := range p.Sizes {
		switch e := z.GetE().(type) {
		case *Size_Const:
		case *Size_Symbol:
			if int(e.Symbol) >= len(p.Symbols) {
				return badFormat("size %d is symbol %d, which is not there", i, e.Symbol)
			}
		case *Size_Op:
			if e.Op == nil || int(e.Op.A) >= i || int(e.Op.B) >= i || e.Op.Kind <= SizeOp_NONE || e.Op.Kind > SizeOp_MIN {
				return badFormat("size %d is not made of earlier sizes by a known operation", i)
			}
		case *Size_Real:
			if why := e.Real.wellFormed(i); why != "" {
				return badFormat("size %d %s", i, why)
			}
		default:
			return badFormat("size %d is empty", i)
		}
	}
	for i, s := range p.Symbols {
		if int(s.GetUpper()) > len(p.Sizes) || s == nil {
			return badFormat("symbol %d is bounded by a size that is not there", i)
		}
	}
	bad := error(nil)
	note := func(err error) {
		if bad == nil {
			bad = err
		}
	}
	p.eachType(func(t *Type) {
		depth := 0
		for ; t != nil; t = t.Of {
			if depth++; depth > MaxNesting {
				note(badFormat("a type is nested more than %d deep", MaxNesting))
				return
			}
		}
	})
	if bad != nil {
		return bad
	}
	p.eachSize(func(i *uint32) {
		if int(*i) >= len(p.Sizes) {
			note(badFormat("size %d is not there", *i))
		}
	})
	for at, i := range p.Code {
		if i.Debug > 0 && int(i.Debug) > len(p.Debug.GetOrigins()) || int(i.Region) > len(p.Regions) {
			note(badFormat("instruction %d has an origin or a region that is not there", at))
		}
		for _, s := range i.Binds {
			if int(s) >= len(p.Symbols) {
				note(badFormat("instruction %d binds symbol %d, which is not there", at, s))
			}
		}
		for _, c := range i.In {
			if k, ok := ConstIndex(c); ok && k >= len(p.Constants) || c >= 0 && uint32(c) >= p.Values {
				note(badFormat("instruction %d has an operand that is not there", at))
			}
		}
		for _, r := range i.Out {
			if r.Value < -1 || r.Value >= 0 && uint32(r.Value) >= p.Values || int(r.Class) > len(p.Classes) || int(r.Alias) > len(i.In) {
				note(badFormat("instruction %d has a result, class or alias that is not there", at))
			}
		}
		for _, a := range i.Attr {
			if c, ok := a.GetV().(*Attr_Constant); ok && int(c.Constant) >= len(p.Constants) {
				note(badFormat("instruction %d has a constant that is not there", at))
			}
		}
	}
	for _, c := range p.Constants {
		if int(c.Segment) > len(p.Segments) {
			note(badFormat("constant %q is in a segment that is not there", c.Name))
		}
	}
	for _, o := range p.Debug.GetOrigins() {
		for _, at := range o.Places {
			if int(at) >= len(p.Debug.Places) {
				note(badFormat("an origin has a place that is not there"))
			}
		}
	}
	for _, x := range p.Inputs {
		if int(x.State) > len(p.Outputs) {
			note(badFormat("input %q gets the value of an output that is not there", x.Name))
		}
	}
	return bad
}
