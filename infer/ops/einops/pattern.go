package einops

// This file reads the patterns of einops: "b c (h p) w -> b (h w) (c p)". The
// grammar and what is refused follow einops' parsing.py. A pattern is parsed to two sides of
// groups; a group is one dimension of a tensor, composed of its axes in row-major order. Nothing of
// the tensor is known here, so all that this file refuses is wrong for every tensor. The rules
// (einops.go) then match the left side with the tensor's shape, where an axis of unknown length
// takes what is left, and compute the right side.

import (
	"strconv"
	"strings"
	"unicode"
)

// An einAxis is one axis in a pattern. The name is unique on a side, but for _ and repeated axes
// where these are admitted.
type einAxis struct {
	name string
	size int64 // of an axis given by a number above 1; else 0
	off  int   // where it stands in the pattern
}

// It is a character that no name can have.
const einEllipsis = "…"

// label is how messages show the axis. A number is shown as itself, since its name is made up.
func (a einAxis) label() string {
	switch {
	case a.size > 0:
		return strconv.FormatInt(a.size, 10)
	case strings.HasPrefix(a.name, einEllipsis):
		return "..."
	}
	return a.name
}

// An einGroup is one dimension: the axes that it is composed of, none for 1 and (). Empty for a
// dimension of size 1. A group without brackets has exactly one axis, or none if it is the number
// 1.
type einGroup struct {
	axes    []einAxis
	bracket bool
	off     int
}

// An einSide is one side of a pattern. The order of groups is that of the dimensions.
type einSide struct {
	groups []einGroup
	// There is at most one.
	ellipsis  bool
	bracketed bool // the ellipsis stands in parentheses
	numbers   bool // there are axes given by numbers above 1
}

// An einFault is an error in a pattern, with the part that it is about. off and len are bytes of
// the whole pattern, from which the place in the source is found.
type einFault struct {
	msg      string
	off, len int
}

// f is called for all axes in their order, those of groups included.
func (s *einSide) axes(f func(a einAxis)) {
	for _, g := range s.groups {
		for _, a := range g.axes {
			f(a)
		}
	}
}

// find returns the axis of that name. The first one, if several have the name.
func (s *einSide) find(name string) (einAxis, bool) {
	var out einAxis
	found := false
	s.axes(func(a einAxis) {
		if a.name == name && !found {
			out, found = a, true
		}
	})
	return out, found
}

// parseEinSide reads one side, which begins at base in the pattern. underscore
// admits _ for an axis without a name; twice admits axes that appear repeatedly. The fault is the
// first one from the left, except that dots are counted before. Numbers may repeat, since they are
// no names.
func parseEinSide(text string, base int, underscore, twice bool) (*einSide, *einFault) {
	s := &einSide{}
	if i := strings.Index(text, "."); i >= 0 {
		if strings.Count(text, "...") != 1 || strings.Count(text, ".") != 3 {
			return nil, &einFault{"dots may stand in a pattern only as one ellipsis ...", base + i, 1}
		}
	}
	seen := map[string]bool{}
	// open is where an open parenthesis stands, or -1.
	open := -1
	var bracket []einAxis
	// add appends an axis to the group that is open, or as a group of its own.
	add := func(word string, at int) *einFault {
		if word == "..." {
			word = einEllipsis
		}
		_, err := strconv.ParseInt(word, 10, 64)
		if seen[word] && err != nil && !(underscore && word == "_") && !twice {
			return &einFault{"the axis '" + word + "' appears twice on one side", at, len(word)}
		}
		a := einAxis{name: word, off: at}
		switch n, err := strconv.ParseInt(word, 10, 64); {
		case word == einEllipsis:
			s.ellipsis, s.bracketed = true, open >= 0
		case err == nil && n == 1:
			// 1 in parentheses changes nothing.
			if open < 0 {
				s.groups = append(s.groups, einGroup{off: at})
			}
			return nil
		case err == nil && n <= 0:
			return &einFault{"an axis must have a positive length, not " + word, at, len(word)}
		case err == nil:
			// Each number is an axis of its own, named by its place.
			a.size, a.name, s.numbers = n, "#"+strconv.Itoa(at), true
		default:
			if why := badAxisName(word, underscore); why != "" {
				return &einFault{"'" + word + "' is no name of an axis: " + why, at, len(word)}
			}
		}
		seen[word] = true
		if open >= 0 {
			bracket = append(bracket, a)
		} else {
			s.groups = append(s.groups, einGroup{axes: []einAxis{a}, off: at})
		}
		return nil
	}
	for i := 0; i < len(text); {
		switch ch := text[i]; {
		case ch == ' ' || ch == '\t' || ch == '\n' || ch == '\r':
			i++
		case ch == '(':
			if open >= 0 {
				return nil, &einFault{"parentheses inside parentheses are not allowed", base + i, 1}
			}
			open, bracket = i, nil
			i++
		case ch == ')':
			if open < 0 {
				return nil, &einFault{"there is no ( for this )", base + i, 1}
			}
			s.groups = append(s.groups, einGroup{axes: bracket, bracket: true, off: base + open})
			open = -1
			i++
		default:
			j := i
			for j < len(text) && !strings.ContainsRune(" \t\r\n()", rune(text[j])) {
				// Characters beyond ASCII are looked at as parts of names.
				if r := rune(text[j]); r < 0x80 && r != '.' && r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
					return nil, &einFault{"unknown character '" + string(r) + "'", base + j, 1}
				}
				j++
			}
			word := text[i:j]
			// "..." needs no blank around it.
			for _, part := range splitEllipsis(word) {
				if f := add(part, base+i); f != nil {
					return nil, f
				}
				i += len(part)
			}
		}
	}
	if open >= 0 {
		return nil, &einFault{"the ( is not closed", base + open, 1}
	}
	return s, nil
}

// splitEllipsis separates an ellipsis from a name to which it is glued. The order of the parts is
// kept.
func splitEllipsis(word string) []string {
	i := strings.Index(word, "...")
	if i < 0 || word == "..." {
		return []string{word}
	}
	var out []string
	for _, p := range [...]string{word[:i], "...", word[i+3:]} {
		if p != "" {
			out = append(out, p)
		}
	}
	return out
}

// badAxisName says why a word is no name of an axis; empty if it is one. Names follow Python's
// rules for identifiers; underscores at either end are reserved by einops.
func badAxisName(name string, underscore bool) string {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return "it is not a Python identifier"
		}
	}
	if name[0] == '_' || name[len(name)-1] == '_' {
		if name == "_" && underscore {
			return ""
		}
		return "it must not begin or end with an underscore"
	}
	return ""
}

// An einPattern is "left -> right". given has the names of the lengths that the call passes as
// keywords.
type einPattern struct {
	text        string
	left, right *einSide
	given       []string // the axes with a length
}

// parseEin reads a pattern and checks what can be checked without a tensor. op
// is "rearrange", "repeat", or "reduce"; given are the axes with a length. What is refused depends
// on the operation: rearrange needs the same axes on both sides, repeat may add axes with a length,
// and reduce may drop axes. In a group at most one length may be open, since it is found by
// division.
func parseEin(text, op string, given []string) (*einPattern, *einFault) {
	if strings.Count(text, "->") != 1 {
		return nil, &einFault{"a pattern needs one ->", 0, len(text)}
	}
	l, r, _ := strings.Cut(text, "->")
	p := &einPattern{text: text, given: given}
	var f *einFault
	if p.left, f = parseEinSide(l, 0, false, false); f != nil {
		return nil, f
	}
	if p.right, f = parseEinSide(r, len(l)+2, false, false); f != nil {
		return nil, f
	}
	at := func(a einAxis, msg string) *einFault {
		n := len(a.label())
		return &einFault{msg, a.off, n}
	}
	if e, ok := p.right.find(einEllipsis); ok && !p.left.ellipsis {
		return nil, at(e, "there is an ellipsis on the right side, but none on the left")
	}
	if e, ok := p.left.find(einEllipsis); ok && p.left.bracketed {
		return nil, at(e, "an ellipsis in parentheses is not allowed on the left side")
	}
	// only finds an axis of a that b does not have.
	only := func(a, b *einSide) (out einAxis, ok bool) {
		names := map[string]bool{}
		b.axes(func(x einAxis) { names[x.name] = true })
		a.axes(func(x einAxis) {
			if !names[x.name] && !ok {
				out, ok = x, true
			}
		})
		return out, ok
	}
	switch op {
	// Numbers are new axes, which rearrange cannot make.
	case "rearrange":
		for _, s := range [...]*einSide{p.left, p.right} {
			var num einAxis
			s.axes(func(a einAxis) {
				if a.size > 0 {
					num = a
				}
			})
			if num.size > 0 {
				return nil, at(num, "an axis given by the number "+num.label()+" is not allowed in rearrange")
			}
		}
		if a, ok := only(p.left, p.right); ok {
			return nil, at(a, "the axis '"+a.label()+"' is only on the left side")
		}
		if a, ok := only(p.right, p.left); ok {
			return nil, at(a, "the axis '"+a.label()+"' is only on the right side")
		}
	// Every axis must survive, and new ones must say how long they are.
	case "repeat":
		if a, ok := only(p.left, p.right); ok {
			return nil, at(a, "the axis '"+a.label()+"' of the left side is missing on the right side of repeat")
		}
		var bare einAxis
		p.right.axes(func(a einAxis) {
			_, old := p.left.find(a.name)
			if !old && a.size == 0 && !containsStr(given, a.name) && bare.name == "" {
				bare = a
			}
		})
		if bare.name != "" {
			return nil, at(bare, "the new axis '"+bare.label()+"' needs a length: "+bare.label()+"=…")
		}
	// reduce.
	default:
		if a, ok := only(p.right, p.left); ok {
			return nil, at(a, "the axis '"+a.label()+"' of the right side is missing on the left side")
		}
	}
	// A length for an axis that is not used is an error, as a misspelt name would be.
	for _, name := range given {
		if why := badAxisName(name, false); why != "" {
			return nil, &einFault{"'" + name + "' is no name of an axis: " + why, 0, len(text)}
		}
		_, l := p.left.find(name)
		_, r := p.right.find(name)
		if !l && !(r && op == "repeat") {
			return nil, &einFault{"the axis '" + name + "' has a length, but is not used in the pattern", 0, len(text)}
		}
	}
	// The lengths of two unknown axes in one dimension have no unique solution.
	for _, g := range p.left.groups {
		var open []einAxis
		for _, a := range g.axes {
			if a.size == 0 && a.name != einEllipsis && !containsStr(given, a.name) {
				open = append(open, a)
			}
		}
		if len(open) > 1 {
			return nil, &einFault{"the lengths of '" + open[0].name + "' and '" + open[1].name + "' cannot both be inferred: one must be given",
				open[0].off,
				open[len(open)-1].off + len(open[len(open)-1].name) - open[0].off}
		}
	}
	return p, nil
}

func containsStr(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// expand replaces the ellipsis by n axes of its own. n is the number of dimensions that the
// ellipsis stands for, at least 0. Without brackets each becomes a dimension; in brackets all of
// them are part of the group.
func (s *einSide) expand(n int) *einSide {
	out := &einSide{}
	for _, g := range s.groups {
		var axes []einAxis
		loose := false
		for _, a := range g.axes {
			if a.name != einEllipsis {
				axes = append(axes, a)
				continue
			}
			loose = !g.bracket
			for i := range n {
				e := a
				e.name += strconv.Itoa(i)
				axes = append(axes, e)
			}
		}
		if !loose {
			out.groups = append(out.groups, einGroup{axes: axes, bracket: g.bracket, off: g.off})
			continue
		}
		for _, a := range axes {
			out.groups = append(out.groups, einGroup{axes: []einAxis{a}, off: g.off})
		}
	}
	return out
}
