package lib

// This file searches, splits and joins str and bytes. A method gets its receiver as Go text
// (selfText), and its arguments by likeSelf, which says whether they are of the same kind.
// Positions and lengths count characters of a str and bytes of bytes: c.isBytes decides. Texts that
// are not known do not come here: the results of the table stand for them (ret), except in join and
// partition, which keep a part. The length of a long result is asked for before it is made.

import (
	"slices"
	"strings"

	"shapecheck/infer/value"
)

// textProcs are the methods that str and bytes share; text is the kind of their results, list that
// of lists of parts. A method with an argument or receiver that is not known has the result of its
// kind instead; those without ret take care of it themselves.
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

// window applies start and end of find and its kin, of which negative ones count from the end; it
// returns the part and the number of characters before it. ok is false when start lies beyond the
// end: then even an empty text is not found. A bound that is no integer is a TypeError. before
// counts in the units of the receiver, as do the bounds.
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
		// A bound that is not known is taken to be absent.
		k, known := smallInt(x)
		if !known {
			return absent, nil
		}
		if k < 0 {
			k = max(k+int64(n), 0)
		}
		// A start one beyond the end is kept as such, so that it can be told from the end itself.
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
	// An empty window between equal bounds is one; one with start behind end is not.
	if start > end {
		return "", start, false, nil
	}
	if c.isBytes() {
		return s[start:end], start, true, nil
	}
	return s[byteOffset(s, start):byteOffset(s, end)], start, true, nil
}

// findProc is find, rfind, index, rindex and count, of texts and of bytes, which also take a number. Positions
// count characters, so what comes before is counted again for texts. count counts places that do
// not overlap. index and rindex raise a ValueError where find gives -1.
func findProc(c *call) (value.Value, error) {
	sub, ok := c.likeSelf(c.args[0])
	if !ok {
		// Of bytes also a single number is looked for.
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
	// An empty text is before each character and at the end. The window of an empty text counts one
	// place more than it has characters.
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
	// What is found is a number of bytes, of which Python wants characters.
	if !c.isBytes() {
		at = textLen(s[:at])
	}
	return value.Int(before + at), nil
}

// startsProc is startswith and endswith: one text, or a tuple of them, of which one must fit. An
// empty part of the window is one in which only the empty text is. It raises a TypeError for
// another argument, also for a list of texts.
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
	// Elements after one that fits are not looked at, as in CPython.
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
// both ends; the length of the result is asked for before it is made. Both must be of the
// receiver's kind. A result that would be too long is a text that is not known.
func replaceProc(c *call) (value.Value, error) {
	old, ok1 := c.likeSelf(c.args[0])
	repl, ok2 := c.likeSelf(c.args[1])
	for i, ok := range [...]bool{ok1, ok2} {
		if !ok {
			return nil, c.th.Raise("TypeError", "replace() argument %d must be str, not %s", i+1, c.w.TypeOf(c.args[i]).Name)
		}
	}
	// A negative count means all.
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
	// strings.Replace would take the bytes of a character for characters of their own. Three ways
	// for an empty old text: between bytes, between characters of a text with surrogates, which
	// Go's decoder does not read, and between all other characters, which strings.Replace does.
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

// removeProc is removeprefix and removesuffix, which leave a text alone that has not the part. It
// raises a TypeError for an argument of another kind.
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

// texts makes a list of parts, each of the receiver's kind. It returns an error where the memory of
// the run does not suffice.
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

// splitProc is split and rsplit, by a separator or by white space. A count of -1 splits everywhere;
// with one the rest stays whole: at the end for split, at the beginning for rsplit. An empty
// separator is a ValueError.
func splitProc(c *call) (value.Value, error) {
	n, err := c.width(1, -1)
	if err != nil {
		return nil, err
	}
	s := c.selfText()
	right := c.p.name == "rsplit"
	// None is the same as no separator.
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
	// From the right there is no function of Go: parts are cut off the end and turned around.
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

// splitSpace splits at runs of white space, at most n times when n >= 0. White space at the ends
// makes no empty parts. The rest after n parts keeps its white space on the far side. CPython's
// rule is that of the two loops: the rest is trimmed on the near side alone.
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
		// The white space is one character, which may have several bytes.
		_, k := decodeText(s[i:])
		parts = append(parts, s[i+k:])
		s = s[:i]
		n--
	}
	slices.Reverse(parts)
	return parts
}

// splitLines cuts at the ends of lines, which with keepends stay at the lines. A "\r\n" is one end.
// The last line needs none. Texts have more ends of lines than bytes: isLineEnd lists them.
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

// isLineEnd reports whether a character ends a line; bytes know only the two of ASCII. They are
// those of str.splitlines in CPython's documentation.
func isLineEnd(r rune, bytes bool) bool {
	switch r {
	case '\n', '\r':
		return true
	case '\v', '\f', 0x1c, 0x1d, 0x1e, 0x85, 0x2028, 0x2029:
		return !bytes
	}
	return false
}

// partitionProc gives three texts: before the first (or last) separator, the separator, and after
// it. Without one the whole is on the side from which was searched. A text that is not known gives
// three of them. An empty separator is a ValueError, a separator of another kind a TypeError.
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

// joinProc joins texts. One that is not known makes the result unknown, with the parts as far as
// they are known as its example. An element that is no text is a TypeError with its number. A text
// of one element without a known separator is that element. The iterable is gone over once, and
// what is no iterable is a TypeError.
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
	// A separator that is not known does not matter for less than two parts.
	if _, ok := value.Plain(c.self).(*value.Abstract); ok {
		known = len(elems) < 2
	}
	// Elements that are not known may still be no texts; that is not reported.
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
	// An upper bound of the length, with a separator too many.
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
