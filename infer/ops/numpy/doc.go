// Package numpy holds the records of numpy's functions and of the methods and
// properties of its arrays. Where a function agrees with one of PyTorch, its rule
// applies that one's record (ops.Call.Delegate).
//
//	numpy.go   the library, how records are written, results as numpy's objects
//	table.go   the tables of records           dtype.go   dtypes and promotion
//	array.go   arguments as arrays             object.go  what arrays tell about themselves
//	create.go  new arrays                      random.go  numpy.random
//	math.go    universal functions             reduce.go  reductions
//	shape.go   shapes                          join.go    joining, splitting, padding
//	index.go   indexing                        linalg.go  products and linear algebra
package numpy
