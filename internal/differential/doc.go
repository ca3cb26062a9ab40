// Package differential holds tests that compare whole ways of computing: random graphs in
// both engines beside the evaluator, models at other batches, threads and sizes, programs
// beside their text, contracts beside what is refused. It has no code but tests.
package differential
