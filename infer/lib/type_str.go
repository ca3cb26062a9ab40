package lib

// This file defines str: its construction, tests and changes of case. Searching
// and splitting are in str_search.go, formatting in format*.go. The tests and mappings of
// characters are Unicode's, as CPython takes them from its own tables: Go's are of about the same
// version, and where they lack a property (digits, full case mappings) it is written here or in
// casing.go. Texts may have surrogates, which Go's strings cannot: textRunes and runesText convert.

import (
	"strings"
	"unicode"

	"shapecheck/infer/value"
)

var textClasses = []classSpec{
	{name: "str", layout: value.ScalarLayout, procs: strProcs},
	{name: "bytes", layout: value.ScalarLayout, procs: bytesProcs},
	// Buffers that can change are not followed.
	{name: "bytearray", procs: []proc{{name: "__new__", params: "+ source? encoding? errors?", kind: newProc,
		fn: func(c *call) (value.Value, error) {
			return c.th.Unknown("bytearray is not followed"), nil
		}}}},
	{name: "memoryview", procs: []proc{{name: "__new__", params: "+ object", kind: newProc, fn: func(c *call) (value.Value, error) {
		return c.th.Unknown("memoryview is not followed"), nil
	}}}},
}

// ret says what a method gives where the receiver or an argument is not known.
var strProcs = join([]proc{
	{name: "__new__", params: "+ object? encoding? errors?", kind: newProc, fn: strNew},
	{name: "upper", ret: retStr, fn: onText(func(s string) string { return upperText(s) })},
	{name: "lower", ret: retStr, fn: onText(lowerText)},
	{name: "casefold", ret: retStr, fn: onText(foldText)},
	{name: "swapcase", ret: retStr, fn: onText(func(s string) string {
		var b []byte
		runes := textRunes(s)
		for i, r := range runes {
			switch {
			case unicode.IsUpper(r):
				b = append(b, lowerAt(runes, i)...)
			case unicode.IsTitle(r): // neither
				b = appendRune(b, r)
			default:
				b = append(b, upperText(runesText([]rune{r}))...)
			}
		}
		return string(b)
	})},
	// The first character in title case, the rest in lower case.
	{name: "capitalize", ret: retStr, fn: onText(func(s string) string {
		if s == "" {
			return s
		}
		_, n := decodeText(s)
		if !strings.ContainsRune(s, capitalSigma) {
			return titleText(s[:n]) + lowerText(s[n:])
		}
		b := []byte(titleText(s[:n]))
		runes := textRunes(s)
		for i := 1; i < len(runes); i++ {
			b = append(b, lowerAt(runes, i)...)
		}
		return string(b)
	})},
	// A word begins after a character without case.
	{name: "title", ret: retStr, fn: onText(func(s string) string {
		inWord := false
		var b []byte
		runes := textRunes(s)
		for i, r := range runes {
			cased := isCasedRune(r)
			switch {
			case !cased:
				b = appendRune(b, r)
			case inWord:
				b = append(b, lowerAt(runes, i)...)
			default:
				b = append(b, titleText(runesText([]rune{r}))...)
			}
			inWord = cased
		}
		return string(b)
	})},
	{name: "isalpha", ret: retBool, fn: allRunes(unicode.IsLetter)},
	{name: "isdigit", ret: retBool, fn: allRunes(isDigitRune)},
	{name: "isdecimal", ret: retBool, fn: allRunes(func(r rune) bool { return unicode.Is(unicode.Nd, r) })},
	{name: "isnumeric", ret: retBool, fn: allRunes(unicode.IsNumber)},
	{name: "isalnum", ret: retBool, fn: allRunes(func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })},
	{name: "isspace", ret: retBool, fn: allRunes(isSpace)},
	{name: "isprintable", ret: retBool, fn: testText(func(s string) bool {
		for _, r := range textRunes(s) {
			if !unicode.IsPrint(r) {
				return false
			}
		}
		return true
	})},
	{name: "isascii", ret: retBool, fn: testText(isASCII)},
	{name: "isupper", ret: retBool, fn: testText(func(s string) bool { return isCased(s, unicode.IsUpper, unicode.IsLower) })},
	{name: "islower", ret: retBool, fn: testText(func(s string) bool { return isCased(s, unicode.IsLower, unicode.IsUpper) })},
	{name: "istitle", ret: retBool, fn: testText(isTitle)},
	{name: "isidentifier", ret: retBool, fn: testText(isIdentifier)},
	{name: "encode", params: "+ encoding? errors?", ret: retBytes, fn: encodeProc},
	{name: "translate", params: "table", ret: retStr, fn: translateProc},
	{name: "maketrans", params: "x y? z?", kind: staticProc, fn: makeTrans},
	{name: "format", params: "*args **kw", fn: func(c *call) (value.Value, error) {
		s, ok := value.AsStr(c.self)
		if !ok {
			return c.w.abstractStr(c.th, textOf(value.Plain(c.self))), nil
		}
		return c.w.strFormat(c.th, s, c.rest, c.kw, nil)
	}},
	{name: "format_map", params: "mapping", fn: func(c *call) (value.Value, error) {
		s, ok := value.AsStr(c.self)
		if !ok || value.IsUnknown(c.args[0]) {
			return c.w.abstractStr(c.th, ""), nil
		}
		return c.w.strFormat(c.th, s, nil, nil, c.args[0])
	}},
	{name: "__format__", params: "spec", fn: formatDunder},
	{name: "__getitem__", params: "index", fn: getItemDunder},
	{name: "__contains__", params: "item", fn: containsDunder},
	{name: "__hash__", fn: hashDunder},
}, textProcs(retStr, retStrs), dunders(binaryDunder, "other", "__add__ __mul__ __rmul__ __mod__"),
	dunders(compareDunder, "other", orderNames),
	dunders(lenDunder, "", "__len__"), dunders(iterDunder, "", "__iter__"), dunders(reprDunder, "", reprNames))

// strNew is str(x), and str(bytes, encoding, errors), which decodes. Of a value that is not known it is a text
// that is not known, since str() of anything is a text.
func strNew(c *call) (value.Value, error) {
	x := c.args[0]
	if x == nil {
		return c.payload(c.w.str, value.Str(""), nil)
	}
	// With an encoding the argument is bytes.
	if c.args[1] != nil || c.args[2] != nil {
		for _, i := range [...]int{1, 2} {
			if v := c.args[i]; v != nil && c.w.TypeOf(v) != c.w.str {
				return nil, c.th.Raise("TypeError", "str() argument '%s' must be str, not %s", [...]string{"", "encoding", "errors"}[i],
					c.w.TypeOf(v).Name)
			}
		}
		b, ok := value.Plain(x).(value.Bytes)
		if !ok {
			if _, abstract := x.(*value.Abstract); abstract || value.IsUnknown(x) {
				return c.w.abstractStr(c.th, ""), nil
			}
			return nil, c.th.Raise("TypeError", "decoding to str: need a bytes-like object, %s found", c.w.TypeOf(x).Name)
		}
		return c.w.decode(c.th, string(b), c.arg(1, value.Str("utf-8")), c.arg(2, value.Str("strict")))
	}
	switch v := x.(type) {
	case value.Str:
		return c.payload(c.w.str, v, nil)
	case *value.Abstract:
		if v.Class == c.w.str {
			return v, nil
		}
	case *value.Unknown:
		return c.w.abstractStr(c.th, ""), nil
	}
	text, known := c.th.Str(x)
	return c.payload(c.w.str, c.w.strResult(c.th, text, known), nil)
}

// text wraps a result in the type of self: str and bytes share code.
func (c *call) text(s string) value.Value {
	if _, ok := value.Plain(c.self).(value.Bytes); ok {
		return value.Bytes(s)
	}
	return value.Str(s)
}

// selfText is the text of self, a str or bytes.
func (c *call) selfText() string {
	switch v := value.Plain(c.self).(type) {
	case value.Str:
		return string(v)
	case value.Bytes:
		return string(v)
	}
	return ""
}

// isBytes reports whether the receiver is of bytes.
func (c *call) isBytes() bool {
	return c.w.TypeOf(value.Plain(c.self)) == c.w.bytes
}

// length is len() of a text of self's type.
func (c *call) length(s string) int {
	if c.isBytes() {
		return len(s)
	}
	return textLen(s)
}

// likeSelf returns the text of an argument of the same type as self; ok is false for one of another
// type.
func (c *call) likeSelf(v value.Value) (string, bool) {
	switch v := value.Plain(v).(type) {
	case value.Str:
		return string(v), !c.isBytes()
	case value.Bytes:
		return string(v), c.isBytes()
	}
	return "", false
}

// onText makes the function of a method that maps the whole text.
func onText(f func(string) string) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) { return c.text(f(c.selfText())), nil }
}

// testText makes the function of a method that asks something of the whole text.
func testText(f func(string) bool) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) { return value.Bool(f(c.selfText())), nil }
}

// allRunes makes isdigit, isalpha and so on: all characters, and at least one.
func allRunes(f func(rune) bool) func(c *call) (value.Value, error) {
	return func(c *call) (value.Value, error) {
		s := c.selfText()
		if s == "" {
			return value.Bool(false), nil
		}
		for _, r := range textRunes(s) {
			if !f(r) {
				return value.Bool(false), nil
			}
		}
		return value.Bool(true), nil
	}
}

// upperText, lowerText and titleText apply the full mappings (casing.go); that of a
// sigma depends on its place.
func upperText(s string) string {
	if isASCII(s) {
		return strings.ToUpper(s)
	}
	return mapMany(manyUpper, unicode.ToUpper, s)
}

// lowerText: a capital sigma at the end of a word has another lower case than elsewhere, all other characters
// can be mapped one by one.
func lowerText(s string) string {
	if !strings.ContainsRune(s, capitalSigma) {
		return mapMany(manyLower, unicode.ToLower, s)
	}
	var b []byte
	runes := textRunes(s)
	for i := range runes {
		b = append(b, lowerAt(runes, i)...)
	}
	return string(b)
}

// titleText is upper case, but for characters that have a title case of their own.
func titleText(s string) string { return mapMany(manyTitle, unicode.ToTitle, s) }

// isSpace follows str.isspace: by Unicode's bidirectional classes, to which the separators 0x1c to
// 0x1f belong, too.
func isSpace(r rune) bool {
	switch r {
	case '\t', '\n', '\v', '\f', '\r', ' ', 0x1c, 0x1d, 0x1e, 0x1f, 0x85, 0xa0:
		return true
	}
	return r > 0xff && unicode.IsSpace(r)
}

// isDigitRune is Numeric_Type=Digit of Unicode, which Go's tables do not have: decimal digits, and digits of
// special forms.
func isDigitRune(r rune) bool {
	if unicode.Is(unicode.Nd, r) {
		return true
	}
	// Superscripts, subscripts and circled digits.
	return strings.ContainsRune("²³¹⁰⁴⁵⁶⁷⁸⁹₀₁₂₃₄₅₆₇₈₉", r) || r >= 0x2460 && r <= 0x2468
}

// isCased: all characters that have a case have the one that is asked for, and there is one.
func isCased(s string, want, not func(rune) bool) bool {
	seen := false
	for _, r := range s {
		if not(r) || unicode.IsTitle(r) {
			return false
		}
		seen = seen || want(r)
	}
	return seen
}

// isTitle: each word begins with a capital and goes on with small letters; words are separated by characters
// without a case.
func isTitle(s string) bool {
	seen, inWord := false, false
	for _, r := range s {
		switch {
		case unicode.IsUpper(r) || unicode.IsTitle(r):
			if inWord {
				return false
			}
			inWord, seen = true, true
		case unicode.IsLower(r):
			if !inWord {
				return false
			}
			seen = true
		default:
			inWord = false
		}
	}
	return seen
}

// isIdentifier is str.isidentifier by Unicode's classes: a letter or an underscore, then digits, marks and
// connectors, too.
func isIdentifier(s string) bool {
	for i, r := range s {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) && !unicode.Is(unicode.Mc, r) &&
			!unicode.Is(unicode.Pc, r)) {
			return false
		}
	}
	return s != ""
}

// stripProc is strip, lstrip and rstrip, whose argument is a set of characters and no prefix.
func stripProc(c *call) (value.Value, error) {
	s := c.selfText()
	cut := isSpace
	// White space of bytes is ASCII's.
	if c.isBytes() {
		cut = func(r rune) bool { return r < 0x80 && isSpace(r) && r < 0x1c || r == ' ' }
	}
	if isGiven(c.args[0]) {
		chars, ok := c.likeSelf(c.args[0])
		if !ok {
			return nil, c.th.Raise("TypeError", "%s arg must be None or str", c.p.name)
		}
		cut = func(r rune) bool { return strings.ContainsRune(chars, r) }
	}
	if c.p.name != "rstrip" {
		s = strings.TrimLeftFunc(s, cut)
	}
	if c.p.name != "lstrip" {
		s = strings.TrimRightFunc(s, cut)
	}
	return c.text(s), nil
}

// width reads a width argument. One that is too large for a text that is known is cut
// off, and stays too large.
func (c *call) width(i int, absent int64) (int, error) {
	if c.args[i] == nil {
		return int(absent), nil
	}
	v, err := c.w.wantIndex(c.th, c.args[i])
	if err != nil {
		return 0, err
	}
	n, _ := smallInt(v)
	return int(max(min(n, maxWidth), -maxWidth)), nil
}

// padProc is center, ljust and rjust with a fill character of length 1. A text that is long enough
// stays.
func padProc(c *call) (value.Value, error) {
	width, err := c.width(0, 0)
	if err != nil {
		return nil, err
	}
	s, fill := c.selfText(), " "
	if c.args[1] != nil {
		var ok bool
		if fill, ok = c.likeSelf(c.args[1]); !ok || c.length(fill) != 1 {
			if ok {
				return nil, c.th.Raise("TypeError", "The fill character must be exactly one character long")
			}
			return nil, c.th.Raise("TypeError", "The fill character must be a unicode character, not %s", c.w.TypeOf(c.args[1]).Name)
		}
	}
	// What is missing to the width.
	n := width - c.length(s)
	if n <= 0 {
		return c.text(s), nil
	}
	if fits, err := textFits(c.th, n, len(fill)); !fits || err != nil {
		return c.w.abstractOf(c.th, retSame, c.self), err
	}
	left := 0
	switch c.p.name {
	case "center": // an odd rest goes to the left when the width is odd
		left = n/2 + n&width&1
	case "rjust":
		left = n
	}
	return c.text(strings.Repeat(fill, left) + s + strings.Repeat(fill, n-left)), nil
}

// zfillProc pads with zeros after a sign.
func zfillProc(c *call) (value.Value, error) {
	width, err := c.width(0, 0)
	if err != nil {
		return nil, err
	}
	s := c.selfText()
	n := width - c.length(s)
	if n <= 0 {
		return c.text(s), nil
	}
	if fits, err := textFits(c.th, n, 1); !fits || err != nil {
		return c.w.abstractOf(c.th, retSame, c.self), err
	}
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = s[:1], s[1:]
	}
	return c.text(sign + strings.Repeat("0", n) + s), nil
}

// expandTabs fills up to the next multiple of the size, counting from the start of the line.
func expandTabs(c *call) (value.Value, error) {
	size, err := c.width(0, 8)
	if err != nil {
		return nil, err
	}
	var b []byte
	col := 0
	runes := textRunes(c.selfText())
	// Bytes are characters of their own.
	if c.isBytes() {
		runes = runes[:0]
		for _, x := range []byte(c.selfText()) {
			runes = append(runes, rune(x))
		}
	}
	for _, r := range runes {
		switch r {
		case '\t':
			if size > 0 {
				n := size - col%size
				if fits, err := textFits(c.th, len(b)+n, 1); !fits || err != nil {
					return c.w.abstractOf(c.th, retSame, c.self), err
				}
				b = append(b, strings.Repeat(" ", n)...)
				col += n
			}
		case '\n', '\r':
			b = append(b, byte(r))
			col = 0
		default:
			if col++; c.isBytes() {
				b = append(b, byte(r))
			} else {
				b = appendRune(b, r)
			}
		}
	}
	return c.text(string(b)), nil
}

// translateProc looks each character up by its number: what it finds is a character's number, a
// text, or None, which drops it. A LookupError keeps the character.
func translateProc(c *call) (value.Value, error) {
	out := textBuilder{th: c.th}
	for _, r := range textRunes(c.selfText()) {
		if err := c.th.Step(1); err != nil {
			return nil, err
		}
		v, err := c.th.GetItem(c.args[0], value.Int(r))
		if err != nil {
			if value.IsException(err, c.w.classes["LookupError"]) {
				if err := out.write(runesText([]rune{r})); err != nil {
					return nil, err
				}
				continue
			}
			return nil, err
		}
		switch x := value.Plain(v).(type) {
		case value.NoneType:
		case value.Int:
			err = out.write(runesText([]rune{rune(x)}))
		case value.Str:
			err = out.write(string(x))
		case *value.Unknown, *value.Abstract:
			return c.w.abstractStr(c.th, ""), nil
		default:
			return nil, c.th.Raise("TypeError", "character mapping must return integer, None or str")
		}
		if err != nil {
			return nil, err
		}
	}
	if out.tooLong {
		return c.w.abstractStr(c.th, ""), nil
	}
	return value.Str(out.text.String()), nil
}

// makeTrans is str.maketrans: a dict of characters or code points, or two texts of equal length and a third of
// characters to drop.
func makeTrans(c *call) (value.Value, error) {
	d := c.th.Heap().NewDict()
	set := func(k rune, v value.Value) error {
		if err := c.th.Step(1); err != nil {
			return err
		}
		return c.w.store(c.th, d, value.Int(k), v)
	}
	if c.args[1] == nil {
		src, ok := c.args[0].(*value.Dict)
		if !ok {
			return nil, c.th.Raise("TypeError", "if you give only one argument to maketrans it must be a dict")
		}
		// Keys are characters or their numbers.
		for i := range src.Len() {
			k := src.Key(i)
			if s, ok := value.AsStr(k); ok {
				if textLen(s) != 1 {
					return nil, c.th.Raise("ValueError", "string keys in translate table must be of length 1")
				}
				r, _ := decodeText(s)
				k = value.Int(r)
			}
			if err := c.w.store(c.th, d, k, src.At(i)); err != nil {
				return nil, err
			}
		}
		return d, nil
	}
	x, ok1 := value.AsStr(c.args[0])
	y, ok2 := value.AsStr(c.args[1])
	if !ok1 || !ok2 {
		return nil, c.th.Raise("TypeError", "first maketrans argument must be a string if there is a second argument")
	}
	if err := c.th.Alloc(runeBytes * (len(x) + len(y))); err != nil {
		return nil, err
	}
	rx, ry := textRunes(x), textRunes(y)
	if len(rx) != len(ry) {
		return nil, c.th.Raise("ValueError", "the first two maketrans arguments must have equal length")
	}
	for i, r := range rx {
		if err := set(r, value.Int(ry[i])); err != nil {
			return nil, err
		}
	}
	// The characters of a third text are dropped.
	if c.args[2] != nil {
		z, _ := value.AsStr(c.args[2])
		if err := c.th.Alloc(runeBytes * len(z)); err != nil {
			return nil, err
		}
		for _, r := range textRunes(z) {
			if err := set(r, value.None); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}
