package lib

// This file implements the % operator of str and bytes.

import (
	"math/big"
	"strings"

	"shapecheck/infer/value"
)

// Percent is format % args for a known str or bytes; args may be of any class. An error is a TypeError where args do
// not fit the format in number or class, or a ValueError where the format is invalid.
func (w *World) Percent(th value.Thread, format, args value.Value) (value.Value, error) {
	if f, ok := format.(value.Bytes); ok {
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
// noun is "string" or, for bytes % args, "bytes".
func (w *World) percentFormat(th value.Thread, format string, arg value.Value, noun string) (value.Value, error) {
	mapping := isMapping(arg)
	if _, ok := arg.(value.Bytes); ok && noun == "bytes" {
		mapping = false
	}
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
	next, used := 0, false
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
			used = true
			i = j
		}
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
		for i < len(format) && strings.IndexByte("hlL", format[i]) >= 0 {
			i++
		}
		if i >= len(format) {
			return nil, th.Raise("ValueError", "incomplete format")
		}
		if fits, err := textFits(th, max(f.width, f.prec, 0), utf8Bytes); err != nil {
			return nil, err
		} else if !fits {
			return w.strResult(th, "", false), nil
		}
		kind := format[i]
		i++
		if kind == '%' && format[i-2] == '%' {
			b.WriteByte('%')
			continue
		}
		if v == nil {
			if v, err = take(); err != nil {
				return nil, err
			}
		}
		if raw, isBytes := v.(value.Bytes); isBytes && kind == 's' && noun == "bytes" {
			b.WriteString(string(raw))
			continue
		}
		text, ok, err := w.percentField(th, v, kind, f, zero, i-1)
		if err != nil {
			return nil, err
		}
		if fits, err := textFits(th, b.Len()+len(text), 1); err != nil {
			return nil, err
		} else if !fits {
			return w.strResult(th, "", false), nil
		}
		known = known && ok
		b.WriteString(text)
	}
	if next < len(args) && !used && (tuple || !mapping) {
		return nil, th.Raise("TypeError", "not all arguments converted during %s formatting", noun)
	}
	return w.strResult(th, b.String(), known), nil
}

// isMapping reports whether the right operand of % may be looked up by key.
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
// the least number of digits. A number that is not known gives a text that is not.
func (w *World) percentField(th value.Thread, v value.Value, kind byte, f formatSpec, zero bool, at int) (string, bool, error) {
	switch kind {
	case 's', 'r', 'a':
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
		if symbolicKey(p) {
			return "?", false, nil
		}
		return "", false, th.Raise("TypeError", "%%c requires int or char")
	case 'd', 'i', 'u', 'o', 'x', 'X', 'e', 'E', 'f', 'F', 'g', 'G':
	default:
		return "", false, th.Raise("ValueError", "unsupported format character '%c' (0x%x) at index %d", kind, kind, at)
	}
	if zero && f.align != '<' {
		f.fill, f.align = '0', '='
	}
	p := value.Plain(v)
	if symbolicKey(p) {
		if a, ok := p.(*value.Abstract); !ok || a.Class != w.str {
			text, _ := th.Str(p)
			return text, false, nil
		}
	}
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
		d, ok := x.(value.Float)
		if !ok {
			text, _ := th.Str(x)
			return text, false, nil
		}
		f.kind = kind
		return formatFloat(float64(d), f), true, nil
	}
	n, ok := bigInt(p)
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
	if f.prec > 0 { // a precision is the least number of digits
		digits := new(big.Int).Abs(n).Text(map[byte]int{'o': 8, 'x': 16, 'X': 16, 0: 10}[f.kind])
		if kind == 'X' {
			digits = strings.ToUpper(digits)
		}
		if len(digits) < f.prec {
			digits = strings.Repeat("0", f.prec-len(digits)) + digits
		}
		sign := signOf(n.Sign() < 0, f)
		if f.alt {
			sign += map[byte]string{'o': "0o", 'x': "0x", 'X': "0X"}[f.kind]
		}
		return pad(sign, digits, f), true, nil
	}
	return formatInt(n, f), true, nil
}

// percentText notes what a text that is not known was made of.
func percentText(v, format, arg value.Value) value.Value {
	if t, ok := arg.(*value.Tuple); ok {
		return value.Computed(v, "%", append([]value.Value{format}, t.Elems...)...)
	}
	return value.Computed(v, "%", format, arg)
}
