package infer

// This file notes the calls of traced functions of which it is not known whether they run.

import "shapecheck/trace/retrace"

// mayRun reports whether a call that is made now may run or not, in a program whose calls are recorded.
func (in *Interp) mayRun() bool {
	r := &in.retraces
	return in.cfg.Retraces && r.Open == nil && r.Inside == 0 && !r.Ended && in.decisions == nil && in.dynamo == nil &&
		len(in.path.conds)+len(in.loops) > 0
}

// mayCall notes a call that may not run; rounds of a loop make it once.
func (in *Interp) mayCall(framework, kind, function string, args []string) {
	in.retraces.MayCall(&retrace.MaybeCall{Framework: framework, Kind: kind, Function: function, At: in.topStatement(), Args: args,
		Loop: len(in.loops) > 0})
}
