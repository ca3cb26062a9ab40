package lib

// This file reads numbers from text as int(), float() and complex() do, and
// rounds floats as round() does. The texts that are accepted are those of CPython, which takes
// decimal digits of every script, blanks around a number and single underscores between digits.
// Functions return false for anything else, and the callers raise the ValueError with their own
// text.

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode"

	"shapecheck/infer/value"
	"shapecheck/symshape"
)

// asciiDigits replaces the decimal digits of all scripts by ASCII ones and strips
// white space. White space is what str.isspace says.
func asciiDigits(s string) string {
	s = strings.TrimFunc(s, isSpace)
	if isASCII(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r < 0x80 || !unicode.Is(unicode.Nd, r) {
			return r
		}
		// Decimal digits come in runs of ten whose first is zero. Unicode encodes the ten digits of
		// a script one after the other.
		n := rune(0)
		for n < 9 && unicode.Is(unicode.Nd, r-n-1) {
			n++
		}
		return '0' + n
	}, s)
}

// stripUnderscores removes underscores between digits; ok is false for others. digit says between
// which characters an underscore may stand.
func stripUnderscores(s string, digit func(byte) bool) (string, bool) {
	if !strings.Contains(s, "_") {
		return s, true
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '_' {
			b = append(b, s[i])
			continue
		}
		if i == 0 || i+1 == len(s) || !digit(s[i-1]) || !digit(s[i+1]) {
			return "", false
		}
	}
	return string(b), true
}

// The digits of bases up to 36.
func alnum(c byte) bool { return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' }

// maxDigits is how many decimal digits CPython converts between int and str, where the
// work grows with their square (sys.set_int_max_str_digits).
const maxDigits = 4300

// digitsBeyond is the number of digits of an int literal where that is too large; else 0. A power
// of two as the base needs no quadratic conversion and has no limit. Texts that are no numbers give
// 0 too, since they have another error.
func digitsBeyond(s string, base int) int {
	if len(s) <= maxDigits || base > 0 && base&(base-1) == 0 {
		return 0
	}
	s = strings.TrimLeft(asciiDigits(s), "+-")
	if base == 0 && len(s) > 1 && s[0] == '0' {
		return 0 // a prefix, or zeros
	}
	s, ok := stripUnderscores(s, alnum)
	if !ok || len(s) <= maxDigits {
		return 0
	}
	for i := range len(s) {
		if !alnum(s[i]) || base <= 10 && !digit(s[i]) {
			return 0
		}
	}
	return len(s)
}

// tooManyDigits raises as sys.set_int_max_str_digits has it: since 3.11 (and 3.10.7), longer texts are refused
// to bound the quadratic time of the conversion. n is the number of digits of the text.
func (w *World) tooManyDigits(th value.Thread, n int) error {
	return th.Raise("ValueError", "Exceeds the limit (%d digits) for integer string conversion: value has %d digits; use sys.set_int_max_str_digits() to increase the limit",
		maxDigits, n)
}

// parseInt reads what int(s, base) takes: any decimal digits of Unicode, single underscores between digits, and
// a prefix that fits the base. With base 0, a leading zero is an error as in source code. The
// number may have any length up to 2^17 characters here; the limit on decimal digits is the
// caller's.
func parseInt(s string, base int) (*big.Int, bool) {
	s = asciiDigits(s)
	neg := false
	if s != "" && (s[0] == '+' || s[0] == '-') {
		neg, s = s[0] == '-', s[1:]
	}
	prefix := 0
	if len(s) > 1 && s[0] == '0' {
		switch s[1] | 0x20 {
		case 'x':
			prefix = 16
		case 'o':
			prefix = 8
		case 'b':
			prefix = 2
		}
	}
	// With base 16 a prefix 0x may stand before the digits, and one underscore after it.
	if prefix != 0 && (base == prefix || base == 0) {
		s, base = strings.TrimPrefix(s[2:], "_"), prefix
	} else if base == 0 {
		base = 10
		// 0 and 00 are numbers in source code, 010 is none.
		if len(s) > 1 && s[0] == '0' && strings.Trim(s, "0_") != "" {
			return nil, false // 010 is no literal
		}
	}
	s, ok := stripUnderscores(s, alnum)
	if !ok || s == "" || !alnum(s[0]) || len(s) > 1<<17 {
		return nil, false
	}
	n, ok := new(big.Int).SetString(s, base)
	if ok && neg {
		n.Neg(n)
	}
	return n, ok
}

func digit(c byte) bool { return c >= '0' && c <= '9' }

// parseFloat reads what float(s) takes, which is less than Go's ParseFloat: no hexadecimal floats, and one
// sign. inf, infinity and nan are read in any case of their letters.
func parseFloat(s string) (float64, bool) {
	s = asciiDigits(s)
	s, ok := stripUnderscores(s, digit)
	if !ok || s == "" {
		return 0, false
	}
	body := strings.TrimLeft(s, "+-")
	if len(s)-len(body) > 1 {
		return 0, false
	}
	switch strings.ToLower(body) {
	case "inf", "infinity":
		if s[0] == '-' {
			return math.Inf(-1), true
		}
		return math.Inf(1), true
	case "nan":
		return math.NaN(), true
	}
	// Go's ParseFloat takes hexadecimal floats and the names of infinities in more forms.
	for i := 0; i < len(body); i++ {
		if c := body[i]; !digit(c) && c != '.' && c|0x20 != 'e' && c != '+' && c != '-' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		// A number that is too large is infinite, as in C.
		if ne, isNum := err.(*strconv.NumError); !isNum || ne.Err != strconv.ErrRange {
			return 0, false
		}
	}
	return f, true
}

// parseComplex reads "1+2j", with parentheses around it but no blanks inside. The imaginary part
// has a j at its end, and the real part may be missing.
func parseComplex(s string) (complex128, bool) {
	s = strings.TrimFunc(s, isSpace)
	if strings.HasPrefix(s, "(") && strings.HasSuffix(s, ")") {
		s = strings.TrimFunc(s[1:len(s)-1], isSpace)
	}
	if s == "" || strings.ContainsAny(s, " \t") {
		return 0, false
	}
	last := s[len(s)-1]
	if last != 'j' && last != 'J' {
		f, ok := parseFloat(s)
		return complex(f, 0), ok
	}
	s = s[:len(s)-1]
	cut := 0 // where the imaginary part starts
	// The last sign that does not belong to an exponent separates the two parts.
	for i := len(s) - 1; i > 0; i-- {
		if (s[i] == '+' || s[i] == '-') && s[i-1]|0x20 != 'e' {
			cut = i
			break
		}
	}
	re := 0.0
	if cut > 0 {
		var ok bool
		if re, ok = parseFloat(s[:cut]); !ok {
			return 0, false
		}
		s = s[cut:]
	}
	switch s {
	// j alone is 1j.
	case "", "+":
		return complex(re, 1), true
	case "-":
		return complex(re, -1), true
	}
	im, ok := parseFloat(s)
	return complex(re, im), ok
}

// float.hex(): the mantissa with 13 hexadecimal digits, without rounding.
func floatHex(f float64) string {
	switch {
	case math.IsNaN(f) || math.IsInf(f, 0):
		return value.FloatRepr(f)
	case f == 0:
		if math.Signbit(f) {
			return "-0x0.0p+0"
		}
		return "0x0.0p+0"
	}
	bits := math.Float64bits(f)
	sign := ""
	if f < 0 {
		sign = "-"
	}
	mant, exp := bits&(1<<52-1), int(bits>>52&0x7ff)
	lead := "1"
	// A subnormal number has no leading 1.
	if exp == 0 {
		lead, exp = "0", 1
	}
	m := strconv.FormatUint(mant|1<<52, 16)[1:]
	e := strconv.Itoa(exp - 1023)
	if exp >= 1023 {
		e = "+" + e
	}
	return sign + "0x" + lead + "." + m + "p" + e
}

// float.fromhex(): the prefix and the exponent may be missing.
func parseHexFloat(s string) (float64, bool) {
	s = strings.TrimFunc(s, isSpace)
	body := strings.TrimLeft(s, "+-")
	switch strings.ToLower(body) {
	case "inf", "infinity", "nan":
		return parseFloat(s)
	}
	sign := s[:len(s)-len(body)]
	if !strings.HasPrefix(strings.ToLower(body), "0x") {
		body = "0x" + body
	}
	if !strings.ContainsAny(body, "pP") {
		body += "p0"
	}
	f, err := strconv.ParseFloat(sign+body, 64)
	return f, err == nil
}

// round is round(x, ndigits) for numbers. Without ndigits a float gives an int; ValueError for NaN
// and OverflowError for infinities. With it the type stays. Halves go to the even neighbour. A
// symbolic float gives an expression where symshape can round it.
func (w *World) round(th value.Thread, x, ndigits value.Value) (value.Value, error) {
	p := th.Pool()
	if ndigits == nil || ndigits == value.None {
		switch v := x.(type) {
		case value.Float:
			f := float64(v)
			switch {
			case math.IsNaN(f):
				return nil, th.Raise("ValueError", "cannot convert float NaN to integer")
			case math.IsInf(f, 0):
				return nil, th.Raise("OverflowError", "cannot convert float infinity to integer")
			}
			return floatToInt(math.RoundToEven(f)), nil
		case *value.SymFloat:
			// The value is known but for its last digits, which do not decide.
			if n, ok := v.Rounded(math.RoundToEven); ok {
				return value.Int(n), nil
			}
			d := symshape.MakeDim(p.RoundReal(v.R))
			if v.Known && !d.Known && math.Abs(v.Val) < 1<<62 {
				d.Val, d.Known = int64(math.RoundToEven(v.Val)), true
			}
			return value.FromDim(d), nil
		}
		v, _, err := w.index(th, x)
		return v, err
	}
	n, err := w.wantIndex(th, ndigits)
	if err != nil || value.IsUnknown(n) {
		return n, err
	}
	k, concrete := n.(value.Int)
	switch v := x.(type) {
	case value.Float:
		if !concrete {
			return &value.SymFloat{}, nil
		}
		// Beyond 400 digits nothing changes any more.
		return value.Float(roundDigits(float64(v), int(max(min(k, 400), -400)))), nil
	case *value.SymFloat:
		if concrete && v.Known {
			return &value.SymFloat{Val: roundDigits(v.Val, int(max(min(k, 400), -400))), Known: true}, nil
		}
		return &value.SymFloat{}, nil
	}
	// An int has no decimals.
	if concrete && k >= 0 {
		v, _, err := w.index(th, x)
		return v, err
	}
	b, ok := bigInt(x)
	if !ok || !concrete || k < -4000 {
		return w.unknownInt(th), nil
	}
	// Negative digits round an int to tens, hundreds and so on.
	unit := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-k)), nil)
	q, m := bigDivMod(b, unit)
	twice := new(big.Int).Lsh(m, 1)
	if c := twice.Cmp(unit); c > 0 || c == 0 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return value.FromBig(q.Mul(q, unit)), nil
}

// roundDigits rounds the exact value of f to n decimals, halves to even. The decimal text of the
// exact value decides, as in CPython, and not the product with a power of ten.
func roundDigits(f float64, n int) float64 {
	if f == 0 || math.IsInf(f, 0) || math.IsNaN(f) || n > 323 {
		return f
	}
	if n >= 0 {
		r, _ := strconv.ParseFloat(strconv.FormatFloat(f, 'f', n, 64), 64)
		return r
	}
	if n < -308 {
		return math.Copysign(0, f)
	}
	// Rational numbers are exact.
	unit := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(-n)), nil))
	q := new(big.Rat).Quo(new(big.Rat).SetFloat64(math.Abs(f)), unit)
	whole := new(big.Int).Quo(q.Num(), q.Denom())
	rest := new(big.Rat).Sub(q, new(big.Rat).SetInt(whole))
	if c := rest.Cmp(big.NewRat(1, 2)); c > 0 || c == 0 && whole.Bit(0) == 1 {
		whole.Add(whole, big.NewInt(1))
	}
	r, _ := new(big.Rat).Mul(new(big.Rat).SetInt(whole), unit).Float64()
	return math.Copysign(r, f)
}
