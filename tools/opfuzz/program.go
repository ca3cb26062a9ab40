package main

// This file runs calls as Python programs through the whole analysis.

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"shapecheck/infer"
	"shapecheck/infer/ops/opstest"
	"shapecheck/infer/value"
	"shapecheck/internal/diag"
)

// programs runs programs; parsed files are kept between them.
type programs struct {
	cache *infer.Cache
	ran   int
}

// judge writes a record as a program, runs it and compares the result; of a module
// the shapes of parameters and buffers, too.
func (p *programs) judge(r *opstest.Record) opstest.Judgement {
	if p.ran++; p.ran%200 == 1 { // what is kept grows
		p.cache = infer.NewCache()
	}
	text, err := programText(r)
	if err != nil {
		return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error()}
	}
	res, err := infer.Run(infer.Config{File: "case.py", Text: text, Entry: "entry", TorchVersion: "1.13.1", NoGrad: true,
		Device: infer.DeviceCPU, Cache: p.cache})
	if err != nil {
		return opstest.Judgement{Verdict: opstest.Wrong, Why: err.Error()}
	}
	got := opstest.Result{Value: res.Output}
	for _, d := range res.Diagnostics {
		if d.Severity == diag.Error {
			class, _, _ := strings.Cut(r.Error, ":") // diagnostics do not tell it
			got.Err = &value.Exception{Value: &value.Instance{Class: &value.Class{Name: class}}, Diag: d}
			break
		}
	}
	want := *r
	if r.Ctor != nil && r.Error == "" {
		if want.Out, err = withState(r); err != nil {
			return opstest.Judgement{Verdict: opstest.Skipped, Why: err.Error()}
		}
	}
	if r.OV == nil { // Python values may follow from contents
		want.VD = "contents"
	}
	return opstest.Judge(&want, got)
}

// withState is the result of a module followed by the shapes of its tensors.
func withState(r *opstest.Record) (json.RawMessage, error) {
	out := []any{r.Out}
	for _, table := range [...]opstest.Object{r.Params, r.Buffers} {
		shapes := []any{}
		for _, f := range table {
			var t struct{ S any }
			if err := json.Unmarshal(f.Val, &t); err != nil {
				return nil, err
			}
			if t.S == nil {
				return nil, errors.New("an uninitialized parameter")
			}
			shapes = append(shapes, t.S)
		}
		out = append(out, shapes)
	}
	return json.Marshal(out)
}

// A writer writes Python.
type writer struct{ err error }

// programText is a program whose entry makes the call, or makes a module and calls it, and gives
// the sizes of its parameters too.
func programText(r *opstest.Record) (string, error) {
	w := &writer{}
	var b strings.Builder
	b.WriteString("import torch\nimport torchvision\n\ndef entry():\n")
	switch {
	case r.Ctor != nil:
		fmt.Fprintf(&b, "    m = %s(%s)\n    m.train(%s)\n", r.Ctor.Module, w.arguments(r.Ctor.Args, r.Ctor.Kwargs),
			map[bool]string{true: "True", false: "False"}[r.Train != 0])
		b.WriteString("    params = [list(p.shape) for p in m.parameters()]\n    buffers = [list(p.shape) for p in m.buffers()]\n")
		fmt.Fprintf(&b, "    return [m(%s), params, buffers]\n", w.arguments(r.Args, r.Kwargs))
	case r.Variant == "attribute":
		fmt.Fprintf(&b, "    return (%s).%s\n", w.value(r.Args[0]), r.Call[strings.LastIndexByte(r.Call, '.')+1:])
	default:
		fmt.Fprintf(&b, "    return %s(%s)\n", r.Call, w.arguments(r.Args, r.Kwargs))
	}
	return b.String(), w.err
}

func (w *writer) arguments(args []json.RawMessage, kwargs opstest.Object) string {
	var parts []string
	for _, a := range args {
		parts = append(parts, w.value(a))
	}
	for _, f := range kwargs {
		parts = append(parts, f.Key+"="+w.value(f.Val))
	}
	return strings.Join(parts, ", ")
}

func (w *writer) value(text json.RawMessage) string {
	var v any
	if err := decode(text, &v); err != nil {
		w.err = err
	}
	return w.python(v)
}

func (w *writer) list(v any) string {
	list, _ := v.([]any)
	parts := make([]string, len(list))
	for i, x := range list {
		parts[i] = w.python(x)
	}
	return strings.Join(parts, ", ")
}

// dtypeNames are PyTorch's names.
var dtypeNames = map[string]string{"f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64", "c32": "complex32",
	"c64": "complex64", "c128": "complex128",
	"u8": "uint8", "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "bool": "bool"}

// python writes a recorded value as an expression.
func (w *writer) python(v any) string {
	switch v := v.(type) {
	case nil:
		return "None"
	case bool:
		return map[bool]string{true: "True", false: "False"}[v]
	case string:
		return fmt.Sprintf("%q", v)
	case json.Number:
		return v.String()
	case []any:
		return "[" + w.list(v) + "]"
	case map[string]any:
		if d, ok := v["t"].(string); ok {
			return w.tensor(v, "dtype=torch."+dtypeNames[d])
		}
		for k, x := range v {
			switch k {
			case "tuple":
				return "tuple([" + w.list(x) + "])"
			case "size":
				return "torch.Size([" + w.list(x) + "])"
			case "slice":
				return "slice(" + w.list(x) + ")"
			case "complex":
				return "complex(" + w.list(x) + ")"
			case "float":
				return fmt.Sprintf("float(%q)", x)
			case "dtype":
				return "torch." + dtypeNames[x.(string)]
			case "memory_format":
				return "torch." + x.(string)
			case "callable":
				return x.(string)
			case "ellipsis":
				return "..."
			}
		}
	}
	w.err = fmt.Errorf("an argument that is not written: %v", v)
	return "None"
}

func (w *writer) tensor(t map[string]any, dtype string) string {
	s := w.list(t["s"])
	if st, ok := t["st"]; ok {
		return fmt.Sprintf("torch.empty_strided([%s], [%s], %s)", s, w.list(st), dtype)
	}
	if v, ok := t["v"]; ok {
		return fmt.Sprintf("torch.tensor([%s], %s).reshape([%s])", w.list(v), dtype, s)
	}
	return fmt.Sprintf("torch.empty([%s], %s)", s, dtype)
}
