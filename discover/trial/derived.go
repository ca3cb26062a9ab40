package trial

// This file finds classes of the package that make a base complete: a forward that calls what they define cannot run without.

import "shapecheck/internal/diag"

// isIncomplete reports whether a run failed for want of what classes that derive from it have: a method raises NotImplementedError, or
// the class itself lacks an attribute.
func (t *trial) isIncomplete(class string) bool {
	f := t.fact()
	return f.Kind == diag.NotImplemented || f.Kind == diag.LacksAttribute && f.Of == class
}

// madeElsewhere reports whether a class or function may be called with other arguments than its defaults, which then may stand for
// nothing that runs.
func (p *prober) madeElsewhere(name string) bool {
	return p.around.IsCalledWith(name) || p.found.MayBeMadeOtherwise(name)
}
