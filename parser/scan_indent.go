package parser

// This file measures indentation and emits INDENT and DEDENT. Like CPython it
// measures twice, with tabs of 8 and tabs of 1 columns: where the two disagree
// about the order of levels, tabs and spaces are mixed inconsistently.

// indentation skips blank lines and comments up to the next logical line, and
// compares that line's indentation with the open blocks.
func (s *scanner) indentation() {
	src := s.src
	var col, alt, contCol int32
	hasCont := false
	start := s.pos
	for s.pos < len(src) {
		switch src[s.pos] {
		case ' ':
			col++
			alt++
			s.pos++
		case '\t':
			col = (col/8 + 1) * 8
			alt++
			s.pos++
		case '\f':
			col, alt = 0, 0
			s.pos++
		case '\\':
			// The first line of a continued indentation decides.
			if !hasCont && col > 0 {
				hasCont, contCol = true, col
			}
			if !s.continuation() {
				s.errorf(s.pos, s.pos+1, "unexpected character after the line continuation character '\\'")
				s.pos++
			}
		case '#':
			s.comment()
		case '\n', '\r':
			s.pos = s.skipLineEnd(s.pos)
			col, alt, hasCont = 0, 0, false
			start = s.pos
		default:
			if hasCont {
				col, alt = contCol, contCol
			}
			if s.outline == nil {
				s.indentTo(col, alt, start)
				return
			}
			if !s.outline.line(s, col, alt, start) {
				return
			}
			col, alt, hasCont = 0, 0, false
			start = s.pos
		}
	}
}

// indentTo opens or closes blocks for a line that is indented by col.
func (s *scanner) indentTo(col, alt int32, lineStart int) {
	s.lineTok = len(s.toks)
	top := s.indents[len(s.indents)-1]
	match := s.matchLine
	s.matchLine = false
	switch {
	case col == top.col:
		if alt != top.alt {
			s.tabError(lineStart)
		}
	case col > top.col:
		if len(s.indents) >= maxIndents {
			s.errorf(lineStart, s.pos, "too many levels of indentation (the limit is %d)", maxIndents-1)
			s.giveUp()
		} else if alt <= top.alt {
			s.tabError(lineStart)
		}
		s.indents = append(s.indents, indent{col, alt, match})
		s.emitSpace(tIndent, s.pos)
		s.lineTok = len(s.toks)
	default:
		for len(s.indents) > 1 && col < s.indents[len(s.indents)-1].col {
			s.indents = s.indents[:len(s.indents)-1]
			s.emitSpace(tDedent, s.pos)
		}
		s.lineTok = len(s.toks)
		top = s.indents[len(s.indents)-1]
		if col != top.col {
			s.errorf(lineStart, s.pos, "unindent does not match any outer indentation level")
		} else if alt != top.alt {
			s.tabError(lineStart)
		}
	}
}

func (s *scanner) tabError(lineStart int) {
	s.errorf(lineStart, s.pos, "inconsistent use of tabs and spaces in indentation")
}
