package ast

// This file checks the forms of values that recorded programs do not cover.

import (
	"math"
	"testing"
)

func TestFloatRepr(t *testing.T) {
	for want, f := range map[string]float64{
		"0.0": 0, "-0.0": math.Copysign(0, -1), "1.0": 1, "0.1": 0.1, "1e+16": 1e16, "1000000000000000.0": 1e15,
		"0.0001": 1e-4, "1e-05": 1e-5, "1.5e+300": 1.5e300, "inf": math.Inf(1), "-inf": math.Inf(-1), "nan": math.NaN(),
		"123456789.125": 123456789.125, "5e-324": 5e-324,
	} {
		if got := string(appendFloatRepr(nil, f)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestStrRepr(t *testing.T) {
	for s, want := range map[string]string{
		"":                 `''`,
		"it's":             `"it's"`,
		`it's "x"`:         `'it\'s "x"'`,
		"a\\b\n\r\t\x00":   `'a\\b\n\r\t\x00'`,
		"é\u00a0\u200b":    `'é\xa0\u200b'`,
		"\U0001F600":       "'\U0001F600'",
		"\U000E0001":       `'\U000e0001'`,
		"\xed\xa0\x80":     `'\ud800'`,
		"\xed\xb0\x80tail": `'\udc00tail'`,
	} {
		if got := string(appendStrRepr(nil, s)); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
