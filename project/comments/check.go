package comments

// This file reads entries that comments name:
//
//	# shapecheck: check Net(10) x:f32[B,3,H,W]
//	# shapecheck: check 'Net(10, act="relu")' x:f32[B,3,H,W] --eval

import (
	"errors"
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

// words cuts a text at white space outside of brackets and quotes. Quotes around a whole
// word are no part of it.
func words(text string) ([]string, error) {
	var out []string
	var b strings.Builder
	depth, quote := 0, rune(0)
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
		case quote != 0:
			if r == quote {
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
