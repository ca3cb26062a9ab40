package parser

// This file scans numbers by the rules of CPython's tokenizer. Their values are
// computed in number.go.

// number scans a number that begins with a digit.
func (s *scanner) number() {
	src, start := s.src, s.pos
	p := start
	if src[p] == '0' && p+1 < len(src) {
		switch src[p+1] | 0x20 {
		case 'x':
			s.radix(isHexDigit, "hexadecimal")
			return
		case 'o':
			s.radix(isOctDigit, "octal")
			return
		case 'b':
			s.radix(isBinDigit, "binary")
			return
		}
	}
	p, ok := s.decimals(p)
	if !ok {
		return
	}
	isInt := true
	if p < len(src) && src[p] == '.' {
		isInt = false
		p, ok = s.fraction(p)
	} else {
		p, ok = s.exponent(p, &isInt)
	}
	if !ok {
		return
	}
	if p < len(src) && src[p]|0x20 == 'j' {
		p++
		s.endNumber(start, p, "imaginary")
		return
	}
	if isInt && src[start] == '0' {
		for i := start; i < p; i++ {
			if src[i] != '0' && src[i] != '_' {
				s.errorf(start, p, "leading zeros in decimal integer literals are not permitted; use an 0o prefix for octal integers")
				s.emit(tNumber, start, p)
				s.pos = p
				return
			}
		}
	}
	s.endNumber(start, p, "decimal")
}

// dotNumber scans a number that begins with a point.
func (s *scanner) dotNumber() {
	start := s.pos
	p, ok := s.fraction(start)
	if !ok {
		return
	}
	if p < len(s.src) && s.src[p]|0x20 == 'j' {
		s.endNumber(start, p+1, "imaginary")
		return
	}
	s.endNumber(start, p, "decimal")
}

// fraction scans from the decimal point to the end of the exponent.
func (s *scanner) fraction(p int) (int, bool) {
	p++
	if p < len(s.src) && isDigit(s.src[p]) {
		var ok bool
		if p, ok = s.decimals(p); !ok {
			return p, false
		}
	}
	isInt := false
	return s.exponent(p, &isInt)
}

// exponent scans an exponent if there is one at p.
func (s *scanner) exponent(p int, isInt *bool) (int, bool) {
	src := s.src
	if p >= len(src) || src[p]|0x20 != 'e' {
		return p, true
	}
	q := p + 1
	if q < len(src) && (src[q] == '+' || src[q] == '-') {
		q++
		if q >= len(src) || !isDigit(src[q]) {
			s.invalidNumber(p, q, "decimal")
			return p, false
		}
	} else if q >= len(src) || !isDigit(src[q]) {
		return p, true // "1else": the caller looks at what follows
	}
	*isInt = false
	return s.decimals(q)
}

// decimals scans digits with single underscores between them.
func (s *scanner) decimals(p int) (int, bool) {
	src := s.src
	for {
		for p < len(src) && isDigit(src[p]) {
			p++
		}
		if p >= len(src) || src[p] != '_' {
			return p, true
		}
		p++
		if p >= len(src) || !isDigit(src[p]) {
			s.invalidNumber(p-1, p, "decimal")
			return p, false
		}
	}
}

// radix scans 0x, 0o and 0b literals.
func (s *scanner) radix(digit func(byte) bool, kind string) {
	src, start := s.src, s.pos
	p := start + 2
	for {
		if p < len(src) && src[p] == '_' {
			p++
		}
		if p >= len(src) || !digit(src[p]) {
			if p < len(src) && isDigit(src[p]) {
				s.errorf(p, p+1, "invalid digit '%c' in %s literal", src[p], kind)
				s.skipNumber(start)
				return
			}
			s.invalidNumber(p-1, p, kind)
			return
		}
		for p < len(src) && digit(src[p]) {
			p++
		}
		if p >= len(src) || src[p] != '_' {
			break
		}
	}
	if p < len(src) && isDigit(src[p]) {
		s.errorf(p, p+1, "invalid digit '%c' in %s literal", src[p], kind)
		s.skipNumber(start)
		return
	}
	s.endNumber(start, p, kind)
}

// endNumber emits the number. A letter must not follow, but for the keywords
// that may stand directly after a number.
func (s *scanner) endNumber(start, p int, kind string) {
	src := s.src
	if p < len(src) && identTail[src[p]] && !isDigit(src[p]) {
		q := p
		for q < len(src) && identTail[src[q]] {
			q++
		}
		if !keywordAfterNumber(src[p:q]) {
			s.invalidNumber(p, p+1, kind)
			return
		}
	}
	s.emit(tNumber, start, p)
	s.softMatch()
	s.pos = p
}

// keywordAfterNumber mirrors CPython, which looks at prefixes only: "1orx" is
// the number 1 and the name orx, which the parser then refuses.
func keywordAfterNumber(s string) bool {
	for _, k := range [...]string{"and", "else", "for", "if", "in", "is", "or", "not"} {
		if len(s) >= len(k) && s[:len(k)] == k {
			return true
		}
	}
	return false
}

func (s *scanner) invalidNumber(start, end int, kind string) {
	end = max(end, start+1)
	s.errorf(start, min(end, len(s.src)), "invalid %s literal", kind)
	s.skipNumber(s.pos)
}

// skipNumber emits everything that looks like a part of the number, so that
// only one error is reported for it.
func (s *scanner) skipNumber(start int) {
	p := start
	for p < len(s.src) && identTail[s.src[p]] {
		p++
	}
	p = max(p, start+1)
	s.emit(tNumber, start, p)
	s.pos = p
}

func isDigit(c byte) bool    { return c-'0' <= 9 }
func isOctDigit(c byte) bool { return c-'0' <= 7 }
func isBinDigit(c byte) bool { return c-'0' <= 1 }
func isHexDigit(c byte) bool { return c-'0' <= 9 || (c|0x20)-'a' <= 5 }
