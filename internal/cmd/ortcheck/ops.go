package main

// This file checks single operations against the recorded calls of opdb.

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/onnx"
	"shapecheck/internal/onnx/inference"
	"shapecheck/internal/onnx/inline"
	"shapecheck/lower"
	"shapecheck/symshape"
)

// A tally counts the records of one operation.
type tally struct {
	equal, different, listed, refused, unlowered, skipped int
	why                                                   map[string]int
	example                                               map[string]string
}

func (t *tally) checked() int { return t.equal + t.different + t.listed + t.refused + t.unlowered }

// An exception is a difference that has a reason: the call's name and what is said
// of the difference match.
type exception struct {
	call, why *regexp.Regexp
	reason    string
}

// readExceptions reads a file with a name, a difference and a reason in each line,
// between tabs; the first two are regular expressions.
func readExceptions(file string) ([]exception, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []exception
	for i, l := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		if strings.HasPrefix(l, "#") {
			continue
		}
		parts := strings.Split(l, "\t")
		if len(parts) != 3 {
			return nil, fmt.Errorf("%s:%d: %d parts instead of 3", file, i+1, len(parts))
		}
		call, err := regexp.Compile("^(?:" + parts[0] + ")$")
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		why, err := regexp.Compile(parts[1])
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, i+1, err)
		}
		list = append(list, exception{call, why, parts[2]})
	}
	return list, nil
}

func runOps(args []string) error {
	var c common
	f := flag.NewFlagSet("ops", flag.ExitOnError)
	c.flags(f)
	opdb := f.String("opdb", "", "the folder of recorded calls")
	only := f.String("only", "", "only calls whose name matches")
	symbolic := f.Bool("symbolic", false, "lower with symbols as sizes")
	limit := f.Int("limit", 40, "records for each function; 0 means all")
	file := f.String("exceptions", "", "the differences that have a reason")
	var how lowering
	f.Int64Var(&how.opset, "opset", lower.DefaultOpset, "version of the operators")
	functions := f.String("functions", "keep", "keep or inline")
	if err := f.Parse(args); err != nil {
		return err
	}
	how.inline = *functions == "inline"
	re, err := regexp.Compile(*only)
	if err != nil {
		return err
	}
	exceptions, err := readExceptions(*file)
	if err != nil {
		return err
	}
	records, err := opstest.Read(*opdb)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "ortcheck")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	torch := newTorch(c.python)
	defer torch.stop()
	ort, err := newORT(c.ort, work)
	if err != nil {
		return err
	}
	defer ort.stop()
	ort.limit = 30 * time.Second
	tallies := map[string]*tally{}
	how.mode = opstest.Concrete
	if *symbolic {
		how.mode = opstest.Free
	}
	for _, r := range records {
		if r.Error != "" || r.Ctor != nil || r.Variant == "module" || r.Variant == "expression" && r.Call != "torch.einsum" || !re.MatchString(r.Call) {
			continue
		}
		t := tallies[r.Call]
		if t == nil {
			t = &tally{why: map[string]int{}, example: map[string]string{}}
			tallies[r.Call] = t
		}
		if *limit > 0 && t.checked() >= *limit {
			continue
		}
		if err := check(r, how, t, exceptions, torch, ort); err != nil {
			return err
		}
	}
	if n := report(tallies, c.verbose); n > 0 {
		return fmt.Errorf("%d results differ", n)
	}
	return nil
}

// noKernel matches what ONNX Runtime says of element types that it does not
// compute with; models of bfloat16 cannot even be fed from JavaScript.
var noKernel = regexp.MustCompile("NOT_IMPLEMENTED|Could not find an implementation|Unsupported data type: 16|bfloat16")

// A lowering says how records are lowered.
type lowering struct {
	mode   opstest.Mode
	opset  int64
	inline bool // the functions are replaced by their nodes
}

// model makes the model of a record's graph. What it says of the types must be what
// follows from its nodes, which is all that is known of it where ONNX Runtime has no kernel.
func (how lowering) model(g *graph.Graph, pool *symshape.Pool) (m *onnx.Model, wrong string, err error) {
	if m, err = lower.Lower(lower.Input{Graph: g, Pool: pool, Name: "op", Opset: how.opset}); err != nil {
		return nil, "", err
	}
	if how.inline {
		if _, err := inline.Model(m); err != nil {
			return nil, "", err
		}
	}
	rep, err := inference.Compare(m)
	if err == nil && !rep.OK() {
		wrong = strings.ReplaceAll(strings.TrimSpace(rep.String()), "\n", "; ")
	}
	return m, wrong, err
}

// check lowers one record and compares the results.
func check(r *opstest.Record, how lowering, t *tally, exceptions []exception, torch, ort *process) error {
	note := func(n *int, why string) {
		if n == &t.different {
			for _, e := range exceptions {
				if e.call.MatchString(r.Call) && e.why.MatchString(why) {
					n, why = &t.listed, "listed: "+e.reason
					break
				}
			}
		}
		*n++
		if t.why[why]++; t.example[why] == "" {
			t.example[why] = line(r)
		}
	}
	res := opstest.Run(r, how.mode)
	if res.Skip != "" || res.NoOp || res.Err != nil || res.Value == nil {
		t.skipped++
		return nil
	}
	if isNumberOf(res.Value) {
		t.skipped++
		return nil
	}
	g := res.Th.Graph().Graph()
	g.Output = ops.Operand(res.Th.Pool(), res.Value)
	for i, in := range g.Inputs {
		in.Name = fmt.Sprintf("in%d", i)
	}
	m, wrong, err := how.model(g, res.Th.Pool())
	switch {
	case err != nil:
		note(&t.unlowered, "not lowered: "+strings.ReplaceAll(err.Error(), "\n", "; "))
		return nil
	case wrong != "":
		note(&t.different, "the model contradicts itself: "+short(wrong))
		return nil
	}
	bytes, err := onnx.Marshal(m)
	if err != nil {
		return err
	}
	var want struct {
		Skip    string
		In, Out []tensor
	}
	if ok, err := torch.ask(json.RawMessage(line(r)), &want); err != nil || !ok || want.Skip != "" {
		t.skipped++
		return err
	}
	if len(want.In) != len(g.Inputs) {
		t.skipped++
		return nil
	}
	feeds := map[string]tensor{}
	for i := range want.In {
		feeds[fmt.Sprintf("in%d", i)] = want.In[i]
	}
	var got struct {
		Error string
		Load  bool
		Out   []tensor
	}
	ok, err := ort.ask(map[string]any{"model": bytes, "feeds": feeds}, &got)
	if err != nil {
		return err
	}
	switch {
	case !ok:
		note(&t.different, "ONNX Runtime crashed, or did not end")
	case noKernel.MatchString(got.Error):
		note(&t.refused, "ONNX Runtime: "+short(got.Error))
	case got.Error != "":
		note(&t.different, "ONNX Runtime: "+short(got.Error))
	case len(got.Out) != len(want.Out):
		note(&t.different, fmt.Sprintf("%d results instead of %d", len(got.Out), len(want.Out)))
	default:
		for i := range want.Out {
			if d := differ(&got.Out[i], &want.Out[i]); d != "" {
				note(&t.different, fmt.Sprintf("result %d: %s", i, d))
				return nil
			}
		}
		t.equal++
	}
	return nil
}

// isNumberOf reports whether a value is the element of a tensor as a number of Python.
// The interpreter makes its node.
func isNumberOf(v value.Value) bool {
	switch n := v.(type) {
	case *value.SymInt:
		return n.Source != nil
	case *value.SymFloat:
		return n.Source != nil
	}
	return false
}

// line writes a record as PyTorch's process reads it.
func line(r *opstest.Record) string {
	var kw strings.Builder
	for i, f := range r.Kwargs {
		if i > 0 {
			kw.WriteByte(',')
		}
		fmt.Fprintf(&kw, "%q:%s", f.Key, f.Val)
	}
	args := make([]string, len(r.Args))
	for i, a := range r.Args {
		args[i] = string(a)
	}
	return fmt.Sprintf(`{"call":%q,"variant":%q,"args":[%s],"kwargs":{%s}}`, r.Call, r.Variant, strings.Join(args, ","), kw.String())
}

func short(s string) string {
	if len(s) > 300 {
		s = s[:300]
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// report prints the counts and returns how many results differ without a reason.
func report(tallies map[string]*tally, verbose bool) int {
	var sum tally
	for _, name := range slices.Sorted(maps.Keys(tallies)) {
		t := tallies[name]
		sum.equal += t.equal
		sum.different += t.different
		sum.listed += t.listed
		sum.refused += t.refused
		sum.unlowered += t.unlowered
		sum.skipped += t.skipped
		if t.checked() == t.equal && !verbose {
			continue
		}
		fmt.Printf("%s: equal %d, different %d, listed %d, no kernel %d, not lowered %d, skipped %d\n", name, t.equal, t.different, t.listed, t.refused, t.unlowered, t.skipped)
		for _, why := range slices.Sorted(maps.Keys(t.why)) {
			fmt.Printf("    %d× %s\n", t.why[why], why)
			if verbose {
				fmt.Printf("        %s\n", t.example[why])
			}
		}
	}
	fmt.Printf("%d functions: equal %d, different %d, listed %d, no kernel %d, not lowered %d, skipped %d\n", len(tallies), sum.equal, sum.different, sum.listed, sum.refused, sum.unlowered, sum.skipped)
	return sum.different
}
