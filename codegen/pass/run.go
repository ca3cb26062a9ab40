package pass

// This file runs passes.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shapecheck/codegen/ir"
	"shapecheck/internal/timing"
	"shapecheck/onnx/inference"
)

// Options say how passes are run. The zero value runs all.
type Options struct {
	Level Level
	// Disable names passes, or rules as pass:rule, that are left out.
	Disable []string
	// StopAfter names the last pass that runs; empty: the last of the list.
	StopAfter string
	// Limit is how many applications of rules are allowed in all; 0: without limit. It is how
	// a difference is bisected.
	Limit int
	// Shuffle applies the rules of a pass in an order that is drawn from it; 0: in that of their
	// table. Tests see by it that no rule counts on another one.
	Shuffle uint64
	// Sizes give symbols the sizes at which orders are compared; others get usual ones.
	Sizes map[string]int64
	// Prefix is how many runs of passes of the list are made, beside those that are always made;
	// 0: all. A difference is bisected by it.
	Prefix int
	// Rules are applied by the pass canon beside its own; tests plant wrong ones.
	Rules []Rule
	// Verify checks the module after each pass, Types also that each node's results have the
	// types that inference gives them.
	Verify, Types bool
	// After is called after each pass; nil: not at all.
	After func(p *Pass, m *ir.Module)
	// Time measures each pass; nil: nothing does.
	Time *timing.Track
}

// A Line is what a report says of one run of a pass.
type Line struct {
	Pass   string
	Rules  []RuleCount // in the order in which they were met
	Before int         // nodes
	Nodes  int         // nodes after it
	Time   time.Duration
}

// A RuleCount says how often a rule was applied.
type RuleCount struct {
	Rule  string
	Count int
}

// A Report is what the passes did.
type Report struct {
	Lines []Line
	// Memory is what the program needs; nil when the pass simulate did not run.
	Memory *Memory
	// Refused are the softmaxes between two products that are not made one attention with them.
	Refused []Refusal
	// Last is the last application of a rule.
	Last Application
}

// An Application is one application of a rule: the rule as pass:rule, and the node that it was
// applied to with its place, where the pass says them.
type Application struct {
	Rule, Node string
}

// Applied counts the applications of rules.
func (r *Report) Applied() int {
	n := 0
	for _, l := range r.Lines {
		n += l.applied()
	}
	return n
}

func (l *Line) applied() int {
	n := 0
	for _, c := range l.Rules {
		n += c.Count
	}
	return n
}

type runner struct {
	o       Options
	applied int
	session *inference.Session // of the module, once a pass needs it
	memory  *Memory
	refused []Refusal
	last    struct { // the last application
		rule string
		op   *ir.Record
		from ir.Origin
	}
	// what fold has done: operations and bytes, and nodes that failed
	foldWork  int64
	foldFails int
}

// allow counts an application of a rule and says whether it may be made: rules can be switched
// off by name, and the number of applications can be limited, with which a faulty one is found by
// bisection. What was applied last is kept for the message of a failure.
func (r *runner) allow(c *Context, rule string) bool {
	p, line := c.pass, c.report
	if slices.Contains(r.o.Disable, p.Name+":"+rule) || r.o.Limit > 0 && r.applied >= r.o.Limit {
		return false
	}
	r.applied++
	r.last.rule, r.last.op = p.Name+":"+rule, nil
	if c.at != nil {
		r.last.op, r.last.from = c.at.Op, c.at.From
	}
	for i := range line.Rules {
		if line.Rules[i].Rule == rule {
			line.Rules[i].Count++
			return true
		}
	}
	line.Rules = append(line.Rules, RuleCount{rule, 1})
	return true
}

// Run runs the passes of the list. Cancelling the context stops between passes, and between nodes in those that are slow. It returns an
// error if the options name an unknown pass or rule; and, with the report so far, if the context ends, if a pass fails, or if a check that
// the options ask for finds the module malformed after one.
func Run(ctx context.Context, m *ir.Module, list []*Pass, o Options) (*Report, error) {
	if err := known(list, o); err != nil {
		return nil, err
	}
	r := &runner{o: o}
	rep := &Report{}
	stage := ir.Building
	for i, p := range list {
		if err := ctx.Err(); err != nil {
			return rep, err
		}
		if !p.Always && (o.Level == NoneO || o.Level == ExactO && p.Class == Rounding || slices.Contains(o.Disable, p.Name) || o.Prefix > 0 &&
			i >= o.Prefix) {
			if p.Name == recognise.Name {
				r.refuse(m, func(*ir.Node) string { return "the pass recognise is left out" })
			}
			continue
		}
		rep.Lines = append(rep.Lines, Line{Pass: p.Name, Before: count(m)})
		line := &rep.Lines[len(rep.Lines)-1]
		start := time.Now()
		span := o.Time.Begin(timing.Pass, p.Name)
		o.Time.Count(0, line.Before)
		if err := p.Run(&Context{Module: m, Level: o.Level, ctx: ctx, pass: p, report: line, run: r}); err != nil {
			return rep, fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := m.BindSymbols(); err != nil {
			return rep, fmt.Errorf("%s: %w", p.Name, err)
		}
		rep.Memory = r.memory
		line.Time, line.Nodes = time.Since(start), count(m)
		o.Time.Count(line.applied(), 0)
		span.End()
		if p.Name == schedule.Name {
			stage = ir.Scheduled
		}
		if o.Verify || o.Types {
			err := m.Verify(stage)
			if err == nil && o.Types {
				err = checkTypes(m)
			}
			if err != nil {
				return rep, fmt.Errorf("after %s the module is not well-formed: %w", p.Name, err)
			}
		}
		if o.After != nil {
			o.After(p, m)
		}
		if p.Name == o.StopAfter {
			break
		}
	}
	rep.Last, rep.Refused = r.lastOf(m), r.refused
	return rep, nil
}

// lastOf writes the last application.
func (r *runner) lastOf(m *ir.Module) Application {
	a := Application{Rule: r.last.rule}
	if r.last.op != nil {
		a.Node = r.describe(m, r.last.op, r.last.from)
	}
	return a
}

// describe writes a node: its operator, its first original name, and its lines.
func (r *runner) describe(m *ir.Module, op *ir.Record, from ir.Origin) string {
	text := op.Name
	if len(from.Nodes) > 0 {
		text += fmt.Sprintf(" %q", from.Nodes[0])
	}
	for i, p := range from.Places {
		sep := ", "
		if i == 0 {
			sep = " at "
		}
		text += fmt.Sprintf("%s%s:%d", sep, m.Places.List[p].File, m.Places.List[p].Line)
	}
	return text
}

// otherRules are what passes without a table ask for.
var otherRules = []string{"sizes:number", "sizes:size", "fold:constant", "cse:equal", "dce:dead", "dce:captured", "schedule:greedy",
	"alias:view", "alias:in-place"}

// known refuses names of passes and rules that do not exist.
func known(list []*Pass, o Options) error {
	rules := append(RuleNames(), otherRules...)
	for _, r := range o.Rules {
		rules = append(rules, canon.Name+":"+r.Name)
	}
	names := map[string]bool{}
	for _, p := range list {
		names[p.Name] = true
	}
	for _, d := range append(slices.Clone(o.Disable), o.StopAfter) {
		name := d
		if i := slices.Index([]byte(d), ':'); i >= 0 {
			name = d[:i]
		}
		if d != "" && !names[name] {
			return fmt.Errorf("there is no pass %q", name)
		}
		if name != d && !slices.Contains(rules, d) {
			return fmt.Errorf("there is no rule %q", d)
		}
	}
	return nil
}

// count is the number of nodes of all graphs.
func count(m *ir.Module) int {
	n := 0
	m.Walk(func(g *ir.Graph) { n += len(g.Nodes) })
	return n
}
