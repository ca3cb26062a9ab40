package lib

// This file encodes and decodes UTF-16 and UTF-32. In Python these are the codecs utf-16,
// utf-16-le, utf-16-be and the same for 32 bits. Those without an order in the name write a mark
// (U+FEFF) in front and little-endian units, as CPython does on usual machines, and read the order
// from the mark.

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// A wideCodec is an encoding with units of two or four bytes. Its zero unit is none; wideCodecOf
// makes all others.
type wideCodec struct {
	unit int
	big  bool
	mark bool // texts begin with a mark of the order of bytes
}

// wideCodecOf finds an encoding by its name in lower case with hyphens. Underscores and capitals
// are accepted as well; ok is false for another encoding.
func wideCodecOf(name string) (wideCodec, bool) {
	rest, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "utf")
	rest = strings.TrimPrefix(rest, "-")
	c := wideCodec{}
	switch {
	case !ok:
		return c, false
	case strings.HasPrefix(rest, "16"):
		c.unit = 2
	case strings.HasPrefix(rest, "32"):
		c.unit = 4
	default:
		return c, false
	}
	// The order of bytes follows the number.
	switch strings.TrimPrefix(rest[2:], "-") {
	case "":
		c.mark = true
	case "be":
		c.big = true
	case "le":
	default:
		return c, false
	}
	return c, true
}

// put appends one unit.
func (c wideCodec) put(b []byte, u uint32) []byte {
	for i := range c.unit {
		at := i
		if c.big {
			at = c.unit - 1 - i
		}
		b = append(b, byte(u>>(8*at)))
	}
	return b
}

// encode gives the bytes of a text; false for one with lone surrogates. Characters above U+FFFF
// take two units of 16 bits.
func (c wideCodec) encode(rs []rune) ([]byte, bool) {
	b := make([]byte, 0, c.unit*(len(rs)+1))
	if c.mark {
		b = c.put(b, 0xfeff)
	}
	for _, r := range rs {
		if !utf8.ValidRune(r) {
			return nil, false
		}
		if c.unit == 4 || r < 0x10000 {
			b = c.put(b, uint32(r))
			continue
		}
		hi, lo := utf16.EncodeRune(r)
		b = c.put(c.put(b, uint32(hi)), uint32(lo))
	}
	return b, true
}

// decode gives the text of bytes; false where they are none. The bytes must be whole units,
// surrogates must come in pairs, and no unit may be above the last code point.
func (c wideCodec) decode(s string) (string, bool) {
	if len(s)%c.unit != 0 {
		return "", false
	}
	units := make([]uint32, 0, len(s)/c.unit)
	read := func() {
		units = units[:0]
		for i := 0; i < len(s); i += c.unit {
			u := uint32(0)
			for j := range c.unit {
				at := c.unit - 1 - j
				if c.big {
					at = j
				}
				u = u<<8 | uint32(s[i+at])
			}
			units = append(units, u)
		}
	}
	read()
	// The mark read the wrong way round says that the order is the other one; the bytes are then
	// read again.
	if swapped := map[int]uint32{2: 0xfffe, 4: 0xfffe0000}[c.unit]; c.mark && len(units) > 0 {
		if units[0] == swapped {
			c.big = true
			read()
		}
		if units[0] == 0xfeff {
			units = units[1:]
		}
	}
	var b strings.Builder
	for i := 0; i < len(units); i++ {
		r := rune(units[i])
		if c.unit == 2 && utf16.IsSurrogate(r) && i+1 < len(units) {
			r = utf16.DecodeRune(r, rune(units[i+1]))
			i++
			if r == utf8.RuneError {
				return "", false
			}
		}
		if units[i] > utf8.MaxRune || !utf8.ValidRune(r) {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), true
}
