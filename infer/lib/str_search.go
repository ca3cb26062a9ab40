package lib

// This file searches, splits and joins str and bytes.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// textProcs are the methods that str and bytes share; text is the kind of their results, list that
// of lists of parts.
func textProcs(text, list result) []proc {
	return []proc{
		{name: "expandtabs", params: "+ tabsize?", ret: text, fn: expandTabs},
		{name: "strip", params: "chars?", ret: text, fn: stripProc},
		{name: "lstrip", params: "chars?", ret: text, fn: stripProc},
		{name: "rstrip", params: "chars?", ret: text, fn: stripProc},
		{name: "center", params: "width fillchar?", ret: text, fn: padProc},
		{name: "ljust", params: "width fillchar?", ret: text, fn: padProc},
		{name: "rjust", params: "width fillchar?", ret: text, fn: padProc},
		{name: "zfill", params: "width", ret: text, fn: zfillProc},
		{name: "split", params: "+ sep? maxsplit?", ret: list, fn: splitProc},
		{name: "rsplit", params: "+ sep? maxsplit?", ret: list, fn: splitProc},
		{name: "splitlines", params: "+ keepends?", ret: list, fn: splitLines},
		{name: "partition", params: "sep", fn: partitionProc},
		{name: "rpartition", params: "sep", fn: partitionProc},
		{name: "join", params: "iterable", fn: joinProc},
		{name: "find", params: "sub start? end?", ret: retSigned, fn: findProc},
		{name: "rfind", params: "sub start? end?", ret: retSigned, fn: findProc},
		{name: "index", params: "sub start? end?", ret: retInt, fn: findProc},
		{name: "rindex", params: "sub start? end?", ret: retInt, fn: findProc},
		{name: "count", params: "sub start? end?", ret: retInt, fn: findProc},
		{name: "startswith", params: "prefix start? end?", ret: retBool, fn: startsProc},
		{name: "endswith", params: "suffix start? end?", ret: retBool, fn: startsProc},
		{name: "replace", params: "old new count?", ret: text, fn: replaceProc},
		{name: "removeprefix", params: "prefix", ret: text, fn: removeProc},
		{name: "removesuffix", params: "suffix", ret: text, fn: removeProc},
	}
}

// window applies start and end of find and its kin; it returns the part and the
// number of characters before it. ok is false when start lies beyond the end.
func (c *call) window(s string) (part string, before int, ok bool, err error) {
	n := len(s)
	if !c.isBytes() {
		n = textLen(s)
	}
	bound := func(i, absent int) (int, error) {
		v := c.args[i]
		if v == nil || v == value.None {
			return absent, nil
		}
		x, ok, err := c.w.index(c.th, v)
		if err != nil {
			return 0, err
		}
		if !ok {
			return 0, c.th.Raise("TypeError", "slice indices must be integers or None or have an __index__ method")
		}
		k, known := smallInt(x)
		if !known {
			return absent, nil
		}
		if k < 0 {
			k = max(k+int64(n), 0)
		}
		return int(min(k, int64(n)+1)), nil
	}
	start, err := bound(1, 0)
	if err != nil {
		return "", 0, false, err
	}
	end, err := bound(2, n)
	if err != nil {
		return "", 0, false, err
	}
	end = min(end, n)
	if start > end {
		return "", start, false, nil
	}
	if c.isBytes() {
		return s[start:end], start, true, nil
	}
	return s[byteOffset(s, start):byteOffset(s, end)], start, true, nil
}

// findProc is find, rfind, index, rindex and count, of texts and of bytes, which also take a number. Positions
// count characters, so what comes before is counted again for texts.
func findProc(c *call) (value.Value, error) {
	sub, ok := c.likeSelf(c.args[0])
	if !ok {
		if n, isInt := smallInt(value.Plain(c.args[0])); isInt && c.isBytes() && n >= 0 && n < 256 {
			sub = string([]byte{byte(n)})
		} else if c.isBytes() {
			return nil, c.th.Raise("TypeError", "argument should be integer or bytes-like object, not '%s'", c.w.TypeOf(c.args[0]).Name)
		} else {
			return nil, c.th.Raise("TypeError", "must be str, not %s", c.w.TypeOf(c.args[0]).Name)
		}
	}
	s, before, ok, err := c.window(c.selfText())
	if err != nil {
		return nil, err
	}
	name := c.p.name
	if name == "count" {
		switch {
		case !ok:
			return value.Int(0), nil
		case sub == "":
			return value.Int(c.length(s) + 1), nil
		}
		return value.Int(strings.Count(s, sub)), nil
	}
	at := -1
	if ok {
		if strings.HasPrefix(name, "r") {
			at = strings.LastIndex(s, sub)
		} else {
			at = strings.Index(s, sub)
		}
	}
	if at < 0 {
		if strings.HasSuffix(name, "index") {
			if c.isBytes() {
				return nil, c.th.Raise("ValueError", "subsection not found")
			}
			return nil, c.th.Raise("ValueError", "substring not found")
		}
		return value.Int(-1), nil
	}
	if !c.isBytes() {
		at = textLen(s[:at])
	}
	return value.Int(before + at), nil
}

func startsProc(c *call) (value.Value, error) {
	s, _, ok, err := c.window(c.selfText())
	if err != nil {
		return nil, err
	}
	test := strings.HasPrefix
	if c.p.name == "endswith" {
		test = strings.HasSuffix
	}
	kind := "str"
	if c.isBytes() {
		kind = "bytes"
	}
	if t, isTuple := c.args[0].(*value.Tuple); isTuple {
		for _, e := range t.Elems {
			p, good := c.likeSelf(e)
			if !good {
				return nil, c.th.Raise("TypeError", "tuple for %s must only contain %s, not %s", c.p.name, kind, c.w.TypeOf(e).Name)
			}
			if ok && test(s, p) {
				return value.Bool(true), nil
			}
		}
		return value.Bool(false), nil
	}
	p, good := c.likeSelf(c.args[0])
	if !good {
		return nil, c.th.Raise("TypeError", "%s first arg must be %s or a tuple of %s, not %s", c.p.name, kind, kind, c.w.TypeOf(c.args[0]).Name)
	}
	return value.Bool(ok && test(s, p)), nil
}

// replaceProc replaces from the left, at most count times. An empty old text is between all characters and at
// both ends; the length of the result is asked for before it is made.
func replaceProc(c *call) (value.Value, error) {
	old, ok1 := c.likeSelf(c.args[0])
	repl, ok2 := c.likeSelf(c.args[1])
	for i, ok := range [...]bool{ok1, ok2} {
		if !ok {
			return nil, c.th.Raise("TypeError", "replace() argument %d must be str, not %s", i+1, c.w.TypeOf(c.args[i]).Name)
		}
	}
	n, err := c.width(2, -1)
	if err != nil {
		return nil, err
	}
	s := c.selfText()
	count := strings.Count(s, old)
	if old == "" {
		count = c.length(s) + 1
	}
	if n >= 0 {
		count = min(count, n)
	}
	if fits, err := textFits(c.th, count, len(repl)); !fits || err != nil {
		return c.w.abstractOf(c.th, retSame, c.self), err
	}
	if old == "" && c.isBytes() {
		var b []byte
		for i := range len(s) {
			if i < count {
				b = append(b, repl...)
			}
			b = append(b, s[i])
		}
		if len(s) < count {
			b = append(b, repl...)
		}
		return c.text(string(b)), nil
	}
	if old == "" && hasSurrogate(s) { // between characters, not between bytes
		var b []byte
		for i, r := range textRunes(s) {
			if n < 0 || i < n {
				b = append(b, repl...)
			}
			b = appendRune(b, r)
		}
		if n < 0 || textLen(s) < n {
			b = append(b, repl...)
		}
		return c.text(string(b)), nil
	}
	return c.text(strings.Replace(s, old, repl, n)), nil
}

func removeProc(c *call) (value.Value, error) {
	p, ok := c.likeSelf(c.args[0])
	if !ok {
		return nil, c.th.Raise("TypeError", "%s() argument must be str, not %s", c.p.name, c.w.TypeOf(c.args[0]).Name)
	}
	if c.p.name == "removeprefix" {
		return c.text(strings.TrimPrefix(c.selfText(), p)), nil
	}
	return c.text(strings.TrimSuffix(c.selfText(), p)), nil
}

func (c *call) texts(parts []string) (value.Value, error) {
	if err := c.th.Alloc(3 * valueBytes * len(parts)); err != nil {
		return nil, err
	}
	elems := make([]value.Value, len(parts))
	for i, p := range parts {
		elems[i] = c.text(p)
	}
	return c.th.Heap().NewList(elems), nil
}

func splitProc(c *call) (value.Value, error) {
	n, err := c.width(1, -1)
	if err != nil {
		return nil, err
	}
	s := c.selfText()
	right := c.p.name == "rsplit"
	if !isGiven(c.args[0]) {
		return c.texts(splitSpace(s, n, right))
	}
	sep, ok := c.likeSelf(c.args[0])
	if !ok {
		if c.isBytes() {
			return nil, c.th.Raise("TypeError", "a bytes-like object is required, not '%s'", c.w.TypeOf(c.args[0]).Name)
		}
		return nil, c.th.Raise("TypeError", "must be str or None, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	if sep == "" {
		return nil, c.th.Raise("ValueError", "empty separator")
	}
	if n < 0 {
		return c.texts(strings.Split(s, sep))
	}
	if !right {
		return c.texts(strings.SplitN(s, sep, n+1))
	}
	var parts []string
	for ; n > 0; n-- {
		i := strings.LastIndex(s, sep)
		if i < 0 {
			break
		}
		parts = append(parts, s[i+len(sep):])
		s = s[:i]
	}
	parts = append(parts, s)
	slices.Reverse(parts)
	return c.texts(parts)
}

// splitSpace splits at runs of white space, at most n times when n >= 0.
func splitSpace(s string, n int, right bool) []string {
	if n < 0 {
		return strings.FieldsFunc(s, isSpace)
	}
	var parts []string
	if !right {
		for s = strings.TrimLeftFunc(s, isSpace); s != ""; s = strings.TrimLeftFunc(s, isSpace) {
			i := strings.IndexFunc(s, isSpace)
			if n == 0 || i < 0 {
				return append(parts, s)
			}
			parts = append(parts, s[:i])
			s = s[i:]
			n--
			if n == 0 {
				if s = strings.TrimLeftFunc(s, isSpace); s != "" {
					parts = append(parts, s)
				}
				return parts
			}
		}
		return parts
	}
	for s = strings.TrimRightFunc(s, isSpace); s != ""; s = strings.TrimRightFunc(s, isSpace) {
		i := strings.LastIndexFunc(s, isSpace)
		if n == 0 || i < 0 {
			parts = append(parts, s)
			break
		}
		_, k := decodeText(s[i:])
		parts = append(parts, s[i+k:])
		s = s[:i]
		n--
	}
	slices.Reverse(parts)
	return parts
}

func splitLines(c *call) (value.Value, error) {
	keep := false
	if c.args[0] != nil {
		b, err := c.th.Truth(c.args[0])
		if err != nil {
			return nil, err
		}
		keep = b == value.Value(value.Bool(true))
	}
	s := c.selfText()
	var parts []string
	for s != "" {
		i := strings.IndexFunc(s, func(r rune) bool { return isLineEnd(r, c.isBytes()) })
		if i < 0 {
			parts = append(parts, s)
			break
		}
		_, k := decodeText(s[i:])
		if s[i] == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			k = 2
		}
		if keep {
			parts = append(parts, s[:i+k])
		} else {
			parts = append(parts, s[:i])
		}
		s = s[i+k:]
	}
	return c.texts(parts)
}

func isLineEnd(r rune, bytes bool) bool {
	switch r {
	case '\n', '\r':
		return true
	case '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return !bytes
	}
	return false
}

func partitionProc(c *call) (value.Value, error) {
	if _, abstract := value.Plain(c.self).(*value.Abstract); abstract || symbolicKey(c.args[0]) {
		a := c.w.abstractOf(c.th, retSame, c.self)
		return value.NewTuple(a, a, a), nil
	}
	sep, ok := c.likeSelf(c.args[0])
	if !ok {
		return nil, c.th.Raise("TypeError", "must be str, not %s", c.w.TypeOf(c.args[0]).Name)
	}
	if sep == "" {
		return nil, c.th.Raise("ValueError", "empty separator")
	}
	s := c.selfText()
	if c.p.name == "partition" {
		if a, b, found := strings.Cut(s, sep); found {
			return value.NewTuple(c.text(a), c.text(sep), c.text(b)), nil
		}
		return value.NewTuple(c.text(s), c.text(""), c.text("")), nil
	}
	if i := strings.LastIndex(s, sep); i >= 0 {
		return value.NewTuple(c.text(s[:i]), c.text(sep), c.text(s[i+len(sep):])), nil
	}
	return value.NewTuple(c.text(""), c.text(""), c.text(s)), nil
}

// joinProc joins texts. One that is not known makes the result unknown, with the parts as far as they are known
// as its example.
func joinProc(c *call) (value.Value, error) {
	abstract := c.w.abstractOf(c.th, retSame, c.self)
	if value.IsUnknown(c.args[0]) {
		return abstract, nil
	}
	elems, open, err := c.w.drain(c.th, c.args[0])
	if err != nil {
		if value.IsException(err, c.w.classes["TypeError"]) && c.w.iterable(c.th, c.args[0]) == absent {
			return nil, c.th.Raise("TypeError", "can only join an iterable")
		}
		return nil, err
	}
	if open != nil {
		return abstract, nil
	}
	parts := make([]string, len(elems))
	known := true
	if _, ok := value.Plain(c.self).(*value.Abstract); ok {
		known = len(elems) < 2
	}
	for i, e := range elems {
		p := value.Plain(e)
		switch x := p.(type) {
		case *value.Unknown, *value.Choice:
			known = false
			continue
		case *value.Abstract:
			if x.Class == c.w.str || x.Class == c.w.bytes {
				known, parts[i] = false, x.Text
				continue
			}
		}
		s, ok := c.likeSelf(p)
		if !ok {
			if c.isBytes() {
				return nil, c.th.Raise("TypeError", "sequence item %d: expected a bytes-like object, %s found", i, c.w.TypeOf(e).Name)
			}
			return nil, c.th.Raise("TypeError", "sequence item %d: expected str instance, %s found", i, c.w.TypeOf(e).Name)
		}
		parts[i] = s
	}
	size := 0
	for _, p := range parts {
		size += len(p) + len(c.selfText())
	}
	if fits, err := textFits(c.th, size, 1); !fits || err != nil {
		return abstract, err
	}
	joined := strings.Join(parts, c.selfText())
	if !known {
		if c.isBytes() {
			return abstract, nil
		}
		return c.w.abstractStr(c.th, joined), nil
	}
	return c.text(joined), nil
}
