package lib

// This file implements the % operator of str and bytes. A format is read once from left to right,
// field by field: %(key)flags width.precision kind. Each field takes the next argument, or the
// value of its key in a mapping. What is known is formatted exactly as CPython does; as soon as a
// part is not known, the result is an abstract str that notes the format and its arguments
// (percentText), so that two equal formats of equal values stay equal.

import (
	"math/big"
	"strings"

	"shapecheck/infer/value"
)

// Percent is format % args for a known str or bytes; args may be of any class. An error is a TypeError where args do
// not fit the format in number or class, or a ValueError where the format is invalid. For bytes the
// arguments of %s may be bytes, which go into the result as they are.
func (w *World) Percent(th value.Thread, format, args value.Value) (value.Value, error) {
	if f, ok := format.(value.Bytes); ok {
		// The bytes pass as a Go string, byte for byte.
		v, err := w.percentFormat(th, string(f), args, "bytes")
		if s, ok := v.(value.Str); ok {
			v = value.Bytes(s)
		}
		return v, err
	}
	v, err := w.percentFormat(th, string(format.(value.Str)), args, "string")
	if err != nil {
		return nil, err
	}
	return percentText(v, format, args), nil
}

// percentFormat is format % args.
// noun is "string" or, for bytes % args, "bytes". The result is a Str, or an abstract str if it is
// not known.
func (w *World) percentFormat(th value.Thread, format string, arg value.Value, noun string) (value.Value, error) {
	mapping := isMapping(arg)
	// b"%s" % b"x" takes the bytes as one argument.
	if _, ok := arg.(value.Bytes); ok && noun == "bytes" {
		mapping = false
	}
	// Anything but a tuple is a single argument.
	args := []value.Value{arg}
	tuple := false
	switch t := arg.(type) {
	case *value.Tuple:
		args, tuple = t.Elems, true
	case *value.List:
		if w.isTuple(t) { // of any number of elements
			return w.strResult(th, "", false), nil
		}
	}
	// next is the argument that comes next, used says that a key was looked up.
	next, used := 0, false
	// take gives the next argument, or the TypeError of too few.
	take := func() (value.Value, error) {
		if next >= len(args) {
			return nil, th.Raise("TypeError", "not enough arguments for format string")
		}
		next++
		return args[next-1], nil
	}
	var b strings.Builder
	known := true
	i := 0
	for i < len(format) {
		// Text between two fields.
		if format[i] != '%' {
			j := strings.IndexByte(format[i:], '%')
			if j < 0 {
				j = len(format) - i
			}
			b.WriteString(format[i : i+j])
			i += j
			continue
		}
		i++
		var v value.Value
		if i < len(format) && format[i] == '(' {
			// A key may have parentheses in itself, if they match.
			level, j := 1, i+1
			for ; j < len(format) && level > 0; j++ {
				switch format[j] {
				case '(':
					level++
				case ')':
					level--
				}
			}
			if level > 0 {
				return nil, th.Raise("ValueError", "incomplete format key")
			}
			if !mapping {
				return nil, th.Raise("TypeError", "format requires a mapping")
			}
			var err error
			if v, err = th.GetItem(arg, value.Str(format[i+1:j-1])); err != nil {
				return nil, err
			}
			// After a key not all arguments need be used.
			used = true
			i = j
		}
		// Numbers and texts are aligned at the right unless a minus says otherwise.
		f := formatSpec{fill: ' ', prec: -1, align: '>'}
		zero := false
	flags:
		for ; i < len(format); i++ {
			switch format[i] {
			case '-':
				f.align = '<'
			case '+':
				f.sign = '+'
			case ' ':
				// A plus takes precedence over a blank, in either order.
				if f.sign == 0 {
					f.sign = ' '
				}
			case '#':
				f.alt = true
			case '0':
				zero = true
			default:
				break flags
			}
		}
		// A star takes the number from the arguments.
		number := func() (int, error) {
			if i < len(format) && format[i] == '*' {
				i++
				a, err := take()
				if err != nil {
					return 0, err
				}
				n, ok := smallInt(value.Plain(a))
				if !ok {
					if _, isInt, _ := w.index(th, a); !isInt {
						return 0, th.Raise("TypeError", "* wants int")
					}
					// The width is an int of which the value is not known.
					known = false
				}
				return int(max(min(n, maxWidth), -maxWidth)), nil
			}
			n := 0
			for ; i < len(format) && digit(format[i]); i++ {
				n = min(n*10+int(format[i]-'0'), maxWidth)
			}
			return n, nil
		}
		var err error
		if f.width, err = number(); err != nil {
			return nil, err
		}
		// A negative width, which only a star can give, means left.
		if f.width < 0 {
			f.width, f.align = -f.width, '<'
		}
		if i < len(format) && format[i] == '.' {
			i++
			if f.prec, err = number(); err != nil {
				return nil, err
			}
			f.prec = max(f.prec, 0)
		}
		// Modifiers of length from C have no meaning.
		for i < len(format) && strings.IndexByte("hlL", format[i]) >= 0 {
			i++
		}
		if i >= len(format) {
			return nil, th.Raise("ValueError", "incomplete format")
		}
		// The field's own text is charged before it is made.
		if fits, err := textFits(th, max(f.width, f.prec, 0), utf8Bytes); err != nil {
			return nil, err
		} else if !fits {
			return w.strResult(th, "", false), nil
		}
		kind := format[i]
		i++
		// Only %% itself writes a percent sign and takes no argument; with anything between the
		// two, as in "% %", an argument is taken and the conversion is refused.
		if kind == '%' && format[i-2] == '%' {
			b.WriteByte('%')
			continue
		}
		if v == nil {
			if v, err = take(); err != nil {
				return nil, err
			}
		}
		// The precision and width of bytes are ignored here.
		if raw, isBytes := v.(value.Bytes); isBytes && kind == 's' && noun == "bytes" {
			b.WriteString(string(raw))
			continue
		}
		text, ok, err := w.percentField(th, v, kind, f, zero, i-1)
		if err != nil {
			return nil, err
		}
		// The whole text may be too long even if no field is.
		if fits, err := textFits(th, b.Len()+len(text), 1); err != nil {
			return nil, err
		} else if !fits {
			return w.strResult(th, "", false), nil
		}
		known = known && ok
		b.WriteString(text)
	}
	// A tuple must be used up. A mapping need not be used.
	if next < len(args) && !used && (tuple || !mapping) {
		return nil, th.Raise("TypeError", "not all arguments converted during %s formatting", noun)
	}
	return w.strResult(th, b.String(), known), nil
}

// isMapping reports whether the right operand of % may be looked up by key: then a format without
// fields takes it as a whole, and all of it need not be used. Sequences count since CPython asks
// for __getitem__ only, and leaves out tuples and str.
func isMapping(v value.Value) bool {
	switch v := value.Plain(v).(type) {
	case *value.Dict, *value.Unknown, *value.List, *value.Tensor, value.Bytes, *value.Range:
		return true
	case *value.Instance:
		_, ok := v.Class.Lookup("__getitem__")
		return ok
	}
	return false
}

// percentField formats one field of the % operator. The conversions follow CPython's unicodeobject.c: %d takes
// whatever int() takes, %x only what has __index__, %c a number or one character; a precision of integers is
// the least number of digits. A number that is not known gives a text that is not. at is the place
// of the conversion character, for the error of an unknown one. The second result says whether the
// text is known.
func (w *World) percentField(th value.Thread, v value.Value, kind byte, f formatSpec, zero bool, at int) (string, bool, error) {
	switch kind {
	case 's', 'r', 'a':
		// Any value has a repr, so these never fail.
		text, known := th.Repr(v)
		if kind == 's' {
			text, known = th.Str(v)
			if raw, ok := v.(value.Bytes); ok && kind == 's' {
				text, known = bytesRepr(string(raw)), true
			}
		} else if kind == 'a' {
			text = ASCII(text)
		}
		return formatText(text, f), known, nil
	case 'c':
		// A number beyond int64 is beyond the range of characters, too.
		p := value.Plain(v)
		if _, big := p.(*value.BigInt); big {
			p = value.Int(-1)
		}
		if n, ok := smallInt(p); ok {
			if n < 0 || n > 0x10ffff {
				return "", false, th.Raise("OverflowError", "%%c arg not in range(0x110000)")
			}
			f.prec = -1
			return formatText(runesText([]rune{rune(n)}), f), true, nil
		}
		if s, ok := value.AsStr(p); ok && textLen(s) == 1 {
			f.prec = -1
			return formatText(s, f), true, nil
		}
		// What depends on sizes is one of the two.
		if symbolicKey(p) {
			return "?", false, nil
		}
		return "", false, th.Raise("TypeError", "%%c requires int or char")
	case 'd', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G':
	default:
		return "", false, th.Raise("ValueError", "unsupported format character '%c' (0x%x) at index %d", kind, kind, at)
	}
	// Zeros are filled between the sign and the digits. A minus overrides the zero.
	if zero && f.align != '<' {
		f.fill, f.align = '0', '='
	}
	p := value.Plain(v)
	// A size or a float of the data is formatted as its example.
	if symbolicKey(p) {
		if a, ok := p.(*value.Abstract); !ok || a.Class != w.str {
			text, _ := th.Str(p)
			return text, false, nil
		}
	}
	// CPython converts by float(), but takes no text for it.
	if strings.IndexByte("eEfFgG", kind) >= 0 {
		x, err := w.toFloat(th, p)
		if err != nil {
			if value.IsException(err, w.classes["TypeError"]) || value.IsException(err, w.classes["ValueError"]) {
				return "", false, th.Raise("TypeError", "must be real number, not %s", w.TypeOf(v).Name)
			}
			return "", false, err
		}
		if _, isText := p.(value.Str); isText {
			return "", false, th.Raise("TypeError", "must be real number, not str")
		}
		// A float that is not known for all runs.
		d, ok := x.(value.Float)
		if !ok {
			text, _ := th.Str(x)
			return text, false, nil
		}
		f.kind = kind
		return formatFloat(float64(d), f), true, nil
	}
	// Bools are ints here.
	n, ok := bigInt(p)
	// Other objects give their __index__ for %x, and their int() for %d.
	if !ok {
		if strings.IndexByte("oxX", kind) >= 0 {
			i, isInt, err := w.index(th, p)
			if err != nil {
				return "", false, err
			}
			if !isInt {
				return "", false, th.Raise("TypeError", "%%%c format: an integer is required, not %s", kind, w.TypeOf(v).Name)
			}
			if n, ok = bigInt(i); !ok {
				text, _ := th.Str(i)
				return text, false, nil
			}
		} else {
			// CPython asks for __int__, by way of int(); a text that int() could read is refused.
			switch p.(type) {
			case value.Float, *value.Instance, *value.Tensor:
			default:
				return "", false, th.Raise("TypeError", "%%%c format: a real number is required, not %s", kind, w.TypeOf(v).Name)
			}
			x, err := w.intOf(th, p, nil)
			if err != nil {
				if value.IsException(err, w.classes["TypeError"]) {
					return "", false, th.Raise("TypeError", "%%%c format: a real number is required, not %s", kind, w.TypeOf(v).Name)
				}
				return "", false, err
			}
			if n, ok = bigInt(x); !ok {
				text, _ := th.Str(x)
				return text, false, nil
			}
		}
	}
	switch kind {
	case 'o', 'x', 'X':
		f.kind = kind
	}
	// Digits are filled with zeros up to the precision, whatever the width is.
	if f.prec > 0 { // a precision is the least number of digits
		digits := new(big.Int).Abs(n).Text(map[byte]int{'o': 8, 'x': 16, 'X': 16, 0: 10}[f.kind])
		if kind == 'X' {
			digits = strings.ToUpper(digits)
		}
		if len(digits) < f.prec {
			digits = strings.Repeat("0", f.prec-len(digits)) + digits
		}
		sign := signOf(n.Sign() < 0, f)
		// The sign and prefix stand before the zeros.
		if f.alt {
			sign += map[byte]string{'o': "0o", 'x': "0x", 'X': "0X"}[f.kind]
		}
		return pad(sign, digits, f), true, nil
	}
	return formatInt(n, f), true, nil
}

// percentText notes what a text that is not known was made of. Equal computations give values that
// are equal, see value.Computed.
func percentText(v, format, arg value.Value) value.Value {
	if t, ok := arg.(*value.Tuple); ok {
		return value.Computed(v, "%", append([]value.Value{format}, t.Elems...)...)
	}
	return value.Computed(v, "%", format, arg)
}
