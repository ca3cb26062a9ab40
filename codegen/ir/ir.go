// Package ir is the compiler's form of a model: a graph of nodes over typed values whose
// sizes are symbolic.
//
//	module.go  Module, Graph, Node, Value    record.go  Record: what an operator is to the compiler
//	build.go   making and changing graphs    store.go   constants
//	origin.go  places in the source and names of the original model
//	verify.go  Verify                        symbols.go where symbols are bound
//	print.go   String, the text form, which package irtext reads
//
// A Module belongs to one compilation and one goroutine. Nodes and values are numbered in
// the order in which they are made, and everything that orders, hashes or prints goes by
// these numbers: addresses and the order of maps never decide anything.
package ir
