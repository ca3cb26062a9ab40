package numpy

import "shapecheck/infer/ops"

// Families makes the tables of records of numpy, one per file. They are no variables,
// for a program without numpy need not have them.
func Families() [][]ops.Op {
	return [][]ops.Op{
		arrayCreateOps(),
		arrayFFTOps(),
		arrayIndexOps(),
		arrayJoinOps(),
		arrayLinalgOps(),
		arrayMathOps(),
		arrayMatrixOps(),
		arrayMemoryOps(),
		arrayObjectOps(),
		arrayRandomOps(),
		arrayReduceOps(),
		arrayShapeOps(),
		arrayStatisticsOps(),
	}
}
