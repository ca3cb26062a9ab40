package lib

// This file defines the module json for concrete values. Files are not read:
// load gives Unknown. Reading and printing follow json/decoder.py and json/encoder.py of CPython.

import (
	"fmt"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"shapecheck/infer/value"
)

// jsonModule makes json. loads and dumps work on values that are known; what a file has is not known. Encoders
// and decoders of the program's own are classes that take anything and give values that are not
// known. A text that is wrong raises JSONDecodeError, a value that JSON has not a TypeError.
func jsonModule(m *mod) {
	w := m.w
	bad := m.class("JSONDecodeError", w.classes["ValueError"])
	// They can be subclassed and called. Programs pass subclasses of them as cls=.
	for _, name := range []string{"JSONEncoder", "JSONDecoder"} {
		c := m.class(name)
		rawMethod(m.th, c, "__init__", func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) { return value.None, nil })
		for _, f := range []string{"encode", "decode", "default", "iterencode"} {
			rawMethod(m.th, c, f, func(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
				return th.Unknown("a JSON encoder of the program's own"), nil
			})
		}
	}
	m.def("load(fp, **kw)", func(th value.Thread, a []value.Value) (value.Value, error) {
		return th.Unknown("json.load reads a file"), nil
	})
	m.def("dump(obj, fp, **kw)", func(th value.Thread, a []value.Value) (value.Value, error) { return value.None, nil })
	m.def("loads(s, **kw)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		if !ok {
			if u, ok := a[0].(*value.Unknown); ok {
				return u, nil
			}
			return th.Unknown("JSON text that is not known"), nil
		}
		// Options as object_hook call functions of the program.
		if d, ok := a[1].(*value.Dict); ok && d.Len() > 0 {
			return th.Unknown("json.loads with options"), nil
		}
		// Only blanks may follow the value.
		p := jsonParser{th: th, s: s, bad: bad}
		v, err := p.value()
		if err == nil {
			if p.space(); p.i < len(s) {
				err = p.fail("Extra data")
			}
		}
		return v, err
	})
	m.def("dumps(obj, **kw)", func(th value.Thread, a []value.Value) (value.Value, error) {
		p := jsonPrinter{th: th, w: w, known: true, itemSep: ", ", keySep: ": ", ascii: true}
		// The options that change the text; others are not looked at.
		for _, k := range dictKws(a[1]) {
			switch k.Name {
			case "indent":
				p.setIndent(k.Value)
			case "sort_keys":
				p.sort = k.Value == value.Value(value.Bool(true))
			case "ensure_ascii":
				p.ascii = k.Value == value.Value(value.Bool(true))
			case "separators":
				if t := tupleElems(k.Value); len(t) == 2 {
					p.itemSep, _ = value.AsStr(t[0])
					p.keySep, _ = value.AsStr(t[1])
				}
			case "default":
				p.def = k.Value
			case "cls":
				p.known = p.known && k.Value == value.None
			}
		}
		// Printing goes on where something is not known, for its errors.
		if err := p.print(a[0], 0); err != nil {
			return nil, err
		}
		if !p.known {
			return w.abstractStr(th, p.b.String()), nil
		}
		return value.Str(p.b.String()), nil
	})
	// All other names of the module are unknown.
	m.rest("a part of json that is not modelled")
}

// A jsonPrinter writes a value as json.dumps does. Known says that all of the text is known: otherwise what was
// written serves as an example only. indent may be a number or a text.
type jsonPrinter struct {
	th value.Thread
	// indent is what a level is indented by, if indented is set.
	w               *World
	b               strings.Builder
	known           bool
	indent          string
	indented        bool
	itemSep, keySep string
	sort, ascii     bool
	// def is the function default= for objects that JSON has not.
	def value.Value
}

// setIndent: an indent of 0, or an empty text, still breaks lines, and the comma has no blank after
// it. More than 64 blanks are not needed for any output that a program reads again.
func (p *jsonPrinter) setIndent(v value.Value) {
	switch x := v.(type) {
	case value.Int:
		p.indent, p.indented, p.itemSep = strings.Repeat(" ", max(0, min(int(x), 64))), true, ","
	case value.Str:
		p.indent, p.indented, p.itemSep = string(x), true, ","
	}
}

// newline breaks the line if there is an indent.
func (p *jsonPrinter) newline(depth int) {
	if p.indented {
		p.b.WriteByte('\n')
		for range depth {
			p.b.WriteString(p.indent)
		}
	}
}

// print writes one value. Subclasses of int and str are written as these, so it looks at the plain value. The
// depth is bounded instead of looking for circles. It raises a TypeError for an object that JSON
// has not, unless there is a default function, and a ValueError at a depth of 200.
func (p *jsonPrinter) print(v value.Value, depth int) error {
	if depth > 200 {
		return p.th.Raise("ValueError", "Circular reference detected")
	}
	if err := p.th.Enter(" while encoding a JSON object"); err != nil {
		return err
	}
	defer p.th.Leave()
	// Long texts take more steps.
	if err := p.th.Step(1 + textBytes(v)/longText); err != nil {
		return err
	}
	// A text beyond the limit is no longer built.
	if p.b.Len()+textBytes(v) > MaxText {
		p.known = false
		return nil
	}
	switch x := value.Plain(v).(type) {
	case value.NoneType:
		p.b.WriteString("null")
	case value.Bool:
		p.b.WriteString(strings.ToLower(value.BoolRepr(bool(x))))
	case value.Int:
		p.b.WriteString(strconv.FormatInt(int64(x), 10))
	case *value.BigInt:
		p.b.WriteString(intText(p.th, x.V))
	case value.Float:
		s := value.FloatRepr(float64(x))
		// JSON has no such numbers, but Python writes them.
		if t, ok := map[string]string{"inf": "Infinity", "-inf": "-Infinity", "nan": "NaN"}[s]; ok {
			s = t
		}
		p.b.WriteString(s)
	case value.Str:
		p.str(string(x))
	case *value.List:
		if x.Open != nil {
			p.known = false
		}
		return p.list(x.Elems, depth)
	case *value.Tuple:
		return p.list(x.Elems, depth)
	case *value.Dict:
		return p.dict(x, depth)
	case *value.SymInt, *value.SymFloat, *value.SymBool, *value.Abstract, *value.Unknown, *value.Choice:
		p.known = false
		s, _ := p.th.Repr(x)
		p.b.WriteString(s)
	// Tensors and other objects. default is called with the object, and its result is printed.
	default:
		if p.def != nil {
			n, err := p.th.Call(p.def, []value.Value{v}, nil)
			if err != nil {
				return err
			}
			return p.print(n, depth+1)
		}
		return p.th.Raise("TypeError", "Object of type %s is not JSON serializable", p.th.TypeOf(v).Name)
	}
	return nil
}

// list writes a list or a tuple, which JSON does not distinguish. An empty one is written without a
// line break.
func (p *jsonPrinter) list(elems []value.Value, depth int) error {
	if len(elems) == 0 {
		p.b.WriteString("[]")
		return nil
	}
	p.b.WriteByte('[')
	for i, e := range elems {
		if i > 0 {
			p.b.WriteString(p.itemSep)
		}
		p.newline(depth + 1)
		if err := p.print(e, depth+1); err != nil {
			return err
		}
	}
	p.newline(depth)
	p.b.WriteByte(']')
	return nil
}

// dict writes an object. Keys that are numbers, bools and None become texts; other keys raise, unless skipkeys
// is set, which is not modelled. sort_keys compares the keys, and so raises a TypeError for keys of
// mixed types, as CPython.
func (p *jsonPrinter) dict(d *value.Dict, depth int) error {
	if d.Open != nil {
		p.known = false
	}
	if d.Len() == 0 {
		p.b.WriteString("{}")
		return nil
	}
	order := make([]value.Value, d.Len())
	// Pairs of key and number, which sort by their keys.
	for i := range order {
		order[i] = value.NewTuple(d.Key(i), value.Int(i))
	}
	if p.sort {
		v, err := p.w.callBuiltin(p.th, "sorted", p.th.Heap().NewList(order))
		if err != nil {
			return err
		}
		if l, ok := v.(*value.List); ok {
			order = l.Elems
		}
	}
	p.b.WriteByte('{')
	for i, o := range order {
		if i > 0 {
			p.b.WriteString(p.itemSep)
		}
		p.newline(depth + 1)
		k, at := tupleElems(o)[0], tupleElems(o)[1]
		switch x := value.Plain(k).(type) {
		case value.Str:
			p.str(string(x))
		// The text of the number between quotes.
		case value.Int, value.Float, value.Bool, value.NoneType, *value.BigInt:
			p.b.WriteByte('"')
			if err := p.print(x, depth+1); err != nil {
				return err
			}
			p.b.WriteByte('"')
		case *value.Abstract, *value.SymInt, *value.SymFloat, *value.Unknown:
			p.known = false
		default:
			return p.th.Raise("TypeError", "keys must be str, int, float, bool or None, not %s", p.th.TypeOf(k).Name)
		}
		p.b.WriteString(p.keySep)
		n, _ := value.AsInt(at)
		if err := p.print(d.At(int(n)), depth+1); err != nil {
			return err
		}
	}
	p.newline(depth)
	p.b.WriteByte('}')
	return nil
}

// str escapes as CPython does: outside of ASCII as UTF-16 in hexadecimal digits, unless
// ensure_ascii=False. Control characters are always escaped, DEL only with ensure_ascii.
func (p *jsonPrinter) str(s string) {
	short := map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`, '\f': `\f`, '\b': `\b`}
	p.b.WriteByte('"')
	for _, r := range s {
		switch e, ok := short[r]; {
		case ok:
			p.b.WriteString(e)
		case r < 0x20 || p.ascii && r > 0x7e && r < 0x10000:
			fmt.Fprintf(&p.b, `\u%04x`, r)
		case p.ascii && r >= 0x10000:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&p.b, `\u%04x\u%04x`, hi, lo)
		default:
			p.b.WriteRune(r)
		}
	}
	p.b.WriteByte('"')
}

// A jsonParser reads JSON as json.loads does, with the NaN and Infinity that Python's reader takes beside the
// standard. The depth is bounded, as the parser calls itself.
type jsonParser struct {
	th value.Thread
	// i is the position in s in bytes; bad is the class JSONDecodeError.
	s     string
	i     int
	depth int
	bad   *value.Class
}

// space skips white space.
func (p *jsonParser) space() {
	for p.i < len(p.s) && strings.IndexByte(" \t\n\r", p.s[p.i]) >= 0 {
		p.i++
	}
}

// fail raises JSONDecodeError with line, column and offset in characters, as programs print them.
// The text is that of CPython, with the position at which parsing stopped.
func (p *jsonParser) fail(msg string) error {
	line := 1 + strings.Count(p.s[:p.i], "\n")
	col := utf8.RuneCountInString(p.s[strings.LastIndexByte(p.s[:p.i], '\n')+1:p.i]) + 1
	return raiseAs(p.th, p.bad, "ValueError", "%s: line %d column %d (char %d)", msg, line, col, utf8.RuneCountInString(p.s[:p.i]))
}

// accept moves past s where it comes next, and reports whether it did.
func (p *jsonParser) accept(s string) bool {
	if strings.HasPrefix(p.s[p.i:], s) {
		p.i += len(s)
		return true
	}
	return false
}

// value reads one value, to a depth that a run's stack has room for. An error leaves the position
// where it was found.
func (p *jsonParser) value() (value.Value, error) {
	if p.depth++; p.depth > 200 {
		return nil, p.fail("JSON is nested too deeply")
	}
	defer func() { p.depth-- }()
	p.space()
	for _, c := range []struct {
		word string
		val  value.Value
	}{{"null", value.None}, {"true", value.Bool(true)}, {"false", value.Bool(false)}} {
		if p.accept(c.word) {
			return c.val, nil
		}
	}
	switch {
	case p.accept("{"):
		return p.object()
	case p.accept("["):
		l := p.th.Heap().NewList(nil)
		if p.space(); p.accept("]") {
			return l, nil
		}
		for {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			l.Elems = append(l.Elems, v)
			if p.space(); p.accept("]") {
				return l, nil
			}
			if !p.accept(",") {
				return nil, p.fail("Expecting ',' delimiter")
			}
		}
	case p.accept(`"`):
		s, err := p.str()
		return value.Str(s), err
	}
	return p.number()
}

// object reads the members; of equal keys the last counts, as in a dict. The opening brace has been
// read.
func (p *jsonParser) object() (value.Value, error) {
	d := p.th.Heap().NewDict()
	if p.space(); p.accept("}") {
		return d, nil
	}
	for {
		if p.space(); !p.accept(`"`) {
			return nil, p.fail("Expecting property name enclosed in double quotes")
		}
		k, err := p.str()
		if err != nil {
			return nil, err
		}
		if p.space(); !p.accept(":") {
			return nil, p.fail("Expecting ':' delimiter")
		}
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		d.SetStr(p.th.Heap(), k, v)
		if p.space(); p.accept("}") {
			return d, nil
		}
		if !p.accept(",") {
			return nil, p.fail("Expecting ',' delimiter")
		}
	}
}

// str reads up to the closing quote. A surrogate pair in two escapes is one character, and a single surrogate
// becomes U+FFFD, for Go's texts have none. The opening quote has been read. Control characters are
// errors, as strict is CPython's default.
func (p *jsonParser) str() (string, error) {
	var b strings.Builder
	hex := func() (rune, bool) {
		if p.i+4 > len(p.s) {
			return 0, false
		}
		n, err := strconv.ParseUint(p.s[p.i:p.i+4], 16, 32)
		p.i += 4
		return rune(n), err == nil
	}
	short := map[byte]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}
	for p.i < len(p.s) {
		c := p.s[p.i]
		p.i++
		switch {
		case c == '"':
			return b.String(), nil
		case c < 0x20:
			p.i--
			return "", p.fail("Invalid control character at")
		case c != '\\' || p.i == len(p.s):
			b.WriteByte(c)
			continue
		}
		e := p.s[p.i]
		p.i++
		if x, ok := short[e]; ok {
			b.WriteByte(x)
			continue
		}
		r, ok := rune(0), e == 'u'
		if ok {
			r, ok = hex()
		}
		if !ok {
			return "", p.fail("Invalid \\escape")
		}
		if utf16.IsSurrogate(r) && p.accept(`\u`) {
			lo, _ := hex()
			r = utf16.DecodeRune(r, lo)
		}
		b.WriteRune(r)
	}
	return "", p.fail("Unterminated string starting at")
}

// number takes what looks like one and lets the conversions decide: whole numbers are of any length, all else
// are floats. A sign + is no JSON. A number such as 01 is accepted, which CPython refuses.
func (p *jsonParser) number() (value.Value, error) {
	for _, c := range []struct{ word, text string }{{"NaN", "nan"}, {"Infinity", "inf"}, {"-Infinity", "-inf"}} {
		if p.accept(c.word) {
			f, _ := strconv.ParseFloat(c.text, 64)
			return value.Float(f), nil
		}
	}
	start := p.i
	for p.i < len(p.s) && strings.IndexByte("+-0123456789.eE", p.s[p.i]) >= 0 {
		p.i++
	}
	text := p.s[start:p.i]
	if n, ok := new(big.Int).SetString(text, 10); ok && !strings.HasPrefix(text, "+") {
		return value.FromBig(n), nil
	}
	if f, err := strconv.ParseFloat(text, 64); err == nil && !strings.HasPrefix(text, "+") {
		return value.Float(f), nil
	}
	p.i = start
	return nil, p.fail("Expecting value")
}
