package comments

// This file reads what is accepted for a time:
//
//	# shapecheck: accept unsettled SC412 until=2027-03-01 "needs the real tokenizer"

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"shapecheck/internal/diag"
	"shapecheck/internal/source"
)

// AcceptedStates are the states of entries that may be accepted, as they are written.
var AcceptedStates = []string{"unsettled", "weak", "not-checked"}

// An Accept says that states of entries and findings of codes are accepted until the end of a day.
type Accept struct {
	At source.Span
	// Keys are states and codes.
	Keys   []string
	Until  string // as DateForm
	Reason string
}

// DateForm is how days are written.
const DateForm = time.DateOnly

const acceptExample = `shapecheck: accept unsettled until=2027-03-01 "why"`

// parseAccept reads what follows "accept".
func parseAccept(text string) (c Accept, err error) {
	text, reason, quoted := strings.Cut(text, `"`)
	if !quoted || !strings.HasSuffix(strings.TrimSpace(reason), `"`) {
		return c, errors.New("the reason is missing, in quotes at the end: " + acceptExample)
	}
	c.Reason = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(reason), `"`))
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		if day, ok := strings.CutPrefix(word, "until="); ok {
			c.Until = day
			continue
		}
		c.Keys = append(c.Keys, word)
	}
	return c, c.Check()
}

// Check reports what is wrong with it. The error says what to write.
func (c *Accept) Check() error {
	for _, k := range c.Keys {
		if !slices.Contains(AcceptedStates, k) && !diag.Code(k).Known() {
			return fmt.Errorf("'%s' is neither a code nor one of the states %s", k, strings.Join(AcceptedStates, ", "))
		}
	}
	switch _, err := time.Parse(DateForm, c.Until); {
	case len(c.Keys) == 0:
		return errors.New("no state or code is named: " + acceptExample)
	case c.Until == "":
		return errors.New("the last day is missing: " + acceptExample)
	case err != nil:
		return fmt.Errorf("'%s' is no day such as 2027-03-01", c.Until)
	case c.Reason == "":
		return errors.New("the reason is empty: " + acceptExample)
	}
	return nil
}

// Expired reports whether its last day is over. Today is a day; empty: nothing expires.
func (c *Accept) Expired(today string) bool { return today > c.Until }
