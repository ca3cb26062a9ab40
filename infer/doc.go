// Package infer interprets Python source abstractly. It runs a module's code and
// then one entry of it (a function, or an instance of a model) on arguments of
// given types, and finds the type, dtype and symbolic shape of every expression.
//
// Run (infer.go) is the way in. An Interp (interp.go) executes statements and evaluates
// expressions over the values of package value. Where a condition is not decided both
// branches run (fork.go) and what they wrote is joined (join.go). What Python and the
// frameworks provide is in packages lib and ops. record.go keeps what the run met;
// Result hands it out.
//
// What evaluates no code is in parts of an Interp that hold none: finder and versions (of modules and
// libraries), imports, stack, budget, losses (why things are not known), annotations, gradients,
// variables (Chainer's) and arguments. Each has an interface of what it asks of its host.
//
// Parts that have code run in the course of their work have the Interp, and the fields that they are about: entry and
// tracedRuns, which call it; tracing, what a script traces; flow (branches and loops), exceptions, rankTrials and opaqueCalls
// (of what is not known); patterns; deciding, recorded decisions; native and builtin, functions of the prelude and of Python.
// Interp itself is value.Thread, statements, expressions, operators, attributes and calls.
//
// The files, by shelf:
//
//	the run           infer.go interp.go: configuration, result, state; record.go checked.go oplog.go autograd.go backwardhooks.go:
//	                  what it met; caused.go: why things are not known; untaken.go: branches that did not run; ran.go: what did;
//	                  explore.go: settings that the entry does not have; errors.go: its ends; budget.go memoryuse.go
//	                  memoryuse_js.go: its limits; timed.go: what its parts take; lint.go: the dimension lint after it
//	tracing           tracer.go: what tracers hear; traced.go keptstate.go decisions.go: several calls, and how each place
//	                  decides; sideruns.go: runs beside the program; sameoutcome.go draws.go: what they give, and what they draw;
//	                  jit.go export.go dynamo.go: what torch.jit.trace, torch.export and torch.compile make in a script;
//	                  retrace.go autograph.go: calls of traced functions, and what AutoGraph makes of their code
//	files, modules    module.go importstmt.go find.go gate.go package.go script.go: imports and scripts; sysmodules.go: sys.modules and
//	                  specifications; stubs.go: files that stand for modules, and that change them;
//	                  loadfile.go: files of tensors; environment.go versions.go: what is installed; lazynames.go: names that are
//	                  imported when they are asked for; waiting.go registry.go: imports that run when their names
//	                  are used, by package toplevel; ahead.go body.go cache.go: parsing early, late, once
//	the entry         entry.go args.go: the call, its arguments, what the user vouches for; attributes.go: what a
//	                  running program knows; typos.go: slips; loaded.go: several entries of a file that is loaded once;
//	                  entryobject.go: its object in several runs; kept.go: imports kept between runs;
//	                  library.go: modules of the prelude that ran before;
//	                  suite.go: the functions of a test suite, from states that are kept;
//	                  savedstate.go: the state to which runs go back; results.go: tensors inside; entryfaults.go: faults in and beside it
//	statements        stmt.go loop.go match.go try.go exceptiongroup.go class.go, exec.go for texts; quick.go quickstmt.go quickexpr.go:
//	                  the later turns of loops
//	expressions       expr.go comprehension.go name.go attr.go protocol.go
//	operators         operator.go array.go: numpy's arrays; variable.go: Chainer's Variables; backprop.go: their gradients;
//	                  wrapped.go: arrays of the preludes
//	calls             call.go frame.go generator.go builtins.go: functions and their frames; decorators.go: what they decorate;
//	                  opaquecall.go: calls of what is not known; unfollowed.go: calls that are not made;
//	                  packagecall.go: calls into installed packages;
//	                  modes.go: autocast and the default device;
//	                  choice.go: arguments that are one of several values
//	branches          fork.go join.go: both ways, and where they meet; pending.go: ways that leave a block early;
//	                  attempt.go: operations that are legal under a condition; anyrank.go: those on tensors of unknown rank;
//	                  doubtful.go: the work in branches that may never run
//	open loops        openloop.go fixpoint.go: loops of unknown length; steady.go: when a loop of a script changes nothing new
//	native modules    native_*.go: the hot parts of torch and numpy; state.go: state_dict
//	annotations       spec.go annot*.go: what they say, in each notation, and where values meet them
//	shape comments    shapecomment.go commentcheck.go
//	faults explained  advise.go: what would make a failing call right, by package advice; origin.go: where a value was assigned, and
//	                  who told a layer its sizes; witness.go: the sizes on which an error depends
package infer
