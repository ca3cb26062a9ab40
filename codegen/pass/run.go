package pass

// This file runs passes.

import (
	"context"
	"fmt"
	"slices"
	"time"

	"shapecheck/codegen/ir"
	"shapecheck/internal/onnx/inference"
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
	// Verify checks the module after each pass.
	Verify bool
	// After is called after each pass; nil: not at all.
	After func(p *Pass, m *ir.Module)
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
}

// Applied counts the applications of rules.
func (r *Report) Applied() int {
	n := 0
	for _, l := range r.Lines {
		for _, c := range l.Rules {
			n += c.Count
		}
	}
	return n
}

type runner struct {
	o       Options
	applied int
	session *inference.Session // of the module, once a pass needs it
	memory  *Memory
	// what fold has done: operations and bytes, and nodes that failed
	foldWork  int64
	foldFails int
}

func (r *runner) allow(p *Pass, rule string, line *Line) bool {
	if slices.Contains(r.o.Disable, p.Name+":"+rule) || r.o.Limit > 0 && r.applied >= r.o.Limit {
		return false
	}
	r.applied++
	for i := range line.Rules {
		if line.Rules[i].Rule == rule {
			line.Rules[i].Count++
			return true
		}
	}
	line.Rules = append(line.Rules, RuleCount{rule, 1})
	return true
}

// Run runs the passes of the list. Cancelling the context stops between passes.
func Run(ctx context.Context, m *ir.Module, list []*Pass, o Options) (*Report, error) {
	if err := known(list, o); err != nil {
		return nil, err
	}
	r := &runner{o: o}
	rep := &Report{}
	stage := ir.Building
	for _, p := range list {
		if err := ctx.Err(); err != nil {
			return rep, err
		}
		if !p.Always && (o.Level == NoneO || o.Level == ExactO && p.Class == Rounding || slices.Contains(o.Disable, p.Name)) {
			continue
		}
		rep.Lines = append(rep.Lines, Line{Pass: p.Name, Before: count(m)})
		line := &rep.Lines[len(rep.Lines)-1]
		start := time.Now()
		if err := p.Run(&Context{Module: m, Level: o.Level, ctx: ctx, pass: p, report: line, run: r}); err != nil {
			return rep, fmt.Errorf("%s: %w", p.Name, err)
		}
		if err := m.BindSymbols(); err != nil {
			return rep, fmt.Errorf("%s: %w", p.Name, err)
		}
		rep.Memory = r.memory
		line.Time, line.Nodes = time.Since(start), count(m)
		if p.Name == schedule.Name {
			stage = ir.Scheduled
		}
		if o.Verify {
			if err := m.Verify(stage); err != nil {
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
	return rep, nil
}

// known refuses names of passes that do not exist.
func known(list []*Pass, o Options) error {
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
	}
	return nil
}

// count is the number of nodes of all graphs.
func count(m *ir.Module) int {
	n := 0
	m.Walk(func(g *ir.Graph) { n += len(g.Nodes) })
	return n
}
