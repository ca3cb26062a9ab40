package main

// This file reads the recorded calls and modules from which new calls are made.

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/infer/ops/opstest"
)

// recordedCall matches the functions whose recorded calls are changed.
var recordedCall = regexp.MustCompile(`^torch\.(Tensor\.|nn\.functional\.|linalg\.|fft\.|special\.|masked\.)?[a-z]\w*$`)

// never are calls that change the process, run code that is not in the call, or
// give other results each time.
var never = regexp.MustCompile(
	`^torch\.ops\.|\.set_|seed|resize_|_?sparse|from_file|from_numpy|save|load|_storage|data_ptr|quantiz|_deterministic|frombuffer|apply_|map2?_|cuda|__new__|__repr__|xpu|ipu|_lu_with_info|storage|backward|register_hook|mkldnn`)

// A corpus holds the calls to start from, by the name of the function or class.
type corpus struct {
	re       *regexp.Regexp // what is asked for
	byCall   map[string][]*call
	byClass  map[string][]*call
	keywords map[string][]keyword // of functions (by Op) and classes
	values   map[string][]any     // of keyword arguments of any function
}

func (o *options) corpus() (*corpus, error) {
	re, err := regexp.Compile(o.match)
	if err != nil {
		return nil, err
	}
	recs, err := opstest.Read(o.dir)
	if err != nil {
		return nil, err
	}
	p := &corpus{re: re, byCall: map[string][]*call{}, byClass: map[string][]*call{}, keywords: map[string][]keyword{},
		values: map[string][]any{}}
	for _, r := range recs {
		if r.Ctor == nil && r.Src == "" && r.BE == 0 && r.Gen != "trace" {
			p.addCall(r)
		}
	}
	if recs, err = opstest.ReadFile(o.modules); err != nil {
		return nil, err
	}
	for _, r := range recs {
		if r.Ctor != nil && r.BE == 0 {
			p.addModule(r)
		}
	}
	return p, nil
}

// addCall takes a recorded call under the function's name and all its others.
func (p *corpus) addCall(r *opstest.Record) {
	name := strings.Replace(r.Call, "torch.torch.", "torch.", 1)
	c := &call{Op: r.Op, Variant: r.Variant, Gen: "fuzzed", Call: name}
	var ok bool
	if c.Args, c.Kwargs, ok = p.arguments(r.Args, r.Kwargs, r.Op, r.Error == ""); !ok {
		return
	}
	add := func(name string) {
		if recordedCall.MatchString(name) && !never.MatchString(name) && p.re.MatchString(name) {
			p.byCall[name] = append(p.byCall[name], c)
		}
	}
	add(name)
	if len(p.byCall[name]) > 30 || r.Error != "" {
		return
	}
	op, ok := catalog.Lookup(name)
	if !ok {
		return
	}
	for _, n := range op.Names {
		if n != name {
			add(n)
		}
		if op.InPlace && !strings.HasSuffix(n, "_") {
			add(n + "_")
		}
	}
}

// kin are classes that are made and called as a recorded one is.
var kin = map[string]string{
	"Dropout2d": "Dropout Dropout1d Dropout3d AlphaDropout FeatureAlphaDropout", "FractionalMaxPool2d": "FractionalMaxPool3d",
	"MaxUnpool2d": "MaxUnpool1d MaxUnpool3d",
	"NLLLoss":     "NLLLoss2d", "TripletMarginLoss": "TripletMarginWithDistanceLoss", "Upsample": "UpsamplingBilinear2d UpsamplingNearest2d",
	"BatchNorm1d": "LazyBatchNorm1d", "BatchNorm2d": "LazyBatchNorm2d", "BatchNorm3d": "LazyBatchNorm3d",
	"InstanceNorm1d": "LazyInstanceNorm1d",
	"InstanceNorm2d": "LazyInstanceNorm2d", "InstanceNorm3d": "LazyInstanceNorm3d", "Conv2d": "LazyConv2d Conv1d Conv3d ConvTranspose2d",
	"Linear": "LazyLinear",
}

func (p *corpus) addModule(r *opstest.Record) {
	c := &call{Op: r.Op, Variant: "module", Gen: "fuzzed", Train: r.Train, Ctor: &ctor{Module: r.Ctor.Module}}
	var ok1, ok2 bool
	c.Args, c.Kwargs, ok1 = p.arguments(r.Args, r.Kwargs, "", false)
	c.Ctor.Args, c.Ctor.Kwargs, ok2 = p.arguments(r.Ctor.Args, r.Ctor.Kwargs, r.Ctor.Module, r.Error == "")
	if !ok1 || !ok2 || strings.Contains(r.Ctor.Module, "<") {
		return
	}
	short := strings.TrimPrefix(r.Ctor.Module, "torch.nn.")
	for _, n := range append([]string{short}, strings.Fields(kin[short])...) {
		if n = "torch.nn." + n; p.re.MatchString(n) {
			p.byClass[n] = append(p.byClass[n], c)
		}
	}
}

// arguments decodes the arguments of a record, and reports whether all can be
// changed and built again. Those by keyword are kept under the key, where it is
// not empty, for other calls.
func (p *corpus) arguments(args []json.RawMessage, kwargs opstest.Object, key string, good bool) ([]any, map[string]any, bool) {
	list, byName := make([]any, len(args)), map[string]any{}
	for i, a := range args {
		if decode(a, &list[i]) != nil || !plain(list[i]) {
			return nil, nil, false
		}
	}
	for _, f := range kwargs {
		var v any
		if decode(f.Val, &v) != nil || !plain(v) {
			return nil, nil, false
		}
		byName[f.Key] = v
		if known := p.keywords[key]; good && key != "" && len(known) < 200 {
			p.keywords[key] = append(known, keyword{f.Key, v})
		}
		if known := p.values[f.Key]; good && len(known) < 200 {
			p.values[f.Key] = append(known, v)
		}
	}
	return list, byName, true
}

// rename makes the call one of another function or class that takes the same
// arguments.
func (c *call) rename(name string) {
	if c.Ctor != nil {
		c.Ctor.Module = name
		c.Op = strings.TrimPrefix(name, "torch.")
		if c.Ctor.Kwargs == nil {
			c.Ctor.Kwargs = map[string]any{}
		}
	} else {
		c.Call = name
		c.Variant = variantOf(name)
	}
	if c.Kwargs == nil {
		c.Kwargs = map[string]any{}
	}
}

// variantOf is how a record calls what is named.
func variantOf(name string) string {
	switch {
	case ops.IsInPlace(name):
		return "inplace"
	case strings.HasSuffix(name, ".get"):
		return "attribute"
	case strings.HasPrefix(name, "torch.Tensor."):
		return "method"
	}
	return "function"
}

// clone copies a value of JSON deeply.
func clone[T any](v T) T {
	text, err := json.Marshal(v)
	if err != nil {
		panic(fmt.Sprintf("it came from JSON: %v", err))
	}
	var out T
	if err := decode(text, &out); err != nil {
		panic(fmt.Sprintf("it came from JSON: %v", err))
	}
	return out
}
