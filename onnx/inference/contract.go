package inference

// This file reads and writes the conditions on sizes that a model's metadata may have.

import (
	"fmt"
	"strings"

	"shapecheck/onnx"
	"shapecheck/symshape"
)

// ContractKeys are the entries of the metadata that have conditions: what the program
// needs of its sizes, and the bounds of single symbols.
var ContractKeys = [...]string{"contract", "ranges"}

// A Condition is one line of such an entry: the condition and what needs it, such as
// "net.py:41: cat needs 32*(H//32) = H".
type Condition struct {
	Cond    *symshape.Cond
	Because []string
}

const (
	becauseMark = " # " // is no part of conditions
	becauseNext = "; "
)

// Conditions reads the entries of a key, one condition on each line, with the reasons
// after " # " where there are any. bad is called for lines that are no condition.
func Conditions(pool *symshape.Pool, metadata []onnx.Entry, key string, bad func(line string, err error)) (out []Condition) {
	text, _ := onnx.Meta(metadata, key)
	for line := range strings.Lines(text) {
		line, why, _ := strings.Cut(strings.TrimSpace(line), becauseMark)
		if line == "" {
			continue
		}
		cond, err := pool.ParseCond(line)
		if err != nil {
			bad(line, err)
			continue
		}
		c := Condition{Cond: cond}
		if why != "" {
			c.Because = strings.Split(why, becauseNext)
		}
		out = append(out, c)
	}
	return out
}

// String writes the line that Conditions reads.
func (c Condition) String() string {
	if len(c.Because) == 0 {
		return c.Cond.String()
	}
	return fmt.Sprint(c.Cond, becauseMark, strings.Join(c.Because, becauseNext))
}
