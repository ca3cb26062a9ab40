package infer

// This file measures the work in code of which little is known: in branches under a condition on what is not known, of which nothing says
// that they ever run, and in loops over what is not known. Where much depends on that, as in a library that parses a text which the
// analysis lost, both branches of each condition that follows run, and what they give is not known either.

// maxDoubtful is how many steps are spent in branches that may never run before the functions that they call are not followed any more.
const maxDoubtful = 20_000

// doubtful is the work in such branches and loops.
type doubtful struct {
	spending *budget
	nested   int // how many branches are inside each other of which it is not known whether they run
	loops    int // how many loops over what is not known
	begun    int // the steps of the run when the outermost of these began
	spent    int // the steps in those that ended
}

// enter begins a branch of which it is not known whether it runs.
func (d *doubtful) enter() {
	d.begin()
	d.nested++
}

// leave ends it.
func (d *doubtful) leave() {
	d.nested--
	d.end()
}

// enterLoop begins a loop over what is not known.
func (d *doubtful) enterLoop() {
	d.begin()
	d.loops++
}

// leaveLoop ends it.
func (d *doubtful) leaveLoop() {
	d.loops--
	d.end()
}

func (d *doubtful) begin() {
	if d.nested+d.loops == 0 {
		d.begun = d.spending.totalSteps()
	}
}

func (d *doubtful) end() {
	if d.nested+d.loops == 0 {
		d.spent += d.spending.totalSteps() - d.begun
	}
}

// any reports whether a branch runs of which it is not known whether it does.
func (d *doubtful) any() bool { return d.nested > 0 }

// work is how many steps were spent in such branches and loops.
func (d *doubtful) work() int {
	if d.nested+d.loops == 0 {
		return d.spent
	}
	return d.spent + d.spending.totalSteps() - d.begun
}

// exhausted reports whether such a branch runs and no more is to be spent on it.
func (d *doubtful) exhausted() bool { return d.any() && d.work() > maxDoubtful }
