package lib

// This file implements str.format. A format text is read once from the left. Each field in braces
// is looked up, converted and formatted by the value's own __format__; f-strings share the last
// step (World.Format) but have their expressions from the parser. The specification may have fields
// of its own, so run calls itself; CPython allows this once, which depth counts down.

import (
	"strconv"
	"strings"

	"shapecheck/infer/value"
)

// A formatter runs one str.format call.
type formatter struct {
	w       *World
	th      value.Thread
	args    []value.Value
	kw      []value.Kw
	mapping value.Value // of format_map, or nil
	// An auto above 0 says that automatic numbers were used, manual that numbers by hand were: the
	// two may not be mixed.
	auto   int // next automatic index; -1 after a manual one
	manual bool
	// known turns false when a part of the text is not known; the text then is only an example.
	known bool
}

// strFormat is s.format(*args, **kw), or s.format_map(mapping). It raises what run and the fields
// raise. In a text that is not wholly known the result is an abstract str with the text as its
// example.
func (w *World) strFormat(th value.Thread, s string, args []value.Value, kw []value.Kw, mapping value.Value) (value.Value, error) {
	f := &formatter{w: w, th: th, args: args, kw: kw, mapping: mapping, known: true}
	text, err := f.run(s, 2)
	if err != nil {
		return nil, err
	}
	return w.strResult(th, text, f.known), nil
}

// run formats a text by fields in braces, which may be nested once in a specification. A field ends at the
// brace that closes it; inside of square brackets braces are part of a key. It returns a ValueError
// of CPython for a brace that has no partner.
func (f *formatter) run(s string, depth int) (string, error) {
	if depth < 0 {
		return "", f.th.Raise("ValueError", "Max string recursion exceeded")
	}
	var b strings.Builder
	for len(s) > 0 {
		i := strings.IndexAny(s, "{}")
		if i < 0 {
			b.WriteString(s)
			break
		}
		b.WriteString(s[:i])
		c := s[i]
		s = s[i+1:]
		// A doubled brace is the brace itself.
		if len(s) > 0 && s[0] == c {
			b.WriteByte(c)
			s = s[1:]
			continue
		}
		if c == '}' {
			return "", f.th.Raise("ValueError", "Single '}' encountered in format string")
		}
		if s == "" {
			return "", f.th.Raise("ValueError", "Single '{' encountered in format string")
		}
		// The field ends at the matching brace.
		level, end, bracket := 1, 0, false
		for ; end < len(s) && level > 0; end++ {
			switch s[end] {
			case '[':
				bracket = true
			case ']':
				bracket = false
			case '{':
				if !bracket {
					level++
				}
			case '}':
				if !bracket {
					level--
				}
			}
		}
		if level > 0 {
			return "", f.th.Raise("ValueError", "expected '}' before end of string")
		}
		text, err := f.field(s[:end-1], depth)
		if err != nil {
			return "", err
		}
		// A text beyond the limit is not built further; the result then is not known.
		if fits, err := textFits(f.th, b.Len()+len(text), 1); err != nil {
			return "", err
		} else if fits {
			b.WriteString(text)
		} else {
			f.known = false
		}
		s = s[end:]
	}
	return b.String(), nil
}

// field replaces one field: name!conversion:spec. Of the name, an exclamation mark or a colon
// inside of square brackets is part of a key.
func (f *formatter) field(s string, depth int) (string, error) {
	name, spec, conv := s, "", byte(0)
	bracket := false
scan:
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '[':
			bracket = true
		case ']':
			bracket = false
		case '!', ':':
			if bracket {
				continue
			}
			name, spec = s[:i], s[i+1:]
			if s[i] == '!' {
				if spec == "" {
					return "", f.th.Raise("ValueError", "end of string while looking for conversion specifier")
				}
				conv, spec = spec[0], spec[1:]
				if spec != "" {
					if spec[0] != ':' {
						return "", f.th.Raise("ValueError", "expected ':' after conversion specifier")
					}
					spec = spec[1:]
				}
			}
			break scan
		}
	}
	v, err := f.lookup(name)
	if err != nil {
		return "", err
	}
	// The conversions are those of f-strings: str, repr and ascii.
	switch conv {
	case 0:
	case 's', 'r', 'a':
		text, known := f.th.Repr(v)
		switch conv {
		case 's':
			text, known = f.th.Str(v)
		case 'a':
			text = ASCII(text)
		}
		v = f.w.strResult(f.th, text, known)
	default:
		return "", f.th.Raise("ValueError", "Unknown conversion specifier %c", conv)
	}
	// A specification with fields of its own. If it is not known, how the value is formatted is not
	// either: its str serves as the example.
	if strings.ContainsAny(spec, "{}") {
		before := f.known
		f.known = true
		if spec, err = f.run(spec, depth-1); err != nil {
			return "", err
		}
		specKnown := f.known
		f.known = before && specKnown
		if !specKnown {
			text, _ := f.th.Str(v)
			return text, nil
		}
	}
	r, err := f.w.Format(f.th, v, spec)
	if err != nil {
		return "", err
	}
	// __format__ gave a text that is not known: its example goes on.
	text, ok := value.AsStr(r)
	if !ok {
		f.known = false
		text = textOf(value.Plain(r))
	}
	return text, nil
}

// lookup finds the value of a field name: first(.attr|[index])*. The first part is a number, a
// name, or empty for the next number; numbers by hand and automatic ones do not mix (ValueError). A
// missing key or argument is a KeyError or IndexError, and a missing attribute an AttributeError.
func (f *formatter) lookup(name string) (value.Value, error) {
	i := strings.IndexAny(name, ".[")
	first, rest := name, ""
	if i >= 0 {
		first, rest = name[:i], name[i:]
	}
	var v value.Value
	switch n, err := strconv.Atoi(first); {
	case first == "":
		if f.manual {
			return nil, f.th.Raise("ValueError", "cannot switch from manual field specification to automatic field numbering")
		}
		n = f.auto
		f.auto++
		if v, err = f.arg(n); err != nil {
			return nil, err
		}
	case err == nil && digit(first[0]):
		if f.auto > 0 {
			return nil, f.th.Raise("ValueError", "cannot switch from automatic field numbering to manual field specification")
		}
		f.manual = true
		if v, err = f.arg(n); err != nil {
			return nil, err
		}
	default:
		// A local err, as the one of Atoi only says that the name is no number.
		var err error
		// format_map reads by the mapping's own __getitem__, so that __missing__ works.
		if f.mapping != nil {
			v, err = f.th.GetItem(f.mapping, value.Str(first))
		} else if v = f.keyword(first); v == nil {
			err = f.w.keyError(f.th, value.Str(first))
		}
		if err != nil {
			return nil, err
		}
	}
	// Attributes and items, from the left.
	for rest != "" {
		var err error
		if rest[0] == '.' {
			rest = rest[1:]
			i := strings.IndexAny(rest, ".[")
			attr := rest
			if i >= 0 {
				attr = rest[:i]
			}
			rest = rest[len(attr):]
			if attr == "" {
				return nil, f.th.Raise("ValueError", "Empty attribute in format string")
			}
			v, err = f.th.GetAttr(v, attr)
		} else {
			i := strings.IndexByte(rest, ']')
			if i < 0 {
				return nil, f.th.Raise("ValueError", "Missing ']' in format string")
			}
			key := rest[1:i]
			rest = rest[i+1:]
			if rest != "" && rest[0] != '.' && rest[0] != '[' {
				return nil, f.th.Raise("ValueError", "Only '.' or '[' may follow ']' in format field specifier")
			}
			// A key of digits is a number, all others are texts, without quotes.
			var index value.Value = value.Str(key)
			if n, err := strconv.Atoi(key); err == nil && digit(key[0]) {
				index = value.Int(n)
			}
			v, err = f.th.GetItem(v, index)
		}
		if err != nil {
			return nil, err
		}
	}
	return v, nil
}

// arg is a positional argument by number; format_map has none (ValueError).
func (f *formatter) arg(n int) (value.Value, error) {
	if f.mapping != nil {
		return nil, f.th.Raise("ValueError", "Format string contains positional fields")
	}
	if n >= len(f.args) {
		return nil, f.th.Raise("IndexError", "Replacement index %d out of range for positional args tuple", n)
	}
	return f.args[n], nil
}

// keyword is an argument by name, nil if there is none.
func (f *formatter) keyword(name string) value.Value {
	for _, k := range f.kw {
		if k.Name == name {
			return k.Value
		}
	}
	return nil
}
