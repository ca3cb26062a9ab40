package parser

// This file decodes source files: byte order marks and coding declarations
// (PEP 263).

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"

	"shapecheck/internal/lazyregexp"
)

// A DecodeError says why the bytes of a file are no text of Python source.
type DecodeError struct{ Why string }

func (e *DecodeError) Error() string { return e.Why }

// undecodable makes a DecodeError.
func undecodable(format string, args ...any) error { return &DecodeError{fmt.Sprintf(format, args...)} }

// codingLine is PEP 263's pattern of a coding declaration.
var codingLine = lazyregexp.New(`^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`)

// Decode returns the text of a source file as UTF-8 without a byte order mark.
// It knows UTF-8, ASCII and the usual encodings of one byte per character. It returns an error for a null byte, an
// encoding that is not known, bytes that are none of it, and a byte order mark beside the declaration of another
// encoding than UTF-8: a *DecodeError.
func Decode(data []byte) (string, error) {
	text := string(data)
	rest, bom := strings.CutPrefix(text, "\ufeff")
	text = rest
	if i := strings.IndexByte(text, 0); i >= 0 {
		return "", undecodable("source code cannot contain null bytes (byte %d)", i)
	}
	name := codingName(text)
	encoding := normalizeEncoding(name)
	if bom && (encoding != "utf-8" || !strings.HasPrefix(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "utf-8")) {
		return "", undecodable("the file begins with a UTF-8 byte order mark, but declares the encoding '%s'", name)
	}
	if encoding != "utf-8" {
		return decodeBytes(text, name, encoding)
	}
	if !utf8.ValidString(text) {
		i := 0
		for i < len(text) {
			r, n := utf8.DecodeRuneInString(text[i:])
			if r == utf8.RuneError && n == 1 {
				break
			}
			i += n
		}
		line := 1 + strings.Count(text[:i], "\n")
		return "", undecodable("line %d: invalid UTF-8 byte 0x%02x; declare the encoding in the first line if it is another", line, text[i])
	}
	return text, nil
}

// Text is Decode for who looks for what a file may have to check: bytes that are no text of the encoding stay as they are, and the parser
// says where they stand.
func Text(data []byte) string {
	text, err := Decode(data)
	if err != nil {
		return string(data)
	}
	return text
}

// codingName returns the declared encoding, utf-8 without a declaration. The
// declaration stands in the first line, or in the second after a comment.
func codingName(text string) string {
	for range 2 {
		end := strings.IndexAny(text, "\r\n")
		line := text
		if end >= 0 {
			line = text[:end]
		}
		if m := codingLine.FindStringSubmatch(line); m != nil {
			return m[1]
		}
		if s := strings.TrimLeft(line, " \t\f"); end < 0 || s != "" && s[0] != '#' {
			break
		}
		if text[end] == '\r' && end+1 < len(text) && text[end+1] == '\n' {
			end++
		}
		text = text[end+1:]
	}
	return "utf-8"
}

// normalizeEncoding maps the spellings of the known encodings to one.
func normalizeEncoding(name string) string {
	n := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	switch {
	case n == "utf-8" || strings.HasPrefix(n, "utf-8-") || n == "utf8" || n == "u8" || n == "utf" || n == "cp65001":
		return "utf-8"
	case n == "latin-1" || n == "iso-8859-1" || n == "iso-latin-1" || n == "latin1" || n == "l1" || n == "iso8859-1" || n == "8859" ||
		n == "cp819",
		strings.HasPrefix(n, "latin-1-"), strings.HasPrefix(n, "iso-8859-1-"), strings.HasPrefix(n, "iso-latin-1-"):
		return "latin-1"
	case n == "ascii" || n == "us-ascii" || n == "646":
		return "ascii"
	}
	return n
}

// decodeBytes decodes an encoding of one byte per character.
func decodeBytes(text, name, encoding string) (string, error) {
	var b strings.Builder
	table := charmaps[strings.NewReplacer("-", "", "windows", "cp").Replace(encoding)]
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c < utf8.RuneSelf:
			b.WriteByte(c)
		case encoding == "latin-1":
			b.WriteRune(rune(c))
		case encoding == "ascii":
			return "", undecodable("byte 0x%02x is not ASCII, which the file declares as its encoding", c)
		case table == nil:
			return "", undecodable("unknown encoding '%s'", name)
		default:
			r := table.DecodeByte(c)
			if r == utf8.RuneError {
				return "", undecodable("byte 0x%02x is not a character of the encoding '%s'", c, name)
			}
			b.WriteRune(r)
		}
	}
	if table == nil && encoding != "latin-1" && encoding != "ascii" {
		return "", undecodable("unknown encoding '%s'", name)
	}
	return b.String(), nil
}

// charmaps are the encodings known beside UTF-8, Latin-1 and ASCII, under
// Python's names without hyphens.
var charmaps = map[string]*charmap.Charmap{
	"cp437": charmap.CodePage437, "cp850": charmap.CodePage850, "cp852": charmap.CodePage852,
	"cp866": charmap.CodePage866, "cp1250": charmap.Windows1250, "cp1251": charmap.Windows1251,
	"cp1252": charmap.Windows1252, "cp1253": charmap.Windows1253, "cp1254": charmap.Windows1254,
	"cp1255": charmap.Windows1255, "cp1256": charmap.Windows1256, "cp1257": charmap.Windows1257,
	"cp1258": charmap.Windows1258, "koi8r": charmap.KOI8R, "koi8u": charmap.KOI8U,
	"iso88592": charmap.ISO8859_2, "latin2": charmap.ISO8859_2, "iso88593": charmap.ISO8859_3,
	"iso88594": charmap.ISO8859_4, "iso88595": charmap.ISO8859_5, "iso88596": charmap.ISO8859_6,
	"iso88597": charmap.ISO8859_7, "iso88598": charmap.ISO8859_8, "iso88599": charmap.ISO8859_9,
	"iso885910": charmap.ISO8859_10, "iso885913": charmap.ISO8859_13, "iso885914": charmap.ISO8859_14,
	"iso885915": charmap.ISO8859_15, "latin9": charmap.ISO8859_15, "iso885916": charmap.ISO8859_16,
	"macroman": charmap.Macintosh,
}
