package inference

// This file holds recurrent layers.

var rnnOps = [...]op{
	{"RNN", recurrent, nil},
	{"GRU", recurrent, nil},
	{"LSTM", recurrent, nil},
}

// recurrent gives the results of all steps and the last states. With layout 1 the
// batch is the first dimension.
func recurrent(c *call) {
	if c.version < 7 { // which results there are was an attribute
		return
	}
	d := c.sameElem(0, 1, 2)
	x, ok := c.ranked(0, 3)
	r, ok2 := c.ranked(2, 3)
	if c.failed {
		return
	}
	directions := int64(1)
	if c.a.String("direction") == "bidirectional" {
		directions = 2
	}
	var seq, batch, hidden expr
	batchFirst := c.a.Bool("layout")
	if ok {
		seq, batch = x[0], x[1]
		if batchFirst {
			seq, batch = batch, seq
		}
	}
	if c.a.Has("hidden_size") {
		hidden = c.pool().Const(c.a.Int("hidden_size"))
		if ok2 {
			c.unify(r[2], hidden, "the recurrent weight %s and hidden_size", c.in(2).Type)
		}
	} else if ok2 {
		hidden = r[2]
	}
	if ok2 {
		c.unify(r[0], c.pool().Const(directions), "the recurrent weight %s and the number of directions", c.in(2).Type)
	}
	if w, ok3 := c.ranked(1, 3); ok && ok3 {
		c.unify(x[2], w[2], "the input %s and the weight %s", c.in(0).Type, c.in(1).Type)
	}
	if c.failed {
		return
	}
	dirs := c.pool().Const(directions)
	all, last := []expr{seq, dirs, batch, hidden}, []expr{dirs, batch, hidden}
	if batchFirst {
		all, last = []expr{batch, seq, dirs, hidden}, []expr{batch, dirs, hidden}
	}
	c.out(0, d, all)
	c.out(1, d, last)
	c.out(2, d, last)
}
