package record_test

// This file tests how values are written in JSON.

import (
	"encoding/json"
	"testing"

	"shapecheck/check/record"
	"shapecheck/infer"
)

// Keys that are no str, and several that read the same, all stay apart.
func TestDictKeys(t *testing.T) {
	res, err := infer.Run(infer.Config{File: "keys.py", Entry: "f", Text: `
import torch.nn as nn

a, b = nn.ReLU(), nn.ReLU()


def f():
    return {'s': 1, 2: 3, (1, 'x'): 4, (5,): 6, a: 7, b: 8}
`})
	if err != nil {
		t.Fatal(err)
	}
	data, err := json.Marshal(record.Build(res).Output)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"dict":{"s":1,"2":3,"(1, 'x')":4,"(5,)":6,"ReLU":7,"ReLU #2":8}}`
	if string(data) != want {
		t.Errorf("%s, not %s", data, want)
	}
}

// A range is its three parts, as Python prints them; a set holds its elements.
func TestRangesAndSets(t *testing.T) {
	for body, want := range map[string]string{
		"range(5)":          `{"range":[0,5,1]}`,
		"range(2, 6)":       `{"range":[2,6,1]}`,
		"range(9, 1, -3)":   `{"range":[9,1,-3]}`,
		"[range(2, 6)[1:]]": `[{"range":[3,6,1]}]`,
		"{2, 3, 2}":         `{"set":[2,3]}`,
		"frozenset('a')":    `{"set":[{"str":"a"}]}`,
		"set()":             `{"set":[]}`,
		"[{(1, 2)}]":        `[{"set":[{"tuple":[1,2]}]}]`,
	} {
		res, err := infer.Run(infer.Config{File: "range.py", Entry: "f", Text: "def f():\n    return " + body + "\n"})
		if err != nil {
			t.Fatal(err)
		}
		data, err := json.Marshal(record.Build(res).Output)
		if err != nil {
			t.Fatal(err)
		}
		if string(data) != want {
			t.Errorf("%s: %s, not %s", body, data, want)
		}
	}
}
