package trace

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"shapecheck/present/render/text"
	"shapecheck/tools/testfiles"
)

// exportNotKnown are the programs of testdata/retrace/export of which the report leaves something
// open, with the reason.
var exportNotKnown = map[string]string{"time_and_print.py": "two times may be near each other"}

// What is said of exports is what PyTorch 2.15 did in both modes: whether there is a program, its
// sizes and their ranges, the kind of the error, its line and the suggested fixes; and whether
// runs of the programs are refused or differ from the model.
func TestExportsAgreeWithRecords(t *testing.T) {
	folder := testfiles.Unpack(t, "../testdata/retrace/export")
	f, err := os.Open(filepath.Join(folder, "records.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	type outcome struct {
		OK     bool
		Inputs []json.RawMessage
		Ranges [][2]*int64
		Kind   string
		Line   int
		Fixes  []string
	}
	n := 0
	for s := bufio.NewScanner(f); s.Scan(); n++ {
		var rec struct {
			Source string
			Calls  []struct {
				Line          int
				Kind          string
				Equal         *bool
				Refused       bool
				Result, Other *outcome
			}
		}
		if err := json.Unmarshal(s.Bytes(), &rec); err != nil {
			t.Fatal(err)
		}
		t.Run(rec.Source, func(t *testing.T) {
			d, _ := scriptOf(t, filepath.Join(folder, rec.Source))
			if len(d.Calls) != len(rec.Calls) {
				t.Fatalf("%d calls, want %d", len(d.Calls), len(rec.Calls))
			}
			open := false
			compare := func(mode string, got *Export, want *outcome) {
				switch {
				case got == nil:
					t.Errorf("%s: not known", mode)
					return
				case got.OK != want.OK:
					t.Errorf("%s: ok %v, want %v (%+v)", mode, got.OK, want.OK, got.Error)
					return
				case !got.OK:
					if got.Error.Kind != want.Kind || want.Line != 0 && got.Error.Line != want.Line {
						t.Errorf("%s: %s at line %d, want %s at %d", mode, got.Error.Kind, got.Error.Line, want.Kind, want.Line)
					}
					fixes := slices.Clone(got.Error.Fixes)
					slices.Sort(fixes)
					slices.Sort(want.Fixes)
					if !slices.Equal(fixes, want.Fixes) {
						t.Errorf("%s: fixes %v, want %v", mode, fixes, want.Fixes)
					}
					return
				}
				var inputs []any
				for _, in := range got.Inputs {
					if in.Sizes != nil {
						inputs = append(inputs, in.Sizes)
					} else {
						inputs = append(inputs, in.Text)
					}
				}
				if g, w := renamed(t, inputs), renamed(t, want.Inputs); g != w {
					t.Errorf("%s: sizes %s, want %s", mode, g, w)
				}
				var ranges, wanted []string
				for _, r := range *got.Ranges {
					ranges = append(ranges, rangeText(r))
				}
				for _, r := range want.Ranges {
					wanted = append(wanted, rangeText(r))
				}
				slices.Sort(ranges)
				slices.Sort(wanted)
				if !slices.Equal(ranges, wanted) {
					t.Errorf("%s: ranges %v, want %v", mode, ranges, wanted)
				}
			}
			for i, want := range rec.Calls {
				got := d.Calls[i]
				if got.Line != want.Line || got.Kind != want.Kind {
					t.Errorf("%s at line %d, want %s at %d", got.Kind, got.Line, want.Kind, want.Line)
				}
				if want.Kind == "export" {
					e, _ := got.Result.(*Export)
					compare("mode of the call", e, want.Result)
					compare("other mode", got.Other, want.Other)
					continue
				}
				switch {
				case (got.Error != nil) != want.Refused:
					t.Errorf("line %d: refused %v, want %v", got.Line, got.Error, want.Refused)
				case want.Equal == nil:
				case got.Equal == nil:
					open = true
				case *got.Equal != *want.Equal:
					t.Errorf("line %d: equal %v, want %v", got.Line, *got.Equal, *want.Equal)
				}
			}
			if why := exportNotKnown[rec.Source]; open != (why != "") {
				t.Errorf("left open: %v, but the list says %q", open, why)
			}
		})
	}
	if n < 100 {
		t.Errorf("only %d records", n)
	}
}

func rangeText(r [2]*int64) string {
	text := ""
	for _, v := range r {
		if v == nil {
			text += " -"
		} else {
			text += fmt.Sprint(" ", *v)
		}
	}
	return text
}

// renamed is JSON with its names numbered in the order met: symbols have other names in PyTorch.
func renamed(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]string{}
	out := regexp.MustCompile(`\b[A-Za-z_]\w*\b`).ReplaceAllStringFunc(string(b), func(name string) string {
		if names[name] == "" {
			names[name] = fmt.Sprint("d", len(names))
		}
		return names[name]
	})
	return strings.ReplaceAll(out, " ", "")
}

func TestTextOfExports(t *testing.T) {
	for file, want := range map[string]string{
		"batch_auto.py": `Net: 1 export, 2 runs (torch.export)
  line  call      gives
  11    f32[3,8]  a program of x [s0, s1], s0 >= 2, s1 >= 2
  13    f32[5,8]  as the model
  15    f32[5,6]  refused: AssertionError: Guard failed: (s0*s1) % 8 == 0
`,
		"divisible.py": `Net: 1 export, 0 runs (torch.export)
  line  call    gives
  12    f32[8]  UserError: constraints violated

error[SC541]: torch.export: Constraints violated: B is 4*_B
  --> divisible.py:12:10
12 |     ep = torch.export.export(net, (torch.ones(8),), dynamic_shapes={"x": {0: Dim("B")}})
   |          ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
   = note: declare _B = Dim('_B', min=1, max=oo)
   = note: declare B = 4*_B
   = fix: declare the Dims as torch.export asks
12 |     ep = torch.export.export(net, (torch.ones(8),), dynamic_shapes={"x": {0: 4*Dim("_B", min=1)}})
   |                                                                              ~~~~~~~~~~~~~~~~~~
`,
	} {
		folder := testfiles.Unpack(t, "../testdata/retrace/export") + "/"
		d, r := scriptOf(t, folder+file)
		var b strings.Builder
		if err := ScriptText(&b, d, r, text.Style{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.ReplaceAll(b.String(), folder, ""); got != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}
