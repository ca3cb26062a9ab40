package lower

// This file tells others how operations use memory.

import "shapecheck/infer/graph"

// Writes reports whether a node writes into the memory of its first argument.
func Writes(n *graph.Node) bool { return writes(n) }
