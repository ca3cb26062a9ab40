package trial

import (
	"testing"
	"time"

	"shapecheck/check"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
)

// silent watches nothing.
type silent struct{}

func (silent) Begin(string) {}
func (silent) End()         {}

func TestOfGuesses(t *testing.T) {
	for msg, want := range map[string]bool{
		"mul: sizes C - 2 and C do not match at dimension -1: bool[B,T,C-2] and f32[B,T,C]":                                  true,
		"mul: sizes max(-W, -2) + min(W, 4) and W do not match at dimension -1: bool[B,4] and f32[B,W]":                      true,
		"binary_cross_entropy_with_logits: the input f32[C*H*W,1] does not fit the shape [1,1]":                              true,
		"linear: input has 4096 features in its last dimension but the weight [10,3136] expects 3136":                        false,
		"cat(): sizes must match except in dimension 0, but dimension 1 is 4 in f32[B,4] and C in tensor number 1, f32[B,C]": false,
		"matmul: sizes 64 and 32 do not match: f32[B,T,64] and f32[32,64]":                                                   false,
	} {
		if got := ofGuesses(&diag.Diagnostic{Msg: msg}); got != want {
			t.Errorf("%s: %v", msg, got)
		}
	}
}

// All that a trial takes counts, one that cannot begin too, and the entries for which nothing is left are told.
func TestWhatTrialsTakeIsTold(t *testing.T) {
	const net = "import torch\n\n\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n\n\nclass B(torch.nn.Module):\n    def forward(self, x):\n        return x + 2\n"
	s := &check.Session{FS: reads.NewMemory(map[string]string{"/net.py": net})}
	p := &prober{s: s, ctx: t.Context(), file: "/net.py", d: &check.Discovery{}, steps: 1000, loads: 1000}
	one := &trial{fill: &filler{}}
	if err := p.run(one, "missing"); err != nil || one.err == nil {
		t.Fatalf("%v, %v", err, one.err)
	}
	if p.worked <= 0 {
		t.Error("a load takes no time")
	}
	s.Limits.Timeout = time.Nanosecond
	d, err := Discover(t.Context(), s, "/net.py", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.Entries); n == 0 || d.Entries[n-1].Name != "B" || d.Entries[n-1].WhyNot() != tooMuch ||
		d.Entries[n-1].State() != check.NotChecked {
		t.Errorf("%d entries, not tried: %v", n, failedOf(d))
	}
}

// The limit of time is that of all trials of a file.
func TestTrialsShareTheLimit(t *testing.T) {
	p := &prober{s: &check.Session{Limits: check.Limits{Timeout: time.Second}}, steps: 1, loads: 1, worked: 900 * time.Millisecond}
	if p.spent() {
		t.Error("spent with 0.1 s left")
	}
	if p.worked += 200 * time.Millisecond; !p.spent() {
		t.Error("not spent after the limit")
	}
	if p.s.Limits.Timeout = 0; p.spent() {
		t.Error("spent without a limit")
	}
}
