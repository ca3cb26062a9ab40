// Package hostile makes programs that ask for much: that nest, double or repeat what costs time
// or memory in a checker, in one statement or in loops. A check of any of them has to end within its limits.
//
//	generate.go    Programs: each kind in each size and context; Sample
//	kinds.go       kinds of values, sizes and texts
//	kinds_python.go  of Python's containers, classes, types, code and source texts
//	kinds_torch.go   of PyTorch's and NumPy's functions and modules
//	run.go         the check of a program as a process of its own, and what it may use
//	peak_*.go      the memory of a process that ended
package hostile
