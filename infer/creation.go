package infer

// This file finds the calls that told a layer its sizes.

import (
	"strings"

	"shapecheck/internal/source"
)

// maxSizeCalls bounds the calls that are kept of a parameter.
const maxSizeCalls = 2

// callsOfSizes are the calls around the one that makes a parameter, from which its sizes
// come: of nn.Conv2d(i, o, 3) in a function block(i, o) that of block(3, 16). A call that
// writes its arguments out needs none around it.
func (in *Interp) callsOfSizes() []source.Span {
	var out []source.Span
	last := source.Span{}
	for f := in.stack.frame; f != nil && len(out) < maxSizeCalls; f = f.caller {
		if f.prelude || !f.at.IsValid() {
			continue
		}
		if last.IsValid() {
			out = append(out, f.at)
		}
		if last = f.at; !namesArguments(in.SpanText(f.at)) {
			break
		}
	}
	return out
}

// namesArguments reports whether the arguments of a call name what is not a constant by the
// case of its letters.
func namesArguments(call string) bool {
	i := strings.IndexByte(call, '(')
	if i < 0 {
		return false
	}
	for i < len(call) {
		start := i
		for i < len(call) && isNamePart(call[i]) {
			i++
		}
		if start == i {
			if q := call[i]; q == '"' || q == '\'' {
				i += 1 + max(0, strings.IndexByte(call[i+1:], q))
			}
			i++
			continue
		}
		word, rest := call[start:i], strings.TrimLeft(call[i:], " ")
		keyword := strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==")
		number := word[0] >= '0' && word[0] <= '9'
		if !number && word != strings.ToUpper(word) && word != "True" && word != "False" && word != "None" && !keyword &&
			!strings.HasPrefix(rest, "(") {
			return true
		}
	}
	return false
}

func isNamePart(c byte) bool {
	return c == '_' || c >= 0x80 || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
