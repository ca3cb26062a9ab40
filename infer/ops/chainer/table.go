package chainer

// This file lists all records. They are made when the first name of the library is
// looked up: a program without Chainer pays nothing for them.

import "shapecheck/infer/ops"

// Families gives the tables of records, one per family.
func Families() [][]ops.Op {
	return [][]ops.Op{
		activations(),
		arrays(),
		connections(),
		indexing(),
		joins(),
		linalg(),
		losses(),
		mathematics(),
		noise(),
		normalizations(),
		poolings(),
		recurrent(),
		reductions(),
		variables(),
	}
}
