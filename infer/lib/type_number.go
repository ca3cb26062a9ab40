package lib

// This file defines int, bool, float and complex. The constructors convert as CPython does: int and
// float take numbers, texts, and what has the dunder methods in the order in which CPython looks
// for them. Of sizes and of numbers that data decide they give expressions, so that int(x / 2) of a
// size is the quotient rounded down. A subclass of a number is an instance that carries the number
// as payload; value.Plain takes it out.

import (
	"math"
	"math/big"

	"shapecheck/infer/value"
	"shapecheck/parser/ast"
	"shapecheck/symshape"
)

var numberClasses = []classSpec{
	{name: "int", layout: value.ScalarLayout, procs: intProcs},
	{name: "bool", base: "int", final: true, procs: []proc{
		{name: "__new__", params: "x?", kind: newProc, fn: func(c *call) (value.Value, error) {
			if c.args[0] == nil {
				return value.Bool(false), nil
			}
			return c.th.Truth(c.args[0])
		}},
	}},
	{name: "float", layout: value.ScalarLayout, procs: floatProcs},
	{name: "complex", layout: value.ScalarLayout, procs: complexProcs},
}

// payload makes an instance of a subclass of a scalar class from what the constructor of base gave.
// Called for base itself, for an error or an unknown number it gives those back.
func (c *call) payload(base *value.Class, v value.Value, err error) (value.Value, error) {
	cls, ok := c.self.(*value.Class)
	if err != nil || !ok || cls == base || value.IsUnknown(v) {
		return v, err
	}
	inst := c.th.Heap().NewInstance(cls)
	inst.Payload = v
	return inst, nil
}

var intProcs = join([]proc{
	{name: "__new__", params: "x? / base?", kind: newProc, fn: intNew},
	{name: "bit_length", ret: retInt, fn: func(c *call) (value.Value, error) {
		n, _ := bigInt(value.Plain(c.self))
		return value.Int(n.BitLen()), nil
	}},
	{name: "bit_count", ret: retInt, fn: func(c *call) (value.Value, error) {
		n, _ := bigInt(value.Plain(c.self))
		// bit_count and bit_length count those of the absolute value.
		count := 0
		for _, w := range new(big.Int).Abs(n).Bits() {
			for ; w != 0; w &= w - 1 {
				count++
			}
		}
		return value.Int(count), nil
	}},
	{name: "conjugate", fn: intSelf},
	{name: "__int__", fn: intSelf},
	{name: "__index__", fn: intSelf},
	{name: "__trunc__", fn: intSelf},
	{name: "__floor__", fn: intSelf},
	{name: "__ceil__", fn: intSelf},
	// Reading by float() may overflow, for which it raises.
	{name: "__float__", fn: func(c *call) (value.Value, error) { return c.w.toFloat(c.th, value.Plain(c.self)) }},
	{name: "__abs__", fn: absProc},
	{name: "__round__", params: "ndigits?", fn: func(c *call) (value.Value, error) { return c.w.round(c.th, value.Plain(c.self), c.args[0]) }},
	{name: "__divmod__", params: "other", fn: divmodDunder},
	{name: "__bool__", fn: boolDunder},
	{name: "__hash__", fn: hashDunder},
	{name: "__format__", params: "spec", fn: formatDunder},
	{name: "is_integer", fn: func(c *call) (value.Value, error) { return value.Bool(true), nil }},
	{name: "as_integer_ratio", fn: func(c *call) (value.Value, error) {
		return value.NewTuple(value.Plain(c.self), value.Int(1)), nil
	}},
	{name: "to_bytes", params: "+ length? byteorder? * signed?", ret: retBytes, fn: intToBytes},
	{name: "from_bytes", params: "+ bytes byteorder? * signed?", kind: classProc, fn: intFromBytes},
}, dunders(binaryDunder, "other", arithNames+" "+realNames+" "+bitNames), dunders(compareDunder, "other", orderNames),
	dunders(unaryDunder, "", signNames+" __invert__"), dunders(reprDunder, "", "__repr__"))

// intSelf is the receiver as a plain int: of a bool 0 or 1, of a subclass the number that it wraps.
func intSelf(c *call) (value.Value, error) {
	v, _, err := c.w.index(c.th, c.self)
	return v, err
}

// divmodDunder gives NotImplemented where the other operand is none of numbers, so that the reflected method
// has its turn.
func divmodDunder(c *call) (value.Value, error) {
	if !c.fits(c.self, c.args[0], true) {
		return value.NotImplemented, nil
	}
	return c.w.divmod(c.th, c.self, c.args[0])
}

// absProc is __abs__ of the receiver.
func absProc(c *call) (value.Value, error) { return c.w.abs(c.th, value.Plain(c.self)) }

// intNew is int(x, base) and the constructor of subclasses, whose instances carry the number as
// payload. The errors are those of intOf.
func intNew(c *call) (value.Value, error) {
	v, err := c.w.intOf(c.th, c.args[0], c.args[1])
	return c.payload(c.w.int_, v, err)
}

// intOf is int(x, base). A base is given for texts alone. It raises TypeError for what is no number
// and has none of __int__, __index__ and __trunc__, ValueError for texts that are no numbers and
// for nan, and OverflowError for infinities. Calls of such methods may lead back here, hence Enter.
func (w *World) intOf(th value.Thread, x, base value.Value) (value.Value, error) {
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	if x == nil {
		if base != nil {
			return nil, th.Raise("TypeError", "int() missing string argument")
		}
		// A complex scalar of NumPy counts by its real part.
		return value.Int(0), nil
	}
	if r, err := w.realPart(th, x); err != nil {
		return nil, err
	} else if r != nil {
		x = r
	}
	x = value.Plain(x)
	radix := 10
	if base != nil {
		// The base may be any object with __index__; one that is not known makes the result
		// unknown.
		b, err := w.wantIndex(th, base)
		if err != nil {
			return nil, err
		}
		n, ok := b.(value.Int)
		if !ok {
			return w.unknownInt(th), nil
		}
		// 0 reads the base from the prefix of the text.
		if n != 0 && (n < 2 || n > 36) {
			return nil, th.Raise("ValueError", "int() base must be >= 2 and <= 36, or 0")
		}
		radix = int(n)
		switch s := x.(type) {
		case value.Str, value.Bytes, *value.Unknown:
		case *value.Abstract:
			if s.Class != w.str && s.Class != w.bytes {
				return nil, th.Raise("TypeError", "int() can't convert non-string with explicit base")
			}
		default:
			return nil, th.Raise("TypeError", "int() can't convert non-string with explicit base")
		}
	}
	switch v := x.(type) {
	case value.Int, *value.BigInt, *value.SymInt, *value.Unknown:
		return v, nil
	case value.Bool:
		n, _ := smallInt(v)
		return value.Int(n), nil
	case *value.SymBool:
		return boolInt(th, v), nil
	case value.Float:
		return w.truncFloat(th, float64(v))
	// The example value of a number that is not known is cut as well as its expression.
	case *value.SymFloat:
		if n, ok := v.Rounded(math.Trunc); ok {
			return value.Int(n), nil
		}
		d := symshape.MakeDim(th.Pool().TruncReal(v.R))
		if v.Known && !d.Known && math.Abs(v.Val) < 1<<62 {
			d.Val, d.Known = int64(v.Val), true
		}
		r := value.FromDim(d)
		if s, ok := r.(*value.SymInt); ok {
			s.Source, s.NotNegative = v.Source, v.NotNegative
		}
		return r, nil
	// Since Python 3.11 texts of very many digits are refused.
	case value.Str:
		if n := digitsBeyond(string(v), radix); n > 0 {
			return nil, w.tooManyDigits(th, n)
		}
		n, ok := parseInt(string(v), radix)
		if !ok {
			text, _ := th.Repr(v)
			return nil, th.Raise("ValueError", "invalid literal for int() with base %d: %s", radix, text)
		}
		return value.FromBig(n), nil
	case value.Bytes:
		if n := digitsBeyond(string(v), radix); n > 0 {
			return nil, w.tooManyDigits(th, n)
		}
		n, ok := parseInt(string(v), radix)
		if !ok {
			text, _ := th.Repr(v)
			return nil, th.Raise("ValueError", "invalid literal for int() with base %d: %s", radix, text)
		}
		return value.FromBig(n), nil
	// A text that is not known may be any number.
	case *value.Abstract:
		switch v.Class {
		case w.str, w.bytes, w.int_, w.float_:
			return w.unknownInt(th), nil
		}
	// In the order of CPython's PyNumber_Long.
	case *value.Instance, *value.Tensor:
		for _, name := range [...]string{"__int__", "__index__", "__trunc__"} {
			f, ok, err := th.LookupAttr(v, name)
			if err != nil {
				return nil, err
			}
			if ok {
				if value.IsUnknown(f) {
					return f, nil
				}
				r, err := th.Call(f, nil, nil)
				if err != nil {
					return nil, err
				}
				// What is itself an object, as a tensor's number, is not converted again.
				if _, isInst := r.(*value.Instance); isInst || foreign(r) {
					return r, nil
				}
				return w.intOf(th, r, nil)
			}
		}
	}
	return nil, th.Raise("TypeError", "int() argument must be a string, a bytes-like object or a real number, not '%s'", w.TypeOf(x).Name)
}

// truncFloat is int(f): the fraction dropped. It raises ValueError for nan and OverflowError for
// infinities.
func (w *World) truncFloat(th value.Thread, f float64) (value.Value, error) {
	switch {
	case math.IsNaN(f):
		return nil, th.Raise("ValueError", "cannot convert float NaN to integer")
	case math.IsInf(f, 0):
		return nil, th.Raise("OverflowError", "cannot convert float infinity to integer")
	}
	return floatToInt(math.Trunc(f)), nil
}

// intToBytes follows int.to_bytes: two's complement for negative numbers, which must be asked for with
// signed=True, and an OverflowError where the bytes are too few. The defaults are those of CPython 3.11: one
// byte, big-endian.
func intToBytes(c *call) (value.Value, error) {
	length, order := int64(1), "big"
	if c.args[0] != nil {
		length, _ = smallInt(value.Plain(c.args[0]))
	}
	if c.args[1] != nil {
		order, _ = value.AsStr(c.args[1])
	}
	if order != "big" && order != "little" {
		return nil, c.th.Raise("ValueError", "byteorder must be either 'little' or 'big'")
	}
	if length < 0 {
		return nil, c.th.Raise("ValueError", "length argument must be non-negative")
	}
	// The length of the result is asked for before it is made.
	if fits, err := textFits(c.th, int(length), 2); !fits || err != nil {
		return c.w.abstract(c.th, c.w.bytes), err
	}
	n, _ := bigInt(value.Plain(c.self))
	signed := c.args[2] == value.Value(value.Bool(true))
	// Two's complement: a negative number is that much below the next power of 256.
	m := new(big.Int).Set(n)
	if n.Sign() < 0 {
		if !signed {
			return nil, c.th.Raise("OverflowError", "can't convert negative int to unsigned")
		}
		m.Add(m, new(big.Int).Lsh(big.NewInt(1), uint(8*length)))
	}
	// With a sign one bit fewer is there for the number.
	bits := 8 * length
	if signed {
		bits--
	}
	if int64(m.BitLen()) > 8*length || n.Sign() >= 0 && int64(n.BitLen()) > bits || m.Sign() < 0 {
		return nil, c.th.Raise("OverflowError", "int too big to convert")
	}
	out := m.FillBytes(make([]byte, length))
	if order == "little" {
		reverseBytes(out)
	}
	return value.Bytes(out), nil
}

// reverseBytes turns big-endian, which math/big writes and reads, into little-endian, and back.
func reverseBytes(b []byte) {
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
}

// intFromBytes undoes to_bytes; with signed the first bit of the highest byte is the sign. Of bytes
// that are not known it gives an int that is not known.
func intFromBytes(c *call) (value.Value, error) {
	b, ok := value.Plain(c.args[0]).(value.Bytes)
	order := "big"
	if c.args[1] != nil {
		order, _ = value.AsStr(c.args[1])
	}
	if order != "big" && order != "little" {
		return nil, c.th.Raise("ValueError", "byteorder must be either 'little' or 'big'")
	}
	if !ok {
		return c.w.unknownInt(c.th), nil
	}
	raw := []byte(b)
	if order == "little" {
		reverseBytes(raw)
	}
	n := new(big.Int).SetBytes(raw)
	if c.args[2] == value.Value(value.Bool(true)) && len(raw) > 0 && raw[0]&0x80 != 0 {
		n.Sub(n, new(big.Int).Lsh(big.NewInt(1), uint(8*len(raw))))
	}
	return value.FromBig(n), nil
}

var floatProcs = join([]proc{
	{name: "__new__", params: "x?", kind: newProc, fn: func(c *call) (value.Value, error) {
		if c.args[0] == nil {
			return c.payload(c.w.float_, value.Float(0), nil)
		}
		v, err := c.w.toFloat(c.th, c.args[0])
		return c.payload(c.w.float_, v, err)
	}},
	{name: "is_integer", fn: func(c *call) (value.Value, error) {
		switch f := value.Plain(c.self).(type) {
		case value.Float:
			return value.Bool(float64(f) == math.Trunc(float64(f)) && !math.IsInf(float64(f), 0)), nil
		// A quotient of sizes is whole where it is equal to its rounding down and up: a condition.
		case *value.SymFloat:
			p := c.th.Pool()
			if floor, ceil := p.FloorReal(f.R), p.CeilReal(f.R); floor != nil && ceil != nil {
				return c.w.condBool(c.th, p.Eq(floor, ceil), f.Val == math.Trunc(f.Val), f.Known), nil
			}
			return c.w.condBool(c.th, nil, f.Val == math.Trunc(f.Val), f.Known), nil
		}
		return c.th.DataBool(nil), nil
	}},
	{name: "__int__", fn: floatTrunc},
	{name: "__trunc__", fn: floatTrunc},
	{name: "__float__", fn: func(c *call) (value.Value, error) { return value.Plain(c.self), nil }},
	{name: "conjugate", fn: func(c *call) (value.Value, error) { return value.Plain(c.self), nil }},
	{name: "__abs__", fn: absProc},
	{name: "__round__", params: "ndigits?", fn: func(c *call) (value.Value, error) { return c.w.round(c.th, value.Plain(c.self), c.args[0]) }},
	{name: "__divmod__", params: "other", fn: divmodDunder},
	{name: "__bool__", fn: boolDunder},
	{name: "__hash__", fn: hashDunder},
	{name: "__format__", params: "spec", fn: formatDunder},
	// The exact forms: hexadecimal text and a fraction of ints.
	{name: "hex", ret: retStr, fn: func(c *call) (value.Value, error) {
		return value.Str(floatHex(float64(value.Plain(c.self).(value.Float)))), nil
	}},
	{name: "fromhex", params: "string", kind: classProc, fn: func(c *call) (value.Value, error) {
		s, ok := value.AsStr(c.args[0])
		if !ok {
			return &value.SymFloat{}, nil
		}
		f, ok := parseHexFloat(s)
		if !ok {
			return nil, c.th.Raise("ValueError", "invalid hexadecimal floating-point string")
		}
		return value.Float(f), nil
	}},
	{name: "as_integer_ratio", fn: func(c *call) (value.Value, error) {
		f, ok := value.Plain(c.self).(value.Float)
		if !ok {
			return value.NewTuple(c.w.unknownInt(c.th), c.w.unknownInt(c.th)), nil
		}
		if math.IsInf(float64(f), 0) {
			return nil, c.th.Raise("OverflowError", "cannot convert Infinity to integer ratio")
		}
		if math.IsNaN(float64(f)) {
			return nil, c.th.Raise("ValueError", "cannot convert NaN to integer ratio")
		}
		r := new(big.Rat).SetFloat64(float64(f))
		return value.NewTuple(value.FromBig(r.Num()), value.FromBig(r.Denom())), nil
	}},
}, dunders(binaryDunder, "other", arithNames+" "+realNames), dunders(compareDunder, "other", orderNames),
	dunders(unaryDunder, "", signNames), dunders(reprDunder, "", "__repr__"))

// realPart is the real part of a complex scalar of NumPy, which int and float take with a warning;
// nil: x is none. The error is that of reading its attribute.
func (w *World) realPart(th value.Thread, x value.Value) (value.Value, error) {
	if !numpyNumber(x) || kindOf(value.Plain(x)) != complexKind {
		return nil, nil
	}
	return th.GetAttr(value.Plain(x), "real")
}

// floatTrunc is __int__ and __trunc__ of a float.
func floatTrunc(c *call) (value.Value, error) { return c.w.intOf(c.th, c.self, nil) }

// toFloat is float(x). It raises ValueError for texts that are no numbers, OverflowError for ints
// beyond the range of floats, and TypeError for what is no number and has neither __float__ nor
// __index__.
func (w *World) toFloat(th value.Thread, x value.Value) (value.Value, error) {
	if err := th.Enter(""); err != nil {
		return nil, err
	}
	defer th.Leave()
	if r, err := w.realPart(th, x); r != nil || err != nil {
		return r, err
	}
	x = value.Plain(x)
	switch v := x.(type) {
	case value.Float, *value.SymFloat, *value.Unknown:
		return v, nil
	case value.Int, value.Bool, *value.BigInt:
		f, _, err := asFloat(th, v)
		return value.Float(f), err
	// A size as a float keeps its expression and the data that it comes from.
	case *value.SymInt:
		r, val, known, _ := realOf(th, v)
		f := symFloat(r, val, known)
		if s, ok := f.(*value.SymFloat); ok {
			s.Source = v.Source
		}
		return f, nil
	case *value.SymBool:
		r, val, known, _ := realOf(th, v)
		return symFloat(r, val, known), nil
	case value.Str:
		f, ok := parseFloat(string(v))
		if !ok {
			text, _ := th.Repr(v)
			return nil, th.Raise("ValueError", "could not convert string to float: %s", text)
		}
		return value.Float(f), nil
	case value.Bytes:
		f, ok := parseFloat(string(v))
		if !ok {
			text, _ := th.Repr(v)
			return nil, th.Raise("ValueError", "could not convert string to float: %s", text)
		}
		return value.Float(f), nil
	case *value.Abstract:
		switch v.Class {
		case w.str, w.bytes, w.int_, w.float_:
			return &value.SymFloat{}, nil
		}
	// __index__ is asked only where __float__ is missing.
	case *value.Instance, *value.Tensor:
		for _, name := range [...]string{"__float__", "__index__"} {
			f, ok, err := th.LookupAttr(v, name)
			if err != nil {
				return nil, err
			}
			if ok {
				if value.IsUnknown(f) {
					return f, nil
				}
				r, err := th.Call(f, nil, nil)
				if err != nil {
					return nil, err
				}
				if _, isInst := r.(*value.Instance); isInst || foreign(r) {
					return r, nil
				}
				return w.toFloat(th, r)
			}
		}
	}
	return nil, th.Raise("TypeError", "float() argument must be a string or a real number, not '%s'", w.TypeOf(x).Name)
}

var complexProcs = join([]proc{
	{name: "__new__", params: "+ real? imag?", kind: newProc, fn: complexNew},
	{name: "conjugate", fn: func(c *call) (value.Value, error) {
		if v, ok := value.Plain(c.self).(value.Complex); ok {
			return value.Complex(complex(real(v), -imag(v))), nil
		}
		return value.Plain(c.self), nil
	}},
	{name: "__abs__", fn: absProc},
	{name: "__bool__", fn: boolDunder},
	{name: "__hash__", fn: hashDunder},
	{name: "__complex__", fn: func(c *call) (value.Value, error) { return value.Plain(c.self), nil }},
	{name: "__format__", params: "spec", fn: formatDunder},
}, dunders(binaryDunder, "other", arithNames), dunders(compareDunder, "other", equalNames),
	dunders(unaryDunder, "", signNames), dunders(reprDunder, "", "__repr__"))

// complexNew is complex(real, imag): each part may itself be complex, and then complex(a, b) is a + b·1j,
// computed without the multiplication, since that would lose the sign of zeros and make nan of infinities. A
// text is the only argument. An object with __complex__ is asked for it, and for __float__ else.
// The parts of the two arguments; a missing one is 0.
func complexNew(c *call) (value.Value, error) {
	parts := [2]complex128{}
	for i, v := range c.args {
		if v == nil {
			continue
		}
		v = value.Plain(v)
		switch x := v.(type) {
		case *value.Unknown:
			return x, nil
		case value.Str:
			if i == 1 {
				return nil, c.th.Raise("TypeError", "complex() second arg can't be a string")
			}
			if c.args[1] != nil {
				return nil, c.th.Raise("TypeError", "complex() can't take second arg if first is a string")
			}
			z, ok := parseComplex(string(x))
			if !ok {
				return nil, c.th.Raise("ValueError", "complex() arg is a malformed string")
			}
			return c.payload(c.w.complex_, value.Complex(z), nil)
		case *value.Instance, *value.Tensor:
			f, ok, err := c.th.LookupAttr(v, "__complex__")
			if err != nil {
				return nil, err
			}
			if ok {
				if v, err = c.th.Call(f, nil, nil); err != nil {
					return nil, err
				}
			} else if v, err = c.w.toFloat(c.th, v); err != nil {
				return nil, err
			}
		}
		z, ok, err := asComplex(c.th, v)
		if err != nil {
			return nil, err
		}
		if !ok {
			// A number that is not known makes a complex number that is not known.
			if kindOf(v) != notNumber || value.IsUnknown(v) {
				return c.w.abstract(c.th, c.w.complex_), nil
			}
			which := "first"
			if i == 1 {
				which = "second"
			}
			return nil, c.th.Raise("TypeError", "complex() %s argument must be a string or a number, not '%s'", which, c.w.TypeOf(v).Name)
		}
		parts[i] = z
	}
	// Signed zeros survive where a part comes from one argument alone.
	re, im := real(parts[0]), imag(parts[0])
	if imag(parts[1]) != 0 {
		re -= imag(parts[1])
	}
	if c.args[1] != nil {
		if im == 0 {
			im = real(parts[1])
		} else {
			im += real(parts[1])
		}
	}
	z := complex(re, im)
	return c.payload(c.w.complex_, value.Complex(z), nil)
}

// abs is abs(x) for numbers: of a size an expression, of a complex number its absolute value
// computed as CPython's hypot does. Others are a TypeError.
func (w *World) abs(th value.Thread, x value.Value) (value.Value, error) {
	p := th.Pool()
	switch v := value.Plain(x).(type) {
	case value.Int, value.Bool, *value.BigInt:
		n, _ := bigInt(v)
		return value.FromBig(new(big.Int).Abs(n)), nil
	case *value.SymInt:
		return value.FromDim(p.DimAbs(v.D)), nil
	case *value.SymBool:
		return boolInt(th, v), nil
	case value.Float:
		return value.Float(math.Abs(float64(v))), nil
	case *value.SymFloat:
		return symFloat(p.RealMax(v.R, p.RealNeg(v.R)), math.Abs(v.Val), v.Known), nil
	case value.Complex:
		return value.Float(cHypot([]float64{real(v), imag(v)})), nil
	case *value.Unknown:
		return v, nil
	case *value.Abstract:
		if v.Class == w.complex_ {
			return &value.SymFloat{}, nil
		}
	}
	return nil, th.Raise("TypeError", "bad operand type for abs(): '%s'", w.TypeOf(x).Name)
}

// divmod is divmod(a, b) for numbers: quotient rounded down, and remainder with the sign of b.
// Others are a TypeError, and 0 as b is a ZeroDivisionError with the text that CPython has for the
// type.
func (w *World) divmod(th value.Thread, a, b value.Value) (value.Value, error) {
	a, b = value.Plain(a), value.Plain(b)
	ka, kb := kindOf(a), kindOf(b)
	if ka == notNumber || kb == notNumber || ka == complexKind || kb == complexKind {
		return nil, th.Raise("TypeError", "unsupported operand type(s) for divmod(): '%s' and '%s'", w.TypeOf(a).Name, w.TypeOf(b).Name)
	}
	q, _, err := w.arith(th, ast.FloorDiv, a, b)
	if err != nil {
		if f, ok, _ := asFloat(th, b); ok && f == 0 && max(ka, kb) >= floatKind {
			return nil, th.Raise("ZeroDivisionError", "float divmod()")
		}
		return nil, err
	}
	r, _, err := w.arith(th, ast.Mod, a, b)
	if err != nil {
		return nil, err
	}
	return value.NewTuple(q, r), nil
}
