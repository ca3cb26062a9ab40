package codegen

// This file finds the step of the compiler that changes a model's outputs.

import (
	"context"
	"fmt"

	"shapecheck/codegen/pass"
	"shapecheck/onnx"
)

// A Step is where the outputs begin to differ: a run of a pass, and one application of a rule
// in it.
type Step struct {
	// Pass is the name of the pass, Run its place in the list, from 1.
	Pass string
	Run  int
	// Rule is the rule, Node what it was applied to, with its line; both are empty when the pass
	// differs without any.
	Rule, Node string
	// Application is the number of the application among all of the compilation, from 1: with
	// the limit Application-1 the outputs are right.
	Application int
	// Why is what differs() said.
	Why string
}

func (s *Step) String() string {
	text := fmt.Sprintf("the outputs differ after the pass %s (number %d)", s.Pass, s.Run)
	if s.Rule != "" {
		text += fmt.Sprintf(", from application %d: rule %s", s.Application, s.Rule)
		if s.Node != "" {
			text += " on " + s.Node
		}
	}
	return text + ": " + s.Why
}

// Bisect finds the first pass after which a model's outputs differ, then the first application
// of a rule within it. load gives the model anew for each compilation; differs runs a program
// and says what is wrong with its outputs, empty when nothing is. A nil step says that no pass
// makes a difference. It returns an error if load, a compilation or differs fails, and if the outputs differ with all
// passes but after none of them.
func Bisect(ctx context.Context, load func() (*onnx.Model, error), o Options, differs func(*Program) (string, error)) (*Step, error) {
	try := func(passes, limit int) (*Program, string, error) {
		m, err := load()
		if err != nil {
			return nil, "", err
		}
		o := o
		o.Passes.Prefix, o.Passes.Limit = passes, limit
		p, err := Compile(ctx, m, o)
		if err != nil {
			return nil, "", err
		}
		why, err := differs(p)
		return p, why, err
	}
	if o.Passes.Level == pass.NoneO {
		return nil, nil
	}
	list := pass.Passes()
	_, why, err := try(len(list), 0)
	if why == "" || err != nil {
		return nil, err
	}
	before := 0 // applications of the passes before
	for k := 1; k <= len(list); k++ {
		p, why, err := try(k, 0)
		if err != nil {
			return nil, err
		}
		total := p.Report.Applied()
		if why == "" {
			before = total
			continue
		}
		s := &Step{Pass: list[k-1].Name, Run: k, Why: why}
		if total == before {
			return s, nil
		}
		if before > 0 { // a limit of 0 is none; without any application the outputs are those of the passes before
			if _, why, err := try(k, before); err != nil || why != "" {
				return s, err
			}
		}
		lo, hi := before, total // right with lo applications, wrong with hi
		for hi-lo > 1 {
			mid := lo + (hi-lo)/2
			_, at, err := try(k, mid)
			if err != nil {
				return nil, err
			}
			if at == "" {
				lo = mid
			} else {
				hi, s.Why = mid, at
			}
		}
		if p, _, err = try(k, hi); err != nil {
			return nil, err
		}
		s.Application = hi
		s.Rule, s.Node = p.Report.Last.Rule, p.Report.Last.Node
		return s, nil
	}
	return nil, fmt.Errorf("the outputs differ, but after no pass: %s", why)
}
