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
// The files, by shelf:
//
//	the run           infer.go interp.go: configuration, result, state; record.go checked.go oplog.go autograd.go
//	                  saved.go untrained.go:
//	                  what it met; caused.go: why things are not known; untaken.go: branches that did not run;
//	                  explore.go: settings that the entry does not have; tracer.go: what tracers hear; traced.go keptstate.go tracedeffects.go decisions.go
//	                  othersizes.go: several calls, and how each place decides; sideruns.go: runs beside the program;
//	                  retrace.go retracemaybe.go graphloops.go graphcalls.go: calls of traced functions; jittracer.go jitruns.go drawn.go
//	                  sameoutcome.go draws.go: what torch.jit.trace keeps, and its runs beside the model; exporttracer.go
//	                  exportruns.go: what torch.export makes; sharedsizes.go: which sizes of an entry share a trace; dynamotracer.go
//	                  dynamocalls.go: what torch.compile compiles; errors.go: its ends;
//	                  budget.go memory.go memoryuse.go memoryuse_js.go: its limits; progress.go: where it is; lint.go: the dimension lint after it
//	files, modules    module.go importstmt.go find.go gate.go names.go package.go script.go: imports and scripts; sysmodules.go: sys.modules and
//	                  specifications; stubs.go: files that stand for modules; over.go: what changes them;
//	                  loadfile.go: files of tensors; installed.go, environment.go, numpyversion.go,
//	                  torchversion.go pythonversion.go: what is installed; lazynames.go: names that are
//	                  imported when they are asked for; waiting.go waitingstar.go deferrable.go toplevel.go
//	                  registry.go: imports that run when their names are used; notebook.go: what notebooks have; filename.go own.go: what
//	                  files are called and whose they are; ahead.go body.go cache.go: parsing early, late, once
//	the entry         entry.go args.go opennumbers.go assume.go: the call, its arguments, what the user vouches for; attributes.go: what a
//	                  running program knows; typos.go: slips; fill.go: arguments that a Filler chooses; fillclass.go: instances for them,
//	                  fillchain.go: what their constructors hand on, fillobject.go: inputs that are such;
//	                  loaded.go: several entries of a file that is loaded once; madeentry.go: their object, made once;
//	                  kept.go: imports kept between runs;
//	                  structure.go results.go: tensors inside; entryplace.go sideresults.go leftout.go: faults in and beside it
//	statements        stmt.go sides.go loop.go match.go try.go exceptiongroup.go class.go, exec.go for texts
//	expressions       expr.go comprehension.go name.go unbound.go attr.go bindattr.go tensorattr.go slots.go
//	                  protocol.go, template.go: t-strings; eval.go for texts;
//	                  initargs.go: what an object was made with
//	operators         operator.go array.go: numpy's arrays; variable.go: Chainer's Variables; backprop.go: their gradients;
//	                  creator.go: the functions behind them; functionhooks.go: the hooks of these;
//	                  wrapped.go: arrays of the preludes
//	decorators        docstrings.go: those that only rewrite texts; decorated.go: those that are not known
//	calls             call.go opencall.go frame.go generator.go recursion.go builtins.go: functions and their frames;
//	                  modes.go: autocast and the default device;
//	                  choice.go dictbranches.go span.go: arguments that are one of several values, and places in the source
//	branches          fork.go join.go joinscalars.go alternatives.go: both ways, and where they meet; pending.go unwind.go: ways that leave
//	                  a block early; attempt.go: operations that are legal under a condition;
//	                  anyrank.go: those on tensors of unknown rank
//	open loops        openloop.go fixpoint.go substitute.go: loops of unknown length; trips.go: their count; peel.go: their first turn;
//	                  keeploop.go: known lengths kept as loops; effects.go: generators that are left,
//	                  and what code may change that is not followed; callbacks.go changedlists.go: functions and containers given to something unknown
//	types unknown     foreign.go: classes of missing modules; partialclasses.go: classes that are known in part
//	native modules    native_*.go: the hot parts of torch and numpy; state.go: state_dict; compiled.go:
//	                  TorchScript; reveal.go: for the stubs of annotation libraries
//	annotations       spec.go annot*.go: what they say, in each notation, and where values meet them
//	shape comments    shapecomment.go commentabove.go commentcheck.go
//	faults explained  advise.go: what would make a failing call right, by package advice; creation.go: who told a layer its sizes;
//	                  origin.go: where a value was assigned; witness.go: the sizes on
//	                  which an error depends
package infer
