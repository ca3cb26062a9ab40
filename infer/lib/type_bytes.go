package lib

// This file defines bytes and the text encodings. A bytes value is a Go string of bytes
// (value.Bytes); many methods are shared with str through textProcs, and only what differs is here.
// Encodings whose result the checker can compute are UTF-8, UTF-16, UTF-32, Latin-1 and ASCII;
// others that Python has give text or bytes that are not known, so that a program which reads a
// file in another encoding is still checked.

import (
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"shapecheck/infer/value"
)

// Case and kinds of bytes are those of ASCII, whatever the locale is. Methods that str has too but
// that look at Unicode there have rules of their own: bytes.upper() changes a to z alone.
var bytesProcs = join([]proc{
	{name: "__new__", params: "+ source? encoding? errors?", kind: newProc, fn: bytesNew},
	{name: "upper", ret: retBytes, fn: onText(func(s string) string { return mapASCII(s, 'a', 'z', -32) })},
	{name: "lower", ret: retBytes, fn: onText(func(s string) string { return mapASCII(s, 'A', 'Z', 32) })},
	{name: "title", ret: retBytes, fn: onText(titleASCII)},
	{name: "capitalize", ret: retBytes, fn: onText(func(s string) string {
		if s == "" {
			return s
		}
		return mapASCII(s[:1], 'a', 'z', -32) + mapASCII(s[1:], 'A', 'Z', 32)
	})},
	{name: "swapcase", ret: retBytes, fn: onText(func(s string) string {
		b := []byte(s)
		for i, c := range b {
			if isAlphaASCII(c) {
				b[i] = c ^ 0x20
			}
		}
		return string(b)
	})},
	{name: "isalpha", ret: retBool, fn: allBytes(isAlphaASCII)},
	{name: "isdigit", ret: retBool, fn: allBytes(digit)},
	{name: "isalnum", ret: retBool, fn: allBytes(func(c byte) bool { return isAlphaASCII(c) || digit(c) })},
	{name: "isspace", ret: retBool, fn: allBytes(func(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' })},
	{name: "isascii", ret: retBool, fn: testText(isASCII)},
	{name: "isupper", ret: retBool, fn: testText(func(s string) bool {
		return mapASCII(s, 'A', 'Z', 32) != s && mapASCII(s, 'a', 'z', -32) == s
	})},
	{name: "islower", ret: retBool, fn: testText(func(s string) bool {
		return mapASCII(s, 'a', 'z', -32) != s && mapASCII(s, 'A', 'Z', 32) == s
	})},
	{name: "istitle", ret: retBool, fn: testText(func(s string) bool {
		return titleASCII(s) == s && (mapASCII(s, 'A', 'Z', 32) != s)
	})},
	{name: "decode", params: "+ encoding? errors?", ret: retStr, fn: func(c *call) (value.Value, error) {
		return c.w.decode(c.th, c.selfText(), c.arg(0, value.Str("utf-8")), c.arg(1, value.Str("strict")))
	}},
	{name: "hex", params: "sep? bytes_per_sep?", ret: retStr, fn: func(c *call) (value.Value, error) {
		return c.hex()
	}},
	// CPython skips ASCII white space between the pairs. The position of its error message is not
	// computed: only the first place is given.
	{name: "fromhex", params: "string", kind: classProc, fn: func(c *call) (value.Value, error) {
		s, ok := value.AsStr(c.args[0])
		if !ok {
			return c.w.abstract(c.th, c.w.bytes), nil
		}
		b, err := hex.DecodeString(strings.Join(strings.FieldsFunc(s, isSpace), ""))
		if err != nil {
			return nil, c.th.Raise("ValueError", "non-hexadecimal number found in fromhex() arg at position 0")
		}
		return value.Bytes(b), nil
	}},
	{name: "translate", params: "table / delete?", ret: retBytes, fn: translateBytes},
	{name: "maketrans", params: "frm to", kind: staticProc, fn: bytesMakeTrans},
	{name: "__getitem__", params: "index", fn: getItemDunder},
	{name: "__contains__", params: "item", fn: containsDunder},
	{name: "__hash__", fn: hashDunder},
}, textProcs(retBytes, retAny), dunders(binaryDunder, "other", "__add__ __mul__ __rmul__ __mod__"),
	dunders(compareDunder, "other", orderNames),
	dunders(lenDunder, "", "__len__"), dunders(iterDunder, "", "__iter__"), dunders(reprDunder, "", "__repr__"))

// hex is bytes.hex, with a separator between groups of bytes that are counted from the
// right, or from the left where the size is negative. Where the separator or the size is not known
// the result is some text. It raises a ValueError for a separator that is not one ASCII character.
func (c *call) hex() (value.Value, error) {
	s := c.selfText()
	if c.args[0] == nil {
		return value.Str(hex.EncodeToString([]byte(s))), nil
	}
	// The sizes are bounded, so that their sign can be turned. A size of 0 means no groups.
	size, ok := 1, true
	if c.args[1] != nil {
		var n int64
		n, ok = value.AsInt(c.args[1])
		size = int(max(min(n, 1<<30), -1<<30))
	}
	var sep string
	switch x := value.Plain(c.args[0]).(type) {
	case value.Str:
		sep = string(x)
	case value.Bytes:
		sep = string(x)
	default:
		ok = false
	}
	if !ok {
		return c.w.abstractStr(c.th, ""), nil
	}
	switch {
	case len(sep) != 1:
		return nil, c.th.Raise("ValueError", "sep must be length 1.")
	case sep[0] >= 0x80:
		return nil, c.th.Raise("ValueError", "sep must be ASCII.")
	}
	var b strings.Builder
	for i := range len(s) {
		// Groups are counted from the right by the bytes that are left, so that the first may be
		// short.
		if size != 0 && i > 0 && (size > 0 && (len(s)-i)%size == 0 || size < 0 && i%-size == 0) {
			b.WriteString(sep)
		}
		b.WriteString(hex.EncodeToString([]byte(s[i : i+1])))
	}
	return value.Str(b.String()), nil
}

// translateBytes is bytes.translate: a table of 256 bytes or None, and bytes to leave out. It
// raises a TypeError or ValueError as CPython does for tables of another type or length.
func translateBytes(c *call) (value.Value, error) {
	table, drop := "", ""
	switch x := value.Plain(c.args[0]).(type) {
	case value.NoneType:
	case value.Bytes:
		if table = string(x); len(table) != 256 {
			return nil, c.th.Raise("ValueError", "translation table must be 256 characters long")
		}
	default:
		return nil, c.th.Raise("TypeError", "a bytes-like object is required, not '%s'", c.w.TypeOf(x).Name)
	}
	switch x := value.Plain(c.arg(1, value.Bytes(""))).(type) {
	case value.Bytes:
		drop = string(x)
	default:
		return nil, c.th.Raise("TypeError", "a bytes-like object is required, not '%s'", c.w.TypeOf(x).Name)
	}
	// Bytes are dropped before they are mapped. As in CPython, so that the bytes to drop are given
	// as they are before the mapping.
	var dropped [256]bool
	for i := range len(drop) {
		dropped[drop[i]] = true
	}
	var out []byte
	for _, b := range []byte(c.selfText()) {
		switch {
		case dropped[b]:
		case table != "":
			out = append(out, table[b])
		default:
			out = append(out, b)
		}
	}
	return value.Bytes(out), nil
}

// bytesMakeTrans is bytes.maketrans: a table for translate. It raises a ValueError where the two
// have different lengths. The table keeps all bytes that are not in frm.
func bytesMakeTrans(c *call) (value.Value, error) {
	from, ok1 := value.Plain(c.args[0]).(value.Bytes)
	to, ok2 := value.Plain(c.args[1]).(value.Bytes)
	switch {
	case !ok1 || !ok2:
		return c.w.abstract(c.th, c.w.bytes), nil
	case len(from) != len(to):
		return nil, c.th.Raise("ValueError", "maketrans arguments must have same length")
	}
	table := make([]byte, 256)
	for i := range table {
		table[i] = byte(i)
	}
	for i := range len(from) {
		table[from[i]] = to[i]
	}
	return value.Bytes(table), nil
}

// The bit 0x20 is the only difference between a capital and a small letter.
func isAlphaASCII(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// allBytes tests that there are bytes and all are of a kind. Of no bytes at all the test fails, as
// str.isalpha() and the like do.
func allBytes(f func(c byte) bool) func(c *call) (value.Value, error) {
	return testText(func(s string) bool {
		for i := range len(s) {
			if !f(s[i]) {
				return false
			}
		}
		return s != ""
	})
}

// titleASCII makes the first letter of each run of letters large and the others small. A letter
// after an apostrophe is large, as CPython has it: "they're" becomes "They'Re".
func titleASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		switch {
		case !isAlphaASCII(c):
		case i > 0 && isAlphaASCII(b[i-1]):
			b[i] = c | 0x20
		default:
			b[i] = c &^ 0x20
		}
	}
	return string(b)
}

// mapASCII moves a range of letters, as bytes.upper() and lower() do; other bytes stay. The bounds
// are inclusive.
func mapASCII(s string, lo, hi byte, by int) string {
	b := []byte(s)
	for i, c := range b {
		if c >= lo && c <= hi {
			b[i] = byte(int(c) + by)
		}
	}
	return string(b)
}

// bytesNew is bytes(): of a text with an encoding, of a number as many zeros, of an iterable of numbers from 0
// to 255. An object with __index__ is a number even if it can be iterated over. A result that is
// too long to be kept is some bytes. Errors are those of CPython: TypeError without an encoding or
// for what cannot be iterated over, ValueError for a negative number or one outside of a byte.
func bytesNew(c *call) (value.Value, error) {
	x := c.args[0]
	if x == nil {
		return value.Bytes(""), nil
	}
	if s, ok := value.AsStr(x); ok {
		if c.args[1] == nil {
			return nil, c.th.Raise("TypeError", "string argument without an encoding")
		}
		return c.w.encode(c.th, s, c.args[1], c.arg(2, value.Str("strict")))
	}
	// The object itself is taken where it is bytes already; what is not known gives some bytes.
	switch v := value.Plain(x).(type) {
	case value.Bytes:
		return c.payload(c.w.bytes, v, nil)
	case *value.Unknown, *value.Abstract, *value.SymInt:
		return c.w.abstract(c.th, c.w.bytes), nil
	}
	// Before iteration, as in CPython.
	if i, ok, err := c.w.index(c.th, x); err != nil {
		return nil, err
	} else if ok {
		n, _ := smallInt(i)
		if _, long := i.(*value.BigInt); long {
			return nil, c.th.Raise("OverflowError", "cannot fit 'int' into an index-sized integer")
		}
		if n < 0 {
			return nil, c.th.Raise("ValueError", "negative count")
		}
		// The limit on the size of texts of a run, and its memory, hold here.
		if fits, err := textFits(c.th, int(n), 1); !fits || err != nil {
			return c.w.abstract(c.th, c.w.bytes), err
		}
		return value.Bytes(make([]byte, n)), nil
	}
	elems, open, err := c.w.drain(c.th, x)
	if err != nil {
		// An error of the iteration itself (raised by the program's own __next__) is passed on;
		// only for what is no iterable has bytes() a message of its own.
		if c.w.iterable(c.th, x) == absent {
			return nil, c.th.Raise("TypeError", "cannot convert '%s' object to bytes", c.w.TypeOf(x).Name)
		}
		return nil, err
	}
	if open != nil {
		return c.w.abstract(c.th, c.w.bytes), nil
	}
	out := make([]byte, len(elems))
	// Each element is taken by __index__ too; a number that is too long for an int64 is out of
	// range whatever its sign.
	for i, e := range elems {
		v, err := c.w.wantIndex(c.th, e)
		if err != nil {
			return nil, err
		}
		n, ok := smallInt(v)
		if _, long := v.(*value.BigInt); long {
			n, ok = -1, true
		}
		if !ok {
			return c.w.abstract(c.th, c.w.bytes), nil
		}
		if n < 0 || n > 255 {
			return nil, c.th.Raise("ValueError", "bytes must be in range(0, 256)")
		}
		out[i] = byte(n)
	}
	return value.Bytes(out), nil
}

// encodeProc is str.encode.
func encodeProc(c *call) (value.Value, error) {
	return c.w.encode(c.th, c.selfText(), c.arg(0, value.Str("utf-8")), c.arg(1, value.Str("strict")))
}

// codec normalises the name of an encoding. It gives the empty text for an encoding that is none of
// the three; codecs with units of two and four bytes are in codec_wide.go. Python takes _ and - as
// the same, and any case.
func codec(name string) string {
	switch strings.ReplaceAll(strings.ToLower(name), "_", "-") {
	case "utf-8", "utf8", "u8":
		return "utf-8"
	case "ascii", "us-ascii", "646":
		return "ascii"
	case "latin-1", "latin1", "iso-8859-1", "iso8859-1", "l1":
		return "latin-1"
	}
	return ""
}

// encode knows UTF-8, UTF-16, UTF-32, Latin-1 and ASCII; of other encodings the result is some bytes. The error
// handlers are strict, ignore and replace; with any other one, the result is not known. It raises a
// UnicodeEncodeError with the first character, or range of characters, that cannot be written, and
// a LookupError for a name that is no encoding.
func (w *World) encode(th value.Thread, s string, encoding, errors value.Value) (value.Value, error) {
	name, ok1 := value.AsStr(encoding)
	mode, ok2 := value.AsStr(errors)
	if !ok1 || !ok2 {
		return w.abstract(th, w.bytes), nil
	}
	// The first character that cannot be written in one byte; UTF-8 leaves it unused.
	limit := rune(0x80)
	switch codec(name) {
	case "utf-8":
		// A lone surrogate, which a Python text may have, is the only character that UTF-8 cannot
		// write.
		if hasSurrogate(s) {
			if mode != "strict" {
				return w.abstract(th, w.bytes), nil
			}
			for i, r := range textRunes(s) {
				if r >= 0xD800 && r <= 0xDFFF {
					return nil, th.Raise("UnicodeEncodeError", "'utf-8' codec can't encode character '%s' in position %d: surrogates not allowed",
						escapeRune(r), i)
				}
			}
		}
		return value.Bytes(s), nil
	case "latin-1":
		limit = 0x100
	case "ascii":
	default:
		if c, ok := wideCodecOf(name); ok {
			if b, ok := c.encode(textRunes(s)); ok {
				return value.Bytes(b), th.Alloc(len(b))
			}
		}
		return w.otherCodec(th, name, w.abstract(th, w.bytes))
	}
	var out []byte
	rs := textRunes(s)
	for i, r := range rs {
		switch {
		case r < limit:
			out = append(out, byte(r))
		case mode == "ignore":
		case mode == "replace":
			out = append(out, '?')
		// CPython names a range where several characters in a row do not fit.
		case mode == "strict":
			end := i + 1
			for end < len(rs) && rs[end] >= limit {
				end++
			}
			if end > i+1 {
				return nil, th.Raise("UnicodeEncodeError", "'%s' codec can't encode characters in position %d-%d: ordinal not in range(%d)",
					codec(name), i, end-1, limit)
			}
			return nil, th.Raise("UnicodeEncodeError", "'%s' codec can't encode character '%s' in position %d: ordinal not in range(%d)",
				codec(name), escapeRune(r), i, limit)
		default:
			return w.abstract(th, w.bytes), nil
		}
	}
	return value.Bytes(out), nil
}

// otherCodec gives an abstract result for the encodings that Python has beside
// those handled here, and its error for what is none. It goes by prefixes, as Python has about a
// hundred encodings with several names each: that an unknown name of such a prefix gives no error
// is accepted, a false LookupError is not.
func (w *World) otherCodec(th value.Thread, name string, abstract value.Value) (value.Value, error) {
	n := strings.ToLower(name)
	for _, p := range [...]string{"utf", "cp", "iso", "windows", "koi", "mac", "big5", "gb", "euc", "shift", "sjis", "hz", "idna",
		"punycode", "raw", "unicode", "base64", "hex", "rot", "mbcs", "johab", "ptcp", "tis", "viscii", "u", "latin", "l"} {
		if strings.HasPrefix(n, p) {
			return abstract, nil
		}
	}
	return nil, th.Raise("LookupError", "unknown encoding: %s", name)
}

// decode is its counterpart. Errors in strict mode have CPython's text with byte and position. It
// gives some text for bytes that are not valid where the errors are not strict: what is put in
// their place depends on the handler. It raises a UnicodeDecodeError for the first bad byte.
func (w *World) decode(th value.Thread, s string, encoding, errors value.Value) (value.Value, error) {
	name, ok1 := value.AsStr(encoding)
	mode, ok2 := value.AsStr(errors)
	if !ok1 || !ok2 {
		return w.abstractStr(th, ""), nil
	}
	switch codec(name) {
	case "utf-8":
		if utf8.ValidString(s) {
			return value.Str(s), nil
		}
		if mode == "strict" {
			// The place is searched only on failure. CPython has other reasons than "invalid start
			// byte" for some bytes; only the byte and its position are exact.
			at := 0
			for at < len(s) {
				r, n := utf8.DecodeRuneInString(s[at:])
				if r == utf8.RuneError && n == 1 {
					break
				}
				at += n
			}
			return nil, th.Raise("UnicodeDecodeError", "'utf-8' codec can't decode byte 0x%02x in position %d: invalid start byte", s[at], at)
		}
		return w.abstractStr(th, ""), nil
	// Each byte is the character of that number; nothing can fail.
	case "latin-1":
		rs := make([]rune, len(s))
		for i := range rs {
			rs[i] = rune(s[i])
		}
		return value.Str(string(rs)), nil
	case "ascii":
		if isASCII(s) {
			return value.Str(s), nil
		}
		if mode == "strict" {
			at := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 })
			return nil, th.Raise("UnicodeDecodeError", "'ascii' codec can't decode byte 0x%02x in position %d: ordinal not in range(128)", s[at], at)
		}
		return w.abstractStr(th, ""), nil
	}
	if c, ok := wideCodecOf(name); ok {
		if text, ok := c.decode(s); ok {
			return value.Str(text), th.Alloc(len(text))
		}
	}
	return w.otherCodec(th, name, w.abstractStr(th, ""))
}
