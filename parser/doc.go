// Package parser turns Python source text into package ast's tree.
//
// The work has three steps. A hand-written token pass (scan*.go) splits the text
// into tokens and settles what is not LL(1): indentation, soft keywords,
// f-strings. The parser that ANTLR generated from grammar/pygen/Python.g4 checks
// the order of the tokens. Its actions (build*.go) make the tree directly; no
// parse tree exists.
//
// The tokens are made by hand because a lexer of ANTLR takes five times as long and does not tell soft keywords from
// names without predicates, which turn off its cache.
//
// The accepted language and the tree are those of CPython 3.14's ast.parse, which
// takes what 3.8 and its successors take; tools/parserdiff compares both.
//
//	parser.go    drives the parser        recover.go  resumes after errors
//	outline.go   without the bodies of functions, and those when they are needed
//	decode.go    encodings of files       errors.go   the words of syntax errors
//	token.go     tokens and their stream  slab.go     memory for nodes
//	number.go, literal.go, runename.go    values of numbers and strings, characters by name
//	scan.go      the token pass: scan_indent.go, scan_name.go, scan_number.go, scan_operator.go, scan_string.go;
//	             scan_body.go leaves out bodies
//	highlight.go what a reader's eye wants apart
//	build.go     the tree builder; build_simple.go, build_compound.go, build_pattern.go: statements;
//	             build_operand.go, build_operator.go, build_display.go, build_string.go: expressions;
//	             build_params.go: parameters; build_target.go: what may be assigned to
package parser
