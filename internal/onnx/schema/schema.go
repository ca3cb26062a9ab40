// Package schema holds the element types that the standard ONNX operators take:
// types.txt, which schema.py writes from ONNX's own schemas, up to opset 17, and
// types18.txt, what the specification says of the later versions.
package schema

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"

	"shapecheck/internal/onnx"
)

//go:embed types.txt
var typesText string

//go:embed types18.txt
var typesText18 string

// Until is the last opset that the tables know. Later versions of operators take
// more types, so that nothing is said of models that use them.
const Until = 21

// A Version is what one version of an operator takes.
type Version struct {
	Since  int64
	inputs [][]onnx.DType // nil: any
	more   bool           // the last is for all further ones, too
}

// Takes lists the element types that an input may have; nil: any, or not known.
func (v *Version) Takes(input int) []onnx.DType {
	if input >= len(v.inputs) {
		if !v.more {
			return nil
		}
		input = len(v.inputs) - 1
	}
	return v.inputs[input]
}

// Rejects reports whether an input surely cannot have that element type.
func (v *Version) Rejects(input int, d onnx.DType) bool {
	if v == nil || d == onnx.Undefined {
		return false
	}
	list := v.Takes(input)
	return list != nil && !slices.Contains(list, d)
}

// Versions lists what is known of all operators: by name, from the first version.
var Versions = sync.OnceValue(func() map[string][]Version {
	out := map[string][]Version{}
	for _, line := range strings.Split(typesText+"\n"+typesText18, "\n") {
		words := strings.Fields(line)
		if len(words) < 3 || words[0] == "#" {
			continue
		}
		since, err := strconv.ParseInt(words[1], 10, 64)
		if err != nil {
			continue
		}
		v := Version{Since: since}
		for _, w := range words[2:] {
			w, v.more = strings.CutSuffix(w, "+")
			var list []onnx.DType
			if w != "*" {
				for _, s := range strings.Split(w, ",") {
					if n, err := strconv.ParseInt(s, 10, 32); err == nil {
						list = append(list, onnx.DType(n))
					}
				}
			}
			v.inputs = append(v.inputs, list)
		}
		out[words[0]] = append(out[words[0]], v)
	}
	return out
})

// Of gives the version of an operator that a model of that opset uses; nil when
// nothing is known of it.
func Of(op string, opset int64) *Version {
	if opset > Until {
		return nil
	}
	var found *Version
	list := Versions()[op]
	for i := range list {
		if list[i].Since <= opset {
			found = &list[i]
		}
	}
	return found
}
