package summary

// This file holds the numbers against published ones: those of torchinfo's tests
// (tests/test_output in its repository), of torchvision's model tables (num_params
// and _ops), and memory that was measured in PyTorch.

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/infer/graph"
	"shapecheck/infer/ops"
	"shapecheck/infer/ops/catalog"
	"shapecheck/symshape"
)

func summaryOf(t *testing.T, file, entry, arg string, eval bool) *Summary {
	t.Helper()
	res, err := infer.Run(infer.Config{File: "testdata/" + file, Entry: entry, Args: []string{arg}, Eval: eval})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Errorf("%s %s", d.Code, d.Msg)
	}
	return Of(res)
}

// valueOf is an amount for sizes; -1 when it is not known.
func valueOf(d symshape.Dim, sizes Sizes) int64 {
	if n, ok := At(d, sizes); ok {
		return n
	}
	return -1
}

func TestTotalsAreThePublishedOnes(t *testing.T) {
	image := Sizes{"B": 1, "H": 224, "W": 224}
	for _, c := range []struct {
		file, entry, arg  string
		sizes             Sizes
		params, trainable int64
		mult, ops         string // of torchinfo, rounded as there; torchvision's _ops
		pass              string // torchinfo's forward/backward pass, MB
	}{
		{"nets.py", "Digits()", "x:f32[B,1,28,28]", Sizes{"B": 7}, 21840, 21840, "3.41 M", "", "0.40"},
		{"nets.py", "Language()", "x:i64[B,T]", Sizes{"B": 1, "T": 100}, 3784580, 3784580, "376.85 M", "", "0.67"},
		{"resnet.py", "resnet18()", "x:f32[B,3,H,W]", Sizes{"B": 1, "H": 64, "W": 64}, 11689512, 11689512, "148.57 M", "", "3.25"},
		{"resnet.py", "resnet18()", "x:f32[B,3,H,W]", image, 11689512, 11689512, "1.81 G", "1.814 G", "39.75"},
		{"resnet.py", "resnet50()", "x:f32[B,3,H,W]", image, 25557032, 25557032, "4.09 G", "4.089 G", "177.83"},
		{"vgg.py", "vgg16()", "input:f32[B,3,H,W]", image, 138357544, 138357544, "15.48 G", "15.470 G", "108.45"},
		{"vit.py", "ViT()", "x:f32[B,3,H,W]", image, 86567656, 86567656, "173.23 M", "17.564 G", "104.09"},
	} {
		s := summaryOf(t, c.file, c.entry, c.arg, true)
		if got := valueOf(s.Params, nil); got != c.params {
			t.Errorf("%s: %d parameters, not %d", c.entry, got, c.params)
		}
		if got := valueOf(s.Trainable, nil); got != c.trainable {
			t.Errorf("%s: %d trainable, not %d", c.entry, got, c.trainable)
		}
		if got := format(valueOf(s.MultAdds, c.sizes), 2); got != c.mult {
			t.Errorf("%s %s: %s mult-adds, not %s", c.entry, c.sizes, got, c.mult)
		}
		if got := format(valueOf(s.OpMultAdds, c.sizes), 3); c.ops != "" && got != c.ops {
			t.Errorf("%s %s: %s of operators, not %s", c.entry, c.sizes, got, c.ops)
		}
		if got := format(valueOf(s.PassBytes, c.sizes), 2, 1e6); got != c.pass {
			t.Errorf("%s %s: pass of %s MB, not %s", c.entry, c.sizes, got, c.pass)
		}
		if len(s.Uncounted) > 0 {
			t.Errorf("%s: not counted: %v", c.entry, s.Uncounted)
		}
	}
}

// format rounds as torchinfo does: to G or M, or to a given unit.
func format(n int64, digits int, unit ...float64) string {
	div, name := 1e6, " M"
	switch {
	case len(unit) > 0:
		div, name = unit[0], ""
	case n >= 1e9:
		div, name = 1e9, " G"
	}
	return strings.TrimSpace(strconv.FormatFloat(float64(n)/div, 'f', digits, 64) + name)
}

func TestRowsAreThoseOfTorchinfo(t *testing.T) {
	type row struct {
		class          string
		params, mults  int64
		input, outputs string
	}
	for _, c := range []struct {
		entry, arg string
		sizes      Sizes
		rows       []row
	}{
		{"Digits()", "x:f32[B,1,28,28]", Sizes{"B": 7}, []row{
			{"Digits", 21840, 3413200, "f32[B,1,28,28]", "f32[B,10]"},
			{"Conv2d", 260, 1048320, "f32[B,1,28,28]", "f32[B,10,24,24]"},
			{"Conv2d", 5020, 2248960, "f32[B,10,12,12]", "f32[B,20,8,8]"},
			{"Dropout2d", 0, 0, "f32[B,20,8,8]", "f32[B,20,8,8]"},
			{"Linear", 16050, 112350, "f32[B,320]", "f32[B,50]"},
			{"Linear", 510, 3570, "f32[B,50]", "f32[B,10]"},
		}},
		{"Language()", "x:i64[B,T]", Sizes{"B": 1, "T": 100}, []row{
			{"Language", 3784580, 376848260, "i64[B,T]", "(f32[B,T,20], (f32[2,B,512], f32[2,B,512]))"},
			{"Embedding", 6000, 6000, "i64[B,T]", "f32[B,T,300]"},
			{"LSTM", 3768320, 376832000, "f32[B,T,300]", "(f32[B,T,512], (f32[2,B,512], f32[2,B,512]))"},
			{"Linear", 10260, 10260, "f32[B,T,512]", "f32[B,T,20]"},
		}},
	} {
		s := summaryOf(t, "nets.py", c.entry, c.arg, false)
		if len(s.Rows) != len(c.rows) {
			t.Fatalf("%s: %d rows, not %d", c.entry, len(s.Rows), len(c.rows))
		}
		for i, r := range s.Rows {
			if got := (row{r.Class, valueOf(r.Params, nil), valueOf(r.MultAdds, c.sizes), r.Input, r.Output}); got != c.rows[i] {
				t.Errorf("%s: %+v, not %+v", c.entry, got, c.rows[i])
			}
		}
	}
}

func TestAmountsAreExpressions(t *testing.T) {
	s := summaryOf(t, "nets.py", "Digits()", "x:f32[B,1,28,28]", false)
	if got := s.MultAdds.String(); got != "487600*B" {
		t.Errorf("mult-adds: %s", got)
	}
	if got := s.Peak.Bytes.String(); got != "31936*B" { // 4·(28² + 10·24² + 10·12²): the input, conv1, its pool
		t.Errorf("peak: %s", got)
	}
}

func TestSharedFrozenAndUncalled(t *testing.T) {
	s := summaryOf(t, "nets.py", "Corners()", "x:f32[B,8]", false)
	// 2·72 blocks, 32 shared by head and tied, 12 unused, 8 scale.
	if p, n, b := valueOf(s.Params, nil), valueOf(s.Trainable, nil), valueOf(s.Buffers, nil); p != 196 || n != 196-72-8 || b != 8 {
		t.Errorf("%d parameters, %d trainable, %d in buffers", p, n, b)
	}
	var out bytes.Buffer
	Text(&out, s, Options{Sizes: []Sizes{{"B": 2}}})
	for _, line := range []string{
		"Corners f32[B,8] f32[B,4] 8 partly -- 32 B",
		"├─ ModuleList (blocks): 1-1 -- -- -- partly -- --",
		"│ ├─ Linear (0): 2-1 f32[B,8] f32[B,8] 72 no 144 64 B",
		"│ ├─ Linear (1): 2-2 f32[B,8] f32[B,8] 72 partly 144 64 B",
		"│ └─ Linear (1): 2-3 f32[B,8] f32[B,8] (again) partly 144 64 B",
		"├─ Linear (head): 1-2 f32[B,8] f32[B,4] 32 yes 64 32 B",
		"├─ Linear (tied): 1-3 f32[B,8] f32[B,4] (shared) yes 64 32 B",
		"└─ Linear (unused): 1-4 -- -- 12 yes -- --",
	} {
		if !strings.Contains(squeezed(out.String()), "\n"+line+"\n") {
			t.Errorf("%q is missing in\n%s", line, &out)
		}
	}
	out.Reset()
	Text(&out, s, Options{Depth: 1})
	if got := squeezed(out.String()); strings.Contains(got, ": 2-") ||
		!strings.Contains(got, "├─ ModuleList (blocks): 1-1 -- -- 144 partly -- --") {
		t.Errorf("with depth 1:\n%s", &out)
	}
}

// squeezed makes every run of spaces one.
func squeezed(s string) string {
	for strings.Contains(s, "  ") {
		s = strings.ReplaceAll(s, "  ", " ")
	}
	return s
}

func TestPeakIsTheGreatestSumOfWhatIsAlive(t *testing.T) {
	s := summaryOf(t, "nets.py", "Chain()", "x:f32[N,4]", false)
	if got := s.Peak.Bytes.String(); got != "64*N" { // 16·N each of x and y, 32·N of w
		t.Errorf("peak %s", got)
	}
	m, n, ok := s.Peak.At(Sizes{"N": 3})
	if p := s.res.Files.Position(m.At.Start); !ok || n != 192 || !strings.Contains(p.File.Line(p.Line), "the peak") {
		t.Errorf("peak %d at line %d, %v", n, p.Line, ok)
	}
	// Measured in PyTorch 1.13 on these models' twins in torchvision: the live
	// storages under no_grad at each operator.
	for _, c := range []struct {
		file, entry string
		bytes       int64
	}{{"vgg.py", "vgg16()", 26292224}} {
		s := summaryOf(t, c.file, c.entry, "input:f32[B,3,H,W]", true)
		if _, n, ok := s.Peak.At(Sizes{"B": 1, "H": 224, "W": 224}); !ok || n != c.bytes {
			t.Errorf("%s: peak %d, not %d", c.entry, n, c.bytes)
		}
	}
}

func TestFormsThatCountAreThoseOfARecord(t *testing.T) {
	used := map[graph.Form]bool{}
	catalog.All(func(op *ops.Op) { used[op.Form] = true })
	for form := range multiplyAdds {
		if !used[form] {
			t.Errorf("no record has the form %d", form)
		}
	}
}

func TestSizesAreRead(t *testing.T) {
	if s, err := ParseSizes("W=3, H = 2**3"); err != nil || s.String() != "H=8,W=3" {
		t.Errorf("%v, %v", s, err)
	}
	for _, bad := range []string{"H", "H=", "=3", "H=W", "H=1,H=2", "H=-1", ""} {
		if _, err := ParseSizes(bad); err == nil {
			t.Errorf("%q is accepted", bad)
		}
	}
}

func TestDocumentHasNumbersAndExpressions(t *testing.T) {
	s := summaryOf(t, "nets.py", "Digits()", "x:f32[B,1,28,28]", false)
	data, err := json.Marshal(JSON(s, Options{Sizes: []Sizes{{"B": 7}}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"params":21840`, `"mult_adds":"487600*B"`, `"sizes":{"B":7},"mult_adds":3413200`} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s is missing in %s", want, data)
		}
	}
}

// A loop that calls a cell for each step has a few rows, which stand for all calls.
func TestCallsOfLoopsAreCounted(t *testing.T) {
	const text = `import torch
from torch import nn
class Cell(nn.Module):
    def __init__(self):
        super().__init__()
        self.f = nn.Linear(4, 4)
    def forward(self, x):
        return self.f(x).relu()
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.cell, self.head = Cell(), nn.Linear(4, 2)
    def forward(self, x):
        for i in range(STEPS):
            x = self.cell(x)
        return self.head(x)
`
	for steps, rows := range map[int]int{8: 1 + 2*8 + 1, 9: 1 + 2*8 + 1, 100: 1 + 2*8 + 1} {
		res, err := infer.Run(infer.Config{File: "net.py", Text: strings.ReplaceAll(text, "STEPS", strconv.Itoa(steps)), Entry: "Net()",
			Args: []string{"x:f32[2,4]"}})
		if err != nil {
			t.Fatal(err)
		}
		s := Of(res)
		calls, macs := 0, int64(0)
		for _, r := range s.Rows {
			if !r.Leaf {
				continue
			}
			calls += 1 + r.More
			if n, ok := r.MultAdds.Const(); ok {
				macs += n
			}
		}
		var text strings.Builder
		Text(&text, s, Options{})
		if got, want := strings.Contains(text.String(), " more like it"), steps > 8; got != want {
			t.Errorf("%d steps:\n%s", steps, text.String())
		}
		if total, _ := s.MultAdds.Const(); len(s.Rows) != rows || calls != steps+1 || macs != total || total != int64(steps*40+20) {
			t.Errorf("%d steps: %d rows of %d calls with %d of %d multiply-adds", steps, len(s.Rows), calls, macs, total)
		}
	}
}
