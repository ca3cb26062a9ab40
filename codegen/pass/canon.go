package pass

// This file simplifies nodes by a table of rules, to a fixpoint. Each rule looks at one
// node and says what replaces it.

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"shapecheck/codegen/ir"
	"shapecheck/codegen/isa"
)

// A Rule rewrites one node. It returns the values that replace the node's results, nil
// for a result that has no use, and no list when it does not apply; the new nodes stand
// before the node, which is then removed when it is dead.
type Rule struct {
	Name  string
	Class Class
	// Ops are the operators that it looks at, of the standard domain, or as vm::name.
	Ops []string
	// Apply is asked after everything but the rewriting itself is known to fit: it calls ok
	// when it would apply, and changes nothing when ok says no.
	Apply func(c *Context, g *ir.Graph, n *ir.Node, ok func() bool) ([]*ir.Value, error)
}

// maxRewrites bounds the rewrites for each node that a module has, so that rules which undo
// each other end.
const maxRewrites = 20

var canon = Pass{
	Name: "canon", Doc: "simplifies nodes by rules, until none applies", Class: Exact,
	Run: func(c *Context) error { return c.rewrite(slices.Concat(c.run.o.Rules, canonRules())) },
}

// canonRules lists the rules by family.
func canonRules() []Rule {
	return slices.Concat(viewRules, moveRules, arithmeticRules, reduceRules, productRules, plusRules)
}

// rewrite applies rules to all graphs until none applies.
func (c *Context) rewrite(rules []Rule) error {
	if seed := c.run.o.Shuffle; seed != 0 {
		rules = slices.Clone(rules)
		rand.New(rand.NewPCG(seed, 0)).Shuffle(len(rules), func(i, j int) { rules[i], rules[j] = rules[j], rules[i] })
	}
	byOp := map[string][]*Rule{}
	for i := range rules {
		for _, name := range rules[i].Ops {
			byOp[name] = append(byOp[name], &rules[i])
		}
	}
	left := maxRewrites * (count(c.Module) + 10)
	for changed := true; changed; {
		changed = false
		var err error
		c.Module.Walk(func(g *ir.Graph) {
			for _, n := range slices.Clone(g.Nodes) {
				for err == nil && n.Graph == g && !c.ended() {
					var did bool
					if did, err = c.applyFirst(g, n, byOp[nameOf(n.Op)]); !did {
						break
					}
					changed = true
					if left--; left < 0 {
						err = fmt.Errorf("the rules do not come to an end")
					}
				}
			}
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ended reports whether the time of the passes is over: one that goes over many nodes then leaves the rest as they are, and Run ends.
func (c *Context) ended() bool { return c.ctx != nil && c.ctx.Err() != nil }

func nameOf(r *ir.Record) string {
	if r.Domain == "" {
		return r.Name
	}
	return r.Domain + "::" + r.Name
}

// applyFirst applies the first rule that fits.
func (c *Context) applyFirst(g *ir.Graph, n *ir.Node, rules []*Rule) (bool, error) {
	if n.Dead() {
		return false, nil
	}
	c.at = n
	defer func() { c.at = nil }()
	for _, r := range rules {
		asked, allowed := false, false
		list, err := r.Apply(c, g, n, func() bool {
			asked, allowed = true, c.Allow(r.Name, r.Class)
			return allowed
		})
		if err != nil {
			return false, fmt.Errorf("rule %s: %w", r.Name, err)
		}
		if list == nil || !allowed {
			continue
		}
		if !asked || len(list) != len(n.Outs) {
			return false, fmt.Errorf("rule %s gives %d values for %d results", r.Name, len(list), len(n.Outs))
		}
		for i, v := range n.Outs {
			if v == nil || len(v.Uses) == 0 {
				continue
			}
			if list[i] == nil {
				return false, fmt.Errorf("rule %s gives no value for result %d, which is used", r.Name, i)
			}
			if list[i].Name == "" {
				list[i].Name = v.Name
			}
			if d := list[i].Def; d != nil && d.Graph == g {
				d.From = ir.Union(d.From.Pass, d.From, n.From)
			}
			v.ReplaceUses(list[i])
		}
		if n.Dead() && !c.binds(n) {
			c.Module.RemoveNode(n)
		}
		return true, nil
	}
	return false, nil
}

// machine makes a machine's node of one result.
func (c *Context) machine(g *ir.Graph, before *ir.Node, name string, like *ir.Value, ins ...*ir.Value) *ir.Value {
	n := c.Module.AddNode(g, before, ir.Spec{Op: c.record(isa.MachineDomain, name), Ins: ins, Types: typesOf(like),
		From: ir.Union(c.pass.Name, before.From)})
	n.Outs[0].Elems, n.Outs[0].Info = like.Elems, like.Info
	return n.Outs[0]
}

// RuleNames lists the rules of the tables, as pass:rule.
func RuleNames() []string {
	var out []string
	for _, r := range canonRules() {
		out = append(out, canon.Name+":"+r.Name)
	}
	for _, r := range recogniseRules {
		out = append(out, recognise.Name+":"+r.Name)
	}
	for _, r := range mergeRules() {
		out = append(out, merge.Name+":"+r.Name)
	}
	for _, r := range algorithmRules {
		out = append(out, algorithm.Name+":"+r.Name)
	}
	for _, r := range []string{"known-condition", "no-trips", "unrolled", "unchanged-state", "invariant"} {
		out = append(out, control.Name+":"+r)
	}
	return out
}
