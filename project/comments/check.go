package comments

// This file reads entries that comments name:
//
//	# shapecheck: check Net(10) x:f32[B,3,H,W]
//	# shapecheck: check 'Net(10, act="relu")' x:f32[B,3,H,W] --eval

import (
	"errors"
	"slices"
	"strings"
	"unicode"

	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
)

// A Check is an entry that a comment names.
type Check struct {
	Entry string
	Args  []string
	Eval  bool
	Line  int
	At    source.Span
}

var argForm = lazyregexp.New(`^[A-Za-z_]\w*\s*[:=]`)

// parseCheck reads what follows "check".
func parseCheck(text string) (c Check, err error) {
	words, err := words(text)
	if err != nil {
		return c, err
	}
	for _, w := range words {
		switch {
		case w == "--eval":
			c.Eval = true
		case strings.HasPrefix(w, "--"):
			return c, errors.New(w + ": only --eval may stand in a comment")
		case c.Entry == "":
			c.Entry = w
		case argForm.MatchString(w):
			c.Args = append(c.Args, w)
		default:
			return c, errors.New("'" + w + "' is no argument: expected NAME:TYPE or NAME=EXPR, such as x:f32[B,3,H,W]")
		}
	}
	if c.Entry == "" {
		return c, errors.New("no entry after check: shapecheck: check Net(10) x:f32[B,3,H,W]")
	}
	return c, nil
}

// words cuts a text at white space outside of brackets and quotes, in which a backslash stands before a character as in Python. Quotes
// around a whole word are no part of it.
func words(text string) ([]string, error) {
	var out []string
	var b strings.Builder
	depth, quote, escaped := 0, rune(0), false
	flush := func() {
		w := b.String()
		if n := len(w); n > 1 && (w[0] == '\'' || w[0] == '"') && w[n-1] == w[0] {
			w = w[1 : n-1]
		}
		if w != "" {
			out = append(out, w)
		}
		b.Reset()
	}
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
		case quote != 0:
			if escaped = r == '\\'; r == quote {
				quote = 0
			}
		case r == '\'' || r == '"':
			quote = r
		case strings.ContainsRune("([{", r):
			depth++
		case strings.ContainsRune(")]}", r):
			depth--
		case unicode.IsSpace(r) && depth == 0:
			flush()
			continue
		}
		b.WriteRune(r)
	}
	if quote != 0 || depth != 0 {
		return nil, errors.New("a bracket or quote is not closed")
	}
	flush()
	return out, nil
}

// CheckLine is the comment that names an entry with its arguments. It is empty where no comment can: one is a line, and a word of it
// ends at a blank that is in no bracket or quote.
func CheckLine(entry string, args []string, eval bool) string {
	line := "# shapecheck: check"
	for _, w := range slices.Concat([]string{entry}, args) {
		forms := []string{w, "'" + w + "'", `"` + w + `"`}
		i := slices.IndexFunc(forms, func(form string) bool {
			back, err := words(form)
			return err == nil && len(back) == 1 && back[0] == w
		})
		if i < 0 || strings.ContainsAny(w, "\r\n") {
			return ""
		}
		line += " " + forms[i]
	}
	if eval {
		line += " --eval"
	}
	return line
}
