package conformance

// This file compares the models of any source files with traces of them, at the
// recorded sizes and with symbols in their place.

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"strings"
	"time"

	"shapecheck/check/record"
	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/symshape"
)

// A FileCase is a model in a file of its own: a case of trace_shapes.py --batch,
// and the symbolic sizes with which to run it, too.
type FileCase struct {
	ID       string            `json:"id"`
	File     string            `json:"file"`
	Modules  []string          `json:"modules"`
	Path     []string          `json:"path"`
	Entry    string            `json:"entry"`
	Inputs   []string          `json:"inputs"`
	KwInputs []string          `json:"kwinputs"`
	Call     string            `json:"call"`
	Train    bool              `json:"train"`
	Set      map[string]string `json:"set"`
	// Out is the trace.
	Out string `json:"out"`
	// Symbolic are the inputs with symbols, Sizes the recorded sizes of these.
	Symbolic []string         `json:"symbolic"`
	Sizes    map[string]int64 `json:"sizes"`
}

// ReadFileCases reads a list of cases. It returns an error where the file cannot be read or is not valid JSON of such a
// list.
func ReadFileCases(path string) ([]*FileCase, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var cases []*FileCase
	if err := json.Unmarshal(data, &cases); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return cases, nil
}

// Compare runs the case and compares it with its trace; with symbols, the
// recorded sizes are put into the result. It returns nil for a symbolic run of a
// case without symbols. A run that takes longer than limit is a problem.
func (c *FileCase) Compare(symbolic bool, limit time.Duration, cache *infer.Cache) *ZooResult {
	if symbolic && c.Symbolic == nil {
		return nil
	}
	r := &ZooResult{ID: c.ID, Symbolic: symbolic}
	if symbolic {
		r.ID += " (symbolic)"
	}
	t, err := ReadTrace(c.Out)
	if err != nil {
		r.problem("%v", err)
		return r
	}
	for i := range t.Calls { // modules that no other owns have no name in a trace
		if call := &t.Calls[i]; call.Name == "" && i > 0 {
			call.Name = call.Class[strings.LastIndexByte(call.Class, '.')+1:]
		}
	}
	start := time.Now()
	res, err := checkEntry(c.config(symbolic, cache))
	if d := time.Since(start); d > limit {
		r.problem("takes %.1f s", d.Seconds())
	}
	if err != nil {
		r.problem("%v", err)
		return r
	}
	var subst func(any) any
	if symbolic {
		pool := symshape.NewPool()
		env := func(s string) (int64, bool) {
			n, ok := c.Sizes[s]
			return n, ok
		}
		subst = func(v any) any { return substitute(pool, v, env) }
	}
	m := newMatcher(res, subst)
	compareDocs(r, t, record.Build(res), m)
	compareOps(r, t, res, m)
	if err := graph.Verify(res.Graph); err != nil {
		r.problem("the graph is not well formed: %v", err)
	}
	return r
}

// bounded is how the inputs of traces bound the values of integers.
var bounded = regexp.MustCompile(`(\])<\d+$`)

// config runs the case as it was recorded: on the CPU, in evaluation unless it says otherwise, as
// PyTorch 1.13.
func (c *FileCase) config(symbolic bool, cache *infer.Cache) infer.Config {
	cfg := infer.Config{Cache: cache, Device: infer.DeviceCPU, File: c.File, Roots: c.Path,
		Entry: c.Entry, Call: strings.TrimPrefix(c.Call, "model."), Positional: true,
		Eval: !c.Train, TorchVersion: "1.13.0", NoGrad: true, LogOps: true}
	if len(c.Modules) > 0 {
		cfg.Module = c.Modules[0]
	}
	inputs := c.Inputs
	if symbolic {
		inputs = c.Symbolic
	}
	for _, a := range inputs {
		cfg.Args = append(cfg.Args, argument(bounded.ReplaceAllString(a, "$1")))
	}
	for _, a := range c.KwInputs {
		cfg.ArgsByName = append(cfg.ArgsByName, argument(bounded.ReplaceAllString(a, "$1")))
	}
	for name, v := range c.Set {
		cfg.Set = append(cfg.Set, name+"="+v)
	}
	return cfg
}
