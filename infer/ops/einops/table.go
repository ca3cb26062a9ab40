package einops

import "shapecheck/infer/ops"

// Families are the tables of records of einops, one per file.
var Families = [...][]ops.Op{
	einopsOps[:],
}
