package conformance

import (
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shapecheck/check/record"
	"shapecheck/infer"
)

// builtIn are the functions of torchvision.models that are built in for when torchvision
// itself is missing.
var builtIn = regexp.MustCompile(
	`^(alexnet|convnext_|densenet|efficientnet_|fasterrcnn_|fcos_|keypointrcnn_|maskrcnn_|maxvit_|mc3_|mnasnet|mobilenet_v|mvit_|r2plus1d_|r3d_|raft_|regnet_|resnet|resnext|retinanet_|s3d|shufflenet_v2|squeezenet|ssd|swin_|vgg|vit_|wide_resnet)`)

// TestBuiltInModelsAreTorchvisions runs the models that are built in with the recorded inputs
// of torchvision 0.14's and compares every module call, the parameters, the buffers and the
// output; only the places in torchvision's own files are others.
func TestBuiltInModelsAreTorchvisions(t *testing.T) {
	var files []string
	for _, folder := range []string{"classification", "detection", "optical_flow", "video"} {
		list, err := filepath.Glob("../../testdata/torchvision/" + folder + "/*.json.gz")
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, list...)
	}
	cache, n := infer.NewCache(), 0
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json.gz")
		if !builtIn.MatchString(name) {
			continue
		}
		n++
		t.Run(name, func(t *testing.T) {
			trace, err := ReadTrace(file)
			if err != nil {
				t.Fatal(err)
			}
			res, doc := runStub(t, trace, cache, "1.13.0")
			for i := range min(len(doc.Calls), len(trace.Calls)) {
				if doc.Calls[i].Class == "torch.nn.MultiheadAttention" { // newer versions pass by place what 0.14 passes by name
					doc.Calls[i].In, doc.Calls[i].Kw = trace.Calls[i].In, trace.Calls[i].Kw
				}
			}
			if trace.Error != nil { // at a place in torchvision's own files
				if trace.Error.At = ""; res.Diagnostics == nil {
					t.Fatal("no error")
				}
			}
			r := &ZooResult{ID: trace.Case.ID}
			compareDocs(r, trace, doc, newMatcher(res, nil))
			for _, p := range r.Problems {
				t.Error(p)
			}
		})
	}
	if n < 170 {
		t.Errorf("only %d traces", n)
	}
}

// runStub runs a model of a trace where torchvision is missing. Its calls are given the trace's
// places, as those in the text of a stub are others.
func runStub(t *testing.T, trace *Trace, cache *infer.Cache, torch string) (*infer.Result, *record.Document) {
	t.Helper()
	cfg := config(trace, "", cache, trace.Case.Inputs)
	cfg.Module, cfg.Roots, cfg.File, cfg.Text = "", nil, filepath.Join(t.TempDir(), "main.py"), "import torchvision\n"
	cfg.TorchVersion = torch
	res, err := checkEntry(cfg)
	if err != nil {
		t.Fatal(err)
	}
	doc := record.Build(res)
	for i := range min(len(doc.Calls), len(trace.Calls)) {
		doc.Calls[i].At = trace.Calls[i].At
	}
	return res, doc
}

// TestStubsAreTorchvisions holds each model of infer/lib/stub/torchvision.txtar against what
// testdata/torchvision/record_stubs.py recorded of the version that the stubs are of: parameters,
// buffers, every call of a module with its values, and the output.
func TestStubsAreTorchvisions(t *testing.T) {
	f, err := os.Open("../../testdata/torchvision/stubs.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	stubs, err := os.ReadFile("../../infer/lib/stub/torchvision.txtar")
	if err != nil {
		t.Fatal(err)
	}
	header, _, _ := strings.Cut(string(stubs), "\n")
	cache, n := infer.NewCache(), 0
	for models := json.NewDecoder(z); ; n++ {
		var model struct {
			Trace
			Env struct{ Torch, Torchvision string }
		}
		if err := models.Decode(&model); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if version := "torchvision " + model.Env.Torchvision + " "; !strings.Contains(header, version) {
			t.Fatalf("%q does not name %s", header, version)
		}
		t.Run(model.Case.ID, func(t *testing.T) {
			res, doc := runStub(t, &model.Trace, cache, model.Env.Torch)
			r := &ZooResult{ID: model.Case.ID}
			compareDocs(r, &model.Trace, doc, newMatcher(res, nil))
			for _, p := range r.Problems {
				t.Error(p)
			}
		})
	}
	if n < 100 {
		t.Errorf("only %d models", n)
	}
}
