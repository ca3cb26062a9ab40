package infer

// This file makes calls from the project's own code into packages of the environment. One in which the analysis loses itself is taken back
// and gives an unknown value, as a call of a package that is not there does: what such a package computes from a text or a table would
// take most of the time of a run, and is not known in the end.

import (
	"errors"
	"strings"

	"shapecheck/infer/value"
	"shapecheck/internal/lazyregexp"
	"shapecheck/internal/source"
	"shapecheck/parser/ast"
)

// maxLostInCall is how many steps such a call spends on what is not known (see doubtful) before it is taken back.
const maxLostInCall = 4_000

// errLostInCall ends a call that is taken back.
var errLostInCall = errors.New("too much of the call is not known")

// packageCalls are the calls of functions of installed packages by code of the project.
type packageCalls struct {
	in *Interp
	// limit is the work on what is not known at which the outermost call that is under way is taken back; 0: none is.
	limit int
	// installed tells of each file that was asked for whether the environment has it.
	installed map[*source.File]bool
	// lost are the functions of which a call was taken back. Later runs do not follow them: they have the same arguments but for sizes.
	lost map[ast.Node]bool
}

// isInstalled reports whether a file belongs to a package of the environment.
func (pc *packageCalls) isInstalled(file *source.File) bool {
	if file == nil || pc.in.finder.env == nil {
		return false
	}
	is, ok := pc.installed[file]
	if !ok {
		is = pc.in.finder.inEnvironment(file)
		if pc.installed == nil {
			pc.installed = map[*source.File]bool{}
		}
		pc.installed[file] = is
	}
	return is
}

// enters reports whether the call of f leads from the project's own code into an installed package.
func (pc *packageCalls) enters(f *frame) bool {
	in := pc.in
	return pc.limit == 0 && in.stack.inEntry && len(in.tracers.all) == 0 && in.trial == 0 && !f.prelude && pc.isInstalled(f.unit.file) &&
		f.caller != nil && !pc.isInstalled(f.caller.unit.file)
}

// call makes the call of f by run, or gives an unknown value where too much of it is not known.
func (pc *packageCalls) call(f *frame, args []value.Value, kw []value.Kw, run func() (value.Value, error)) (value.Value, error) {
	in := pc.in
	if pc.lost[f.code.node] {
		return pc.unknown(f, args, kw), nil
	}
	mark, depth := in.heap.Mark(), in.heap.Depth()
	control, refused, found, recorded := in.control, in.refused, in.sink.Len(), in.rec.mark()
	region, nodes := in.build.Region(), in.build.Mark()
	typed, open, frame := in.rec.typed, in.rec.open, in.stack
	pc.limit = in.doubtful.work() + maxLostInCall
	v, err := pc.limited(run)
	if !errors.Is(in.spent.over, errLostInCall) { // which is there whoever dropped the error
		in.heap.Drop(mark)
		return v, err
	}
	in.spent.over, in.spent.check = nil, 0
	in.build.Leave(region)
	in.build.Discard(nodes)
	in.heap.CloseTo(depth)
	in.heap.Rollback(mark)
	in.heap.Close(mark)
	work := in.doubtful.work()
	in.control, in.refused, in.stack = control, refused, frame
	in.doubtful.spent = work
	in.sink.Truncate(found)
	in.rec.rollback(recorded)
	in.rec.typed, in.rec.open = typed, open
	if pc.lost == nil {
		pc.lost = map[ast.Node]bool{}
	}
	pc.lost[f.code.node] = true
	return pc.unknown(f, args, kw), nil
}

// limited makes a call while the limit is set.
func (pc *packageCalls) limited(run func() (value.Value, error)) (value.Value, error) {
	defer func() { pc.limit = 0 }()
	return run()
}

// unknown is the result of a call that is not followed.
func (pc *packageCalls) unknown(f *frame, args []value.Value, kw []value.Kw) value.Value {
	pc.in.opaqueCalls.callsUnknown(args, kw)
	name := calledName(f.fn)
	if written, _, _ := strings.Cut(f.caller.unit.file.Slice(f.caller.at), "("); dottedName.MatchString(written) {
		name = written // a decorator may have put a function of its own in the place of the one that is meant
	}
	c := &value.Cause{At: f.caller.at, Reason: name + "() of an installed package is not followed: too much of it is not known"}
	pc.in.losses.surface(c)
	return pc.in.losses.unknown(c)
}

// dottedName is a name with those before it: einx.get_at.
var dottedName = lazyregexp.New(`^[\w.]+$`)

// isLost reports whether the call that is under way is to be taken back.
func (pc *packageCalls) isLost() bool { return pc.limit > 0 && pc.in.doubtful.work() > pc.limit }

func (in *Interp) isLost() bool { return in.packageCalls.isLost() }
