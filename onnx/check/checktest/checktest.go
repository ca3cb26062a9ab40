// Package checktest compares package check with recorded verdicts of onnx.checker, which
// tools/onnxcheck/mutants.py writes.
package checktest

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"shapecheck/onnx"
	"shapecheck/onnx/check"
)

// A Result counts models.
type Result struct {
	Models, Refused int      // all, and those that onnx.checker refuses
	Differences     []string // a line for each model of which ours says otherwise
}

// Compare reads a JSON line for each model. The error is that of reading, or of a line that is no such record; a model
// that cannot be read is a difference.
func Compare(r io.Reader) (Result, error) {
	var res Result
	in := bufio.NewScanner(r)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		if len(in.Bytes()) == 0 || in.Bytes()[0] != '{' {
			continue // the checker prints warnings
		}
		var v struct {
			Name, Did, Why string
			OK             bool
			Model          []byte
		}
		if err := json.Unmarshal(in.Bytes(), &v); err != nil {
			return res, err
		}
		res.Models++
		if !v.OK {
			res.Refused++
		}
		why := ""
		if m, err := onnx.Unmarshal(v.Model); err != nil {
			why = err.Error()
		} else if errs := check.Model(m); len(errs) > 0 {
			why = errs[0].Error()
		}
		switch {
		case v.OK && why != "":
			res.Differences = append(res.Differences, fmt.Sprintf("%s (%s): %s; onnx.checker takes it", v.Name, v.Did, why))
		case !v.OK && why == "":
			res.Differences = append(res.Differences, fmt.Sprintf("%s (%s): taken; onnx.checker says: %s", v.Name, v.Did, v.Why))
		}
	}
	return res, in.Err()
}
