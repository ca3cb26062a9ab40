package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/present/render/text"
	"shapecheck/tools/testfiles"
)

// jitNotKnown are the programs of testdata/retrace/jit of which the report leaves something open,
// with the reason.
var jitNotKnown = map[string]string{
	"time_scale.py": "two times may be near each other",
	"dict_shape.py": "the key of a dict is a tensor in a trace",
	"str_mul.py":    "the trace keeps how often a list is repeated",
}

// What is said of traces is what PyTorch 2.15 did: runs that differ from the model or are
// refused, the tracer's warnings and what they cost.
func TestRunsOfTracesAgreeWithRecords(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/jit")
	f, err := os.Open(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type call struct {
		Line    int
		Kind    string
		Equal   *bool
		Refused bool
	}
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		var rec struct {
			Source string
			Calls  []call
			Sites  []struct {
				Line          int
				Kind, Verdict string
			}
			SilentWrong bool `json:"silent_wrong"`
		}
		if err := json.Unmarshal(s.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		t.Run(rec.Source, func(t *testing.T) {
			d, _ := scriptOf(t, filepath.Join(folder, rec.Source))
			open := false
			defer func() {
				if why := jitNotKnown[rec.Source]; open != (why != "") {
					t.Errorf("left open: %v, but the list says %q", open, why)
				}
			}()
			if len(d.Calls) != len(rec.Calls) {
				t.Fatalf("%d calls, want %d", len(d.Calls), len(rec.Calls))
			}
			for i, want := range rec.Calls {
				got := d.Calls[i]
				if got.Line != want.Line || got.Kind != want.Kind || (got.Error != nil) != want.Refused {
					t.Errorf("call %s at %d, refused %v, want %+v", got.Kind, got.Line, got.Error != nil, want)
				}
				switch {
				case want.Equal == nil || want.Refused:
				case got.Equal == nil:
					open = true
				case *got.Equal != *want.Equal:
					t.Errorf("line %d: equal %v, want %v", got.Line, *got.Equal, *want.Equal)
				}
			}
			if d.Sites == nil {
				if len(rec.Sites) > 0 {
					t.Fatal("no sites")
				}
				return
			}
			var got, want []string
			for _, s := range *d.Sites {
				got = append(got, fmt.Sprint(s.Line, s.Kind))
			}
			for _, w := range rec.Sites {
				want = append(want, fmt.Sprint(w.Line, w.Kind))
				for _, s := range *d.Sites {
					if s.Line == w.Line && s.Kind == w.Kind && s.Verdict != w.Verdict && s.Verdict != "unknown" {
						t.Errorf("line %d: %s is %s, want %s", s.Line, s.Kind, s.Verdict, w.Verdict)
					}
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("sites %v, want %v", got, want)
			}
			switch {
			case d.SilentWrong == nil:
				if !open {
					t.Error("silently wrong: not known")
				}
			case *d.SilentWrong != rec.SilentWrong:
				t.Errorf("silently wrong: %v, want %v", *d.SilentWrong, rec.SilentWrong)
			}
		})
	}
	if n < 30 {
		t.Errorf("only %d records", n)
	}
}

func scriptOf(t *testing.T, file string) (*Script, *infer.Result) {
	t.Helper()
	r, err := infer.Run(infer.Config{File: file, Script: []string{}, Unroll: infer.UnrollAlways, Retraces: true, Numbers: Numbers})
	if err != nil {
		t.Fatal(err)
	}
	AddFindings(r)
	return OfScript(r), r
}

func TestTextOfTraces(t *testing.T) {
	d, r := scriptOf(t, "../testdata/retrace/jit/window_roll.py")
	r.Diagnostics = nil
	for _, c := range d.Calls {
		if c.Error != nil {
			c.Error.Message = ""
		}
	}
	var b strings.Builder
	if err := ScriptText(&b, d, r, text.Style{}); err != nil {
		t.Fatal(err)
	}
	const want = `Net: 1 trace, 3 runs (torch.jit.trace)
  line  call      gives
  17    f32[6]
  18    f32[8]    as the model
  20    f32[7]    refused: RuntimeError
  23    f32[120]  another result than the model
`
	if b.String() != want {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want)
	}
}

// A module that is not found is not known: a traced body does not fail for it.
func TestMissingModulesDoNotFailATracedBody(t *testing.T) {
	file := filepath.Join(t.TempDir(), "net.py")
	text := "import torch\n\nclass Net(torch.nn.Module):\n    def forward(self, x):\n        import missing_package\n        return x * 2\n\nnet = Net()\n" +
		"torch.jit.trace(net, (torch.ones(3),))(torch.ones(4))\ntorch.export.export(net, (torch.ones(3),))\ntorch.compile(net)(torch.ones(3))\n"
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	d, r := scriptOf(t, file)
	if len(d.Calls) != 4 || d.Calls[1].Equal == nil || !*d.Calls[1].Equal {
		t.Errorf("calls %+v", d.Calls)
	}
	for _, x := range r.Diagnostics {
		if x.Severity == diag.Error {
			t.Errorf("line %d: %s %s", r.Files.Position(x.At.Start).Line, x.Code, x.Msg)
		}
	}
}
