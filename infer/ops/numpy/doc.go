// Package numpy holds the records of numpy's functions and of the methods and
// properties of its arrays. Where a function agrees with one of PyTorch, its rule
// applies that one's record (ops.Call.Delegate).
//
//	numpy.go   the library, how records are written, results as numpy's objects
//	table.go   the tables of records           versions.go    names that versions lack
//	memory.go  how arrays lie in memory        order.go       in which order new ones do
//	keywords.go  parameters that versions lack
//	integers.go  what parameters take as integers
//	array.go   arguments as arrays             dtype.go       dtypes and promotion
//	check.go   options, what is no number      object.go      what arrays tell about themselves
//	create.go  new arrays                      random.go      numpy.random
//	ufunc.go   the engine of universal functions
//	math.go    universal functions             ufuncmethod.go their methods
//	lastdigits.go  which results of theirs are known to the last digit
//	reduce.go  reductions                      statistics.go  quantiles, averages, covariance
//	sort.go    sorting, unique elements        histogram.go   bins, counts, searching
//	shape.go   shapes                          convert.go     conversions, diagonals, differences
//	join.go    joining, splitting, padding     index.go       indexing
//	pieces.go  writing, inserting, deleting    linalg.go      products, convolution, interpolation
//	matrix.go  numpy.linalg                    fft.go         numpy.fft
package numpy
