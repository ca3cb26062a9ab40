// Package grammar holds the grammar of Python and, in pygen, its generated
// parser.
//
// Python.g4 is our own LL(1) grammar; why it looks the way it does is said at
// its top. The generated code is committed: Java and Node are needed only after
// a change of the grammar. "go generate ./grammar" followed by
// "git diff --exit-code grammar" checks that both agree; the test in this
// package does the same when SHAPECHECK_GENERATE is set.
package grammar

//go:generate sh generate.sh
