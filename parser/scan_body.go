package parser

// This file goes over the bodies of functions without making tokens of them, for
// outlines. Where a body ends is told by texts, brackets, comments and indentation;
// other faults in it are found when it is parsed.

// bodies are the functions that a scanner leaves out, and how far it is with one.
type bodies struct {
	// found has the functions by the position of the "pass" of no length that stands for
	// what is left out: all of the body but a docstring.
	found map[int32]body
	state bodyState
	def   body  // the function that is read
	at    int32 // the first byte that is left out of it
	// failed says that the end of a body is not certain.
	failed bool
}

// A bodyState is where the scanner is in a function.
type bodyState uint8

const (
	noBody      bodyState = iota
	afterHeader           // its header is complete
	inDocstring           // the first line of the body begins with a text
	leftOut               // what follows is left out
)

// A body is the part of a file that is a function, from its async or def on, and the
// indentation of the line where it begins.
type body struct {
	start, end int32
	indent     indent
}

// line is called at the first byte of each logical line, with its indentation. It reports
// whether the line was left out.
func (b *bodies) line(s *scanner, col, alt int32, lineStart int) bool {
	inside := col > b.def.indent.col
	switch b.state {
	case afterHeader:
		b.state = noBody
		s.indentTo(col, alt, lineStart)
		if !inside {
			return false
		}
		b.state, b.at = leftOut, int32(s.pos)
		if beginsText(s.src[s.pos:]) {
			b.state = inDocstring
			return false
		}
		b.leaveOut(s)
		return true
	case inDocstring:
		b.state, b.at = leftOut, int32(s.pos)
	}
	if b.state == leftOut {
		if inside {
			b.leaveOut(s)
			return true
		}
		b.close(s)
	}
	s.indentTo(col, alt, lineStart)
	return false
}

// endLine is called at the end of each logical line, before its NEWLINE. It reports
// whether the line is left out.
func (b *bodies) endLine(s *scanner) bool {
	line := s.toks[s.lineTok:]
	switch first := line[0]; {
	case b.state == inDocstring:
		for _, t := range line {
			if t.kind != tString { // an expression
				s.toks = s.toks[:s.lineTok]
				b.state = leftOut
				return true
			}
		}
	case s.lastKind() == tColon && (first.kind == tDef || first.kind == tAsync && line[1].kind == tDef):
		b.state, b.def = afterHeader, body{start: first.start, indent: s.indents[len(s.indents)-1]}
	}
	return false
}

// close ends a body at the first byte of the next line, or at the end of the file.
func (b *bodies) close(s *scanner) {
	if b.state == inDocstring {
		b.at = int32(s.pos)
	}
	if b.state == inDocstring || b.state == leftOut {
		b.def.end = int32(s.pos)
		b.found[b.at] = b.def
		s.toks = append(s.toks, token{tPass, b.at, b.at})
		s.emitSpace(tNewline, s.pos)
	}
	b.state = noBody
}

// Byte classes of bodies: those of the main loop, but that operators are names.
const (
	cOpen = cBackslash + 1 + iota
	cClose
)

var bodyClasses = func() [256]uint8 {
	t := classes
	for c, class := range t {
		if class == cDigit || class == cOp {
			t[c] = cName
		}
	}
	for _, c := range "([{" {
		t[c] = cOpen
	}
	for _, c := range ")]}" {
		t[c] = cClose
	}
	return t
}()

// leaveOut goes to the end of a logical line.
func (b *bodies) leaveOut(s *scanner) {
	src, p, depth, end := s.src, s.pos, 0, s.pos
	for line := true; line && p < len(src); {
		switch bodyClasses[src[p]] {
		case cName:
			p++
			end = p
		case cSpace:
			p++
		case cOpen:
			depth++
			p++
		case cClose:
			depth--
			p++
			end = p
			b.failed = b.failed || depth < 0
		case cQuote:
			s.pos = p
			s.leaveOutText()
			if len(s.diags) > 0 {
				return
			}
			p = s.pos
			end = p
		case cComment:
			s.pos = p
			s.comment()
			p = s.pos
		case cNewline:
			p = s.skipLineEnd(p)
			line = depth > 0
		case cBackslash:
			next := s.skipLineEnd(p + 1)
			b.failed = b.failed || next > len(src) || src[next-1] != '\n' && src[next-1] != '\r'
			p = next
		default:
			b.failed = true
			p++
		}
	}
	b.failed = b.failed || depth != 0
	s.pos, s.significant = p, int32(end)
}

// leaveOutText goes over the string whose quote is at pos.
func (s *scanner) leaveOutText() {
	n, start := len(s.toks), s.pos
	for start > 0 && s.pos-start < 3 && identTail[s.src[start-1]] {
		start--
	}
	raw, format, ok := false, byte(0), false
	if l := s.pos - start; l == 1 || l == 2 {
		raw, format, ok = stringPrefix(s.src[start:s.pos])
	}
	if !ok {
		start = s.pos
	}
	s.str(start, s.pos, raw, format)
	for len(s.fstrings) > 0 && s.pos < len(s.src) {
		s.next()
	}
	s.toks = s.toks[:n]
}

// beginsText reports whether a line begins with a string.
func beginsText(line string) bool {
	for i := 0; i < min(3, len(line)); i++ {
		if line[i] == '"' || line[i] == '\'' {
			return true
		}
		if !identTail[line[i]] {
			return false
		}
	}
	return false
}
