package main

// This file checks single operations against the recorded calls of opdb.

import (
	"context"
	"encoding/json"
	"errors"
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
	"shapecheck/lower"
	"shapecheck/onnx"
	"shapecheck/onnx/inference"
	"shapecheck/onnx/inline"
	"shapecheck/symshape"
	"shapecheck/tools/counts"
)

// A tally counts the records of one operation. equal and different count compared records, listed
// those with a waiver, refused those for which ONNX Runtime has no kernel.
type tally struct {
	equal, different, listed, refused, unlowered, skipped int
	why                                                   map[string]int
	example                                               map[string]string
}

func (t *tally) checked() int { return t.equal + t.different + t.listed + t.refused + t.unlowered }

// undefined is the verdict on results whose elements follow from nothing: random ones, and
// those of memory that was not written. Their types and sizes alone are compared.
const undefined = "undefined"

// waived are the differences that have a reason, and what was found of them.
type waived struct {
	*counts.Waivers
	found counts.Found
}

// readWaived reads a file of waivers, whose keys are names of functions; none when it
// is empty.
func readWaived(file string) (*waived, error) {
	w := &waived{&counts.Waivers{}, counts.Found{}}
	if file == "" {
		return w, nil
	}
	var err error
	w.Waivers, err = counts.ReadWaivers(file)
	return w, err
}

// has reports whether a verdict on a function has a reason, and counts it.
func (w *waived) has(call, verdict string) bool {
	if !w.Has(call, verdict) {
		return false
	}
	w.found.Add(call, verdict)
	return true
}

// runOps lowers recorded calls of functions, each as a model of its own, and compares ONNX Runtime with PyTorch. Counts and
// waivers are compared only in a run of all functions with the standard number of records. The
// error is of the tool, or says that counts or waivers are not those of the files.
func runOps(args []string) error {
	var c common
	f := flag.NewFlagSet("ops", flag.ExitOnError)
	c.flags(f)
	opdb := f.String("opdb", "", "the folder of recorded calls")
	only := f.String("only", "", "only calls whose name matches")
	symbolic := f.Bool("symbolic", false, "lower with symbols as sizes")
	limit := f.Int("limit", countedLimit, "records for each function; 0 means all")
	file := f.String("waivers", "", "the differences that have a reason: function, verdict, how many and why, with tabs between them")
	onFile := f.String("counts", "", "the file that holds what must be counted")
	update := f.Bool("update-counts", false, "write what was counted into that file")
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
	waivers, err := readWaived(*file)
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
		if r.Error != "" || r.Ctor != nil || r.Variant == "module" || r.Variant == "expression" && r.Call != "torch.einsum" ||
			!re.MatchString(r.Call) {
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
		if err := check(r, how, t, waivers, torch, ort); err != nil {
			return err
		}
	}
	sum := report(tallies, c.verbose)
	if sum.different > 0 {
		return fmt.Errorf("%d results differ", sum.different)
	}
	if *only != "" || *limit != countedLimit {
		return nil // the counts are those of all functions
	}
	if wrong := waivers.Check(waivers.found); wrong != nil {
		return errors.New(strings.Join(wrong, "\n"))
	}
	if *onFile == "" {
		return nil
	}
	table := "operations in ONNX Runtime"
	if *symbolic {
		table += ", on symbols"
	}
	return counts.Check(*onFile, table, []counts.Row{{Name: "all",
		Counts: []counts.Count{{Name: "functions", N: len(tallies)}, {Name: "equal", N: sum.equal},
			{Name: "listed", N: sum.listed}, {Name: "no kernel", N: sum.refused}, {Name: "not lowered", N: sum.unlowered},
			{Name: "skipped", N: sum.skipped}}}}, *update)
}

// countedLimit is the number of records for each function at which the waivers' numbers
// and the table of counts hold.
const countedLimit = 12

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
		if _, err := inline.Model(context.Background(), m); err != nil {
			return nil, "", err
		}
	}
	rep, err := inference.Compare(m)
	if err == nil && !rep.OK() {
		wrong = strings.ReplaceAll(strings.TrimSpace(rep.String()), "\n", "; ")
	}
	return m, wrong, err
}

// check lowers one record and compares the results. A record that the interpreter does not run,
// or whose result is no tensor, is skipped: other tools ask about it. The verdict undefined is
// for results of uninitialised or random memory.
func check(r *opstest.Record, how lowering, t *tally, waivers *waived, torch, ort *process) error {
	note := func(n *int, why string) {
		*n++
		if t.why[why]++; t.example[why] == "" {
			t.example[why] = line(r)
		}
	}
	differs := func(verdict, why string) { // why is empty where the verdict says all
		n, text := &t.different, strings.TrimSuffix(verdict+": "+why, ": ")
		if waivers.has(r.Call, verdict) {
			n, text = &t.listed, "listed: "+text
		}
		note(n, text)
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
		differs("the model contradicts itself", short(wrong))
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
	unknown := waivers.Has(r.Call, undefined)
	if ok, err := torch.ask(json.RawMessage(request(r, unknown)), &want); err != nil || !ok || want.Skip != "" {
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
		differs("ONNX Runtime crashed, or did not end", "")
	case noKernel.MatchString(got.Error):
		note(&t.refused, "ONNX Runtime: "+short(got.Error))
	case got.Error != "":
		differs("ONNX Runtime", short(got.Error))
	case len(got.Out) != len(want.Out):
		differs("number of results", fmt.Sprintf("%d instead of %d", len(got.Out), len(want.Out)))
	default:
		for i := range want.Out {
			if verdict, why := differ(&got.Out[i], &want.Out[i]); verdict != "" && !(unknown && verdict == elements) {
				differs(verdict, fmt.Sprintf("result %d: %s", i, why))
				return nil
			}
		}
		if unknown {
			differs(undefined, "")
			return nil
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

// line writes a record for people who look for it.
func line(r *opstest.Record) string { return request(r, false) }

// request writes a record as PyTorch's process reads it: it is run twice, and skipped
// where the results differ, unless they are undefined. Arguments are passed on as the text that
// the record has.
func request(r *opstest.Record, undefined bool) string {
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
	last := ""
	if undefined {
		last = `,"undefined":true`
	}
	return fmt.Sprintf(`{"call":%q,"variant":%q,"args":[%s],"kwargs":{%s}%s}`, r.Call, r.Variant, strings.Join(args, ","), kw.String(), last)
}

func short(s string) string {
	if len(s) > 300 {
		s = s[:300]
	}
	return strings.ReplaceAll(s, "\n", " ")
}

// report prints the counts and returns their sums.
func report(tallies map[string]*tally, verbose bool) tally {
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
		fmt.Printf("%s: equal %d, different %d, listed %d, no kernel %d, not lowered %d, skipped %d\n", name, t.equal, t.different, t.listed,
			t.refused, t.unlowered, t.skipped)
		for _, why := range slices.Sorted(maps.Keys(t.why)) {
			fmt.Printf("    %d× %s\n", t.why[why], why)
			if verbose {
				fmt.Printf("        %s\n", t.example[why])
			}
		}
	}
	fmt.Printf("%d functions: equal %d, different %d, listed %d, no kernel %d, not lowered %d, skipped %d\n", len(tallies), sum.equal,
		sum.different, sum.listed, sum.refused, sum.unlowered, sum.skipped)
	return sum
}
