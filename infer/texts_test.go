package infer_test

// This file holds texts that CPython 3.12 makes of letters and of long numbers.

import (
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/value"
)

func TestTextsAreCPythons(t *testing.T) {
	for text, want := range map[string]string{
		"'ΑΣ Σ ΑΣΑ'.lower()":           "ας σ ασα",
		"'ΑΣ.Β ΑΣ. \u0301Σ'.lower()":   "ασ.β ας. \u0301σ",
		"'ΑΣ\u0301'.title()":           "Ας\u0301",
		"'aΣ'.capitalize()":            "Aς",
		"'ΑΣςǅ'.swapcase()":            "ασΣǅ",
		"'ΑΣς'.casefold()":             "ασσ",
		"'ʰσA'.title()":                "ʰσa",
		"'\u0149'.upper()":             "\u02bcN",
		"'\u0130'.lower()":             "i\u0307",
		"str(len(str(10**4299)))":      "4300",
		"str(int('1' * 4300) % 7)":     "5",
		"str(int('f' * 9999, 16) % 7)": "0",
		"str(10**4300)":                "", // CPython raises
		"int('1' * 4301)": "ValueError: Exceeds the limit (4300 digits) for integer string conversion: " +
			"value has 4301 digits; use sys.set_int_max_str_digits() to increase the limit",
		"format(10, '-z')": "ValueError: Negative zero coercion (z) not allowed in integer format specifier",
	} {
		prog := "def forward():\n    try:\n        return " + text + "\n    except ValueError as e:\n        return 'ValueError: ' + str(e)\n"
		res, err := infer.Run(infer.Config{File: "texts.py", Text: prog, Entry: "forward"})
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := res.Output.(value.Str); !ok && want != "" || ok && string(got) != want {
			t.Errorf("%s is %v, want %s", text, res.Output, want)
		}
	}
}
