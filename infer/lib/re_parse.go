package lib

// This file parses Python's regular expressions. The engine is our own, since
// Go's regexp has no lookaround, backreferences or Python's order of
// alternatives, and engines that do (.NET's) number groups, bound quantifiers
// and read classes differently, and bound their work by the clock, so that a
// result would depend on the machine.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A reOp is what a node of a pattern matches.
type reOp uint8

const (
	reEmpty reOp = iota
	reSet
	reSeq
	reAlt
	reRepeat
	reGroup
	reLook
	reBackref
	reAtomic
	reCond
	reAssert
)

// A reNode is a node of a parsed pattern.
type reNode struct {
	op       reOp
	subs     []*reNode
	set      func(r rune) bool // reSet
	n        int               // group number of reGroup, reBackref, reCond; kind of reAssert
	min, max int               // reRepeat; max < 0: no bound
	lazy     bool
	possess  bool
	neg      bool // reLook
	behind   bool // reLook
	width    int  // reLook behind
	flags    int
}

// The flags, with CPython's values.
const (
	reIgnoreCase = 2
	reMultiLine  = 8
	reDotAll     = 16
	reUnicode    = 32
	reVerbose    = 64
	reASCII      = 256
)

// A reParser reads a pattern as CPython's sre_parse does, by recursive descent. Go's package regexp cannot take
// its place: it has no backreferences, look-around or possessive repeats, and its leftmost-first rule agrees
// with Python's backtracking in most cases only.
type reParser struct {
	src    []rune
	pos    int
	flags  int
	groups int
	names  map[string]int
	open   map[int]bool // groups that are not closed
	depth  int
	paren  int // where the group that is read began
}

// A reProgram is a compiled pattern.
type reProgram struct {
	pattern string
	flags   int
	groups  int // without the whole match
	names   map[string]int
	match   reMatch
}

// reNodeBytes is about what a character of a pattern becomes: a node and its function.
const reNodeBytes = 512

// reCompile compiles a pattern.
func reCompile(pattern string, flags int) (*reProgram, error) {
	p := &reParser{src: []rune(pattern), flags: flags | reUnicode, names: map[string]int{}, open: map[int]bool{}}
	if flags&reASCII != 0 {
		p.flags &^= reUnicode
	}
	n, err := p.alt()
	if err != nil {
		return nil, err
	}
	if p.pos < len(p.src) {
		return nil, p.errorf("unbalanced parenthesis")
	}
	return &reProgram{pattern: pattern, flags: p.flags, groups: p.groups, names: p.names, match: n.compile()}, nil
}

func (p *reParser) errorf(format string, args ...any) error { return p.errorAt(p.pos, format, args...) }

func (p *reParser) errorAt(pos int, format string, args ...any) error {
	return fmt.Errorf("%s at position %d", fmt.Sprintf(format, args...), pos)
}

func (p *reParser) more() bool { return p.pos < len(p.src) }

func (p *reParser) peek() rune {
	if p.more() {
		return p.src[p.pos]
	}
	return -1
}

func (p *reParser) has(s string) bool {
	for i, r := range []rune(s) {
		if p.pos+i >= len(p.src) || p.src[p.pos+i] != r {
			return false
		}
	}
	return true
}

func (p *reParser) accept(s string) bool {
	if p.has(s) {
		p.pos += len([]rune(s))
		return true
	}
	return false
}

// until reads up to and with the terminator.
func (p *reParser) until(end rune) (string, error) {
	start := p.pos
	for p.more() {
		if p.src[p.pos] == end {
			p.pos++
			return string(p.src[start : p.pos-1]), nil
		}
		p.pos++
	}
	return "", p.errorf("missing %c, unterminated name", end)
}

// alt reads branches. Flags that are set inside of a group end with it, which saved restores.
func (p *reParser) alt() (*reNode, error) {
	if p.depth++; p.depth > 200 {
		return nil, p.errorf("pattern is nested too deeply")
	}
	defer func() { p.depth-- }()
	saved := p.flags
	defer func() {
		if p.depth > 1 {
			p.flags = saved
		}
	}()
	n := &reNode{op: reAlt}
	for {
		s, err := p.seq()
		if err != nil {
			return nil, err
		}
		n.subs = append(n.subs, s)
		if !p.accept("|") {
			break
		}
	}
	if len(n.subs) == 1 {
		return n.subs[0], nil
	}
	return n, nil
}

// skipVerbose passes over blanks and comments where the flag X says so.
func (p *reParser) skipVerbose() {
	for p.flags&reVerbose != 0 && p.more() {
		switch {
		case strings.ContainsRune(" \t\n\r\f\v", p.peek()):
			p.pos++
		case p.peek() == '#':
			for p.more() && p.peek() != '\n' {
				p.pos++
			}
		default:
			return
		}
	}
}

// seq reads what stands one after the other; an atom may be nothing, as a comment or global flags are.
func (p *reParser) seq() (*reNode, error) {
	n := &reNode{op: reSeq}
	for {
		p.skipVerbose()
		if !p.more() || p.peek() == '|' || p.peek() == ')' {
			return n, nil
		}
		a, err := p.atom()
		if err != nil {
			return nil, err
		}
		if a == nil {
			continue
		}
		if a, err = p.quantifier(a); err != nil {
			return nil, err
		}
		n.subs = append(n.subs, a)
	}
}

// quantifier reads the repeats after an atom. Two of them in a row are an error, but ? and + after a repeat
// make it lazy or possessive (3.11). A brace that begins no repeat is a character.
func (p *reParser) quantifier(a *reNode) (*reNode, error) {
	for repeated := false; ; repeated = true {
		p.skipVerbose()
		lo, hi := 0, -1
		switch p.peek() {
		case '*':
		case '+':
			lo = 1
		case '?':
			hi = 1
		case '{':
			var ok bool
			var err error
			if lo, hi, ok, err = p.braces(); err != nil {
				return nil, err
			} else if !ok {
				return a, nil
			}
			p.pos--
		default:
			return a, nil
		}
		if repeated {
			return nil, p.errorf("multiple repeat")
		}
		if a.op == reAssert {
			return nil, p.errorf("nothing to repeat")
		}
		p.pos++
		a = &reNode{op: reRepeat, subs: []*reNode{a}, min: lo, max: hi}
		if p.accept("?") {
			a.lazy = true
		} else if p.accept("+") {
			a.possess = true
		}
	}
}

// braces reads {m}, {m,}, {,n} or {m,n}; anything else is literal text.
func (p *reParser) braces() (lo, hi int, ok bool, err error) {
	end := p.pos + 1
	for end < len(p.src) && p.src[end] != '}' {
		end++
	}
	if end == len(p.src) {
		return 0, 0, false, nil
	}
	a, b, comma := strings.Cut(string(p.src[p.pos+1:end]), ",")
	num := func(s string, empty int) (int, bool) {
		if s == "" {
			return empty, true
		}
		n, err := strconv.ParseUint(s, 10, 16)
		return int(n), err == nil
	}
	if a == "" && !comma {
		return 0, 0, false, nil
	}
	lo, okA := num(a, 0)
	hi = lo
	okB := true
	if comma {
		hi, okB = num(b, -1)
	}
	if !okA || !okB {
		return 0, 0, false, nil
	}
	if hi >= 0 && hi < lo {
		return 0, 0, false, p.errorf("min repeat greater than max repeat")
	}
	p.pos = end + 1
	return lo, hi, true, nil
}

// The kinds of reAssert.
const (
	atBegin = iota // \A
	atBeginLine
	atEnd // \Z
	atEndText
	atEndLine
	atBoundary
	atNotBoundary
)

// atom reads one item; nil for flags and comments.
func (p *reParser) atom() (*reNode, error) {
	r := p.src[p.pos]
	p.pos++
	switch r {
	case '.':
		if p.flags&reDotAll != 0 {
			return &reNode{op: reSet, set: func(rune) bool { return true }}, nil
		}
		return &reNode{op: reSet, set: func(r rune) bool { return r != '\n' }}, nil
	case '^':
		if p.flags&reMultiLine != 0 {
			return &reNode{op: reAssert, n: atBeginLine}, nil
		}
		return &reNode{op: reAssert, n: atBegin}, nil
	case '$':
		if p.flags&reMultiLine != 0 {
			return &reNode{op: reAssert, n: atEndLine}, nil
		}
		return &reNode{op: reAssert, n: atEndText}, nil
	case '(':
		return p.group()
	case '[':
		return p.class()
	case '\\':
		return p.escape()
	case '*', '+', '?':
		p.pos--
		return nil, p.errorf("nothing to repeat")
	}
	return p.literal(r), nil
}

// literal is a set of one character, which the flag I widens by its other cases.
func (p *reParser) literal(r rune) *reNode {
	if p.flags&reIgnoreCase != 0 {
		return &reNode{op: reSet, set: foldSet(func(x rune) bool { return x == r })}
	}
	return &reNode{op: reSet, set: func(x rune) bool { return x == r }}
}

// foldSet makes a set ignore case.
func foldSet(set func(rune) bool) func(rune) bool {
	return func(x rune) bool {
		if set(x) {
			return true
		}
		for f := unicode.SimpleFold(x); f != x; f = unicode.SimpleFold(f) {
			if set(f) {
				return true
			}
		}
		return false
	}
}

// group reads what follows an open parenthesis: captures, names, look-around, atomic groups, conditions, flags.
// Each refusal has CPython's text, since programs print it. Look-behind needs a fixed width, as the matcher
// goes back by so many characters.
func (p *reParser) group() (*reNode, error) {
	p.paren = p.pos - 1
	if !p.accept("?") {
		return p.capture("")
	}
	switch {
	case p.accept("P<"), p.has("<") && !p.has("<=") && !p.has("<!"):
		if p.src[p.pos-1] != '<' {
			return nil, p.errorf("unknown extension ?<")
		}
		name, err := p.until('>')
		if err != nil {
			return nil, err
		}
		if !isIdentifier(name) {
			return nil, p.errorf("bad character in group name '%s'", name)
		}
		if _, ok := p.names[name]; ok {
			return nil, p.errorf("redefinition of group name '%s'", name)
		}
		return p.capture(name)
	case p.accept("P="):
		name, err := p.until(')')
		if err != nil {
			return nil, err
		}
		n, ok := p.names[name]
		if !ok {
			return nil, p.errorf("unknown group name '%s'", name)
		}
		return &reNode{op: reBackref, n: n, flags: p.flags}, nil
	case p.accept("#"):
		_, err := p.until(')')
		return nil, err
	case p.accept(":"):
		return p.inner(&reNode{op: reSeq})
	case p.accept(">"):
		return p.inner(&reNode{op: reAtomic})
	case p.accept("="):
		return p.inner(&reNode{op: reLook})
	case p.accept("!"):
		return p.inner(&reNode{op: reLook, neg: true})
	case p.has("<="), p.has("<!"):
		n := &reNode{op: reLook, behind: true, neg: p.src[p.pos+1] == '!'}
		p.pos += 2
		if _, err := p.inner(n); err != nil {
			return nil, err
		}
		w, ok := n.subs[0].fixedWidth()
		if !ok {
			return nil, p.errorf("look-behind requires fixed-width pattern")
		}
		n.width = w
		return n, nil
	case p.accept("("):
		return p.conditional()
	}
	return p.inlineFlags()
}

// capture numbers a group where it opens. While it is open it cannot be referred to.
func (p *reParser) capture(name string) (*reNode, error) {
	p.groups++
	n := &reNode{op: reGroup, n: p.groups}
	if name != "" {
		p.names[name] = n.n
	}
	p.open[n.n] = true
	defer delete(p.open, n.n)
	return p.inner(n)
}

// inner reads the body of a group into n.
func (p *reParser) inner(n *reNode) (*reNode, error) {
	start := p.paren
	body, err := p.alt()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.errorAt(start, "missing ), unterminated subpattern")
	}
	n.subs = []*reNode{body}
	return n, nil
}

// conditional reads (?(1)yes|no): which branch is tried depends on whether the group has matched.
func (p *reParser) conditional() (*reNode, error) {
	ref, err := p.until(')')
	if err != nil {
		return nil, err
	}
	n, ok := p.names[ref]
	if !ok {
		if n, err = strconv.Atoi(ref); err != nil || n < 1 {
			return nil, p.errorf("unknown group name '%s'", ref)
		}
	}
	body, err := p.alt()
	if err != nil {
		return nil, err
	}
	if !p.accept(")") {
		return nil, p.errorf("missing ), unterminated subpattern")
	}
	c := &reNode{op: reCond, n: n, subs: []*reNode{body, {op: reSeq}}}
	if body.op == reAlt {
		if len(body.subs) > 2 {
			return nil, p.errorf("conditional backref with more than two branches")
		}
		c.subs = body.subs
	}
	return c, nil
}

var reFlagLetters = map[rune]int{'i': reIgnoreCase, 'm': reMultiLine, 's': reDotAll, 'x': reVerbose, 'a': reASCII, 'u': reUnicode, 'L': 0}

// inlineFlags reads (?aimsx), (?aimsx-imsx:…).
func (p *reParser) inlineFlags() (*reNode, error) {
	flags, off := p.flags, false
	for p.more() {
		r := p.peek()
		p.pos++
		f, ok := reFlagLetters[r]
		switch {
		case r == '-' && !off:
			off = true
		case r == ')' && !off:
			p.flags = flags
			return nil, nil
		case r == ':':
			saved := p.flags
			p.flags = flags
			n, err := p.inner(&reNode{op: reSeq})
			p.flags = saved
			return n, err
		case ok && off:
			flags &^= f
		case ok:
			flags |= f
		default:
			return nil, p.errorf("unknown extension ?%c", r)
		}
	}
	return nil, p.errorf("missing -, : or )")
}

// classEscapes gives the sets of \d \D \w \W \s \S.
func (p *reParser) classEscape(r rune) func(rune) bool {
	ascii := p.flags&reASCII != 0
	var set func(rune) bool
	switch unicode.ToLower(r) {
	case 'd':
		set = func(x rune) bool { return x >= '0' && x <= '9' || !ascii && x > 127 && unicode.Is(unicode.Nd, x) }
	case 'w':
		set = func(x rune) bool { return isWord(x, ascii) }
	case 's':
		set = func(x rune) bool {
			return x == ' ' || x >= '\t' && x <= '\r' || !ascii && (x >= 0x1c && x <= 0x1f || x > 127 && unicode.IsSpace(x))
		}
	default:
		return nil
	}
	if unicode.IsUpper(r) {
		return func(x rune) bool { return !set(x) }
	}
	return set
}

// isWord is \w: letters and numbers of Unicode unless the flag A says ASCII.
func isWord(x rune, ascii bool) bool {
	if x < 128 {
		return x == '_' || x >= '0' && x <= '9' || x >= 'a' && x <= 'z' || x >= 'A' && x <= 'Z'
	}
	return !ascii && (unicode.IsLetter(x) || unicode.IsNumber(x))
}

// escape reads what follows a backslash outside of a set. A digit begins a reference to a group, unless three
// octal digits make a character.
func (p *reParser) escape() (*reNode, error) {
	if !p.more() {
		return nil, p.errorf("bad escape (end of pattern)")
	}
	r := p.peek()
	if set := p.classEscape(r); set != nil {
		p.pos++
		return &reNode{op: reSet, set: set}, nil
	}
	asserts := map[rune]int{'A': atBegin, 'Z': atEnd, 'b': atBoundary, 'B': atNotBoundary}
	if k, ok := asserts[r]; ok {
		p.pos++
		return &reNode{op: reAssert, n: k, flags: p.flags}, nil
	}
	octal := p.pos+3 <= len(p.src) && isOctal(r) && isOctal(p.src[p.pos+1]) && isOctal(p.src[p.pos+2])
	if r >= '1' && r <= '9' && !octal {
		start := p.pos
		for p.more() && p.pos < start+2 && p.peek() >= '0' && p.peek() <= '9' {
			p.pos++
		}
		n, _ := strconv.Atoi(string(p.src[start:p.pos]))
		if n > p.groups || p.open[n] {
			return nil, p.errorf("invalid group reference %d", n)
		}
		return &reNode{op: reBackref, n: n, flags: p.flags}, nil
	}
	x, err := p.charEscape()
	if err != nil {
		return nil, err
	}
	return p.literal(x), nil
}

var reCharEscapes = map[rune]rune{'n': '\n', 't': '\t', 'r': '\r', 'f': '\f', 'v': '\v', 'a': '\a'}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

// charEscape reads what follows a backslash as one character.
func (p *reParser) charEscape() (rune, error) {
	r := p.peek()
	p.pos++
	if x, ok := reCharEscapes[r]; ok {
		return x, nil
	}
	hex := map[rune]int{'x': 2, 'u': 4, 'U': 8}
	if n, ok := hex[r]; ok {
		if p.pos+n > len(p.src) {
			return 0, p.errorf("incomplete escape \\%c", r)
		}
		v, err := strconv.ParseUint(string(p.src[p.pos:p.pos+n]), 16, 32)
		if err != nil {
			return 0, p.errorf("incomplete escape \\%c", r)
		}
		p.pos += n
		return rune(v), nil
	}
	if isOctal(r) {
		start := p.pos - 1
		for p.more() && p.pos < start+3 && isOctal(p.peek()) {
			p.pos++
		}
		v, err := strconv.ParseUint(string(p.src[start:p.pos]), 8, 8)
		if err != nil {
			return 0, p.errorf("octal escape value \\%s outside of range 0-0o377", string(p.src[start:p.pos]))
		}
		return rune(v), nil
	}
	if r == '8' || r == '9' || r < 128 && unicode.IsLetter(r) {
		return 0, p.errorf("bad escape \\%c", r)
	}
	return r, nil
}

// class reads a set in brackets.
func (p *reParser) class() (*reNode, error) {
	start := p.pos - 1
	neg := p.accept("^")
	var sets []func(rune) bool
	one := func() (rune, func(rune) bool, error) {
		r := p.peek()
		p.pos++
		if r != '\\' {
			return r, nil, nil
		}
		if !p.more() {
			return 0, nil, p.errorf("unterminated character set")
		}
		if p.peek() == 'b' {
			p.pos++
			return '\b', nil, nil
		}
		if set := p.classEscape(p.peek()); set != nil {
			p.pos++
			return 0, set, nil
		}
		x, err := p.charEscape()
		return x, nil, err
	}
	for first := true; ; first = false {
		if !p.more() {
			return nil, p.errorAt(start, "unterminated character set")
		}
		if p.peek() == ']' && !first {
			p.pos++
			break
		}
		lo, set, err := one()
		if err != nil {
			return nil, err
		}
		if set != nil {
			sets = append(sets, set)
			continue
		}
		hi := lo
		if p.peek() == '-' && p.pos+1 < len(p.src) && p.src[p.pos+1] != ']' {
			p.pos++
			var end func(rune) bool
			if hi, end, err = one(); err != nil {
				return nil, err
			}
			if end != nil || hi < lo {
				return nil, p.errorf("bad character range")
			}
		}
		sets = append(sets, func(x rune) bool { return x >= lo && x <= hi })
	}
	set := func(x rune) bool {
		for _, s := range sets {
			if s(x) {
				return true
			}
		}
		return false
	}
	if p.flags&reIgnoreCase != 0 {
		set = foldSet(set)
	}
	if neg {
		inner := set
		set = func(x rune) bool { return !inner(x) }
	}
	return &reNode{op: reSet, set: set}, nil
}

// fixedWidth returns the number of characters that n matches, if it is always
// the same.
func (n *reNode) fixedWidth() (int, bool) {
	switch n.op {
	case reSet:
		return 1, true
	case reSeq, reGroup, reAtomic:
		sum := 0
		for _, s := range n.subs {
			w, ok := s.fixedWidth()
			if !ok {
				return 0, false
			}
			sum += w
		}
		return sum, true
	case reAlt:
		w, ok := n.subs[0].fixedWidth()
		for _, s := range n.subs[1:] {
			x, ok2 := s.fixedWidth()
			ok = ok && ok2 && x == w
		}
		return w, ok
	case reRepeat:
		w, ok := n.subs[0].fixedWidth()
		return w * n.min, ok && n.min == n.max
	case reLook, reAssert, reEmpty:
		return 0, true
	}
	return 0, false
}
