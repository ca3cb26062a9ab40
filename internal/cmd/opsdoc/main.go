// Opsdoc writes docs/ops.md: which library functions are known, and what is
// left out with its reason. Run it in the root of the repository.
package main

import (
	"fmt"
	"os"
)

// Paths from the root of the repository.
const (
	apiFile     = "infer/ops/torch/api.txt"
	leftOutFile = "infer/ops/torch/testdata/left_out.txt"
	docFile     = "docs/ops.md"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintf(os.Stderr, "opsdoc: %v\n", err)
		os.Exit(1)
	}
}

func run() error {
	api, err := readAPI(apiFile)
	if err != nil {
		return err
	}
	left, err := readLeftOut(leftOutFile)
	if err != nil {
		return err
	}
	text, err := document(api, left)
	if err != nil {
		return err
	}
	return os.WriteFile(docFile, []byte(text), 0o666)
}
