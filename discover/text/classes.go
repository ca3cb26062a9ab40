package text

// This file finds classes by what they hold.

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
)

// classTexts are the classes of a text, by name, each with what stands up to the next.
func classTexts(text string) iter.Seq2[string, string] {
	return func(yield func(name, body string) bool) {
		starts := classLine.FindAllStringSubmatchIndex(text, -1)
		for i, m := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			if !yield(text[m[2]:m[3]], text[m[0]:end]) {
				return
			}
		}
	}
}

// ClassesHolding are the classes of a text, but for modules, whose instances have all of the attributes: by an assignment, a method,
// an annotation, or as a field of a named tuple.
func ClassesHolding(text string, attrs []string) []string {
	var out []string
	for name, body := range classTexts(text) {
		head, _, _ := strings.Cut(body, ":\n")
		if moduleBase.MatchString(head) || slices.ContainsFunc(attrs, func(a string) bool { return !holds(head, body, a) }) {
			continue
		}
		out = append(out, name)
	}
	return out
}

// moduleBase is the head of a class of modules, or of an exception.
var moduleBase = lazyregexp.New(`Module\b|Error\b|Exception\b`)

// holds reports whether the text of a class gives its instances an attribute.
func holds(head, body, attr string) bool {
	if strings.Contains(body, "self."+attr+" = ") || strings.Contains(body, "def "+attr+"(") {
		return true
	}
	if strings.Contains(head, "namedtuple(") && (strings.Contains(head, "'"+attr+"'") || strings.Contains(head, `"`+attr+`"`)) {
		return true
	}
	field, err := regexp.Compile(`(?m)^    ` + regexp.QuoteMeta(attr) + `\s*:`)
	return err == nil && field.MatchString(body)
}
