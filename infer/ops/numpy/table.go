package numpy

import "shapecheck/infer/ops"

// Families are the tables of records of numpy, one per file.
var Families = [...][]ops.Op{
	arrayCreateOps[:],
	arrayIndexOps[:],
	arrayJoinOps[:],
	arrayLinalgOps[:],
	arrayMathOps[:],
	arrayObjectOps[:],
	arrayRandomOps[:],
	arrayReduceOps[:],
	arrayShapeOps[:],
}
