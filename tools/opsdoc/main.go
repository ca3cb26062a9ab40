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

// fronts are the libraries beside PyTorch: what they are called, modules to import, the lists of their public names, each
// in the first column of its lines, and of those that are not known, with the reasons.
var fronts = []struct{ title, modules, names, unknown string }{
	{"Chainer 7.8.1", "chainer", "infer/testdata/chainer_api.txt", "infer/testdata/chainer_unknown.txt"},
	{"NumPy 1.23.5, 1.26.4 and 2.4.6", "numpy", "infer/testdata/numpy_names.txt", "infer/testdata/numpy_unknown.txt"},
}

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
	text, err := document(".", api, left)
	if err != nil {
		return err
	}
	return os.WriteFile(docFile, []byte(text), 0o666)
}
