package lower

// This file tells which values an operation reads.

import "shapecheck/infer/graph"

// reads reports whether a value is inside an argument.
func reads(args []graph.Arg, u *graph.Value) bool {
	found := false
	for _, a := range args {
		graph.Operands(a.Value, func(x *graph.Value) { found = found || x == u })
	}
	return found
}
