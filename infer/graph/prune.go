package graph

// This file drops the results of conditions and loops that nothing uses: joins and
// loops make one for each place that differs, also where the program never reads it
// again. An output of an If is dropped with the result of both regions. A value that a loop carries
// is dropped with its parameter, its next value and its initial one, if nothing but its own next
// value reads it.

import "shapecheck/symshape"

// A pruner counts the uses of each value, and of the symbols of sizes that values stand for.
type pruner struct {
	values  map[*Value]int
	symbols map[*symshape.Expr]int
}

// Prune drops outputs without uses from the nodes with regions. It repeats until nothing is
// dropped, since a dropped output may have been the only use of another.
func Prune(g *Graph) {
	p := pruner{map[*Value]int{}, map[*symshape.Expr]int{}}
	p.count(g.Output, 1)
	p.region(g.Body)
	for p.drop(g.Body) {
	}
}

// count adds a number to the uses of all values and symbols in an operand; -1 takes a use away.
func (p *pruner) count(o Operand, by int) {
	Operands(o, func(v *Value) { p.values[v] += by })
	Symbols(o, func(s *symshape.Expr) { p.symbols[s] += by })
}

// region counts the uses in a region and in those inside of it.
func (p *pruner) region(r *Region) {
	for _, n := range r.Nodes {
		for _, a := range n.Args {
			p.count(a.Value, 1)
		}
		for _, sub := range n.Regions {
			p.region(sub)
		}
	}
	for _, o := range r.Results {
		p.count(o, 1)
	}
}

// unused reports whether neither a value nor its symbol is used.
func (p *pruner) unused(v *Value) bool {
	return p.values[v] == 0 && (v.Symbol == nil || p.symbols[v.Symbol] == 0)
}

// drop makes one pass, from the last node to the first, and reports whether it
// dropped anything.
func (p *pruner) drop(r *Region) (dropped bool) {
	for i := len(r.Nodes) - 1; i >= 0; i-- {
		n := r.Nodes[i]
		if len(n.Regions) == 0 {
			continue
		}
		for k := len(n.Outputs) - 1; k >= 0; k-- {
			if n.Op == Loop {
				dropped = p.carried(n, k) || dropped
			} else if p.unused(n.Outputs[k]) {
				for _, sub := range n.Regions {
					p.count(sub.Results[k], -1)
					sub.Results = append(sub.Results[:k:k], sub.Results[k+1:]...)
				}
				n.Outputs = append(n.Outputs[:k:k], n.Outputs[k+1:]...)
				dropped = true
			}
		}
		for _, sub := range n.Regions {
			dropped = p.drop(sub) || dropped
		}
	}
	return dropped
}

// carried drops the carried value k of a loop if neither the body nor what follows
// uses it.
func (p *pruner) carried(n *Node, k int) bool {
	body := n.Regions[0]
	param, next := body.Params[k+1], body.Results[k+1]
	own := 0
	Operands(next, func(v *Value) {
		if v == param {
			own++
		}
	})
	if !p.unused(n.Outputs[k]) || p.values[param] != own || param.Symbol != nil && p.symbols[param.Symbol] != 0 {
		return false
	}
	init := n.Args[1].Value.(List)
	p.count(next, -1)
	p.count(init[k], -1)
	body.Params = append(body.Params[:k+1:k+1], body.Params[k+2:]...)
	body.Results = append(body.Results[:k+1:k+1], body.Results[k+2:]...)
	n.Outputs = append(n.Outputs[:k:k], n.Outputs[k+1:]...)
	n.Args[1].Value = append(init[:k:k], init[k+1:]...)
	return true
}
