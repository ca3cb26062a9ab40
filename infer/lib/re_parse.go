package lib

// This file parses Python's regular expressions. The engine is our own, since
// Go's regexp has no lookaround, backreferences or Python's order of
// alternatives, and engines that do (.NET's) number groups, bound quantifiers
// and read classes differently, and bound their work by the clock, so that a
// result would depend on the machine. The way of a pattern: reCompile makes a tree of reNode, and
// compile (re_match.go) turns each node into a closure. Flags act when a node is made, since they
// can change within a pattern, so the matcher knows nothing of them but where a node keeps them.
// Errors have CPython's text with the position at the end, and the caller raises them as re.error.

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// A reOp is what a node of a pattern matches.
type reOp uint8

const (
	// Nothing, which always matches.
	reEmpty reOp = iota
	// One character that set accepts.
	reSet
	// All subs, one after the other.
	reSeq
	// The first of the subs with which the rest matches, too.
	reAlt
	// The only sub, min to max times.
	reRepeat
	// The only sub, whose place is remembered as group n.
	reGroup
	// Look-ahead or look-behind: the only sub must match here, or must not with neg, and nothing is
	// consumed.
	reLook
	// The text of group n again.
	reBackref
	// The only sub, into which there is no backtracking.
	reAtomic
	// subs[0] where group n has matched, else subs[1].
	reCond
	// A place, see the kinds of reAssert.
	reAssert
)

// A reNode is a node of a parsed pattern.
type reNode struct {
	op       reOp
	subs     []*reNode
	set      func(r rune) bool // reSet
	n        int               // group number of reGroup, reBackref, reCond; kind of reAssert
	min, max int               // reRepeat; max < 0: no bound
	// With lazy the matcher tries fewer repetitions first.
	lazy bool
	// A possessive repeat never gives back what it took.
	possess bool
	neg     bool // reLook
	behind  bool // reLook
	// The number of characters that a look-behind goes back.
	width int // reLook behind
	// The flags in force at the node, for assertions and back references: multiline, ASCII and
	// case.
	flags int
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
	// Characters rather than bytes, because positions in messages and the width of look-behind
	// count characters.
	src []rune
	pos int
	// Those in force at pos.
	flags int
	// The number of groups that were opened so far.
	groups int
	// The numbers of the named groups.
	names map[string]int
	// A reference to a group from within itself is an error, which this set detects.
	open map[int]bool // groups that are not closed
	// The number of nested alternatives, bounded so that a pattern cannot exhaust the stack.
	depth int
	paren int // where the group that is read began
}

// A reProgram is a compiled pattern.
type reProgram struct {
	pattern string
	// With those that stood at the beginning of the pattern, as re.Pattern.flags shows.
	flags  int
	groups int // without the whole match
	names  map[string]int
	match  reMatch
}

// reNodeBytes is about what a character of a pattern becomes: a node and its function.
const reNodeBytes = 512

// reCompile compiles a pattern. The flags are those of re.compile. The error is for a malformed
// pattern only. Patterns are always str, so UNICODE is set unless ASCII is.
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

// The place is where the parser stands.
func (p *reParser) errorf(format string, args ...any) error { return p.errorAt(p.pos, format, args...) }

// Positions are 0-based counts of characters, as in re.error.pos.
func (p *reParser) errorAt(pos int, format string, args ...any) error {
	return fmt.Errorf("%s at position %d", fmt.Sprintf(format, args...), pos)
}

// False at the end of the pattern.
func (p *reParser) more() bool { return p.pos < len(p.src) }

// -1 at the end of the pattern, which is no character, so callers need not ask before.
func (p *reParser) peek() rune {
	if p.more() {
		return p.src[p.pos]
	}
	return -1
}

// Whether s stands at the current place, without moving on.
func (p *reParser) has(s string) bool {
	for i, r := range []rune(s) {
		if p.pos+i >= len(p.src) || p.src[p.pos+i] != r {
			return false
		}
	}
	return true
}

// It moves behind s where s stands at the current place.
func (p *reParser) accept(s string) bool {
	if p.has(s) {
		p.pos += len([]rune(s))
		return true
	}
	return false
}

// until reads up to and with the terminator. An error names the missing terminator when the pattern
// ends before it.
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
	// CPython would raise RecursionError at a depth that its own stack decides.
	if p.depth++; p.depth > 200 {
		return nil, p.errorf("pattern is nested too deeply")
	}
	defer func() { p.depth-- }()
	// Flags at the outermost level are global and therefore stay.
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
	// A single branch needs no node of its own.
	if len(n.subs) == 1 {
		return n.subs[0], nil
	}
	return n, nil
}

// skipVerbose passes over blanks and comments where the flag X says so. Inside of brackets blanks
// count, so class does not call it.
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

// seq reads what stands one after the other; an atom may be nothing, as a comment or global flags
// are. It ends at a bar or a closing parenthesis, which the caller reads.
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
		// A comment or flags, after which no quantifier is expected: the next turn of the loop refuses it, although CPython would repeat the item before.
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
		// Between an atom and its quantifier blanks are allowed with the flag X.
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
			// The common step below goes over the closing brace.
			p.pos--
		default:
			return a, nil
		}
		// A repeat of a repeat, as in a**; the text is CPython's.
		if repeated {
			return nil, p.errorf("multiple repeat")
		}
		// An assertion such as ^ or \b cannot be repeated.
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
	// Without a closing brace the opening one is a literal.
	if end == len(p.src) {
		return 0, 0, false, nil
	}
	// Without a comma the number is both bounds.
	a, b, comma := strings.Cut(string(p.src[p.pos+1:end]), ",")
	num := func(s string, empty int) (int, bool) {
		if s == "" {
			return empty, true
		}
		// Bounds of more than 16 bits are not taken as repeats, whereas CPython allows up to
		// 2^32-1.
		n, err := strconv.ParseUint(s, 10, 16)
		return int(n), err == nil
	}
	// {} is a literal.
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
	// The beginning of the text.
	atBegin = iota // \A
	// The beginning of a line, which ^ means with the flag M.
	atBeginLine
	// The end of the text.
	atEnd // \Z
	// The end of the text, or before a newline that ends it: $ without the flag M.
	atEndText
	// The end of a line: $ with the flag M.
	atEndLine
	// \b, a place between a word character and another one.
	atBoundary
	atNotBoundary
)

// atom reads one item; nil for flags and comments. A quantifier that stands where an atom is
// expected has nothing to repeat. A brace there is a character, also where CPython finds nothing to repeat, as in {3} at the beginning.
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

// foldSet makes a set ignore case. Case folding goes through the orbit of characters that fold to
// one another (unicode.SimpleFold), which covers the one-to-one mappings of IGNORECASE.
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
	// The place of the parenthesis is kept for the message about one that is not closed.
	p.paren = p.pos - 1
	if !p.accept("?") {
		return p.capture("")
	}
	switch {
	// (?<name>…) of other dialects is an unknown extension in Python; only (?P<name>…) makes a
	// named group.
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
		// The width is computed once here, so the matcher only goes back by it.
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

// capture numbers a group where it opens. While it is open it cannot be referred to. Numbers follow
// the opening parentheses from left to right, beginning with 1.
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

// inner reads the body of a group into n. Alternatives inside take their flags from outside, and
// lose their own at the end, which alt sees to.
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
// The reference is a name or a positive number, and the group may come later in the pattern. More
// than two branches are an error, and a missing second one matches nothing.
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
	// The bar at the top level of the body separates the two branches.
	if body.op == reAlt {
		if len(body.subs) > 2 {
			return nil, p.errorf("conditional backref with more than two branches")
		}
		c.subs = body.subs
	}
	return c, nil
}

// L, which is for bytes only, is accepted without effect.
var reFlagLetters = map[rune]int{'i': reIgnoreCase, 'm': reMultiLine, 's': reDotAll, 'x': reVerbose, 'a': reASCII, 'u': reUnicode, 'L': 0}

// inlineFlags reads (?aimsx), (?aimsx-imsx:…). Before a closing parenthesis they hold for the rest
// of the enclosing group or pattern; before a colon for the body only. After the minus sign they
// are taken away.
func (p *reParser) inlineFlags() (*reNode, error) {
	flags, off := p.flags, false
	for p.more() {
		r := p.peek()
		p.pos++
		f, ok := reFlagLetters[r]
		switch {
		case r == '-' && !off:
			off = true
		// Global flags give no node, which atom's caller takes for nothing.
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

// classEscapes gives the sets of \d \D \w \W \s \S. The result is nil for another letter. Digits
// are the decimal digits of Unicode (category Nd), blanks those of str.isspace, which adds the
// separators 0x1c to 0x1f to Unicode's, and all are limited to ASCII with the flag A. The capital
// letter is the complement.
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
	// A class or an assertion comes before the characters, because \b and \d would be refused as
	// such.
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
	// Three octal digits are a character also where the first is not 0; any fewer, if they do not
	// begin with 0, are a reference.
	octal := p.pos+3 <= len(p.src) && isOctal(r) && isOctal(p.src[p.pos+1]) && isOctal(p.src[p.pos+2])
	if r >= '1' && r <= '9' && !octal {
		start := p.pos
		// A reference has at most two digits.
		for p.more() && p.pos < start+2 && p.peek() >= '0' && p.peek() <= '9' {
			p.pos++
		}
		n, _ := strconv.Atoi(string(p.src[start:p.pos]))
		// The group must be closed already.
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

// \b is a backspace within brackets only, where class reads it.
var reCharEscapes = map[rune]rune{'n': '\n', 't': '\t', 'r': '\r', 'f': '\f', 'v': '\v', 'a': '\a'}

func isOctal(r rune) bool { return r >= '0' && r <= '7' }

// charEscape reads what follows a backslash as one character. \x takes two, \u four and \U eight
// hexadecimal digits, an octal escape at most three digits with a value of at most 255. Letters
// without a meaning are an error since Python 3.7; other characters stand for themselves.
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

// class reads a set in brackets. A ] in the first place is a character. A minus between two
// characters makes a range, but is itself a character at either end. The parts are tested one after
// the other, since patterns have few of them.
func (p *reParser) class() (*reNode, error) {
	start := p.pos - 1
	neg := p.accept("^")
	var sets []func(rune) bool
	// one reads a character or a class such as \d inside of brackets; exactly one of its results is
	// set.
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
		// A minus before the closing bracket ends no range.
		if p.peek() == '-' && p.pos+1 < len(p.src) && p.src[p.pos+1] != ']' {
			p.pos++
			var end func(rune) bool
			if hi, end, err = one(); err != nil {
				return nil, err
			}
			// A class such as \d cannot be the end of a range.
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
	// Case is ignored before the set is negated: [^a] with the flag I excludes A, too.
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
// the same. A reference, a condition and a repeat with different bounds have none, even where every
// way has the same length. Assertions and look-around take nothing.
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
