package inference

import (
	"slices"
	"testing"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// Conditions are read with the reasons behind them, also those of files that have none, and
// written as they are read.
func TestConditionsOfMetadata(t *testing.T) {
	pool := symshape.NewPool()
	lines := []string{"H % 32 == 0 # net.py:41: cat needs H = 32*(H // 32); a b.py:3", "W >= 2", "W % 2 == 0 # net.py:7"}
	text := lines[0] + "\n\n  " + lines[1] + "\r\nH ?? 3\n" + lines[2]
	var bad []string
	got := Conditions(pool, []onnx.Entry{{Key: "x"}, {Key: "contract", Value: text}}, "contract",
		func(line string, err error) { bad = append(bad, line) })
	if len(got) != len(lines) || !slices.Equal(bad, []string{"H ?? 3"}) {
		t.Fatalf("%v, refused %q", got, bad)
	}
	for i, c := range got {
		if c.String() != lines[i] {
			t.Errorf("%q, want %q", c, lines[i])
		}
	}
	if b := got[0].Because; len(b) != 2 || b[1] != "a b.py:3" || got[1].Because != nil {
		t.Errorf("%q", got)
	}
	if got := Conditions(pool, nil, "contract", nil); got != nil {
		t.Errorf("%v", got)
	}
}
