package lib

// This file implements format(v, spec): the format specification and its
// application to text and numbers. A number whose value is not known is formatted by its example
// value, and the result is a str that is not known, with the text as its example. Messages of
// errors are CPython's, since programs and users know them.

import (
	"math"
	"math/big"
	"strconv"
	"strings"

	"shapecheck/infer/value"
)

// A formatSpec is [[fill]align][sign][z][#][0][width][grouping][.precision][type].
type formatSpec struct {
	fill    rune
	align   byte // '<', '>', '=', '^', or 0
	sign    byte // '+', '-', ' ', or 0
	negZero bool // z
	alt     bool
	width   int
	group   byte // ',', '_', or 0
	prec    int  // -1 when absent
	kind    byte // presentation type, or 0
}

// parseSpec reads a format specification in the order of the grammar above. msg is CPython's
// complaint, or "".
func parseSpec(spec, typeName string) (f formatSpec, msg string) {
	f = formatSpec{fill: ' ', prec: -1}
	rs := textRunes(spec)
	i := 0
	isAlign := func(r rune) bool { return r == '<' || r == '>' || r == '=' || r == '^' }
	// A fill character is one that stands before an alignment, which may be any character.
	filled := false
	if len(rs) > 1 && isAlign(rs[1]) {
		f.fill, f.align, i, filled = rs[0], byte(rs[1]), 2, true
	} else if len(rs) > 0 && isAlign(rs[0]) {
		f.align, i = byte(rs[0]), 1
	}
	at := func() rune {
		if i < len(rs) {
			return rs[i]
		}
		return 0
	}
	if r := at(); r == '+' || r == '-' || r == ' ' {
		f.sign = byte(r)
		i++
	}
	if at() == 'z' {
		f.negZero = true
		i++
	}
	if at() == '#' {
		f.alt = true
		i++
	}
	// A leading zero pads between sign and digits, unless another fill is given.
	if at() == '0' && !filled {
		f.fill = '0'
		if f.align == 0 {
			f.align = '='
		}
		i++
	}
	// Numbers beyond any width that is possible are cut off.
	number := func() (int, bool) {
		n, ok := 0, false
		for i < len(rs) && rs[i] >= '0' && rs[i] <= '9' {
			if n < maxWidth {
				n = n*10 + int(rs[i]-'0')
			}
			i, ok = i+1, true
		}
		return n, ok
	}
	f.width, _ = number()
	if r := at(); r == ',' || r == '_' {
		f.group = byte(r)
		i++
		if r2 := at(); r2 == ',' || r2 == '_' {
			if r2 == r {
				return f, "Cannot specify '" + string(r) + "' with '" + string(r) + "'."
			}
			return f, "Cannot specify both ',' and '_'."
		}
	}
	if at() == '.' {
		i++
		n, ok := number()
		if !ok {
			return f, "Format specifier missing precision"
		}
		f.prec = n
	}
	// More than one character is left: no presentation type.
	if len(rs)-i > 1 {
		return f, "Invalid format specifier '" + spec + "' for object of type '" + typeName + "'"
	}
	if i < len(rs) {
		if rs[i] > 0x7f {
			return f, "Unknown format code '\\x" + strconv.FormatInt(int64(rs[i]), 16) + "' for object of type '" + typeName + "'"
		}
		f.kind = byte(rs[i])
	}
	// Not all types can be grouped, and only the bases 2, 8 and 16 by underscores alone.
	if f.group != 0 {
		ok := strings.IndexByte("deEfFgG%\x00", f.kind) >= 0 || f.group == '_' && strings.IndexByte("boxX", f.kind) >= 0
		if !ok {
			return f, "Cannot specify '" + string(f.group) + "' with '" + string(f.kind) + "'."
		}
	}
	return f, ""
}

// Format gives format(v, spec), dispatching to a __format__ that the program defines. An error is what that method
// raises, a ValueError for a spec that is invalid for v's class, or a TypeError for a spec where v's class takes none.
func (w *World) Format(th value.Thread, v value.Value, spec string) (value.Value, error) {
	switch x := v.(type) {
	case *value.Instance:
		if f, ok := x.Class.Lookup("__format__"); ok {
			if _, native := f.(*value.Builtin); !native {
				return th.CallMethod(v, "__format__", value.Str(spec))
			}
		}
	case *value.Choice, *value.Unknown:
		text, _ := th.Str(v)
		return w.abstractStr(th, text), nil
	case *value.Tensor:
		text, _ := th.Str(v)
		return w.abstractStr(th, text), nil
	}
	return w.formatPlain(th, v, spec)
}

// formatPlain is the builtin __format__ of v's class. Without a specification it is str(v). Errors
// are those of Format. Classes with an unknown base may define a __format__.
func (w *World) formatPlain(th value.Thread, v value.Value, spec string) (value.Value, error) {
	if spec == "" {
		if a, ok := v.(*value.Abstract); ok && a.Class == w.str {
			return v, nil
		}
		text, known := th.Str(v)
		return w.strResult(th, text, known), nil
	}
	// Only texts and numbers take a specification; objects of PyTorch name their module in the
	// error.
	name := w.TypeOf(v).Name
	p := value.Plain(v)
	switch x := p.(type) {
	case value.Str, *value.Abstract, value.Int, value.Bool, *value.BigInt, value.Float, value.Complex, *value.SymInt, *value.SymFloat,
		*value.SymBool:
	case *value.Unknown:
		return w.abstractStr(th, ""), nil
	case value.DType, value.Device, value.Constant:
		return nil, th.Raise("TypeError", "unsupported format string passed to torch.%s.__format__", name)
	default:
		if i, ok := x.(*value.Instance); ok && i.Class.UnknownBase != nil {
			return w.abstractStr(th, ""), nil
		}
		return nil, th.Raise("TypeError", "unsupported format string passed to %s.__format__", name)
	}
	f, msg := parseSpec(spec, name)
	if msg != "" {
		return nil, th.Raise("ValueError", "%s", msg)
	}
	// The width is asked for before the text is made.
	if fits, err := textFits(th, max(f.width, f.prec, 0), utf8Bytes); !fits || err != nil {
		return w.abstractStr(th, ""), err
	}
	bad := func() error {
		if f.kind <= ' ' {
			return th.Raise("ValueError", "Unknown format code '\\x%x' for object of type '%s'", f.kind, name)
		}
		return th.Raise("ValueError", "Unknown format code '%c' for object of type '%s'", f.kind, name)
	}
	const intKinds, floatKinds = "bcdoxXn", "eEfFgGn%"
	switch x := p.(type) {
	case value.Str:
		if f.kind != 0 && f.kind != 's' {
			return nil, bad()
		}
		if msg := textSpecError(f); msg != "" {
			return nil, th.Raise("ValueError", "%s", msg)
		}
		return value.Str(formatText(string(x), f)), nil
	case *value.Abstract:
		return w.abstractStr(th, x.Text), nil
	case value.Int, value.Bool, *value.BigInt, *value.SymInt, *value.SymBool:
		if f.kind != 0 && strings.IndexByte(intKinds, f.kind) < 0 && strings.IndexByte(floatKinds, f.kind) < 0 {
			return nil, bad()
		}
		if f.negZero && (f.kind == 0 || strings.IndexByte(intKinds, f.kind) >= 0) {
			return nil, th.Raise("ValueError", "Negative zero coercion (z) not allowed in integer format specifier")
		}
		n, ok := bigInt(p)
		if !ok {
			text, _ := th.Str(p)
			return w.abstractStr(th, text), nil
		}
		// An int with a type of floats is formatted as one.
		if f.kind != 0 && strings.IndexByte(intKinds, f.kind) < 0 {
			d, err := bigToFloat(th, n)
			if err != nil {
				return nil, err
			}
			return value.Str(formatFloat(d, f)), nil
		}
		if f.prec >= 0 {
			return nil, th.Raise("ValueError", "Precision not allowed in integer format specifier")
		}
		if f.negZero {
			return nil, th.Raise("ValueError", "Negative zero coercion (z) not allowed in integer format specifier")
		}
		// As a character.
		if f.kind == 'c' {
			if f.sign != 0 {
				return nil, th.Raise("ValueError", "Sign not allowed with integer format specifier 'c'")
			}
			if !n.IsInt64() {
				return nil, th.Raise("OverflowError", "Python int too large to convert to C long")
			}
			if n.Sign() < 0 || n.Int64() > 0x10ffff {
				return nil, th.Raise("OverflowError", "%%c arg not in range(0x110000)")
			}
			f.kind = 0
			return value.Str(formatText(runesText([]rune{rune(n.Int64())}), f)), nil
		}
		return value.Str(formatInt(n, f)), nil
	case value.Float:
		if f.kind != 0 && strings.IndexByte(floatKinds, f.kind) < 0 {
			return nil, bad()
		}
		return value.Str(formatFloat(float64(x), f)), nil
	case *value.SymFloat:
		if f.kind != 0 && strings.IndexByte(floatKinds, f.kind) < 0 {
			return nil, bad()
		}
		text, _ := th.Str(p)
		if x.Known {
			text = formatFloat(x.Val, f)
		}
		return w.abstractStr(th, text), nil
	case value.Complex:
		if f.kind != 0 && strings.IndexByte("eEfFgGn", f.kind) < 0 {
			return nil, bad()
		}
		if f.fill == '0' {
			return nil, th.Raise("ValueError", "Zero padding is not allowed in complex format specifier")
		}
		if f.align == '=' {
			return nil, th.Raise("ValueError", "'=' alignment flag is not allowed in complex format specifier")
		}
		return value.Str(formatComplex(complex128(x), f)), nil
	}
	return w.abstractStr(th, ""), nil
}

// textSpecError is what CPython says of a format specification for texts that has something only numbers take;
// empty if it is fine.
func textSpecError(f formatSpec) string {
	switch {
	case f.sign == ' ':
		return "Space not allowed in string format specifier"
	case f.sign != 0:
		return "Sign not allowed in string format specifier"
	case f.negZero:
		return "Negative zero coercion (z) not allowed in string format specifier"
	case f.alt:
		return "Alternate form (#) not allowed in string format specifier"
	case f.group != 0:
		return "Cannot specify '" + string(f.group) + "' with 's'."
	case f.align == '=' && f.fill != '0':
		return "'=' alignment not allowed in string format specifier"
	}
	return ""
}

// formatText pads and cuts a text: the precision is the most characters.
func formatText(s string, f formatSpec) string {
	if f.prec >= 0 && textLen(s) > f.prec {
		s = s[:byteOffset(s, f.prec)]
	}
	if f.align == 0 || f.align == '=' {
		f.align = '<'
	}
	return pad("", s, f)
}

// pad brings sign and digits to the width. Alignment = fills between them; without one, to the
// left.
func pad(sign, body string, f formatSpec) string {
	n := f.width - textLen(sign) - textLen(body)
	if n <= 0 {
		return sign + body
	}
	fill := string(f.fill)
	switch f.align {
	case '<':
		return sign + body + strings.Repeat(fill, n)
	case '=':
		return sign + strings.Repeat(fill, n) + body
	case '^':
		return strings.Repeat(fill, n/2) + sign + body + strings.Repeat(fill, n-n/2)
	}
	return strings.Repeat(fill, n) + sign + body
}

// signOf is the sign that is written: of positive numbers only where the specification asks for it.
func signOf(neg bool, f formatSpec) string {
	switch {
	// A space is a sign, too.
	case neg:
		return "-"
	case f.sign == '+' || f.sign == ' ':
		return string(f.sign)
	}
	return ""
}

// formatInt writes a whole number in its base. Digits are grouped by three, and by four in the bases 2, 8 and
// 16.
func formatInt(n *big.Int, f formatSpec) string {
	base, prefix, every := 10, "", 3
	switch f.kind {
	case 'b':
		base, prefix, every = 2, "0b", 4
	case 'o':
		base, prefix, every = 8, "0o", 4
	case 'x':
		base, prefix, every = 16, "0x", 4
	case 'X':
		base, prefix, every = 16, "0X", 4
	}
	digits := new(big.Int).Abs(n).Text(base)
	if f.kind == 'X' {
		digits = strings.ToUpper(digits)
	}
	sign := signOf(n.Sign() < 0, f)
	if f.alt {
		sign += prefix
	}
	return number1(sign, digits, "", every, f)
}

// number1 groups digits, pads with zeros inside the grouping where asked, and aligns. rest is what
// follows the integer digits; every is the number of digits in a group.
func number1(sign, digits, rest string, every int, f formatSpec) string {
	if f.group != 0 {
		// Zeros as fill are grouped with the digits, so that they are added first.
		want := 0
		if f.fill == '0' && f.align == '=' {
			want = f.width - len(sign) - len(rest)
		}
		digits = groupDigits(digits, f.group, every, want)
	}
	// Numbers are aligned to the right.
	if f.align == 0 {
		f.align = '>'
	}
	return pad(sign, digits+rest, f)
}

// groupDigits inserts separators and adds leading zeros up to a width. The result may be one longer
// than the width, since it does not begin with a separator.
func groupDigits(digits string, sep byte, every, width int) string {
	var b []byte // reversed
	n := 0
	for i := len(digits) - 1; i >= 0; i-- {
		if n > 0 && n%every == 0 {
			b = append(b, sep)
		}
		b = append(b, digits[i])
		n++
	}
	for len(b) < width {
		if n%every == 0 && n > 0 {
			b = append(b, sep)
		}
		b = append(b, '0')
		n++
	}
	reverseBytes(b)
	return string(b)
}

// floatDigits gives the text of |x| in a presentation type: digits without sign, grouping and
// padding, or inf and nan, which upper-case types write in capitals. alt keeps the point where no
// digits follow.
func floatDigits(x float64, kind byte, prec int, alt bool) string {
	x = math.Abs(x)
	switch {
	case math.IsInf(x, 0):
		if kind == 'F' || kind == 'E' || kind == 'G' {
			return "INF"
		}
		return "inf"
	case math.IsNaN(x):
		if kind == 'F' || kind == 'E' || kind == 'G' {
			return "NAN"
		}
		return "nan"
	}
	switch kind {
	case 'f', 'F':
		s := strconv.FormatFloat(x, 'f', prec, 64)
		if alt && prec == 0 {
			s += "."
		}
		return s
	case 'e', 'E':
		s := strconv.FormatFloat(x, kind, prec, 64)
		if alt && prec == 0 {
			i := strings.IndexAny(s, "eE")
			s = s[:i] + "." + s[i:]
		}
		return s
	}
	// 'g' and 'r' (the shortest repr, for a missing type)
	upper := kind == 'G'
	if kind == 'r' {
		return value.FloatRepr(x)
	}
	if prec == 0 {
		prec = 1
	}
	// The general form: the exponent after rounding to prec digits decides between the two
	// notations.
	s := strconv.FormatFloat(x, 'e', prec-1, 64)
	i := strings.IndexByte(s, 'e')
	exp, _ := strconv.Atoi(s[i+1:])
	if exp < -4 || exp >= prec {
		mant := s[:i]
		if !alt && strings.Contains(mant, ".") {
			mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
		} else if alt && !strings.Contains(mant, ".") {
			mant += "."
		}
		s = mant + s[i:]
		if upper {
			s = strings.ToUpper(s)
		}
		return s
	}
	s = strconv.FormatFloat(x, 'f', max(prec-1-exp, 0), 64)
	if !alt && strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	} else if alt && !strings.Contains(s, ".") {
		s += "."
	}
	return s
}

// formatFloat: without a type and a precision it is repr(), with a precision like g but with at least one digit
// after the point. A percentage is multiplied before it is rounded.
func formatFloat(x float64, f formatSpec) string {
	kind, prec, tail := f.kind, f.prec, ""
	switch kind {
	case 0:
		if prec < 0 {
			kind = 'r'
		} else { // like g, but with a digit after the point
			return formatGeneral(x, f)
		}
	// The locale is that of C, so that n is g.
	case 'n':
		kind = 'g'
	case '%':
		x, kind, tail = x*100, 'f', "%"
	}
	if prec < 0 {
		prec = 6
	}
	digits := floatDigits(x, kind, prec, f.alt)
	return finishFloat(x, digits, tail, f)
}

// formatGeneral is the missing type with a precision: g, but with a digit after the point
// in the fixed form, which is used for exponents below precision - 1 only.
func formatGeneral(x float64, f formatSpec) string {
	prec := max(f.prec, 1)
	digits := floatDigits(x, 'g', prec, f.alt)
	if math.IsInf(x, 0) || math.IsNaN(x) || strings.ContainsAny(digits, ".e") {
		return finishFloat(x, digits, "", f)
	}
	mant, exp, _ := strings.Cut(strconv.FormatFloat(math.Abs(x), 'e', prec-1, 64), "e")
	if n, _ := strconv.Atoi(exp); n < prec-1 {
		return finishFloat(x, digits+".0", "", f)
	}
	if strings.Contains(mant, ".") && !f.alt {
		mant = strings.TrimRight(strings.TrimRight(mant, "0"), ".")
	}
	return finishFloat(x, mant+"e"+exp, "", f)
}

// finishFloat adds sign, grouping and padding to digits. Only the digits before the point are grouped; inf and
// nan are not.
func finishFloat(x float64, digits, tail string, f formatSpec) string {
	neg := math.Signbit(x) && !math.IsNaN(x)
	if f.negZero && strings.Trim(digits, "0.") == "" {
		neg = false
	}
	sign := signOf(neg, f)
	i := 0
	// The digits before the point or exponent.
	for i < len(digits) && digits[i] >= '0' && digits[i] <= '9' {
		i++
	}
	if i == 0 { // inf, nan: no grouping
		f.group = 0
		i = len(digits)
	}
	return number1(sign, digits[:i], digits[i:]+tail, 3, f)
}

// formatComplex formats both parts by one specification; without a type the parentheses are those of repr().
// Width and fill are for the whole.
func formatComplex(z complex128, f formatSpec) string {
	part := f
	part.width, part.align, part.fill = 0, 0, ' '
	bare := f.kind == 0
	// A part without type and precision is written as by repr().
	one := func(x float64, p formatSpec) string {
		s := ""
		if bare && f.prec < 0 {
			s = trimFloat(math.Abs(x))
			return finishFloat(x, s, "", p)
		}
		if bare {
			p.kind = 'g'
		}
		return formatFloat(x, p)
	}
	// The sign of the imaginary part stands between the two.
	im := part
	im.sign = '+'
	s := one(imag(z), im) + "j"
	switch {
	case bare && real(z) == 0 && !math.Signbit(real(z)):
		s = one(imag(z), part) + "j"
	case bare:
		s = "(" + one(real(z), part) + s + ")"
	default:
		s = one(real(z), part) + s
	}
	if f.align == 0 {
		f.align = '>'
	}
	return pad("", s, f)
}
