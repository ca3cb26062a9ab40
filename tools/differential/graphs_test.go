package differential

// This file runs random graphs through both engines beside the evaluator.
//
//	go test ./tools/differential -run Graphs -args -graphs 10000 -seed 1

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"shapecheck/codegen"
	"shapecheck/codegen/pass"
	"shapecheck/onnx"
	"shapecheck/onnx/eval"
	"shapecheck/runtime/tensor"
	"shapecheck/runtime/vm"
)

var (
	graphs    = flag.Int("graphs", 200, "how many random graphs are run")
	firstSeed = flag.Uint64("seed", 1, "the seed of the first random graph; the next ones follow")
)

// A way is one way to compile and run.
type way struct {
	name   string
	passes pass.Options
	config vm.Config
	exact  bool // the evaluator's bits
}

// leftOut lists what can be left out of the compiler: passes, then rules.
var leftOut = func() []string {
	var out []string
	for _, p := range pass.Passes() {
		if !p.Always && !slices.Contains(out, p.Name) {
			out = append(out, p.Name)
		}
	}
	return append(out, pass.RuleNames()...)
}()

// ways are all in which the graph of a seed is run: what is left out goes round with the seeds.
func ways(seed uint64) []way {
	ref, one, two := vm.Config{Engine: vm.Reference}, vm.Config{Threads: 1}, vm.Config{Threads: 2}
	list := []way{
		{"none, reference", pass.Options{Level: pass.NoneO}, ref, true},
		{"exact, reference", pass.Options{Level: pass.ExactO}, ref, true},
		{"exact, reference, rules shuffled", pass.Options{Level: pass.ExactO, Shuffle: seed}, ref, true},
		{"fast, reference", pass.Options{}, ref, false},
		{"none, fast engine", pass.Options{Level: pass.NoneO}, one, false},
		{"exact, fast engine", pass.Options{Level: pass.ExactO}, one, false},
		{"fast, fast engine", pass.Options{}, one, false},
		{"fast, fast engine, 2 threads", pass.Options{}, two, false},
	}
	out := leftOut[seed%uint64(len(leftOut))]
	return append(list, way{"exact, reference, without " + out, pass.Options{Level: pass.ExactO, Disable: []string{out}}, ref, true},
		way{"fast, fast engine, without " + out, pass.Options{Disable: []string{out}}, two, false})
}

// A subject is a model's file with inputs.
type subject struct {
	file []byte
	ins  map[string]eval.Value
	seed uint64
	// what oracle found
	asked bool
	want  []eval.Value
	may   []*bound
	err   error
}

// errOracle is that the evaluator cannot compute the model.
var errOracle = errors.New("the evaluator refuses it")

func unmarshal(file []byte) *onnx.Model {
	m, err := onnx.Unmarshal(file)
	if err != nil {
		panic(err)
	}
	return m
}

// oracle computes the outputs, and how far roundings can move them.
func (s *subject) oracle() ([]eval.Value, []*bound, error) {
	if !s.asked {
		s.asked = true
		s.want, s.may, s.err = s.compute()
	}
	return s.want, s.may, s.err
}

func (s *subject) compute() ([]eval.Value, []*bound, error) {
	cfg := eval.Config{Limits: eval.Limits{Elems: 1 << 18, Bytes: 1 << 28, Steps: 1 << 32}}
	want, err := eval.Model(unmarshal(s.file), s.ins, cfg)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %v", errOracle, err)
	}
	may := make([]*bound, len(want))
	for i := range may {
		may[i] = &bound{}
	}
	for k := range uint64(6) {
		m := unmarshal(s.file)
		shake(m)
		cfg.Seed = k + 1
		got, err := eval.Model(m, s.ins, cfg)
		if err != nil {
			return nil, nil, fmt.Errorf("%w when it is shaken: %v", errOracle, err)
		}
		for i := range may {
			may[i].around = append(may[i].around, got[i])
		}
	}
	return want, may, nil
}

// run compiles and runs the model in one way.
func (s *subject) run(w way) ([]tensor.Value, error) {
	w.passes.Verify = s.seed%4 == 0 || *graphs > 1000 // it takes a third of the time
	p, err := codegen.Compile(context.Background(), unmarshal(s.file), codegen.Options{Passes: w.passes})
	if err != nil {
		return nil, err
	}
	m, err := vm.LoadMemory(p.ISA, p.Segments, w.config)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	in := vm.Inputs{}
	for name, v := range s.ins {
		if in[name], err = toTensor(v); err != nil {
			return nil, err
		}
	}
	y, err := m.Run(context.Background(), in)
	if err != nil {
		return nil, err
	}
	var outs []tensor.Value
	for _, x := range m.Program().Outputs {
		outs = append(outs, y[x.Name])
	}
	return outs, nil
}

// fault runs the model in all ways and says how the first that is wrong differs: which way, and what.
func (s *subject) fault(list []way) (string, string) {
	want, may, err := s.oracle()
	if err != nil {
		return "", ""
	}
	var before []tensor.Value // of the way before, which differs in its number of threads alone
	for _, w := range list {
		got, err := s.run(w)
		if err != nil {
			return w.name, err.Error()
		}
		values, err := fromTensors(got)
		if err != nil {
			return w.name, err.Error()
		}
		for i, v := range want {
			b := may[i]
			if w.exact {
				b = nil
			}
			if what := differ(values[i], v, b); what != "" {
				return w.name, fmt.Sprintf("output %d: %s", i, what)
			}
		}
		if strings.HasSuffix(w.name, ", 2 threads") {
			for i := range got {
				if !tensor.Equal(got[i], before[i]) {
					return w.name, fmt.Sprintf("output %d is not that of one thread", i)
				}
			}
		}
		before = got
	}
	return "", ""
}

// others draws the inputs anew, at other sizes.
func (m *randomModel) others(seed uint64) map[string]eval.Value {
	r := rand.New(rand.NewPCG(seed, 7))
	sizes := map[string]int64{}
	for _, n := range slices.Sorted(maps.Keys(m.sizes)) {
		sizes[n] = 1 + r.Int64N(6)
	}
	out := map[string]eval.Value{}
	for _, x := range m.model.Graph.Inputs {
		var dims []int64
		for _, d := range x.Type.Shape.Dims {
			n := d.Value
			if !d.Known {
				n = sizes[d.Param]
			}
			dims = append(dims, n)
		}
		out[x.Name] = drawn(r, x.Type.Elem, dims, seed%3 == 0)
	}
	return out
}

func TestRandomGraphs(t *testing.T) {
	run, refused, atOthers, nodes := 0, 0, 0, 0
	start := time.Now()
	ops := map[string]int{}
	for seed := *firstSeed; seed < *firstSeed+uint64(*graphs); seed++ {
		m := randomGraph(seed)
		n := countOps(m.model.Graph, ops)
		s := &subject{ins: m.ins, seed: seed, file: marshal(m.model)}
		if _, _, err := s.oracle(); err != nil {
			refused++
			continue
		}
		run++
		nodes += n
		if w, what := s.fault(ways(seed)); w != "" {
			t.Errorf("seed %d: %s: %s\n%s", seed, w, what, s.reduced(w))
			continue
		}
		if seed%2 == 0 && *graphs <= 1000 {
			continue
		}
		o := &subject{ins: m.others(seed), seed: seed, file: s.file}
		if _, _, err := o.oracle(); err != nil {
			continue // a constant of the graph fits the first sizes only
		}
		atOthers++
		if w, what := o.fault(ways(seed)); w != "" {
			t.Errorf("seed %d at other sizes: %s: %s\n%s", seed, w, what, o.reduced(w))
		}
	}
	t.Logf("%d graphs of %d nodes on average, %d kinds of operators, %d again at other sizes; %d refused by the evaluator; %v", run,
		nodes/max(run, 1), len(ops), atOthers, refused, time.Since(start).Round(time.Millisecond))
	if run < *graphs*8/10 || atOthers < *graphs/8 {
		t.Errorf("too few graphs ran")
	}
}

func marshal(m *onnx.Model) []byte {
	b, err := onnx.Marshal(m)
	if err != nil {
		panic(err)
	}
	return b
}

// countOps counts the operators of a graph and its bodies.
func countOps(g *onnx.Graph, ops map[string]int) int {
	n := 0
	for _, x := range g.Nodes {
		ops[x.Op]++
		n++
		x.Subgraphs(func(_ string, g *onnx.Graph) { n += countOps(g, ops) })
	}
	return n
}
