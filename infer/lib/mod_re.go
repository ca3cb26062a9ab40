package lib

// This file defines the module re over the engine in re_parse.go and
// re_match.go. Text that is not known gives results that are not known. A text is a slice of runes,
// so that positions count characters as Python's do. A pattern is compiled to a program
// (re_parse.go), which a backtracking machine runs (re_match.go). Bytes are not followed.

import (
	"fmt"
	"strings"

	"shapecheck/infer/value"
)

// Their numbers are those of CPython's re; L and DEBUG have no effect here.
var reFlagNames = map[string]int{"I": reIgnoreCase, "IGNORECASE": reIgnoreCase, "M": reMultiLine, "MULTILINE": reMultiLine, "S": reDotAll,
	"DOTALL": reDotAll,
	"U":      reUnicode, "UNICODE": reUnicode, "X": reVerbose, "VERBOSE": reVerbose, "A": reASCII, "ASCII": reASCII, "T": 1, "TEMPLATE": 1,
	"L": 4, "LOCALE": 4, "DEBUG": 128, "NOFLAG": 0}

// A reModule holds the classes of the module. There is one for each world, which keeps the compiled
// programs between calls.
type reModule struct {
	w                   *World
	pattern, match, err *value.Class
	// What module-level functions and methods raise and make.
	programs map[rePattern]*reProgram // the last compiled ones, as Python keeps them
}

// A rePattern is what a program is compiled from. The program depends on both.
type rePattern struct {
	text  string
	flags int
}

// mostPrograms bounds the programs that are kept. When there are so many all are dropped, which is
// simpler than to know the oldest.
const mostPrograms = 256

// A reMatchData is the Data of a Match. found has the places of its groups, prog their names.
type reMatchData struct {
	*reSubject
	prog  *reProgram
	found *reFound
}

// A reSubject is the text that an operation looks at: the characters up to endpos,
// and the whole. pos and endpos of a method: what is before pos is still seen by a lookbehind, what
// is after endpos is not there. The text is kept as a Python value too, for the attribute string.
type reSubject struct {
	whole value.Str
	text  []rune
	from  int // pos
}

// reModuleFill makes the module re. Each operation is written once and defined twice: as a function with a
// pattern, and as a method of the pattern. A text or pattern that is not known gives a value that is not known,
// or a list of texts of unknown length where the result is sure to be one. Matching counts its steps against
// the budget of the run: a pattern that backtracks without end must not stop a check.
func reModuleFill(m *mod) {
	th, w, h := m.th, m.w, m.th.Heap()
	r := &reModule{w: w, pattern: m.class("Pattern"), match: m.class("Match")}
	// Patterns and matches are constants: a copy is the same object.
	for _, c := range []*value.Class{r.pattern, r.match} {
		c.Attrs.Set(h, "__class_getitem__", subscriptable(c.Name))
		for _, name := range []string{"__copy__(self)", "__deepcopy__(self, memo)"} {
			method(th, c, name, func(th value.Thread, a []value.Value) (value.Value, error) { return a[0], nil })
		}
	}
	for _, name := range sortedNames(reFlagNames) {
		m.set(name, value.Int(reFlagNames[name]))
	}
	// Flags are plain ints here; the class exists for isinstance.
	m.class("RegexFlag", w.int_)
	r.err = m.class("error", w.exception)
	m.set("PatternError", r.err)
	// Each operation is a function of the module, with a pattern and flags, and a
	// method of Pattern. params are those after the pattern. The functions do not take pos and
	// endpos.
	type operation struct {
		name, params string
		f            func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error)
	}
	// first runs find once and makes a Match or None.
	first := func(th value.Thread, p *reProgram, a []value.Value, find func(s *reState, from int) (*reFound, bool)) (value.Value, error) {
		sub, err := subject(th, a, 0)
		if err != nil {
			return nil, err
		}
		if sub == nil {
			return r.lost(th, a[0])
		}
		// The steps of a match cost a part of those of the run each.
		s := p.state(sub.text)
		f, ok := find(s, sub.from)
		if err := th.Step(s.steps / stepsOfMatch); err != nil {
			return nil, err
		}
		if !ok {
			return th.Unknown("a regular expression takes too many steps"), nil
		}
		return r.result(th, p, f, sub), nil
	}
	// A match is anchored at its start, and a full one at the end of the text, too.
	anchored := func(full bool) func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
		return func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
			return first(th, p, a, func(s *reState, from int) (*reFound, bool) {
				f := p.at(s, from, func(end int) bool { return !full || end == len(s.text) })
				return f, f != nil || !s.over
			})
		}
	}
	ops := []operation{
		{"match", "string, pos?, endpos?", anchored(false)},
		{"fullmatch", "string, pos?, endpos?", anchored(true)},
		{"search", "string, pos?, endpos?", func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
			return first(th, p, a, func(s *reState, from int) (*reFound, bool) { return p.search(s, from, false) })
		}},
		{"findall", "string, pos?, endpos?", r.findall},
		{"finditer", "string, pos?, endpos?", r.finditer},
		{"split", "string, maxsplit?", r.split},
		{"sub", "repl, string, count?", func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
			v, _, err := r.sub(th, p, a)
			return v, err
		}},
		{"subn", "repl, string, count?", func(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
			v, n, err := r.sub(th, p, a)
			return value.NewTuple(v, n), err
		}},
	}
	// op is a variable of the iteration, so that each closure has its own.
	for _, op := range ops {
		method(th, r.pattern, op.name+"(self, "+op.params+")", func(th value.Thread, a []value.Value) (value.Value, error) {
			p, ok := a[0].(*value.Instance).Data.(*reProgram)
			if !ok {
				return th.Unknown("a pattern that is not known"), nil
			}
			return op.f(th, p, a[1:])
		})
		// The number of arguments between the pattern and the flags.
		params := strings.TrimSuffix(op.params, ", pos?, endpos?")
		n := strings.Count(params, ",") + 1
		m.def(op.name+"(pattern, "+params+", flags?)", func(th value.Thread, a []value.Value) (value.Value, error) {
			p, lost, err := r.compile(th, a[0], a[n+1])
			if err != nil {
				return nil, err
			}
			if p == nil {
				return lost, nil
			}
			args := a[1 : n+1]
			// A function passes no pos and endpos.
			if n == 1 {
				args = append(args[:1:1], nil, nil)
			}
			return op.f(th, p, args)
		})
	}
	// The flags of a pattern that is compiled already must not be given; that is not checked.
	m.def("compile(pattern, flags?)", func(th value.Thread, a []value.Value) (value.Value, error) {
		// A pattern that is compiled already comes back itself.
		if i, ok := a[0].(*value.Instance); ok && i.Class == r.pattern {
			return i, nil
		}
		p, lost, err := r.compile(th, a[0], a[1])
		if err != nil || p == nil {
			return lost, err
		}
		i := th.Heap().NewInstance(r.pattern)
		i.Data = p
		index := th.Heap().NewDict()
		for _, name := range sortedNames(p.names) {
			index.SetStr(th.Heap(), name, value.Int(p.names[name]))
		}
		// Programs read these attributes of patterns.
		i.Attrs.Set(th.Heap(), "pattern", value.Str(p.pattern))
		i.Attrs.Set(th.Heap(), "flags", value.Int(p.flags))
		i.Attrs.Set(th.Heap(), "groups", value.Int(p.groups))
		i.Attrs.Set(th.Heap(), "groupindex", index)
		return i, nil
	})
	// Each character with a meaning in patterns gets a backslash. CPython's list of characters,
	// since 3.7.
	m.def("escape(pattern)", func(th value.Thread, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		if !ok {
			return r.lost(th, a[0])
		}
		var b strings.Builder
		for _, c := range s {
			if strings.ContainsRune("()[]{}?*+-|^$\\.&~# \t\n\r\v\f", c) {
				b.WriteByte('\\')
			}
			b.WriteRune(c)
		}
		return value.Str(b.String()), nil
	})
	// Compiled programs do not show, so that there is nothing to purge.
	m.def("purge()", func(th value.Thread, a []value.Value) (value.Value, error) { return value.None, nil })
	r.matchMethods(th)
}

// lost is the result for text that is not known: an unknown value. What is no text is a TypeError.
func (r *reModule) lost(th value.Thread, v value.Value) (value.Value, error) {
	switch value.Plain(v).(type) {
	case *value.Unknown:
		return v, nil
	case *value.Abstract, *value.Choice, value.Bytes:
		return th.Unknown("a regular expression on text that is not known"), nil
	}
	return nil, th.Raise("TypeError", "expected string or bytes-like object, got '%s'", th.TypeOf(v).Name)
}

// lostTexts is the list of what was found in text that is not known: a str for each match, or as
// many as the pattern has groups. Its length is unknown. The error is that of lost. A program can
// loop over the list, with texts that are not known.
func (r *reModule) lostTexts(th value.Thread, groups int, v value.Value) (value.Value, error) {
	lost, err := r.lost(th, v)
	if _, isBytes := value.Plain(v).(value.Bytes); err != nil || isBytes {
		return lost, err
	}
	var elem value.Value = r.w.abstractStr(th, "")
	if groups > 1 {
		elems := make([]value.Value, groups)
		for i := range elems {
			elems[i] = elem
		}
		elem = value.NewTuple(elems...)
	}
	return th.Heap().NewOpenList(&value.Open{Elem: elem}), nil
}

// compile takes a pattern object or a text, for which the compiled programs are kept, as CPython
// keeps them: functions of a module compile their pattern at each call. A pattern that is not known
// gives lost instead of a program; one that is wrong raises re.error. The error is also that of too
// much memory for the pattern.
func (r *reModule) compile(th value.Thread, pattern, flags value.Value) (p *reProgram, lost value.Value, err error) {
	if i, ok := pattern.(*value.Instance); ok {
		if p, ok := i.Data.(*reProgram); ok {
			return p, nil, nil
		}
	}
	s, ok := value.AsStr(pattern)
	if !ok {
		lost, err = r.lost(th, pattern)
		return nil, lost, err
	}
	f := int64(0)
	if flags != nil {
		f, _ = value.AsInt(flags)
	}
	// The tree of a pattern is as large as its text. It is asked for before the pattern is parsed,
	// as it may be as long as a text of the program.
	if err := th.Alloc(reNodeBytes * len(s)); err != nil {
		return nil, nil, err
	}
	key := rePattern{s, int(f)}
	if p := r.programs[key]; p != nil {
		return p, nil, nil
	}
	p, bad := reCompile(key.text, key.flags)
	if bad != nil {
		return nil, nil, raiseAs(th, r.err, "Exception", "%s", bad.Error())
	}
	if r.programs == nil || len(r.programs) == mostPrograms {
		r.programs = map[rePattern]*reProgram{}
	}
	r.programs[key] = p
	return p, nil, nil
}

// subject reads the arguments string, pos and endpos at index i; nil when the text is not known.
// Positions beyond the text are cut to it. An error says that the text is too long for the limits.
// The positions count characters.
func subject(th value.Thread, a []value.Value, i int) (*reSubject, error) {
	s, ok := value.AsStr(a[i])
	if !ok {
		return nil, nil
	}
	if len(s) >= longText {
		if err := th.Alloc(runeBytes * len(s)); err != nil {
			return nil, err
		}
	}
	sub := &reSubject{whole: value.Str(s), text: []rune(s)}
	if i+2 < len(a) && isGiven(a[i+2]) {
		n, _ := value.AsInt(a[i+2])
		sub.text = sub.text[:max(0, min(int(n), len(sub.text)))]
	}
	if i+1 < len(a) && isGiven(a[i+1]) {
		n, _ := value.AsInt(a[i+1])
		sub.from = max(0, min(int(n), len(sub.text)))
	}
	return sub, nil
}

// result makes a Match with the attributes that Python gives it, or None where nothing was found.
// Its attributes are made at once, as most programs read only groups, which are computed when asked
// for.
func (r *reModule) result(th value.Thread, p *reProgram, f *reFound, sub *reSubject) value.Value {
	if f == nil {
		return value.None
	}
	h := th.Heap()
	i := h.NewInstance(r.match)
	i.Data = &reMatchData{sub, p, f}
	i.Attrs.Set(h, "string", sub.whole)
	i.Attrs.Set(h, "pos", value.Int(sub.from))
	i.Attrs.Set(h, "endpos", value.Int(len(sub.text)))
	// The last group that took part, by number and by name.
	var index, name value.Value = value.None, value.None
	if f.last > 0 {
		index = value.Int(f.last)
		for _, n := range sortedNames(p.names) {
			if p.names[n] == f.last {
				name = value.Str(n)
			}
		}
	}
	i.Attrs.Set(h, "lastindex", index)
	i.Attrs.Set(h, "lastgroup", name)
	return i
}

// group gives the text of a group; nil when it took no part. caps has two positions for each group.
// n is from 0, the whole match, to the number of groups.
func (d *reMatchData) group(n int) value.Value {
	if d.found.caps[2*n] < 0 {
		return nil
	}
	return value.Str(string(d.text[d.found.caps[2*n]:d.found.caps[2*n+1]]))
}

// repr is repr of the match, with the first 50 characters of the text. The second result is false
// where the text is not known, which cannot be: a match has a known text.
func (d *reMatchData) repr(th value.Thread) (string, bool) {
	text, known := th.Repr(d.group(0))
	if rs := textRunes(text); len(rs) > 50 {
		text = runesText(rs[:50])
	}
	return fmt.Sprintf("<re.Match object; span=(%d, %d), match=%s>", d.found.caps[0], d.found.caps[1], text), known
}

// number finds the group that an argument names: by its number or its name. Others are an
// IndexError. A bool counts as a number, as in CPython.
func (d *reMatchData) number(th value.Thread, v value.Value) (int, error) {
	if s, ok := value.AsStr(v); ok {
		if n, ok := d.prog.names[s]; ok {
			return n, nil
		}
		return 0, th.Raise("IndexError", "no such group")
	}
	n, ok := value.AsInt(v)
	if !ok || n < 0 || int(n) > d.prog.groups {
		return 0, th.Raise("IndexError", "no such group")
	}
	return int(n), nil
}

// matchMethods defines the methods of Match. A group that took no part in the match is None, and -1 as a
// position. Each method has the data of its match, or gives an unknown value for an instance that
// has none (made by a subclass).
func (r *reModule) matchMethods(th value.Thread) {
	def := func(signature string, f func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error)) {
		method(th, r.match, signature, func(th value.Thread, a []value.Value) (value.Value, error) {
			d, ok := a[0].(*value.Instance).Data.(*reMatchData)
			if !ok {
				return th.Unknown("a match that is not known"), nil
			}
			return f(th, d, a[1:])
		})
	}
	get := func(th value.Thread, d *reMatchData, v value.Value) (value.Value, error) {
		n, err := d.number(th, v)
		if err != nil {
			return nil, err
		}
		return or(d.group(n), value.None), nil
	}
	def("group(self, *groups)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) {
		args := tupleElems(a[0])
		switch len(args) {
		case 0:
			return d.group(0), nil
		case 1:
			return get(th, d, args[0])
		}
		out := make([]value.Value, len(args))
		for i, v := range args {
			x, err := get(th, d, v)
			if err != nil {
				return nil, err
			}
			out[i] = x
		}
		return value.NewTuple(out...), nil
	})
	def("__getitem__(self, group, /)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) { return get(th, d, a[0]) })
	def("groups(self, default?)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) {
		out := make([]value.Value, d.prog.groups)
		for i := range out {
			out[i] = or(d.group(i+1), or(a[0], value.None))
		}
		return value.NewTuple(out...), nil
	})
	def("groupdict(self, default?)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) {
		out := th.Heap().NewDict()
		byNumber := map[int]string{}
		for name, n := range d.prog.names {
			byNumber[n] = name
		}
		for _, n := range sortedNames(byNumber) {
			out.SetStr(th.Heap(), byNumber[n], or(d.group(n), or(a[0], value.None)))
		}
		return out, nil
	})
	// start, end and span are of the whole match if no group is given.
	ends := func(name string, f func(from, to value.Int) value.Value) {
		def(name+"(self, group?)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) {
			n, err := d.number(th, or(a[0], value.Int(0)))
			if err != nil {
				return nil, err
			}
			return f(value.Int(d.found.caps[2*n]), value.Int(d.found.caps[2*n+1])), nil
		})
	}
	ends("start", func(from, to value.Int) value.Value { return from })
	ends("end", func(from, to value.Int) value.Value { return to })
	ends("span", func(from, to value.Int) value.Value { return value.NewTuple(from, to) })
	// An error of the template is raised as by sub.
	def("expand(self, template)", func(th value.Thread, d *reMatchData, a []value.Value) (value.Value, error) {
		s, ok := value.AsStr(a[0])
		if !ok {
			return r.lost(th, a[0])
		}
		t, err := d.expand(th, s)
		return value.Str(t), err
	})
}

// findall gives the matches, or the one group, or tuples of the groups; a group that took no part is an empty
// text here, not None. The matches do not overlap; an empty match is one too. Too many steps give
// an unknown value.
func (r *reModule) findall(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
	sub, err := subject(th, a, 0)
	if err != nil {
		return nil, err
	}
	if sub == nil {
		return r.lostTexts(th, p.groups, a[0])
	}
	list, ok, err := p.all(th, sub.text, sub.from, 0)
	if err != nil {
		return nil, err
	}
	if !ok {
		return th.Unknown("a regular expression takes too many steps"), nil
	}
	out := th.Heap().NewList(nil)
	for _, f := range list {
		d := &reMatchData{sub, p, f}
		var v value.Value
		switch p.groups {
		case 0:
			v = d.group(0)
		case 1:
			v = or(d.group(1), value.Str(""))
		default:
			t := make([]value.Value, p.groups)
			for i := range t {
				t[i] = or(d.group(i+1), value.Str(""))
			}
			v = value.NewTuple(t...)
		}
		out.Elems = append(out.Elems, v)
	}
	return out, nil
}

// finditer finds all matches at once: no match depends on what the program does with those before.
// The list is of all matches, whose texts are made as they are asked for.
func (r *reModule) finditer(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
	sub, err := subject(th, a, 0)
	if err != nil {
		return nil, err
	}
	if sub == nil {
		return r.lost(th, a[0])
	}
	list, ok, err := p.all(th, sub.text, sub.from, 0)
	if err != nil {
		return nil, err
	}
	if !ok {
		return th.Unknown("a regular expression takes too many steps"), nil
	}
	i := 0
	return newIter(th, "callable_iterator", func(th value.Thread) (value.Value, bool, error) {
		if i == len(list) {
			return nil, false, nil
		}
		i++
		return r.result(th, p, list[i-1], sub), true, nil
	}), nil
}

// split has the groups of the pattern between the parts, with None for those that took no part.
// maxsplit of 0 splits everywhere, a negative one nowhere, as in CPython.
func (r *reModule) split(th value.Thread, p *reProgram, a []value.Value) (value.Value, error) {
	sub, err := subject(th, a[:1], 0)
	if err != nil {
		return nil, err
	}
	if sub == nil {
		// The list of texts has no form for a None between them.
		if p.groups > 0 { // of which some may be None
			return r.lost(th, a[0])
		}
		return r.lostTexts(th, 0, a[0])
	}
	limit := int64(0)
	if a[1] != nil {
		limit, _ = value.AsInt(a[1])
	}
	text := sub.text
	out := th.Heap().NewList(nil)
	if limit < 0 {
		out.Elems = append(out.Elems, sub.whole)
		return out, nil
	}
	list, ok, err := p.all(th, text, 0, int(limit))
	if err != nil {
		return nil, err
	}
	if !ok {
		return th.Unknown("a regular expression takes too many steps"), nil
	}
	from := 0
	for _, f := range list {
		out.Elems = append(out.Elems, value.Str(string(text[from:f.caps[0]])))
		d := &reMatchData{sub, p, f}
		for g := range p.groups {
			out.Elems = append(out.Elems, or(d.group(g+1), value.None))
		}
		from = f.caps[1]
	}
	out.Elems = append(out.Elems, value.Str(string(text[from:])))
	return out, nil
}

// sub gives the new text and the number of replacements. repl is a template or a function that is
// called with each Match. Where its text is not known the result is some text, but the number of
// replacements is known.
func (r *reModule) sub(th value.Thread, p *reProgram, a []value.Value) (value.Value, value.Value, error) {
	sub, err := subject(th, a[:2], 1)
	if err != nil {
		return nil, nil, err
	}
	if sub == nil {
		v, err := r.lost(th, a[1])
		return v, v, err
	}
	limit := int64(0)
	if a[2] != nil {
		limit, _ = value.AsInt(a[2])
	}
	text := sub.text
	list, ok, err := p.all(th, text, 0, int(limit))
	if err != nil {
		return nil, nil, err
	}
	if !ok {
		u := th.Unknown("a regular expression takes too many steps")
		return u, u, nil
	}
	template, isText := value.AsStr(a[0])
	// A template without a backslash is the same for all matches.
	plain := !strings.Contains(template, "\\")
	b := textBuilder{th: th}
	known := true
	from := 0
	for _, f := range list {
		if err := b.write(string(text[from:f.caps[0]])); err != nil {
			return nil, nil, err
		}
		from = f.caps[1]
		if isText {
			t, err := template, th.Step(1)
			if err == nil && !plain {
				t, err = (&reMatchData{sub, p, f}).expand(th, template)
			}
			if err == nil {
				err = b.write(t)
			}
			if err != nil {
				return nil, nil, err
			}
			continue
		}
		v, err := th.Call(a[0], []value.Value{r.result(th, p, f, sub)}, nil)
		if err != nil {
			return nil, nil, err
		}
		t, ok := value.AsStr(v)
		known = known && ok
		if err := b.write(t); err != nil {
			return nil, nil, err
		}
	}
	if err := b.write(string(text[from:])); err != nil {
		return nil, nil, err
	}
	if !known || b.tooLong {
		return r.w.abstractStr(th, ""), value.Int(len(list)), nil
	}
	return value.Str(b.text.String()), value.Int(len(list)), nil
}

// expand fills the groups into a template of sub. \1 to \99, \g<1> and \g<name> stand for groups,
// \n and the like for characters. A group that took no part is empty, as since CPython 3.5. It
// raises a ValueError for a group that there is not, and for an escape of an ASCII letter that
// means nothing.
func (d *reMatchData) expand(th value.Thread, template string) (string, error) {
	if !strings.Contains(template, "\\") {
		return template, nil
	}
	if err := th.Step(1 + len(template)); err != nil {
		return "", err
	}
	var b strings.Builder
	t := []rune(template)
	ref := func(v value.Value) error {
		n, err := d.number(th, v)
		if err != nil {
			return th.Raise("ValueError", "invalid group reference in the replacement %s", value.StrRepr(template))
		}
		if g := d.group(n); g != nil {
			s, _ := value.AsStr(g)
			b.WriteString(s)
		}
		return nil
	}
	for i := 0; i < len(t); i++ {
		if t[i] != '\\' || i+1 == len(t) {
			b.WriteRune(t[i])
			continue
		}
		i++
		switch c := t[i]; {
		case c == 'g' && i+1 < len(t) && t[i+1] == '<':
			name, _, ok := strings.Cut(string(t[i+2:]), ">")
			if !ok {
				return "", th.Raise("ValueError", "missing >, unterminated name")
			}
			i += 2 + len([]rune(name))
			var v value.Value = value.Str(name)
			if n := 0; name != "" && strings.Trim(name, "0123456789") == "" {
				for _, x := range name {
					n = n*10 + int(x-'0')
				}
				v = value.Int(n)
			}
			if err := ref(v); err != nil {
				return "", err
			}
		// Two digits at most, as CPython reads them but for octal escapes, which are not followed.
		case c >= '1' && c <= '9':
			n := int(c - '0')
			if i+1 < len(t) && t[i+1] >= '0' && t[i+1] <= '9' {
				i++
				n = n*10 + int(t[i]-'0')
			}
			if err := ref(value.Int(n)); err != nil {
				return "", err
			}
		case c == '0':
			b.WriteRune(0)
		case c == '\\':
			b.WriteByte('\\')
		case reCharEscapes[c] != 0:
			b.WriteRune(reCharEscapes[c])
		case c < 128 && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'):
			return "", th.Raise("ValueError", "bad escape \\%c in the replacement", c)
		default:
			b.WriteByte('\\')
			b.WriteRune(c)
		}
	}
	return b.String(), nil
}
