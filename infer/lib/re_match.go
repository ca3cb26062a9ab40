package lib

// This file matches regular expressions by backtracking, in Python's order of
// alternatives. The work is bounded by steps. A pattern is compiled to closures in
// continuation-passing style: each matcher gets what has to match after it, so that backtracking is
// a return. No state is kept but captures, which are restored where the rest refuses.

import (
	"unicode"

	"shapecheck/infer/value"
)

// A reState is one match in progress. It can be used for several searches of one text, one after
// the other.
type reState struct {
	// Positions are those of characters.
	text  []rune
	caps  []int // start and end of each group, -1 when it took no part
	last  int   // number of the group that was closed last
	steps int
	over  bool // the step budget is used up: every attempt fails
}

// reMaxSteps bounds one search, and with it the stack that it takes.
const reMaxSteps = 400_000

// A reMatch tries to match at i and calls k with each end in turn until k
// returns true.
type reMatch func(s *reState, i int, k func(int) bool) bool

// It counts one attempt; false ends the search everywhere.
func (s *reState) step() bool {
	if s.steps++; s.steps > reMaxSteps {
		s.over = true
	}
	return !s.over
}

// compile makes a matcher in continuation-passing style: a matcher calls k with each position where it could
// end, in the order of Python's backtracking, until k accepts one. Captures are undone where k refuses. An
// unlimited search is cut off by steps.
func (n *reNode) compile() reMatch {
	subs := make([]reMatch, len(n.subs))
	for i, x := range n.subs {
		subs[i] = x.compile()
	}
	switch n.op {
	case reSet:
		set := n.set
		return func(s *reState, i int, k func(int) bool) bool {
			return s.step() && i < len(s.text) && set(s.text[i]) && k(i+1)
		}
	case reSeq:
		return compileSeq(subs)
	case reAlt:
		return func(s *reState, i int, k func(int) bool) bool {
			for _, m := range subs {
				if m(s, i, k) {
					return true
				}
				if s.over {
					return false
				}
			}
			return false
		}
	case reRepeat:
		return n.compileRepeat(subs[0])
	case reGroup:
		at, body := 2*n.n, subs[0]
		return func(s *reState, i int, k func(int) bool) bool {
			return body(s, i, func(j int) bool {
				from, to, last := s.caps[at], s.caps[at+1], s.last
				s.caps[at], s.caps[at+1], s.last = i, j, n.n
				if k(j) {
					return true
				}
				s.caps[at], s.caps[at+1], s.last = from, to, last
				return false
			})
		}
	case reAtomic:
		return atomic(subs[0])
	case reLook:
		return n.compileLook(subs[0])
	case reBackref:
		return n.compileBackref()
	case reCond:
		return func(s *reState, i int, k func(int) bool) bool {
			if 2*n.n+1 < len(s.caps) && s.caps[2*n.n+1] >= 0 {
				return subs[0](s, i, k)
			}
			return subs[1](s, i, k)
		}
	case reAssert:
		return func(s *reState, i int, k func(int) bool) bool { return n.holds(s, i) && k(i) }
	}
	// An empty pattern.
	return func(s *reState, i int, k func(int) bool) bool { return k(i) }
}

// The parts are nested from the right.
func compileSeq(subs []reMatch) reMatch {
	switch len(subs) {
	case 0:
		return func(s *reState, i int, k func(int) bool) bool { return k(i) }
	case 1:
		return subs[0]
	}
	first, rest := subs[0], compileSeq(subs[1:])
	return func(s *reState, i int, k func(int) bool) bool {
		return first(s, i, func(j int) bool { return rest(s, j, k) })
	}
}

// atomic takes the first way in which body matches and no other. Once body has matched, its
// alternatives are given up, also if the rest refuses.
func atomic(body reMatch) reMatch {
	return func(s *reState, i int, k func(int) bool) bool {
		// Captures of the attempt stay if all matches.
		caps, last, end := append([]int(nil), s.caps...), s.last, -1
		if body(s, i, func(j int) bool { end = j; return true }) && k(end) {
			return true
		}
		copy(s.caps, caps)
		s.last = last
		return false
	}
}

// compileRepeat matches greedily or lazily. A set of characters, by far the most frequent body, is repeated by
// a loop, as the recursion of the general case is as deep as the text is long.
func (n *reNode) compileRepeat(body reMatch) reMatch {
	lo, hi := n.min, n.max
	var m reMatch
	if n.subs[0].op == reSet && !n.lazy {
		// One character at a time needs no continuations.
		set := n.subs[0].set
		m = func(s *reState, i int, k func(int) bool) bool {
			j := i
			for j < len(s.text) && (hi < 0 || j-i < hi) && set(s.text[j]) {
				if j++; !s.step() {
					return false
				}
			}
			// From the longest to the shortest.
			for ; j-i >= lo; j-- {
				if k(j) {
					return true
				}
				if !s.step() {
					return false
				}
			}
			return false
		}
	} else {
		m = func(s *reState, i int, k func(int) bool) bool {
			// last is where the round before began: a second round from the same
			// place would go on for ever.
			var try func(count, i, last int) bool
			try = func(count, i, last int) bool {
				if !s.step() {
					return false
				}
				again := func() bool {
					if count < lo {
						return body(s, i, func(j int) bool { return try(count+1, j, last) })
					}
					if hi >= 0 && count >= hi || i == last {
						return false
					}
					return body(s, i, func(j int) bool { return try(count+1, j, i) })
				}
				switch {
				case count < lo:
					return again()
				case n.lazy:
					return k(i) || again()
				}
				return again() || k(i)
			}
			return try(0, i, -1)
		}
	}
	if n.possess {
		return atomic(m)
	}
	return m
}

// The body is matched without the rest; captures within it stay for a positive look-around.
func (n *reNode) compileLook(body reMatch) reMatch {
	return func(s *reState, i int, k func(int) bool) bool {
		caps, last := append([]int(nil), s.caps...), s.last
		start := i
		if n.behind {
			start = i - n.width
		}
		// A look-behind must end exactly here.
		found := start >= 0 && body(s, start, func(j int) bool { return !n.behind || j == i })
		if found != n.neg && !s.over && k(i) {
			return true
		}
		copy(s.caps, caps)
		s.last = last
		return false
	}
}

// A group that took no part never matches.
func (n *reNode) compileBackref() reMatch {
	fold := n.flags&reIgnoreCase != 0
	return func(s *reState, i int, k func(int) bool) bool {
		from, to := s.caps[2*n.n], s.caps[2*n.n+1]
		if to < 0 || i+to-from > len(s.text) {
			return false
		}
		for j := from; j < to; j++ {
			a, b := s.text[j], s.text[i+j-from]
			if a != b && !(fold && unicode.ToLower(a) == unicode.ToLower(b)) {
				return false
			}
		}
		return k(i + to - from)
	}
}

// n.n is the kind of assertion.
func (n *reNode) holds(s *reState, i int) bool {
	end := len(s.text)
	switch n.n {
	case atBegin:
		return i == 0
	case atBeginLine:
		return i == 0 || s.text[i-1] == '\n'
	case atEnd:
		return i == end
	case atEndText:
		return i == end || i == end-1 && s.text[i] == '\n'
	case atEndLine:
		return i == end || s.text[i] == '\n'
	}
	// A boundary lies where word characters begin or end.
	ascii := n.flags&reASCII != 0
	before, after := i > 0 && isWord(s.text[i-1], ascii), i < end && isWord(s.text[i], ascii)
	return (before != after) == (n.n == atBoundary)
}

// A reFound is a match: the ends of the groups, and the group closed last.
type reFound struct {
	caps []int
	last int
}

// at matches the program at position i. accept may refuse an end. The result is nil without a
// match. Captures are copied, since the state is used again.
func (p *reProgram) at(s *reState, i int, accept func(end int) bool) *reFound {
	for j := range s.caps {
		s.caps[j] = -1
	}
	s.last = 0
	if !p.match(s, i, func(j int) bool {
		if !accept(j) {
			return false
		}
		s.caps[0], s.caps[1] = i, j
		return true
	}) {
		return nil
	}
	return &reFound{append([]int(nil), s.caps...), s.last}
}

// Group 0 is the whole match.
func (p *reProgram) state(text []rune) *reState {
	return &reState{text: text, caps: make([]int, 2*(p.groups+1))}
}

// search finds the first match from position i on. With advance, it must not be
// the empty match at i. ok is false when the budget of the state is used up. f is nil without a
// match.
func (p *reProgram) search(s *reState, i int, advance bool) (f *reFound, ok bool) {
	text := s.text
	s.steps = 0
	for start := i; start <= len(text); start++ {
		if f := p.at(s, start, func(end int) bool { return !advance || start > i || end > i }); f != nil {
			return f, true
		}
		if s.over {
			return nil, false
		}
	}
	return nil, true
}

// stepsOfMatch is how many steps of a match take the time of one of the program.
const stepsOfMatch = 16

// all finds all matches, as finditer does, and charges the run for them. limit is the most matches,
// 0 for all. ok is false where a search used up its budget, and then the list is not complete.
func (p *reProgram) all(th value.Thread, text []rune, i, limit int) (list []*reFound, ok bool, err error) {
	s := p.state(text)
	advance := false
	for limit == 0 || len(list) < limit {
		from := i
		f, ok := p.search(s, i, advance)
		if err := th.Step(1 + s.steps/stepsOfMatch); err != nil {
			return nil, false, err
		}
		if f == nil {
			return list, ok, nil
		}
		list = append(list, f)
		// After an empty match the next one must not be the same.
		advance = f.caps[0] == f.caps[1]
		i = f.caps[1]
		if err := th.Alloc(runeBytes * (i - from)); err != nil { // the texts that are made of it
			return nil, false, err
		}
	}
	return list, true, nil
}
