package vm

// This file binds symbols to the sizes of inputs and checks the contract.
//
// A dimension of an input that is a symbol alone binds the symbol; the first such dimension wins,
// and further ones are compared with it. All sizes of the program, which are expressions of
// symbols in a table, are then evaluated once, in the order of the table. Dimensions that are
// expressions, as 2*B, bind nothing: they are only compared. Symbols that an instruction binds
// (the count of NonZero, say) are unknown until then, and sizes that need them are not ready.
//
// The contract is the list of conditions under which the shape checker has proved that the
// program has no shape errors. They are checked here, before anything runs, with messages that
// name the sizes next to the given ones which would do.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
	"shapecheck/symshape"
)

// A binding is the symbols and sizes of a run. Those that instructions bind change while it runs.
// syms and known are indexed by symbol, vals and ready by the program's table of sizes; a size is
// ready when all symbols in it are known.
type binding struct {
	m     *Model
	syms  []int64
	known []bool
	vals  []int64
	ready []bool
	// changes counts them.
	changes int
}

// ports gives the inputs in the order of the ports; one that is not there is nil. The error is
// CodeInput for a name that is no input. That one is missing is reported by bind, which knows its
// type.
func (m *Model) ports(in Inputs) ([]tensor.Value, error) {
	for name := range in {
		if _, ok := m.inputs[name]; !ok {
			return nil, &Error{Code: CodeInput, PC: -1, Reason: fmt.Sprintf("the program has no input %q", name)}
		}
	}
	list := make([]tensor.Value, len(m.p.Inputs))
	for k, port := range m.p.Inputs {
		list[k] = in[port.Name]
	}
	return list, nil
}

// bind binds the symbols that inputs bind, and checks the inputs' types and the contract. The
// order of the checks decides which message a user sees: first kind, element type and rank of
// each input, then conditions with their reasons, then ranges of symbols, then each dimension.
// The errors are CodeInput, or CodeContract where sizes break a condition, are outside a range,
// or have no value (a division by zero, an overflow).
func (m *Model) bind(in []tensor.Value) (*binding, error) {
	p := m.p
	b := &binding{m: m, syms: make([]int64, len(p.Symbols)), known: make([]bool, len(p.Symbols)), vals: make([]int64, len(p.Sizes)),
		ready: make([]bool, len(p.Sizes))}
	from := make([]string, len(p.Symbols))
	for i, port := range p.Inputs {
		v := in[i]
		if err := fitsPort(port, v); err != nil {
			return nil, err
		}
		t, ok := v.(*tensor.Tensor)
		if !ok || port.Type.Unranked {
			continue
		}
		for k, d := range port.Type.Dims {
			if s, ok := p.Sizes[d].E.(*isa.Size_Symbol); ok && !b.known[s.Symbol] {
				b.known[s.Symbol], b.syms[s.Symbol], from[s.Symbol] = true, t.Dims()[k], port.Name
			}
		}
	}
	if err := p.EvalSizes(b.syms, b.known, b.vals, b.ready); err != nil {
		return nil, &Error{Code: CodeContract, PC: -1, Symbols: b.symbols(), Reason: err.Error(), Err: err}
	}
	for i, c := range m.conds { // before the ranges, which have no reasons
		if !b.holds(c) {
			return nil, b.broken(i, from)
		}
	}
	for k, s := range p.Symbols {
		if b.known[k] && !inRange(s, b.syms[k]) {
			return nil, &Error{Code: CodeContract, PC: -1, Reason: fmt.Sprintf("%s must be %s, but %s has %s = %d", s.Name, rangeText(s), from[k],
				s.Name, b.syms[k])}
		}
	}
	for i, port := range p.Inputs {
		if t, ok := in[i].(*tensor.Tensor); ok {
			if why := b.fits(port.Type, t); why != "" {
				return nil, &Error{Code: CodeInput, PC: -1, Symbols: b.symbols(),
					Reason: fmt.Sprintf("the input %q is %s: %s%s", port.Name, t.Type(), why, b.fixed(port.Type, t))}
			}
		}
	}
	return b, nil
}

func inRange(s *isa.Symbol, v int64) bool { return v >= s.Lo && (s.Hi == 0 || v <= s.Hi) }

func rangeText(s *isa.Symbol) string {
	if s.Hi == 0 {
		return fmt.Sprintf("at least %d", s.Lo)
	}
	return fmt.Sprintf("from %d to %d", s.Lo, s.Hi)
}

// fitsPort checks kind, element type and rank. Its error is CodeInput, with the input's name.
// Sizes are not compared here, as they need all symbols.
func fitsPort(port *isa.Port, v tensor.Value) error {
	bad := func(format string, args ...any) error {
		return &Error{Code: CodeInput, PC: -1, Reason: fmt.Sprintf("the input %q ", port.Name) + fmt.Sprintf(format, args...)}
	}
	if missing(v) {
		return bad("is missing")
	}
	if kindOf(v) != port.Type.Kind {
		return bad("is %s, which is of another kind", v.Type())
	}
	if t, ok := v.(*tensor.Tensor); ok {
		if uint32(t.DType()) != port.Type.Elem {
			return bad("is %s, not %s", t.Type(), tensor.DType(port.Type.Elem))
		}
		if !port.Type.Unranked && len(t.Dims()) != len(port.Type.Dims) {
			return bad("is %s, not of %d dimensions", t.Type(), len(port.Type.Dims))
		}
	}
	return nil
}

// missing reports whether there is no value, or a pointer to none. A nil pointer in an interface
// is not nil, so a caller's variable without a tensor would otherwise pass.
func missing(v tensor.Value) bool {
	switch v := v.(type) {
	case *tensor.Tensor:
		return v == nil
	case *tensor.Sequence:
		return v == nil
	case *tensor.Optional:
		return v == nil
	}
	return v == nil
}

// A buffer of rows is a sequence for the program, though it has another form in the machine.
func kindOf(v tensor.Value) isa.Type_Kind {
	switch v.(type) {
	case *tensor.Tensor:
		return isa.Type_TENSOR
	case *tensor.Sequence, *rows:
		return isa.Type_SEQUENCE
	case *tensor.Optional:
		return isa.Type_OPTIONAL
	}
	return isa.Type_NONE
}

// env gives symbols by name. The search is linear; programs have few symbols, and it is asked for
// conditions alone.
func (b *binding) env(name string) (int64, bool) {
	for k, s := range b.m.p.Symbols {
		if s.Name == name {
			return b.syms[k], b.known[k]
		}
	}
	return 0, false
}

// A condition that cannot be evaluated does not hold: an unknown symbol or an overflow never lets
// a run begin.
func (b *binding) holds(c *symshape.Cond) bool {
	ok, err := c.Eval(b.env)
	return ok && err == nil
}

// symbols writes those that are bound.
func (b *binding) symbols() (out []string) {
	for k, s := range b.m.p.Symbols {
		if b.known[k] {
			out = append(out, fmt.Sprintf("%s = %d", s.Name, b.syms[k]))
		}
	}
	return out
}

// near bounds the search for sizes that keep the contract.
const near = 4096

// broken says what part of the contract the inputs break, why it is there, and which sizes
// next to the given ones keep it. The message has up to three parts: the condition with its
// reasons, the symbols in it with the inputs that gave them, and the nearest sizes that would
// keep the contract. One symbol at a time is varied first; only when that helps nowhere are
// several varied together.
func (b *binding) broken(i int, from []string) error {
	c := b.m.p.Contract[i]
	text := c.Cond + " is needed"
	if len(c.Because) > 0 {
		text += " (" + strings.Join(c.Because, "; ") + ")"
	}
	var symbols []int
	input, has := "", ""
	for k, s := range b.m.p.Symbols {
		if !mentions(b.m.conds[i], s.Name) || !b.known[k] {
			continue
		}
		symbols = append(symbols, k)
		if has != "" {
			has += " and "
		}
		if from[k] != input {
			input = from[k]
			has += input + " has "
		}
		has += fmt.Sprintf("%s = %d", s.Name, b.syms[k])
	}
	text += ", but " + has
	var sizes []string
	for _, k := range symbols {
		for _, n := range b.nearestOf(k, i) {
			size := strconv.FormatInt(n, 10)
			if len(symbols) > 1 {
				size = b.m.p.Symbols[k].Name + " = " + size
			}
			sizes = append(sizes, size)
		}
	}
	if len(sizes) == 0 && len(symbols) > 1 {
		if list := b.together(symbols); list != nil {
			for j, k := range symbols {
				sizes = append(sizes, fmt.Sprintf("%s = %d", b.m.p.Symbols[k].Name, list[j]))
			}
			return &Error{Code: CodeContract, PC: -1, Reason: text + "; together the nearest sizes are " + strings.Join(sizes, ", ")}
		}
	}
	switch n := len(sizes); n {
	case 0:
	case 1:
		text += "; the nearest size is " + sizes[0]
	default:
		text += "; the nearest sizes are " + strings.Join(sizes[:n-1], ", ") + " and " + sizes[n-1]
	}
	return &Error{Code: CodeContract, PC: -1, Reason: text}
}

func mentions(c *symshape.Cond, name string) bool {
	for _, s := range c.Symbols() {
		if n, _ := s.IsSymbol(); n == name {
			return true
		}
	}
	return false
}

// nearestOf gives the values of a symbol next to its own that keep the whole contract with the
// others as they are; where others are wrong as well, those that keep what is said of the symbol,
// or at least the condition that is broken.
func (b *binding) nearestOf(k, broken int) []int64 {
	var own []*symshape.Cond
	for _, c := range b.m.conds {
		if mentions(c, b.m.p.Symbols[k].Name) {
			own = append(own, c)
		}
	}
	for _, conds := range [][]*symshape.Cond{b.m.conds, own, {b.m.conds[broken]}} {
		if out := b.nearest(k, conds); len(out) > 0 {
			return out
		}
	}
	return nil
}

// maxTogether bounds the vectors of sizes that are tried.
const maxTogether = 1 << 15

// together gives values of several symbols, at the least sum of distances from their own, that
// keep the whole contract; nil: among the next ones there are none. It tries all vectors at
// distance 1, then 2, and so on, where the distance is the sum of the absolute differences (the
// 1-norm), so the first that is found is a nearest one. The number of vectors grows with the
// distance to the power of the symbols, hence the bound maxTogether.
func (b *binding) together(list []int) []int64 {
	was := make([]int64, len(list))
	for j, k := range list {
		was[j] = b.syms[k]
	}
	defer func() {
		for j, k := range list {
			b.syms[k] = was[j]
		}
	}()
	tried := 0
	// try gives the symbols from the j-th on values whose distances make up left
	var try func(j int, left int64) []int64
	try = func(j int, left int64) []int64 {
		if j == len(list) {
			if tried++; slices.ContainsFunc(b.m.conds, func(c *symshape.Cond) bool { return !b.holds(c) }) {
				return nil
			}
			out := make([]int64, len(list))
			for j, k := range list {
				out[j] = b.syms[k]
			}
			return out
		}
		k, first := list[j], int64(0)
		if j == len(list)-1 {
			first = left
		}
		for d := first; d <= left && tried < maxTogether; d++ {
			for _, v := range []int64{was[j] - d, was[j] + d} {
				if b.syms[k] = v; inRange(b.m.p.Symbols[k], v) {
					if out := try(j+1, left-d); out != nil {
						return out
					}
				}
				if d == 0 {
					break
				}
			}
		}
		return nil
	}
	for d := int64(1); d <= near && tried < maxTogether; d++ {
		if out := try(0, d); out != nil {
			return out
		}
	}
	return nil
}

// nearest gives the values of a symbol next to its own, below and above, that keep conditions.
// Each direction is searched on its own and gives at most one value; the search evaluates
// conditions instead of solving them, as they may have divisions, remainders and roundings.
func (b *binding) nearest(k int, conds []*symshape.Cond) (out []int64) {
	s, was := b.m.p.Symbols[k], b.syms[k]
	defer func() { b.syms[k] = was }()
	for _, step := range []int64{-1, 1} {
	search:
		for d := int64(1); d <= near; d++ {
			if b.syms[k] = was + step*d; !inRange(s, b.syms[k]) {
				continue
			}
			for _, c := range conds {
				if !b.holds(c) {
					continue search
				}
			}
			out = append(out, b.syms[k])
			break
		}
	}
	return out
}

// set binds a symbol while a program runs and evaluates what depends on it. It says when the
// value is outside the symbol's range, is more than its upper bound, which may be an expression
// of other symbols, or when a size that depends on it cannot be evaluated. changes counts only
// real changes, so that a loop whose count stays the same keeps what was compared.
func (b *binding) set(sym uint32, v int64) error {
	s := b.m.p.Symbols[sym]
	if !inRange(s, v) {
		return fmt.Errorf("%s must be %s, but is %d", s.Name, rangeText(s), v)
	}
	if s.Upper > 0 && b.ready[s.Upper-1] && v > b.vals[s.Upper-1] {
		return fmt.Errorf("%s is %d, more than its bound %d", s.Name, v, b.vals[s.Upper-1])
	}
	if !b.known[sym] || b.syms[sym] != v {
		b.changes++
	}
	b.syms[sym], b.known[sym] = v, true
	return b.m.p.EvalSome(b.m.redo[sym], b.syms, b.known, b.vals, b.ready)
}

// fits says why a value is not of a type; empty: it is. It compares kind, element type, rank and
// each size, in this order, and is called for each result of an instruction that no kernel made.
func (b *binding) fits(t *isa.Type, v tensor.Value) string {
	if kindOf(v) != t.Kind {
		return "it is of another kind"
	}
	x, ok := v.(*tensor.Tensor)
	if !ok {
		return ""
	}
	if uint32(x.DType()) != t.Elem {
		return fmt.Sprintf("its elements are %s, not %s", x.DType(), tensor.DType(t.Elem))
	}
	if t.Unranked {
		return ""
	}
	same := len(x.Dims()) == len(t.Dims)
	for k := 0; same && k < len(t.Dims); k++ {
		same = x.Dims()[k] == b.vals[t.Dims[k]]
	}
	if !same {
		want := make([]int64, len(t.Dims))
		for k, d := range t.Dims {
			want[k] = b.vals[d]
		}
		return "the program says " + tensor.TypeText(tensor.DType(t.Elem), want)
	}
	return ""
}

// fixed says which axis of an input has another size than the number that the program has there,
// and what to do; empty: none. It is a hint for the most frequent mistake: a model that was
// exported with an example's batch size and is run with another.
func (b *binding) fixed(t *isa.Type, x *tensor.Tensor) string {
	if len(x.Dims()) != len(t.Dims) {
		return ""
	}
	for k, d := range t.Dims {
		if n, ok := b.m.p.Sizes[d].E.(*isa.Size_Const); ok && n.Const != x.Dims()[k] {
			return fmt.Sprintf(", where axis %d is fixed; for other sizes make the model with a symbol there, as in --arg 'x:f32[B,3]'", k)
		}
	}
	return ""
}
