package symshape

import (
	"testing"
)

// Work with a pool ends when Cancel is closed, wherever it is, and not before.
func TestWorkEndsWhenItIsCancelled(t *testing.T) {
	work := func(p *Pool) {
		a, b := p.Symbol("a"), p.Symbol("b")
		var f Facts
		for i := range int64(200) {
			x := p.Add(p.Mul(a, b), p.FloorDiv(p.AddConst(a, i), p.Const(7+i)))
			f.Decide(p.Eq(x, p.AddConst(p.Mul(b, b), i)))
		}
	}
	cancelled := func(p *Pool) (out bool) {
		defer func() {
			switch r := recover(); r {
			case nil:
			case Cancelled:
				out = true
			default:
				panic(r)
			}
		}()
		work(p)
		return false
	}
	p, stop := NewPool(), make(chan struct{})
	p.Cancel = stop
	if cancelled(p) {
		t.Error("it ended although nobody asked")
	}
	need := p.Work()
	close(stop)
	p = NewPool()
	p.Cancel = stop
	if !cancelled(p) || p.Work() > 1<<cancelBits+64 {
		t.Errorf("of %d units of work %d were done", need, p.Work())
	}
}
