package differential

// This file compiles models without each pass and each rule, and with the rules in random order. At the
// level exact the reference engine gives the bits that it gives at the level none; at the level fast
// the fast engine is near. All examples, instead of some:
//
//	go test ./tools/differential -run LeftOut -timeout 4h -args -models . -torchvision DIST

import (
	"context"
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"shapecheck/codegen"
	"shapecheck/codegen/isa"
	"shapecheck/codegen/pass"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/vm"
)

func TestModelsWithPartsOfTheCompilerLeftOut(t *testing.T) {
	done, refused, runs, compiled := tally{}, tally{}, 0, 0
	met := map[string]bool{}
	eachExample(t, share{100, 600, 0, `^(unet.labels|gpt.GPT|misc.Experts|branch.shapes|lstm1)$`}, func(x *example) {
		if x.kind == "random graphs" || len(x.ins) == 0 {
			return // random graphs are run in all these ways by their own test
		}
		l := &leftOuts{t: t, x: x, met: met, tried: map[string]bool{}}
		if l.all() {
			done[x.kind]++
		} else {
			refused[x.kind]++
		}
		runs += l.runs
		compiled += l.compiled
	})
	t.Logf("%v, compiled %d times, %d programs that differ run; %d passes and rules; not run: %v", done, compiled, runs, len(met), refused)
	for _, k := range []string{"node tests", "numeric programs", "models"} {
		if *kinds == "" && done[k] < 4 || done[k] < 5*refused[k] && k != "models" {
			t.Errorf("%d %s ran", done[k], k)
		}
	}
	if *models == "" {
		return
	}
	for _, name := range leftOut {
		if !met[name] {
			t.Logf("%s is applied to no model", name)
		}
	}
}

// A leftOuts compiles and runs one example in many ways.
type leftOuts struct {
	t     *testing.T
	x     *example
	want  [][]eval.Value // for each set of inputs
	met   map[string]bool
	tried map[string]bool // programs that have run
	// how many programs were compiled, and run
	compiled, runs int
}

// all reports whether the example can be compiled and run at all.
func (l *leftOuts) all() bool {
	p := l.compile(pass.Options{Level: pass.NoneO})
	if p == nil {
		return false
	}
	reference, fast := vm.Config{Engine: vm.Reference}, vm.Config{Threads: 1}
	if l.x.kind == "torchvision" { // which the reference computes in minutes
		reference = fast
		l.x.ins = l.x.ins[:1]
	}
	var err error
	if l.want, err = l.outputs(p, reference); err != nil {
		l.t.Logf("%s is not run: %v", l.x.name, err)
		return false
	}
	for _, level := range []pass.Level{pass.ExactO, pass.Fast} {
		cfg, exact := fast, false
		if level == pass.ExactO && l.x.kind != "torchvision" {
			cfg, exact = reference, true
		}
		clear(l.tried)
		p := l.check(pass.Options{Level: level}, cfg, exact)
		if p == nil {
			return true // the error is reported
		}
		for _, name := range applied(p.Report) {
			l.met[name] = true
			l.check(pass.Options{Level: level, Disable: []string{name}}, cfg, exact)
		}
		for seed := range uint64(3) {
			l.check(pass.Options{Level: level, Shuffle: seed + 1}, cfg, exact)
		}
	}
	return true
}

// applied lists the passes that can be left out, and the rules that were applied: without one that was not, the
// program is the same.
func applied(r *pass.Report) (out []string) {
	for _, l := range r.Lines {
		if slices.Contains(leftOut, l.Pass) && !slices.Contains(out, l.Pass) {
			out = append(out, l.Pass)
		}
		for _, c := range l.Rules {
			if name := l.Pass + ":" + c.Rule; !slices.Contains(out, name) {
				out = append(out, name)
			}
		}
	}
	return out
}

func (l *leftOuts) compile(o pass.Options) *codegen.Program {
	l.compiled++
	p, err := codegen.Compile(context.Background(), unmarshal(l.x.file), codegen.Options{File: filepath.Join(l.x.dir, "model.onnx"), Passes: o})
	if err != nil {
		if o.Level != pass.NoneO {
			l.t.Errorf("%s, level %d without %v, shuffled by %d: %v", l.x.name, o.Level, o.Disable, o.Shuffle, err)
		} else {
			l.t.Logf("%s is not compiled: %v", l.x.name, err)
		}
		return nil
	}
	return p
}

// check compiles the example and compares its outputs.
func (l *leftOuts) check(o pass.Options, cfg vm.Config, exact bool) *codegen.Program {
	l.t.Helper()
	p := l.compile(o)
	if p == nil {
		return nil
	}
	key := withoutDebug(l.t, p)
	if l.tried[key] {
		return p
	}
	l.tried[key] = true
	l.runs++
	bad := func(format string, args ...any) {
		l.t.Errorf("%s, level %d without %v, shuffled by %d: %s", l.x.name, o.Level, o.Disable, o.Shuffle, fmt.Sprintf(format, args...))
	}
	got, err := l.outputs(p, cfg)
	if err != nil {
		bad("%v", err)
		return p
	}
	for i := range got {
		for k, v := range got[i] {
			what := ""
			if exact {
				what = differ(v, l.want[i][k], nil)
			} else {
				what = compareNear(v, l.want[i][k])
			}
			if what != "" {
				bad("output %d: %s", k, what)
			}
		}
	}
	return p
}

// withoutDebug is a sum of what a program computes.
func withoutDebug(t *testing.T, p *codegen.Program) string {
	q := p.ISA.Clone()
	q.Debug = nil
	for _, i := range q.Code {
		i.Debug = 0
	}
	b, err := isa.Encode(q)
	if err != nil {
		t.Fatal(err)
	}
	h := sha256.New()
	h.Write(b)
	for _, s := range p.Segments {
		sum, err := s.Sum()
		if err != nil {
			t.Fatal(err)
		}
		h.Write(sum)
	}
	return string(h.Sum(nil))
}

// outputs runs a program on all sets of inputs.
func (l *leftOuts) outputs(p *codegen.Program, cfg vm.Config) (out [][]eval.Value, err error) {
	m, err := vm.LoadMemory(p.ISA, p.Segments, cfg)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	for _, in := range l.x.ins {
		y, err := m.Run(context.Background(), in)
		if err != nil {
			return nil, err
		}
		var list []eval.Value
		for _, port := range p.ISA.Outputs {
			v, err := fromTensor(y[port.Name])
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		out = append(out, list)
	}
	return out, nil
}
