// Command ortcheck runs what shapecheck exports in ONNX Runtime and compares the
// results with PyTorch's.
//
//	ortcheck ops --opdb DIR --ort DIR [--only RE] [--symbolic] [--opset N] [--functions keep|inline] [--waivers FILE] [--counts FILE] [-v]
//
//	ortcheck models --cases FILE --ort DIR [--path DIR] [--only RE] [--functions keep|inline] [--vm] [-v]
//
//	ortcheck traces --cases FILE.tsv --python PYTHON --ort DIR --path DIR [--only RE] [--waivers FILE] [--counts FILE] [--vm] [-v]
//
//	ortcheck chainer --ort DIR [--dir DIR] [--only RE] [--counts FILE] [-v]
//
//	ortcheck speed [--cases FILE] [--path DIR] [--rounds N]
//
//	ortcheck hostile [--binary FILE] [--only RE] [--every N] [--memory MB] [--timeout T] [-v]
//
// The first takes the recorded calls of opdb: each is lowered on its own, and run with the same random contents in
// both. The second exports whole models once, with symbols as sizes, and runs them at several sizes with the same
// weights. DIR/node_modules of --ort holds onnxruntime-node. The third does so for the models of recorded traces,
// which the table FILE.tsv lists, and counts; PYTHON has PyTorch, and DIR the packages. The fourth runs the programs
// of testdata/chainer beside the numbers that Chainer gave. The next measures export beside PyTorch's exporter. The
// last generates models whose sizes are hostile, and demands that each ends within --max-memory and --timeout, in
// both engines, in compile and in infer.
//
//	main.go      the flags              ops.go      ops; optional.go: results that may be None
//	models.go    models: all of them    modelrun.go one of them; vm.go: on the device VM
//	traces.go    traces                 chainer.go  chainer
//	compare.go   results beside each other
//	speed.go     speed                  peak_*.go   the peak of memory, by platform
//	hostile.go   hostile                hostilecases.go  its models
//	process.go   the processes of PyTorch and ONNX Runtime
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ortcheck ops|models|traces|chainer|speed|hostile …")
		os.Exit(2)
	}
	var err error
	switch os.Args[1] {
	case "ops":
		err = runOps(os.Args[2:])
	case "models":
		err = runModels(os.Args[2:])
	case "traces":
		err = runTraces(os.Args[2:])
	case "chainer":
		err = runChainer(os.Args[2:])
	case "hostile":
		err = runHostile(os.Args[2:])
	case "speed":
		err = runSpeed(os.Args[2:])
	default:
		err = fmt.Errorf("unknown command %s", os.Args[1])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "ortcheck:", err)
		os.Exit(1)
	}
}

// common are the flags of all commands.
type common struct {
	python, ort string
	verbose     bool
}

func (c *common) flags(f *flag.FlagSet) {
	f.StringVar(&c.python, "python", "/usr/bin/python3", "a Python with PyTorch")
	f.StringVar(&c.ort, "ort", ".", "the folder whose node_modules has onnxruntime-node")
	f.BoolVar(&c.verbose, "v", false, "print every difference")
}
