// Command shapecheck finds shape errors in deep-learning code before it runs.
package main

import (
	"os"
	"runtime/debug"

	"shapecheck/internal/cli"
)

// gcPercent trades memory for time: a run is short, and its heap small.
const gcPercent = 400

func main() {
	debug.SetGCPercent(gcPercent)
	growStack()
	os.Exit(cli.Run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
