package parser

// This file scans operators and brackets.
//
// Python's operators are at most three bytes long, so that two bytes of look-ahead and one switch
// are all that longest match needs. Errors are reported with CPython's texts where it has one,
// and scanning goes on behind them: a file of several errors gets several messages.

// single is the kind of each one-byte operator. Other bytes have 0, which is no kind.
var single = [128]int32{
	'(': tLPar, ')': tRPar, '[': tLSqb, ']': tRSqb, '{': tLBrace, '}': tRBrace,
	',': tComma, ':': tColon, '.': tDot, '+': tPlus, '-': tMinus, '*': tStar, '/': tSlash,
	'%': tPercent, '@': tAt, '<': tLess, '>': tGreater, '&': tAmper, '^': tCaret, '|': tVBar,
	'=': tEqual, '~': tTilde, ';': tSemi,
}

// operator reads the longest operator that begins here. Brackets are counted, since line ends inside of them
// mean nothing. c is the byte at s.pos. A ":" directly in the braces of an f-string begins its
// format, and a "!" there its conversion.
func (s *scanner) operator(c byte) {
	src, start := s.src, s.pos
	var next, third byte
	if start+1 < len(src) {
		next = src[start+1]
	}
	if start+2 < len(src) {
		third = src[start+2]
	}
	kind, n := single[c], 1
	switch c {
	case '(', '[', '{':
		if c == '[' {
			s.softType()
		}
		s.open(c, false, start)
	case ')', ']', '}':
		if s.close(c, start) {
			return
		}
	case ',', ';':
		if s.lastKind() == kind {
			s.errorf(start, start+1, "unexpected second '%c'", c)
			s.pos++
			return
		}
	case ':':
		if len(s.brackets) > 0 {
			if top := &s.brackets[len(s.brackets)-1]; top.field {
				top.inSpec = true
				s.emit(tFColon, start, start+1)
				s.pos = start + 1
				s.fstring()
				return
			}
		}
		if next == '=' {
			kind, n = tColonEqual, 2
		}
	case '.':
		if isDigit(next) {
			s.dotNumber()
			return
		}
		if next == '.' && third == '.' {
			kind, n = tEllipsis, 3
		}
	case '-':
		if next == '>' {
			kind, n = tArrow, 2
		} else if next == '=' {
			kind, n = tAugAssign, 2
		}
	case '+', '%', '@', '&', '^', '|':
		if next == '=' {
			kind, n = tAugAssign, 2
		}
	case '*':
		kind, n = doubled(c, next, third, kind, tDoubleStar)
	case '/':
		kind, n = doubled(c, next, third, kind, tDoubleSlash)
	case '<':
		if next == '>' {
			s.errorf(start, start+2, "operator '<>' does not exist; use '!='")
			kind, n = tNotEqual, 2
		} else if kind, n = doubled(c, next, third, kind, tLShift); kind == tAugAssign && n == 2 {
			kind = tLessEqual
		}
	case '>':
		if kind, n = doubled(c, next, third, kind, tRShift); kind == tAugAssign && n == 2 {
			kind = tGreaterEqual
		}
	case '=':
		if next == '=' {
			kind, n = tEqEqual, 2
		} else {
			s.softType()
		}
	case '!':
		if next == '=' {
			kind, n = tNotEqual, 2
		} else if len(s.brackets) > 0 && s.brackets[len(s.brackets)-1].field {
			kind = tFBang
		} else {
			s.errorf(start, start+1, "invalid syntax: '!' is no operator; use 'not'")
			s.pos++
			return
		}
	}
	s.emit(kind, start, start+n)
	s.pos = start + n
	if kind == tLBrace || kind == tTilde || kind == tEllipsis {
		s.softMatch()
	}
}

// doubled chooses between c, cc, c= and cc=. n is the length of the operator that was found.
func doubled(c, next, third byte, one, two int32) (int32, int) {
	switch {
	case next == c && third == '=':
		return tAugAssign, 3
	case next == c:
		return two, 2
	case next == '=':
		return tAugAssign, 2
	}
	return one, 1
}

// open notes an opening bracket; field says that it is the brace of an f-string's field. CPython
// has the same limit.
func (s *scanner) open(c byte, field bool, pos int) {
	if len(s.brackets) >= maxBrackets {
		s.errorf(pos, pos+1, "too many nested parentheses (the limit is %d)", maxBrackets)
		s.giveUp()
		return
	}
	s.brackets = append(s.brackets, bracket{open: c, field: field, pos: int32(pos)})
}

// giveUp skips the rest of the file: nothing useful can be said about it. The source is cut
// behind the current byte, so that the scanner sees its end.
func (s *scanner) giveUp() {
	s.brackets = s.brackets[:0]
	s.fstrings = s.fstrings[:0]
	s.src = s.src[:min(s.pos+1, len(s.src))]
}

// close handles a closing bracket. It returns true when it has consumed it. c closes the
// innermost bracket if it fits. The brace of a field ends it, and scanning goes on in the string.
func (s *scanner) close(c byte, pos int) bool {
	n := len(s.brackets)
	if n == 0 {
		s.errorf(pos, pos+1, "unmatched '%c'", c)
		s.pos++
		return true
	}
	top := s.brackets[n-1]
	if closer(top.open) != c {
		s.mismatch(c, pos)
		return true
	}
	s.brackets = s.brackets[:n-1]
	if top.field {
		s.emit(tRBrace, pos, pos+1)
		s.pos = pos + 1
		s.fstring()
		return true
	}
	return false
}

// mismatch reports a closing bracket of the wrong kind. When an outer bracket
// fits, the inner ones count as closed; else the bracket is dropped. What is looked for is the
// innermost bracket that fits, within the current field.
func (s *scanner) mismatch(c byte, pos int) {
	top := s.brackets[len(s.brackets)-1]
	line, _ := s.file.LineCol(s.file.Pos(int(top.pos)))
	here, _ := s.file.LineCol(s.file.Pos(pos))
	if top.field {
		s.errorf(pos, pos+1, "%c-string: unmatched '%c'", s.fieldKind(), c)
	} else if line != here {
		s.errorf(pos, pos+1, "closing bracket '%c' does not match opening bracket '%c' on line %d", c, top.open, line)
	} else {
		s.errorf(pos, pos+1, "closing bracket '%c' does not match opening bracket '%c'", c, top.open)
	}
	for i := len(s.brackets) - 1; i >= 0 && !s.brackets[len(s.brackets)-1].field; i-- {
		if closer(s.brackets[i].open) == c {
			for len(s.brackets) > i+1 {
				s.popBracket(pos)
			}
			return // the main loop sees c again
		}
		if s.brackets[i].field {
			break
		}
	}
	s.pos = pos + 1
}

// popBracket closes the innermost bracket at pos as if its closer stood there.
func (s *scanner) popBracket(pos int) {
	n := len(s.brackets)
	s.emit(single[closer(s.brackets[n-1].open)], pos, pos)
	s.brackets = s.brackets[:n-1]
}

// fieldKind is the kind of the string whose field is open: 'f' or 't'.
func (s *scanner) fieldKind() byte {
	if n := len(s.fstrings); n > 0 {
		return s.fstrings[n-1].kind
	}
	return 'f'
}

// closer is the closing bracket of an opening one.
func closer(open byte) byte {
	switch open {
	case '(':
		return ')'
	case '[':
		return ']'
	}
	return '}'
}

// unclosed reports the open brackets, one per line, at their openers, and closes
// them. It is called at the end of the file and by unclosedBefore.
func (s *scanner) unclosed() {
	last := -1
	for i := len(s.brackets) - 1; i >= 0; i-- {
		top := s.brackets[i]
		line, _ := s.file.LineCol(s.file.Pos(int(top.pos)))
		if line == last {
			continue // the inner one stands for both
		}
		last = line
		what := ""
		if top.field {
			what = string(s.fieldKind()) + "-string: "
		}
		s.errorf(int(top.pos), int(top.pos)+1, "%s'%c' was never closed", what, top.open)
	}
	// The parser is spared what follows the brackets: it would only repeat this.
	s.dropLine()
}

// unclosedBefore is called at each line end inside brackets. A line that begins
// with a word that only begins statements says that a bracket was not closed;
// without this, one lost bracket would hide the rest of the file. CPython reports the same at the
// end of the file, when all that follows has been swallowed.
func (s *scanner) unclosedBefore() {
	p := s.pos
	for p < len(s.src) && (s.src[p] == ' ' || s.src[p] == '\t') {
		p++
	}
	q := p
	for q < len(s.src) && identTail[s.src[q]] {
		q++
	}
	if q == p || q-p > 8 {
		return
	}
	switch keyword(s.src[p:q]) {
	case tDef, tClass, tReturn, tImport, tRaise, tWhile, tTry, tWith, tDel, tPass, tBreak, tContinue, tGlobal, tNonlocal, tAssert, tExcept,
		tFinally, tElif:
		if q < len(s.src) && s.src[q] == '=' && (q+1 >= len(s.src) || s.src[q+1] != '=') {
			return // a keyword as the name of an argument: the parser says so
		}
		s.unclosed()
	}
}

// dropLine replaces the tokens of the current logical line by one that stands
// for a line with a reported error. Open strings are forgotten as well.
func (s *scanner) dropLine() {
	s.brackets = s.brackets[:0]
	s.fstrings = s.fstrings[:0]
	start := s.toks[s.lineTok].start
	s.toks = append(s.toks[:s.lineTok], token{tErrorLine, start, s.significant})
}
