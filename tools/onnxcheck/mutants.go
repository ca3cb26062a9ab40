package main

// This file compares the checker with onnx.checker on faulty models.

import (
	"bytes"
	_ "embed"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"

	"shapecheck/onnx/check/checktest"
)

// mutantsScript makes models and asks onnx.checker.
//
//go:embed mutants.py
var mutantsScript string

// least is the share of models on which both checkers must say the same.
const least = 0.99

func compareMutants(w io.Writer, data, python string, count, seed int) (bool, error) {
	cmd := exec.Command(python, "-c", mutantsScript, data, strconv.Itoa(count), strconv.Itoa(seed))
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return false, fmt.Errorf("%s: %w", python, err)
	}
	res, err := checktest.Compare(bytes.NewReader(out))
	if err != nil {
		return false, err
	}
	for _, d := range res.Differences {
		fmt.Fprintln(w, d)
	}
	same := res.Models - len(res.Differences)
	fmt.Fprintf(w, "checker: %d models, %d refused by onnx.checker; %d the same, %d differ\n", res.Models, res.Refused, same,
		len(res.Differences))
	return res.Models == count && float64(same) >= least*float64(count), nil
}
