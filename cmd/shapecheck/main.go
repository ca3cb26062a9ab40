// Command shapecheck finds shape errors in deep-learning code before it runs.
package main

import (
	"os"

	"shapecheck/present/cli"
)

func main() {
	delayGC()
	growStack()
	os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
