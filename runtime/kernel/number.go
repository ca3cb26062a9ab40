package kernel

// This file computes functions of elements of all types that Go has, one element at a time.
//
// Operators of two operands broadcast as ONNX (and numpy) have it; the walk gives broadcast axes
// a step of 0. Each function is instantiated for each element type, because a call through an
// interface for each element costs more than the arithmetic. Functions of float32 that math has
// in float64 are computed there and rounded once, which is what the reference does too; only
// those with a vector form in tile's row functions have an entry elsewhere, and Choose takes that
// one as it is cheaper.

import (
	"math"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/tensor"
)

type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

type number interface {
	integer | float32 | float64
}

// A numberFunc is a function for one element type: with operands of type in, and results of type
// out. run computes tile i of the walk w; operands are read from c.In and the result is written
// to c.Out[0].
type numberFunc struct {
	in, out tensor.DType
	run     func(c *Call, w *walk, i int)
}

// two makes a function of two elements. The steps of the operands along the row may be 0, 1 or
// larger, the result is dense.
func two[T, R any](in, out tensor.DType, f func(x, z T) R) numberFunc {
	return numberFunc{in, out, func(c *Call, w *walk, i int) {
		x, z, y := elems[T](c.In[0]), elems[T](c.In[1]), elems[R](c.Out[0])
		for it := w.begin(i); it.next(); {
			n, at, to := it.n, &it.at, it.y
			p, q := at[0], at[1]
			for k := to; k < to+n; k++ {
				y[k] = f(x[p], z[q])
				p, q = p+w.unit[0], q+w.unit[1]
			}
		}
	}}
}

// one makes a function of one element. Its operand is dense, as nothing is broadcast, so the row
// is a slice.
func one[T, R any](in, out tensor.DType, f func(x T) R) numberFunc {
	return numberFunc{in, out, func(c *Call, w *walk, i int) {
		x, y := elems[T](c.In[0]), elems[R](c.Out[0])
		for it := w.begin(i); it.next(); {
			n, at, to := it.n, &it.at, it.y
			for k, v := range x[at[0] : at[0]+n] {
				y[to+k] = f(v)
			}
		}
	}}
}

// typed is the name of a number type.
func typed[T number]() tensor.DType {
	switch any(*new(T)).(type) {
	case float32:
		return tensor.Float32
	case float64:
		return tensor.Float64
	case int8:
		return tensor.Int8
	case int16:
		return tensor.Int16
	case int32:
		return tensor.Int32
	case int64:
		return tensor.Int64
	case uint8:
		return tensor.Uint8
	case uint16:
		return tensor.Uint16
	case uint32:
		return tensor.Uint32
	}
	return tensor.Uint64
}

// quotient is rounded to zero; by zero it is zero, as the reference has it. ONNX leaves a
// division by zero open and Go panics on it, which would end the run for an element that a Where
// may drop.
func quotient[T integer](x, z T) T {
	if z == 0 {
		return 0
	}
	return x / z
}

// remainder has the sign of the divisor; by zero it is zero. That is Python's and numpy's rule,
// and ONNX's for Mod with fmod=0: Go's own has the sign of the dividend.
func remainder[T integer](x, z T) T {
	if z == 0 {
		return 0
	}
	r := x % z
	if r != 0 && (r < 0) != (z < 0) {
		r += z
	}
	return r
}

// comparisons of a number type. They are those functions that are defined for all numbers, orders
// as well as sums. Comparisons with NaN are false, as IEEE 754 has it; Max and Min give NaN when
// either element is, by Go's builtins, as numpy's maximum does.
func comparisons[T number](add func(string, numberFunc)) {
	d := typed[T]()
	add("Equal", two(d, tensor.Bool, func(x, z T) bool { return x == z }))
	add("Less", two(d, tensor.Bool, func(x, z T) bool { return x < z }))
	add("LessOrEqual", two(d, tensor.Bool, func(x, z T) bool { return x <= z }))
	add("Greater", two(d, tensor.Bool, func(x, z T) bool { return x > z }))
	add("GreaterOrEqual", two(d, tensor.Bool, func(x, z T) bool { return x >= z }))
	add("Max", two(d, d, func(x, z T) T { return max(x, z) }))
	add("Min", two(d, d, func(x, z T) T { return min(x, z) }))
	add("Add", two(d, d, func(x, z T) T { return x + z }))
	add("Sub", two(d, d, func(x, z T) T { return x - z }))
	add("Mul", two(d, d, func(x, z T) T { return x * z }))
	add("Relu", one(d, d, func(x T) T {
		if x < 0 { // a zero keeps its sign
			return 0
		}
		return x
	}))
	add("Neg", one(d, d, func(x T) T { return -x }))
}

// shifts are those of the types that ONNX has them for. As many bits as the type has, and more,
// leave zero. The direction is an attribute, so both functions are made and the tile chooses.
func shifts[T uint8 | uint16 | uint32 | uint64](add func(string, numberFunc)) {
	d := typed[T]()
	left, right := two(d, d, func(x, z T) T { return x << z }), two(d, d, func(x, z T) T { return x >> z })
	add("BitShift", numberFunc{d, d, func(c *Call, w *walk, i int) {
		if c.Sig.Inst.Str("direction", "") == "LEFT" {
			left.run(c, w, i)
		} else {
			right.run(c, w, i)
		}
	}})
}

// integers adds what is defined for all whole numbers. Their arithmetic wraps as Go's does, so abs of the least
// number is itself, as in ONNX's reference.
func integers[T integer](add func(string, numberFunc)) {
	comparisons[T](add)
	d := typed[T]()
	add("Div", two(d, d, quotient[T]))
	add("Mod", two(d, d, remainder[T]))
	add("BitwiseAnd", two(d, d, func(x, z T) T { return x & z }))
	add("BitwiseOr", two(d, d, func(x, z T) T { return x | z }))
	add("BitwiseXor", two(d, d, func(x, z T) T { return x ^ z }))
	add("BitwiseNot", one(d, d, func(x T) T { return ^x }))
	add("Abs", one(d, d, func(x T) T {
		if x < 0 {
			return -x
		}
		return x
	}))
	add("Sign", one(d, d, func(x T) T {
		switch {
		case x > 0:
			return 1
		case x < 0:
			x = 0
			x--
		}
		return x
	}))
}

// signOf keeps NaN and zeros. Comparisons with NaN are false, so it falls through to the operand
// itself, which also keeps the sign of a zero.
func signOf(x float64) float64 {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// The textbook form log(1 + e^x) overflows for large x; here the exponent is never positive:
// log(1 + e^x) = max(x, 0) + log1p(e^-|x|).
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

// floatOps are functions of floats that have no row function.
var floatOps = []struct {
	name string
	f    func(float64) float64
}{
	{"Log", math.Log}, {"Sin", math.Sin}, {"Cos", math.Cos}, {"Tan", math.Tan}, {"Asin", math.Asin}, {"Acos", math.Acos}, {"Atan", math.Atan},
	{"Sinh", math.Sinh}, {"Cosh", math.Cosh}, {"Asinh", math.Asinh}, {"Acosh", math.Acosh}, {"Atanh", math.Atanh}, {"Sign", signOf},
	{"Softplus", softplus}, {"Softsign", func(x float64) float64 { return x / (1 + math.Abs(x)) }},
	{"Mish", func(x float64) float64 { return x * math.Tanh(softplus(x)) }},
	{"Reciprocal", func(x float64) float64 { return 1 / x }},
}

// attrOps are functions of floats whose form attributes say.
var attrOps = []struct {
	name string
	make func(i *isa.Instruction) func(float64) float64
}{
	{"Elu", func(i *isa.Instruction) func(float64) float64 { return elu(i.Float("alpha", 1), 1) }},
	{"Selu", func(i *isa.Instruction) func(float64) float64 {
		return elu(i.Float("alpha", 1.67326319217681884765625), i.Float("gamma", 1.05070102214813232421875))
	}},
	{"Celu", func(i *isa.Instruction) func(float64) float64 {
		alpha := i.Float("alpha", 1)
		return func(x float64) float64 { return max(0, x) + min(0, alpha*math.Expm1(x/alpha)) }
	}},
	{"ThresholdedRelu", func(i *isa.Instruction) func(float64) float64 {
		alpha := i.Float("alpha", 1)
		return func(x float64) float64 {
			if x > alpha || x != x {
				return x
			}
			return 0
		}
	}},
}

// elu is the activation of Elu and Selu, with Expm1 since e^x - 1 near 0 loses its digits.
func elu(alpha, gamma float64) func(float64) float64 {
	return func(x float64) float64 {
		if x < 0 {
			x = alpha * math.Expm1(x)
		}
		return gamma * x
	}
}

// withAttrs makes a function of one float, whose attributes are read for each tile. Reading
// attributes once for a tile is cheap against its elements, and needs no further state.
func withAttrs[T float32 | float64](make func(i *isa.Instruction) func(float64) float64) numberFunc {
	d := typed[T]()
	return numberFunc{d, d, func(c *Call, w *walk, i int) {
		f := make(c.Sig.Inst)
		one(d, d, func(x T) T { return T(f(float64(x))) }).run(c, w, i)
	}}
}

// infinite reports infinities of the signs that attributes name. x - x is 0 for finite numbers
// and NaN for others, and a comparison of NaN with 0 is unequal; NaN itself is excluded by the
// comparisons with 0.
func infinite[T float32 | float64]() numberFunc {
	d := typed[T]()
	return numberFunc{d, tensor.Bool, func(c *Call, w *walk, i int) {
		positive, negative := c.Sig.Inst.Int("detect_positive", 1) != 0, c.Sig.Inst.Int("detect_negative", 1) != 0
		one(d, tensor.Bool, func(x T) bool { return x-x != 0 && (x > 0 && positive || x < 0 && negative) }).run(c, w, i)
	}}
}

// fmod is Mod with the sign of the dividend.
const fmod = "Mod.fmod"

// wideOps are those that have a row function in f32, for f64.
var wideOps = []struct {
	name string
	f    func(float64) float64
}{
	{"Exp", math.Exp}, {"Tanh", math.Tanh}, {"Erf", math.Erf}, {"Sqrt", math.Sqrt}, {"Floor", math.Floor}, {"Ceil", math.Ceil},
	{"Round", math.RoundToEven}, {"Abs", math.Abs},
	{"Sigmoid", func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }},
}

// floatMod has the sign of the divisor. It is Python's rule for floats: a remainder of zero has
// the sign of the divisor too. math.Mod has that of the dividend.
func floatMod(x, y float64) float64 {
	r := math.Mod(x, y)
	switch {
	case r == 0:
		r = math.Copysign(0, y)
	case (r < 0) != (y < 0):
		r += y
	}
	return r
}

// numberEntries lists the operators. The map is from an operator to its functions for all types;
// order keeps the entries in the order of this list, since Choose takes the first of equal costs.
func numberEntries() []*Entry {
	ops := map[string][]numberFunc{}
	var order []string
	add := func(name string, f numberFunc) {
		if ops[name] == nil {
			order = append(order, name)
		}
		ops[name] = append(ops[name], f)
	}
	integers[int64](add)
	integers[int32](add)
	integers[int16](add)
	integers[int8](add)
	integers[uint64](add)
	integers[uint32](add)
	integers[uint16](add)
	integers[uint8](add)
	shifts[uint64](add)
	shifts[uint32](add)
	shifts[uint16](add)
	shifts[uint8](add)
	comparisons[float32](add)
	comparisons[float64](add)
	add("Div", two(tensor.Float64, tensor.Float64, func(x, z float64) float64 { return x / z }))
	add("Mod", two(tensor.Float64, tensor.Float64, floatMod))
	add("Mod", two(tensor.Float32, tensor.Float32, func(x, z float32) float32 { return float32(floatMod(float64(x), float64(z))) }))
	add("Pow", two(tensor.Float32, tensor.Float32, func(x, z float32) float32 { return float32(math.Pow(float64(x), float64(z))) }))
	add("Pow", two(tensor.Float64, tensor.Float64, math.Pow))
	for _, o := range floatOps {
		add(o.name, one(tensor.Float32, tensor.Float32, func(x float32) float32 { return float32(o.f(float64(x))) }))
		add(o.name, one(tensor.Float64, tensor.Float64, o.f))
	}
	for _, o := range wideOps {
		add(o.name, one(tensor.Float64, tensor.Float64, o.f))
	}
	for _, o := range attrOps {
		add(o.name, withAttrs[float32](o.make))
		add(o.name, withAttrs[float64](o.make))
	}
	add("IsInf", infinite[float32]())
	add("IsInf", infinite[float64]())
	add(fmod, two(tensor.Float64, tensor.Float64, math.Mod))
	add(fmod, two(tensor.Float32, tensor.Float32, func(x, z float32) float32 { return float32(math.Mod(float64(x), float64(z))) }))
	add("IsNaN", one(tensor.Float32, tensor.Bool, func(x float32) bool { return x != x }))
	add("IsNaN", one(tensor.Float64, tensor.Bool, func(x float64) bool { return x != x }))
	add("PRelu", two(tensor.Float32, tensor.Float32, func(x, z float32) float32 {
		if x < 0 {
			return x * z
		}
		return x
	}))
	add("And", two(tensor.Bool, tensor.Bool, func(x, z bool) bool { return x && z }))
	add("Or", two(tensor.Bool, tensor.Bool, func(x, z bool) bool { return x || z }))
	add("Xor", two(tensor.Bool, tensor.Bool, func(x, z bool) bool { return x != z }))
	add("Equal", two(tensor.Bool, tensor.Bool, func(x, z bool) bool { return x == z }))
	add("Not", one(tensor.Bool, tensor.Bool, func(x bool) bool { return !x }))
	var out []*Entry
	for _, name := range order {
		out = append(out, numberEntry(name, ops[name]))
	}
	return append(out, casts(), where())
}

// numberEntry makes an operator's entry. It matches when there is a function with the operands'
// and the result's type. PRelu's slope may not enlarge the result. Mod has two entries, of which
// the attribute fmod takes one.
func numberEntry(name string, list []numberFunc) *Entry {
	find := func(s *Sig) *numberFunc {
		for i := range list {
			f := &list[i]
			ok := f.out == s.Out[0].DType
			for k := range s.In {
				ok = ok && !s.In[k].Absent && s.In[k].DType == f.in
			}
			if ok {
				return f
			}
		}
		return nil
	}
	operands := 2
	switch name {
	case "Log", "Not", "IsNaN", "IsInf", "BitwiseNot", "Relu", "Neg", "Abs", "Sign":
		operands = 1
	}
	for _, o := range floatOps {
		if o.name == name {
			operands = 1
		}
	}
	for _, o := range wideOps {
		if o.name == name {
			operands = 1
		}
	}
	for _, o := range attrOps {
		if o.name == name {
			operands = 1
		}
	}
	op, _, ofDividend := strings.Cut(name, ".")
	e := &Entry{Op: isa.Lookup("", op), Name: name + ".elements", Shape: broadcastShape, InPlace: always,
		Cost: func(s *Sig) float64 { return 100 + 3*float64(s.Out[0].Len()) },
		Match: func(s *Sig) bool {
			return len(s.In) == operands && find(s) != nil && (name != "PRelu" || sameDims(s.In[0].Dims, s.Out[0].Dims)) &&
				(op != "Mod" || ofDividend == (s.Inst.Int("fmod", 0) != 0))
		}}
	e.elementwise = true
	e.Split = func(s *Sig) Grid { return stretch(s).grid() }
	e.Prepare = func(s *Sig) any { return &typedWalk{stretch(s), find(s)} }
	e.Run = func(c *Call, _, i int) {
		st := c.State.(*typedWalk)
		st.f.run(c, st.w, i)
	}
	return e
}

// A typedWalk is a function of a type at its sizes.
type typedWalk struct {
	w *walk
	f *numberFunc
}

// where takes elements by a condition; elements of one size are alike.
func where() *Entry {
	e := &Entry{Op: isa.Lookup("", "Where"), Name: "Where.elements", Shape: broadcastShape, Cost: elementCost, InPlace: always,
		Match: func(s *Sig) bool {
			if len(s.In) != 3 || s.In[0].DType != tensor.Bool || s.In[1].DType != s.In[2].DType || s.Out[0].DType != s.In[1].DType {
				return false
			}
			for i := range s.In {
				if s.In[i].Absent {
					return false
				}
			}
			return byteSize(s.Out[0].DType) > 0
		},
		Run: func(c *Call, _, i int) {
			switch byteSize(c.Sig.Out[0].DType) {
			case 1:
				whereOf[uint8](c, i)
			case 2:
				whereOf[uint16](c, i)
			case 4:
				whereOf[uint32](c, i)
			case 8:
				whereOf[uint64](c, i)
			default:
				whereOf[[2]uint64](c, i)
			}
		}}
	return walks(e, stretch)
}

// whereOf chooses element by element; where the condition is the same for a row, the row is
// copied. The condition is constant along a row when its last axis is broadcast; then the choice
// is made once for the row instead of for each element.
func whereOf[T any](c *Call, i int) {
	w := c.State.(*walk)
	m, x, z, y := elems[bool](c.In[0]), elems[T](c.In[1]), elems[T](c.In[2]), elems[T](c.Out[0])
	for it := w.begin(i); it.next(); {
		n, at, to := it.n, &it.at, it.y
		out := y[to : to+n]
		if w.unit[0] == 0 { // one condition for the row
			from, p, unit := z, at[2], w.unit[2]
			if m[at[0]] {
				from, p, unit = x, at[1], w.unit[1]
			}
			if unit == 1 {
				copy(out, from[p:p+n])
				continue
			}
			for k := range out {
				out[k] = from[p]
			}
			continue
		}
		p, q := at[1], at[2]
		for k, is := range m[at[0] : at[0]+n] {
			if is {
				out[k] = x[p]
			} else {
				out[k] = z[q]
			}
			p, q = p+w.unit[1], q+w.unit[2]
		}
	}
}

// byteSize is the number of bytes of an element, 0 for those of less than one.
func byteSize(d tensor.DType) int { return d.Bits() / 8 }

// casts converts between the types that Go has, and bools. Float to integer truncates to zero as
// in C, and values out of range give the least number of 64 bits, cut to the width: ONNX leaves
// them open, and both engines must agree. A cast to bool is x ≠ 0, so NaN is true. Types of 16
// bits are in half.go.
func casts() *Entry {
	table := map[[2]tensor.DType]func(*Call, *walk, int){}
	from[float32](table)
	from[float64](table)
	from[int64](table)
	from[int32](table)
	from[uint8](table)
	from[int8](table)
	table[[2]tensor.DType{tensor.Bool, tensor.Bool}] = one(0, 0, func(x bool) bool { return x }).run
	fromBool[float32](table)
	fromBool[float64](table)
	fromBool[int64](table)
	fromBool[int32](table)
	fromBool[uint8](table)
	fromBool[int8](table)
	e := &Entry{Op: isa.Lookup("", "Cast"), Name: "Cast.elements", Shape: sameShape, Cost: elementCost, InPlace: always,
		Match: func(s *Sig) bool {
			return len(s.In) == 1 && table[[2]tensor.DType{s.In[0].DType, s.Out[0].DType}] != nil
		},
		Run: func(c *Call, _, i int) { state := c.State.(*cast); state.run(c, state.w, i) }}
	e.elementwise = true
	e.Split = func(s *Sig) Grid { return stretch(s).grid() }
	e.Prepare = func(s *Sig) any { return &cast{stretch(s), table[[2]tensor.DType{s.In[0].DType, s.Out[0].DType}]} }
	return e
}

// A cast is a conversion at its sizes.
type cast struct {
	w   *walk
	run func(*Call, *walk, int)
}

// from lists the conversions of a type.
func from[T number](table map[[2]tensor.DType]func(*Call, *walk, int)) {
	d := typed[T]()
	set := func(to tensor.DType, f numberFunc) { table[[2]tensor.DType{d, to}] = f.run }
	set(tensor.Float32, one(d, d, func(x T) float32 { return float32(x) }))
	set(tensor.Float64, one(d, d, func(x T) float64 { return float64(x) }))
	set(tensor.Bool, one(d, d, func(x T) bool { return x != 0 }))
	set(tensor.Int64, one(d, d, truncate[T]))
	set(tensor.Int32, one(d, d, func(x T) int32 { return int32(truncate(x)) }))
	set(tensor.Uint8, one(d, d, func(x T) uint8 { return uint8(truncate(x)) }))
	set(tensor.Int8, one(d, d, func(x T) int8 { return int8(truncate(x)) }))
}

func fromBool[T number](table map[[2]tensor.DType]func(*Call, *walk, int)) {
	d := typed[T]()
	table[[2]tensor.DType{tensor.Bool, d}] = one(d, d, func(x bool) T {
		if x {
			return 1
		}
		return 0
	}).run
}

// truncate cuts the fraction off; what 64 bits do not hold, and NaN, is the least number, as the
// reference has it. The comparison is written so that NaN fails it too. 1<<63 itself is out of
// range, as the largest int64 is one less.
func truncate[T number](x T) int64 {
	if isFloat[T]() {
		if f := float64(x); !(f >= -1<<63 && f < 1<<63) {
			return math.MinInt64
		}
	}
	return int64(x)
}

func isFloat[T number]() bool {
	switch any(*new(T)).(type) {
	case float32, float64:
		return true
	}
	return false
}
