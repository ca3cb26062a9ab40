package text

// This file finds classes by what they hold.

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"shapecheck/internal/lazyregexp"
)

// classTexts yields the classes at the margin of a text, by name, each with its text up to the next. A text is searched for each
// attribute that a trial lacks: a regular expression here took a seventh of the time of a folder.
func classTexts(text string) iter.Seq2[string, string] {
	return func(yield func(name, body string) bool) {
		name, start := nextClass(text, 0)
		for name != "" {
			next, end := nextClass(text, start+1)
			if next == "" {
				end = len(text)
			}
			if !yield(name, text[start:end]) {
				return
			}
			name, start = next, end
		}
	}
}

// nextClass returns the name of the first class whose line begins at from or after it, and where that is; empty where none does.
func nextClass(text string, from int) (name string, start int) {
	const head = "class "
	for i := from; i < len(text); i++ {
		if i == 0 || text[i-1] == '\n' {
			if rest, ok := strings.CutPrefix(text[i:], head); ok {
				rest = strings.TrimLeft(rest, " ")
				if n := wordLength(rest); n > 0 {
					return rest[:n], i
				}
			}
		}
		k := strings.Index(text[i:], "\n"+head)
		if k < 0 {
			break
		}
		i += k
	}
	return "", 0
}

// wordLength counts the letters, digits and underscores of ASCII at the start of a text.
func wordLength(text string) int {
	for i := range len(text) {
		if c := text[i]; c != '_' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') {
			return i
		}
	}
	return len(text)
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
