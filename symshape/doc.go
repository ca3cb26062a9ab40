// Package symshape is the algebra of sizes: symbolic integer expressions, dimensions (an expression and an example
// value), shapes, conditions, and the facts under which conditions are decided or solved.
//
// A Pool makes and interns everything; start there. Expr is a canonical polynomial over atoms, Real a symbolic
// binary64 number, Dim and Shape are what the rest of the program talks about, Cond is a boolean formula, Facts what
// is known on a path, with Decide and Solve. String and Parse are inverse to each other.
//
//	integers      pool.go expr.go arith.go; atom.go extremum.go round.go root.go: divisions, maxima, rounded numbers, roots
//	numbers       real.go realnode.go
//	sizes         dim.go
//	conditions    cond.go contract.go; truth.go: as numbers
//	facts         facts.go assume.go factindex.go: what is known, learning, what depends on which symbols; select.go: one expression for two
//	deciding      decide.go prove.go residue.go sample.go: by proofs, residue classes and witnesses; recall.go
//	solving       solve.go solveext.go solvequot.go solvesame.go
//	text          print.go printcond.go printreal.go simplify.go; parse.go parsecond.go
//	other forms   build.go fold.go eval.go
//	intervals     interval.go intset.go
package symshape
