// Package isa is the form of a program: what codegen makes and runtime/vm runs.
//
// A Program is a protobuf message (program.proto; program.pb.go is written from it by
// protogen) in a file that begins with a magic number and goes on with segments, which
// hold large constants. Values have numbers; an instruction reads operands and sets results. A value
// is set once on each path and freed once. Sizes are entries of one table of integer
// expressions over symbols, which is evaluated once for each binding of the symbols, and
// again where an instruction binds some of them.
//
// The message is the program's structure in memory, so that there is no second form to keep equal; its parts are
// counted before it is decoded. Attributes are names and values that the opcode's schema checks, since a message for
// each opcode would repeat what ONNX says. Control flow is regions, which are all checked in one way.
//
//	opcodes.go   opcodes and their schemas    ops_machine.go, ops_onnx.go  the list of them
//	limits.go    limits and versions          build.go     accessors and short constructors
//	file.go, wire.go  Read, Write             data.go      contents of segments in memory
//	canonical.go the one form of a program
//	sizes.go     evaluation of sizes          verify*.go   Verify: what may be run
//	realsizes.go sizes that are made of binary64 numbers
//	tables.go    what its tables refer to     print.go, typetext.go  Text
//	scan.go, parse.go  Parse                  attr.go      attributes as ONNX has them
package isa
