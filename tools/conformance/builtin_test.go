package conformance

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/present/report"
)

// builtIn are the functions of torchvision.models that are built in for when torchvision
// itself is missing.
var builtIn = regexp.MustCompile(`^(alexnet|convnext_|densenet|efficientnet_|fasterrcnn_|fcos_|keypointrcnn_|maskrcnn_|maxvit_|mc3_|mnasnet|mobilenet_v|mvit_|r2plus1d_|r3d_|raft_|regnet_|resnet|resnext|retinanet_|s3d|shufflenet_v2|squeezenet|ssd|swin_|vgg|vit_|wide_resnet)`)

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
			cfg := config(trace, "", cache, trace.Case.Inputs)
			cfg.Module, cfg.Roots, cfg.File, cfg.Text = "", nil, filepath.Join(t.TempDir(), "main.py"), "import torchvision\n"
			res, err := checkEntry(cfg)
			if err != nil {
				t.Fatal(err)
			}
			doc := report.Build(res)
			for i := range min(len(doc.Calls), len(trace.Calls)) {
				doc.Calls[i].At = trace.Calls[i].At
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
