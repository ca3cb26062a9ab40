package lib

// This file defines proc, the table entry of a builtin function or method, and
// the binding of its arguments.

import (
	"strings"

	"shapecheck/infer/value"
)

// A proc is a builtin function or a method of a builtin class.
//
// params lists the parameters after self, separated by blanks: "x" is required,
// "x?" may be left out, "/" ends the ones that are positional only, "*" starts
// the ones that are keyword only, "*args" and "**kw" take the rest. Parameters
// are positional only unless "+" stands first, as is the rule in CPython's C code.
type proc struct {
	name   string
	params string
	fn     func(c *call) (value.Value, error)
	// ret is what the result is when an argument or self is abstract. It is
	// applied before fn is called; retNone means that fn looks itself.
	ret  result
	kind procKind
}

// A procKind says how a proc is found on its class.
type procKind uint8

const (
	plainProc procKind = iota
	classProc          // a class method: self is the class
	staticProc
	newProc // __new__: static, self is the class
)

// A result names the class of an abstract result.
type result uint8

const (
	retNone result = iota
	retStr
	retBytes
	retInt // ≥ 0
	retSigned
	retBool
	retFloat
	retStrs // list of str
	retSame // the class of self
	retAny
)

// A call is one call of a proc.
type call struct {
	w    *World
	th   value.Thread
	p    *proc
	cls  *value.Class // that the method belongs to; nil for functions
	self value.Value
	args []value.Value // by parameter; nil where left out
	rest []value.Value // *args
	kw   []value.Kw    // **kw
}

// A boundProc is a proc in a World.
type boundProc struct {
	w   *World
	p   *proc
	cls *value.Class
	sig *procSig // parsed on the first call
}

type procSig struct {
	names   []string
	opt     []bool
	min     int // required positional parameters
	pos     int // parameters that can be positional
	posOnly int
	star    bool
	dstar   bool
}

func (p *proc) parse() *procSig {
	s := &procSig{pos: -1, posOnly: -1}
	byName := false
	for _, f := range strings.Fields(p.params) {
		switch {
		case f == "+":
			byName, s.posOnly = true, 0
		case f == "/":
			byName, s.posOnly = true, len(s.names)
		case f == "*":
			s.pos = len(s.names)
		case strings.HasPrefix(f, "**"):
			s.dstar = true
		case f[0] == '*':
			s.star, s.pos = true, len(s.names)
		default:
			name, opt := strings.CutSuffix(f, "?")
			s.names, s.opt = append(s.names, name), append(s.opt, opt)
			if !opt && s.pos < 0 {
				s.min++
			}
		}
	}
	if s.pos < 0 {
		s.pos = len(s.names)
	}
	if !byName {
		s.posOnly = s.pos
	}
	return s
}

func (w *World) bind(cls *value.Class, owner string, p *proc) *value.Builtin {
	a := &w.arena
	a.procs = append(a.procs, boundProc{w: w, p: p, cls: cls})
	b := &a.procs[len(a.procs)-1]
	name := p.name
	if owner != "" {
		n := a.names.Len()
		a.names.WriteString(owner)
		a.names.WriteByte('.')
		a.names.WriteString(name)
		name = a.names.String()[n:]
	}
	a.builtins = append(a.builtins, value.Builtin{Name: name, Fn: b.call, Static: p.kind == staticProc || p.kind == newProc})
	return &a.builtins[len(a.builtins)-1]
}

func (w *World) addProc(c *value.Class, p *proc) {
	b := w.bind(c, c.Name, p)
	if p.kind == classProc {
		c.Attrs.Set(w.heap, p.name, &value.ClassMethod{Func: b})
		return
	}
	c.Attrs.Set(w.heap, p.name, b)
}

// call is the NativeFunc of the proc.
func (b *boundProc) call(th value.Thread, args []value.Value, kw []value.Kw) (value.Value, error) {
	if b.sig == nil {
		b.sig = b.p.parse()
	}
	c := &call{w: b.w, th: th, p: b.p, cls: b.cls}
	if b.cls != nil && b.p.kind != staticProc {
		if len(args) == 0 {
			if b.p.kind == newProc {
				return nil, th.Raise("TypeError", "%s.__new__(): not enough arguments", b.cls.Name)
			}
			return nil, th.Raise("TypeError", "unbound method %s.%s() needs an argument", b.cls.Name, b.p.name)
		}
		c.self, args = args[0], args[1:]
		if v, done, err := c.checkSelf(); done || err != nil {
			return v, err
		}
	}
	if err := c.take(b.sig, args, kw); err != nil {
		return nil, err
	}
	if a, ok := c.self.(*value.Abstract); ok && b.cls != nil && b.p.kind == plainProc && isContainer(b.w, b.cls) {
		return &value.Unknown{Cause: a.Cause}, nil
	}
	if b.p.ret != retNone {
		if v, ok := c.abstractResult(); ok {
			return v, nil
		}
	}
	if n := textBytes(c.self); n >= longText { // its methods go over all of it, and make another
		if err := th.Alloc(runeBytes * n); err != nil {
			return nil, err
		}
	}
	return b.p.fn(c)
}

// runeBytes is what a byte of a text takes while its characters are looked at one by
// one, with the result.
const runeBytes = 6

// longText is the length from which a text is charged when it is read.
const longText = 1 << 10

// textBytes is the length of a str or bytes; 0 of anything else.
func textBytes(v value.Value) int {
	switch v := v.(type) {
	case value.Str:
		return len(v)
	case value.Bytes:
		return len(v)
	}
	return 0
}

// isContainer reports whether methods of c look into their object: then there is
// nothing to do for one of which only the class is known.
func isContainer(w *World, c *value.Class) bool {
	switch c.Layout {
	case value.TupleLayout, value.ListLayout, value.DictLayout, value.SetLayout:
		return true
	}
	return c == w.range_ || c == w.slice
}

// checkSelf makes sure that self is an instance of the class, as a descriptor does.
func (c *call) checkSelf() (v value.Value, done bool, err error) {
	switch c.p.kind {
	case newProc, classProc:
		switch c.self.(type) {
		case *value.Class:
			return nil, false, nil
		case *value.Unknown:
			return c.self, true, nil
		}
		return nil, true, c.th.Raise("TypeError", "%s.%s(X): X is not a type object (%s)", c.cls.Name, c.p.name, c.w.TypeOf(c.self).Name)
	}
	if value.IsUnknown(c.self) {
		return c.self, true, nil
	}
	if t := c.w.TypeOf(c.self); t != c.cls && c.cls != c.w.object && !t.IsSubclass(c.cls) {
		if t.UnknownBase != nil {
			return c.th.Unknown("base class is not known"), true, nil
		}
		return nil, true, c.th.Raise("TypeError", "descriptor '%s' for '%s' objects doesn't apply to a '%s' object", c.p.name, c.cls.Name, t.Name)
	}
	return nil, false, nil
}

// short is the name of the function alone; that of the class for __new__.
func (c *call) short() string {
	if c.p.kind == newProc {
		return c.cls.Name
	}
	return c.p.name
}

// full is the name of the function in messages about its arguments.
func (c *call) full() string {
	if c.cls != nil && c.p.kind != newProc {
		return c.cls.Name + "." + c.p.name
	}
	if c.p.kind == newProc {
		return c.cls.Name
	}
	return c.p.name
}

// take binds the arguments of a native function to its parameters, with CPython's messages, which differ
// between functions that take positions only and those that take names. Calls of natives are frequent: where
// all arguments come by position their slice is used as it is.
func (c *call) take(s *procSig, args []value.Value, kw []value.Kw) error {
	n := len(args)
	if n > s.pos && !s.star {
		return c.countError(s, n)
	}
	if n < len(s.names) {
		c.args = make([]value.Value, len(s.names))
		copy(c.args, args)
	} else {
		c.args = args[:len(s.names)]
	}
	if s.star && n > s.pos {
		c.args = make([]value.Value, len(s.names))
		copy(c.args, args[:s.pos])
		c.rest = args[s.pos:]
	}
next:
	for _, k := range kw {
		for i, name := range s.names {
			if name != k.Name || i < s.posOnly {
				continue
			}
			if c.args[i] != nil {
				return c.th.Raise("TypeError", "argument for %s() given by name ('%s') and position (%d)", c.p.name, name, i+1)
			}
			c.args[i] = k.Value
			continue next
		}
		if s.dstar {
			c.kw = append(c.kw, k)
			continue
		}
		if s.posOnly == len(s.names) {
			return c.th.Raise("TypeError", "%s() takes no keyword arguments", c.full())
		}
		return c.th.Raise("TypeError", "'%s' is an invalid keyword argument for %s()", k.Name, c.short())
	}
	for i, v := range c.args {
		if v == nil && !s.opt[i] {
			if s.posOnly < s.pos && i >= s.posOnly {
				return c.th.Raise("TypeError", "%s() missing required argument '%s' (pos %d)", c.short(), s.names[i], i+1)
			}
			return c.countError(s, n)
		}
	}
	return nil
}

// countError is CPython's complaint about the number of arguments.
func (c *call) countError(s *procSig, n int) error {
	switch {
	case s.pos == 0:
		return c.th.Raise("TypeError", "%s() takes no arguments (%d given)", c.full(), n)
	case s.min == 1 && s.pos == 1 && !s.star && len(s.names) == 1:
		return c.th.Raise("TypeError", "%s() takes exactly one argument (%d given)", c.full(), n)
	case s.posOnly < s.pos:
		return c.th.Raise("TypeError", "%s() takes at most %d argument%s (%d given)", c.p.name, s.pos, plural(s.pos), n)
	}
	quant, want := "", s.min
	if n > s.pos {
		want = s.pos
	}
	if s.min != s.pos || s.star {
		quant = "at least "
		if n > s.pos {
			quant = "at most "
		}
	}
	return c.th.Raise("TypeError", "%s expected %s%d argument%s, got %d", c.short(), quant, want, plural(want), n)
}

// arg returns an optional argument, or other when it was left out.
func (c *call) arg(i int, other value.Value) value.Value {
	if c.args[i] == nil {
		return other
	}
	return c.args[i]
}

// abstractResult gives the result of a function over scalars when one of its
// operands is not concrete.
func (c *call) abstractResult() (value.Value, bool) {
	abstract := false
	for i := -1; i < len(c.args)+len(c.rest); i++ {
		v := c.self
		if i >= 0 && i < len(c.args) {
			v = c.args[i]
		} else if i >= 0 {
			v = c.rest[i-len(c.args)]
		}
		switch v := value.Plain(v).(type) {
		case *value.Unknown:
			return v, true
		case *value.Abstract, *value.SymInt, *value.SymBool, *value.SymFloat, *value.Tensor:
			abstract = true
		case *value.Tuple:
			for _, e := range v.Elems {
				switch value.Plain(e).(type) {
				case *value.Unknown:
					return e, true
				case *value.Abstract, *value.SymInt, *value.SymBool, *value.SymFloat:
					abstract = true
				}
			}
		}
	}
	if !abstract {
		return nil, false
	}
	return c.w.abstractOf(c.th, c.p.ret, c.self), true
}

// abstractOf makes a value of which only the class is known.
func (w *World) abstractOf(th value.Thread, r result, self value.Value) value.Value {
	switch r {
	case retStr:
		return w.abstractStr(th, "")
	case retBytes:
		return w.abstract(th, w.bytes)
	case retInt:
		return th.DataInt("n", 0, nil)
	case retSigned:
		return w.unknownInt(th)
	case retBool:
		return th.DataBool(nil)
	case retFloat:
		return &value.SymFloat{}
	case retStrs:
		return th.Heap().NewOpenList(&value.Open{Elem: w.abstractStr(th, "")})
	case retSame:
		switch c := w.TypeOf(value.Plain(self)); c {
		case w.str:
			return w.abstractStr(th, "")
		case w.int_:
			return w.unknownInt(th)
		case w.float_:
			return &value.SymFloat{}
		default:
			return w.abstract(th, c)
		}
	}
	return th.Unknown("argument is not known")
}

func (w *World) abstract(th value.Thread, c *value.Class) value.Value {
	return &value.Abstract{Class: c, Cause: &value.Cause{At: th.Here(), Reason: "contents are not known", Vague: true}}
}

// abstractStr makes a str that is not known; text is what it looks like.
func (w *World) abstractStr(th value.Thread, text string) value.Value {
	return &value.Abstract{Class: w.str, Cause: &value.Cause{At: th.Here(), Reason: "text is not known", Vague: true}, Text: value.ShownText(text)}
}

// unknownInt is an int of which nothing is known.
func (w *World) unknownInt(th value.Thread) value.Value { return &value.SymInt{} }
