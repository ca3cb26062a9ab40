package lib

// This file gives repr() and str() of builtin values. Where a part is abstract
// the text shows it as well as it can, and known is false. Every function returns the text and
// whether it is exactly what CPython would print. A text that is not known is still made, for
// messages: a symbol is written by its expression, an abstract text by what is known of it, an open
// container with an ellipsis at its end. A caller that makes a str of the text for the program uses
// known to decide between a concrete and an abstract str.
//
// The way from a container to its elements goes through the thread, whose Repr looks for a __repr__
// that the program defines and only then comes back here. Steps and bytes are charged on the way,
// because a container that refers to itself several times, or parts that are shared, make a text
// that is exponential in the size of the objects.

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shapecheck/infer/ops"
	"shapecheck/infer/value"
)

// maxReprDepth bounds nesting; a container that holds itself ends there.
const maxReprDepth = 40

// maxReprElems bounds what is written of a container that is only shown.
const maxReprElems = 1 << 16

// Str gives str(v) without regard to a __str__ that the program defines. A str is itself, an
// exception gives its arguments, a scalar of NumPy its number without the name of its type.
// Everything else has no str of its own, so the repr is taken, by way of the thread where the class
// defines __repr__.
func (w *World) Str(th value.Thread, v value.Value) (text string, known bool) {
	switch x := v.(type) {
	case value.Str:
		return string(x), true
	case value.Device:
		return x.Name, x.Name != ""
	case *value.Abstract:
		return x.Text, false
	case *value.Instance:
		// An exception has a __str__ of its own, which shows the message without the name of the
		// class.
		if e, ok := w.isException(x); ok {
			return w.exceptionText(th, e)
		}
		if ops.IsNumpyScalar(x) {
			return numpyText(th, x)
		}
		// A class derived from int, str or another builtin class: the value that it wraps is
		// printed.
		if x.Payload != nil {
			return w.Str(th, x.Payload)
		}
		// object.__str__ calls the __repr__ of the class, be it of the program or of this library;
		// only object's own is passed over, since its text is made below.
		if f, ok := x.Class.Lookup("__repr__"); ok {
			if b, native := f.(*value.Builtin); !native || b.Name != "object.__repr__" {
				return th.Repr(v)
			}
		}
	}
	return w.Repr(th, v)
}

// Repr gives repr(v) without regard to a __repr__ that the program defines;
// elements of containers go through th. It covers all kinds of value; what has no case is written
// by its String method and is not known.
func (w *World) Repr(th value.Thread, v value.Value) (text string, known bool) {
	switch x := v.(type) {
	case value.NoneType:
		return "None", true
	case value.EllipsisType:
		return "Ellipsis", true
	case value.NotImplementedType:
		return "NotImplemented", true
	case value.Bool:
		return value.BoolRepr(bool(x)), true
	case value.Int:
		return strconv.FormatInt(int64(x), 10), true
	case *value.BigInt:
		// A conversion of more than 4,300 digits raises a ValueError since CPython 3.11, which the
		// caller raises; here the text is only said to be unknown.
		if beyondDigits(x.V) {
			return "", false // CPython raises a ValueError
		}
		return intText(th, x.V), true
	case value.Float:
		return value.FloatRepr(float64(x)), true
	case value.Complex:
		return complexRepr(complex128(x)), true
	case value.Str:
		return quoted(th, string(x), reprText)
	case value.Bytes:
		return quoted(th, string(x), bytesRepr)
	case *value.SymInt:
		return x.D.String(), false
	case *value.SymFloat:
		// A float that the example of the run gives is shown by its value, but is not known for all
		// runs, hence false.
		switch {
		case x.Known:
			return value.FloatRepr(x.Val), false
		case x.R.Known():
			return x.R.String(), false
		}
		return "float", false
	case *value.SymBool:
		return "bool", false
	case *value.Abstract:
		if x.Text != "" {
			text, _ := quoted(th, x.Text, reprText)
			return text, false
		}
		return x.Class.Name, false
	case *value.Tuple:
		return w.tupleRepr(th, x)
	case *value.List:
		s, known := w.elemsRepr(th, x.Elems, x.Open)
		// A list layout may belong to a tuple of unknown length, which is written with parentheses.
		if w.isTuple(x) {
			return "(" + s + ")", known
		}
		return "[" + s + "]", known
	case *value.Set:
		s, known := w.elemsRepr(th, x.Elems(), x.Open)
		name := w.TypeOf(x).Name
		switch {
		case x.Len() == 0 && x.Open == nil:
			return name + "()", known
		case name == "set":
			// The order of a set of str depends on the hash seed of the run.
			return "{" + s + "}", known && x.OrderKnown()
		}
		return name + "({" + s + "})", known && x.OrderKnown()
	case *value.Dict:
		return w.dictRepr(th, x)
	case *value.Range:
		parts := []value.Value{x.Start, x.Stop}
		if x.Step != value.Value(value.Int(1)) {
			// A step of 1 is left out, as CPython does.
			parts = append(parts, x.Step)
		}
		s, known := w.elemsRepr(th, parts, nil)
		return "range(" + s + ")", known
	case *value.Slice:
		s, known := w.elemsRepr(th, []value.Value{x.Start, x.Stop, x.Step}, nil)
		return "slice(" + s + ")", known
	case *value.Class:
		// Names of classes from builtins go without their module: <class 'int'>, but <class
		// 'collections.deque'>.
		if x.Module == "builtins" {
			return "<class '" + x.Qualname + "'>", true
		}
		return "<class '" + x.FullName() + "'>", true
	case *value.Func:
		// The true text has an address, which differs between runs, so nothing may depend on it.
		return "<function " + x.Qualname + ">", false
	case *value.Builtin:
		return "<built-in function " + x.Name[strings.LastIndexByte(x.Name, '.')+1:] + ">", true
	case *value.BoundMethod:
		fn, ok := x.Func.(*value.Func)
		if !ok {
			return "<bound method>", false
		}
		s, known := th.Repr(x.Self)
		return "<bound method " + fn.Qualname + " of " + s + ">", known
	case *value.Module:
		return "<module '" + x.Name + "'>", false
	case *value.GenericAlias:
		return w.aliasRepr(th, x)
	case value.DType:
		return "torch." + x.D.Torch(), true
	case value.Device:
		return deviceRepr(x.Name), true
	case value.Constant:
		return x.Name, true
	case *value.Instance:
		return w.instanceRepr(th, x)
	case *value.Unknown:
		return "?", false
	}
	return v.String(), false
}

// beyondDigits reports whether a number has more decimal digits than CPython converts.
func beyondDigits(n *big.Int) bool {
	const bits = maxDigits * 3322 / 1000 // of the smallest such number, but for a few
	return n.BitLen() > bits && n.CmpAbs(digitLimit()) >= 0
}

// digitLimit is the smallest number that has too many digits.
var digitLimit = sync.OnceValue(func() *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(maxDigits), nil) })

// intText is the decimal text of a long number. A budget that it exceeds ends the run
// at the next step.
func intText(th value.Thread, n *big.Int) string {
	if th.Step(8*mulSteps(words(n), words(n))) != nil {
		return ""
	}
	return n.String()
}

// complexRepr leaves out a real part that is 0, but not -0.0.
func complexRepr(z complex128) string {
	// The imaginary part keeps its sign also where it is -0.0, as FloatRepr writes it.
	im := trimFloat(imag(z)) + "j"
	if real(z) == 0 && !math.Signbit(real(z)) {
		return im
	}
	// nan and inf carry no sign either, so they get a plus as well.
	if im[0] != '-' && im[0] != '+' {
		im = "+" + im
	}
	return "(" + trimFloat(real(z)) + im + ")"
}

// trimFloat is the repr of a float without a trailing ".0".
func trimFloat(f float64) string { return strings.TrimSuffix(value.FloatRepr(f), ".0") }

// quoted is the repr of a text, which is charged where it is long, and not known where its repr is too long.
func quoted(th value.Thread, s string, repr func(string) string) (string, bool) {
	if len(s) < longText {
		// Short texts are free: they cost less than the charge itself.
		return repr(s), true
	}
	if th.Alloc(4*len(s)) != nil { // the run ends at its next step
		return "...", false
	}
	if r := repr(s); len(r) <= MaxText {
		return r, true
	}
	return "...", false
}

// reprText is repr of a str, with lone surrogates escaped.
func reprText(s string) string {
	if hasSurrogate(s) {
		return reprSurrogates(s)
	}
	return value.StrRepr(s)
}

// reprSurrogates is repr() of a text with lone surrogates, which are written as escapes; the rest is
// value.StrRepr's, character by character.
func reprSurrogates(s string) string {
	quote := "'"
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = `"`
	}
	var b strings.Builder
	b.WriteString(quote)
	for len(s) > 0 {
		r, n := decodeText(s)
		if r >= 0xD800 && r <= 0xDFFF {
			// A lone surrogate is no valid UTF-8, therefore decodeText, which reads this library's
			// own encoding of it, goes before Go's range loop.
			b.WriteString(`\u` + strconv.FormatInt(int64(r), 16))
		} else {
			// The quotes that StrRepr adds around the single character are cut off again.
			q := value.StrRepr(s[:n])
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String() + quote
}

// bytesRepr writes b'…' with the quote that CPython chooses: double quotes only if that saves escaping.
func bytesRepr(s string) string {
	quote := byte('\'')
	if strings.Contains(s, "'") && !strings.Contains(s, `"`) {
		quote = '"'
	}
	b := []byte{'b', quote}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		// Only the quote in use is escaped, the other one stands as it is.
		case c == quote || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c < 0x20 || c >= 0x7f:
			const hex = "0123456789abcdef"
			b = append(b, '\\', 'x', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return string(append(b, quote))
}

// A nesting counts the depth of containers while they are written. It lives in
// the World because the way goes through the thread.
func (w *World) nested(f func() (string, bool)) (string, bool) {
	w.depth++
	// The counter falls also when a budget ends the run in the middle.
	defer func() { w.depth-- }()
	if w.depth > maxReprDepth {
		return "...", false
	}
	return f()
}

// elemsRepr writes elements with commas. It stops where a text would become too long: a container that holds
// itself several times over has a repr of exponential length.
func (w *World) elemsRepr(th value.Thread, elems []value.Value, open *value.Open) (string, bool) {
	return w.nested(func() (string, bool) {
		var b strings.Builder
		known := true
		for i, e := range elems {
			if i > 0 {
				b.WriteString(", ")
			}
			// A bound on the elements keeps a repr that is only shown in a message short; beyond it
			// the text is not known.
			if i == maxReprElems {
				b.WriteString("...")
				known = false
				break
			}
			if th.Step(1) != nil { // containers that share parts are written many times
				return "...", false
			}
			s, k := th.Repr(e)
			known = known && k
			if fits, err := textFits(th, b.Len()+len(s), 1); !fits || err != nil {
				return "...", false
			}
			b.WriteString(s)
		}
		// More elements of unknown number follow.
		if open != nil {
			if len(elems) > 0 {
				b.WriteString(", ")
			}
			b.WriteString("...")
			known = false
		}
		return b.String(), known
	})
}

// tupleRepr writes namedtuples with their names, torch.Size with its own, and a comma after a single element.
func (w *World) tupleRepr(th value.Thread, t *value.Tuple) (string, bool) {
	// A namedtuple has Fields; the test on the length leaves out a subclass whose tuple was built
	// in another way.
	if t.Class != nil && len(t.Class.Fields) > 0 && len(t.Class.Fields) == len(t.Elems) {
		return w.nested(func() (string, bool) {
			var b strings.Builder
			known := true
			for i, e := range t.Elems {
				if i > 0 {
					b.WriteString(", ")
				}
				s, k := th.Repr(e)
				known = known && k
				if fits, err := textFits(th, b.Len()+len(t.Class.Fields[i])+len(s), 1); !fits || err != nil {
					return "...", false
				}
				b.WriteString(t.Class.Fields[i] + "=" + s)
			}
			return t.Class.Name + "(" + b.String() + ")", known
		})
	}
	s, known := w.elemsRepr(th, t.Elems, nil)
	// torch.Size prints as a list in parentheses and needs no comma after a single element.
	if t.Class != nil && t.Class.Name == "Size" {
		return "torch.Size([" + s + "])", known
	}
	if len(t.Elems) == 1 {
		s += ","
	}
	return "(" + s + ")", known
}

// dictRepr writes a dict, in the form of its class for OrderedDict and defaultdict, which are dicts here.
func (w *World) dictRepr(th value.Thread, d *value.Dict) (string, bool) {
	s, known := w.nested(func() (string, bool) {
		var b strings.Builder
		known := true
		for i := range d.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			if i == maxReprElems {
				b.WriteString("...")
				return b.String(), false
			}
			if th.Step(1) != nil {
				return "...", false
			}
			k, k1 := th.Repr(d.Key(i))
			v, k2 := th.Repr(d.At(i))
			known = known && k1 && k2
			if fits, err := textFits(th, b.Len()+len(k)+len(v), 1); !fits || err != nil {
				return "...", false
			}
			b.WriteString(k + ": " + v)
		}
		if d.Open != nil {
			b.WriteString(", ...")
			known = false
		}
		return b.String(), known
	})
	s = "{" + s + "}"
	if d.Class != nil {
		switch d.Class.Name {
		// CPython since 3.12 writes OrderedDict({'a': 1}), before that a list of pairs; the newer
		// form is used.
		case "OrderedDict":
			if d.Len() == 0 {
				return "OrderedDict()", known
			}
			return "OrderedDict(" + s + ")", known
		case "defaultdict":
			// A defaultdict shows its factory first, by the factory's own repr.
			f := "None"
			if d.Factory != nil {
				k := false
				if f, k = th.Repr(d.Factory); !k {
					known = false
				}
			}
			return "defaultdict(" + f + ", " + s + ")", known
		}
	}
	return s, known
}

// aliasRepr writes list[int] and int | None.
func (w *World) aliasRepr(th value.Thread, a *value.GenericAlias) (string, bool) {
	// Classes show by their full name, other arguments (literals, parameters) by their repr.
	name := func(v value.Value) (string, bool) {
		if c, ok := v.(*value.Class); ok {
			// The class of None stands for None in an annotation.
			if c == w.none {
				return "None", true
			}
			return c.FullName(), true
		}
		if v == value.Ellipsis {
			return "...", true
		}
		return th.Repr(v)
	}
	return w.nested(func() (string, bool) {
		// A union is written with bars and without brackets.
		union := a.Origin == value.Value(w.union)
		separator, after := ", ", "]"
		var b strings.Builder
		known := true
		if union {
			separator, after = " | ", ""
		} else {
			s, k := name(a.Origin)
			known = k
			// typing.List without arguments is written by the name of its origin alone.
			if b.WriteString(s); len(a.Args) == 0 {
				return s, known
			}
			b.WriteString("[")
		}
		for i, x := range a.Args {
			if i > 0 {
				b.WriteString(separator)
			}
			if th.Step(1) != nil { // types that share parts are written many times
				return "...", false
			}
			s, k := name(x)
			known = known && k
			if fits, err := textFits(th, b.Len()+len(s), 1); !fits || err != nil {
				return "...", false
			}
			b.WriteString(s)
		}
		return b.String() + after, known
	})
}

// deviceRepr is repr of a torch.device.
func deviceRepr(name string) string {
	kind, index, ok := strings.Cut(name, ":")
	if !ok {
		return "device(type='" + kind + "')"
	}
	return "device(type='" + kind + "', index=" + index + ")"
}

// instanceRepr is the repr of objects whose class defines none: exceptions, NumPy's scalars (np.float32(1.0)
// since NumPy 2), wrapped numbers, matches and dict views. The default names an address, which is not known.
func (w *World) instanceRepr(th value.Thread, x *value.Instance) (string, bool) {
	// The name of the class and the arguments, without a trailing comma (since Python 3.7).
	if e, ok := w.isException(x); ok {
		s, known := w.elemsRepr(th, exceptionArgs(e), nil)
		return x.Class.Name + "(" + s + ")", known
	}
	if ops.IsNumpyScalar(x) {
		text, known := numpyText(th, x)
		switch name := x.Class.Name; {
		// NumPy 1 writes the bare number.
		case !ops.NumpyTwo(th):
			return text, known
		// bool_ is the only scalar whose text takes the underscore: np.True_, np.False_.
		case x.Payload == value.Value(value.Bool(true)), x.Payload == value.Value(value.Bool(false)):
			return "np." + text + "_", known
		default:
			return "np." + name + "(" + text + ")", known
		}
	}
	// A wrapped builtin value prints as that value unless the class says otherwise.
	if x.Payload != nil {
		return w.Repr(th, x.Payload)
	}
	if m, ok := x.Data.(*reMatchData); ok {
		return m.repr(th)
	}
	// A view of a dict is written as a list of what it shows: dict_keys(['a']).
	if v, ok := x.Data.(*dictView); ok {
		elems := make([]value.Value, v.d.Len())
		for i := range elems {
			elems[i] = v.at(i)
		}
		s, known := w.elemsRepr(th, elems, v.d.Open)
		name := x.Class.Name
		// The views of OrderedDict and of its subclasses are called odict_keys and so on.
		if c := v.d.Class; c != nil &&
			slices.ContainsFunc(c.MRO, func(k *value.Class) bool { return k.FullName() == "collections.OrderedDict" }) {
			name = "o" + name
		}
		return name + "([" + s + "])", known
	}
	// object.__repr__ has the address of the object, which is never known.
	return "<" + x.Class.FullName() + " object>", false
}

// numpyText is str() of a scalar of numpy: floats have the digits that their own precision needs.
// float64 is printed like a Python float; float32 by the shortest digits that round to the same
// float32; the exponent form begins at 1e16 and below 1e-4, as numpy.float32.__str__ does. The text
// of float16 is not computed.
func numpyText(th value.Thread, x *value.Instance) (text string, known bool) {
	f, isFloat := x.Payload.(value.Float)
	switch {
	case !isFloat || x.Class.Name == "float64":
		return th.Str(x.Payload)
	case x.Class.Name != "float32":
		return "float", false
	}
	text = value.FloatRepr(float64(f))
	if a := math.Abs(float64(f)); math.IsInf(a, 0) || math.IsNaN(a) {
		return text, true
	} else if a != 0 && (a < 1e-4 || a >= 1e16) {
		return strconv.FormatFloat(float64(f), 'e', -1, 32), true
	}
	if text = strconv.FormatFloat(float64(f), 'f', -1, 32); !strings.Contains(text, ".") {
		text += ".0"
	}
	return text, true
}

// asciiBytes is what ASCII takes at most for a byte of text, with its characters.
const asciiBytes = 8

// ASCII is ascii() of a repr: repr with all other characters escaped.
func ASCII(s string) string {
	if isASCII(s) {
		return s
	}
	var b strings.Builder
	for _, r := range textRunes(s) {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			b.WriteString(escapeRune(r))
		}
	}
	return b.String()
}

// escapeRune writes a character as \x, \u or \U with 2, 4 or 8 digits.
func escapeRune(r rune) string {
	switch {
	case r <= 0xff:
		return `\x` + strconv.FormatInt(int64(r), 16)
	case r <= 0xffff:
		return `\u` + strconv.FormatInt(int64(r)+0x10000, 16)[1:]
	}
	return `\U` + strconv.FormatInt(int64(r)+0x100000000, 16)[1:]
}
