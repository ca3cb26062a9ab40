package infer_test

// This file holds what is said of tensors that gradients need against what PyTorch keeps
// (testdata/saved.txt): a write that PyTorch takes is never refused.

import (
	"os"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// wantSaved is how many of the writes that PyTorch refuses are found.
const wantSaved = 429

func TestSavedTensors(t *testing.T) {
	text, err := os.ReadFile("testdata/saved.txt")
	if err != nil {
		t.Fatal(err)
	}
	cache := infer.NewCache()
	var lets strings.Builder
	found, missed := 0, map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if let, ok := strings.CutPrefix(line, "let "); ok {
			lets.WriteString(let + "\n")
			continue
		}
		row := strings.Split(line, " | ")
		if len(row) != 4 {
			continue
		}
		refused := strings.Fields(row[3])
		for _, written := range append(strings.Fields(row[1]), "result") {
			program := "import torch\nimport torch.nn.functional as F\n" + lets.String()
			for _, r := range strings.Fields(row[2]) {
				program += r + ".requires_grad_()\n"
			}
			program += "result = " + row[0] + "\nwith torch.no_grad():\n    " + written + ".mul_(1.0)\nresult.sum().backward()\n"
			says := false
			r, err := infer.Run(infer.Config{File: "prog.py", Text: program, Script: []string{}, Cache: cache})
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.Diagnostics {
				says = says || d.Code == diag.AutogradFault && strings.Contains(d.Msg, "no longer what it was")
			}
			want := false
			for _, r := range refused {
				want = want || r == written
			}
			switch {
			case says && !want:
				t.Errorf("%s, where %s require gradients: the write to %s is refused, but PyTorch takes it", row[0], row[2], written)
			case says:
				found++
			case want:
				missed[row[0]] = true
			}
		}
	}
	if found < wantSaved {
		t.Errorf("%d writes that PyTorch refuses are found, want %d; expressions with one that is not: %v", found, wantSaved, missed)
	}
}
