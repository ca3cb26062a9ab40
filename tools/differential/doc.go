// Package differential holds tests that compare whole ways of computing: random graphs in
// both engines beside the evaluator, models at other batches, threads and sizes, programs
// beside their text, contracts beside what is refused; programs of older versions, and the
// faults that must not return. It has no code but tests.
package differential
