package einops

import "shapecheck/infer/ops"

// Families makes the tables of records of einops, one per file.
func Families() [][]ops.Op { return [][]ops.Op{einopsOps()} }
