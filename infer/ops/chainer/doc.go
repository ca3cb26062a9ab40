// Package chainer holds the records of Chainer 7.8.1: its functions (chainer.functions)
// and what a Variable has. A record is a signature, the label of Chainer's function class
// and a rule; the rule says in Chainer's own notation what is expected of the inputs
// ("x.shape[1] == W.shape[1]"), so that the check, the condition on symbols and the words
// of the message are one text. What is known is from Chainer's documentation and from
// calls recorded with it. Classes are Python of the prelude (infer/lib/packed/chainer).
//
//	chainer.go    the library, Variables, how records are written
//	call.go       a call: inputs, arguments, axes
//	integers.go   which arguments must be Python's ints
//	expect.go     the notation of what is expected
//	table.go      all records, made at the first use of the library
//	activation.go array.go join.go index.go   families of chainer.functions
//	openlist.go   joins of lists whose number of elements is not known
//	connection.go rnn.go pooling.go loss.go math.go reduce.go linalg.go noise.go
//	normalization.go
//	variable.go   the methods, attributes and operators of Variables; creator.go: the functions that make them
package chainer
