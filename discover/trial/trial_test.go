package trial

import (
	"testing"
	"time"

	"shapecheck/check"
	srctext "shapecheck/discover/text"
	"shapecheck/infer"
	"shapecheck/internal/diag"
	"shapecheck/internal/reads"
	"shapecheck/internal/source"
	"shapecheck/symshape"
)

// silent watches nothing.
type silent struct{}

func (silent) Begin(string) {}
func (silent) End()         {}

func TestOfGuesses(t *testing.T) {
	p := symshape.NewPool()
	size := func(text string) symshape.Dim {
		d, err := p.ParseDim(text)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	shape := func(text string) symshape.Shape {
		s, err := p.ParseShape(text)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, c := range []struct {
		format string
		values []any
		want   bool
	}{
		{"mul: sizes %s and %s do not match at dimension %d: bool%s and f32%s",
			[]any{size("C-2"), size("C"), -1, shape("[B,T,C-2]"), shape("[B,T,C]")}, true},
		{"mul: sizes %s and %s do not match at dimension %d: bool%s and f32%s",
			[]any{size("max(-W,-2)+min(W,4)"), size("W"), -1, shape("[B,4]"), shape("[B,W]")}, true},
		{"binary_cross_entropy_with_logits: the input f32%s does not fit the shape %s", []any{shape("[C*H*W,1]"), shape("[1,1]")}, true},
		{"conv2d: the input f32%s does not fit the shape %s", []any{shape("[C*H*W,1]"), shape("[1,1]")}, true},
		{"linear: input has %s features in its last dimension but the weight %s expects %s",
			[]any{size("4096"), shape("[10,3136]"), size("3136")}, false},
		{"cat(): sizes must match except in dimension %d, but dimension %d is %s in f32%s and %s in tensor number %d, f32%s",
			[]any{0, 1, size("4"), shape("[B,4]"), size("C"), 1, shape("[B,C]")}, false},
		{"matmul: sizes %s and %s do not match: f32%s and f32%s", []any{size("64"), size("32"), shape("[B,T,64]"), shape("[32,64]")}, false},
		{"repeat(): %d repeats for an axis of %s", []any{int64(2), size("C")}, false},
		{"the input f32%s", []any{shape("[batch,4]")}, false},
	} {
		d := diag.Newf(diag.ShapeMismatch, source.Span{}, c.format, c.values...)
		if got := ofGuesses(d); got != c.want {
			t.Errorf("%s: %v", d.Msg, got)
		}
	}
}

// All that a trial takes counts, one that cannot begin too, and the entries for which nothing is left are told.
func TestWhatTrialsTakeIsTold(t *testing.T) {
	const net = "import torch\n\n\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return x + 1\n\n\nclass B(torch.nn.Module):\n    def forward(self, x):\n        return x + 2\n"
	s := &check.Session{FS: reads.NewMemory(map[string]string{"/net.py": net})}
	p := &prober{s: s, ctx: t.Context(), file: "/net.py", d: &check.Discovery{}, steps: 1000, loads: 1000}
	one := &trial{fill: &filler{}}
	if err := p.run(one, "missing", false); err != nil || one.err == nil {
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

// Remedies that read the text of the entry's file have it where the file is imported by its name, and no run has it as its own.
func TestRemediesReadTheFileOfTheEntry(t *testing.T) {
	const net = "class A:\n    def __init__(self, inp, oup):\n        self.rest = oup - inp\n"
	one := &trial{res: &infer.Result{}, fill: &filler{class: "A", made: []string{"inp=64", "oup=64"},
		file: &srctext.File{Source: source.NewFile("net.py", net)}}}
	r := &remedies{}
	if !r.partNumbers(one, diag.Fact{}) || r.instead["oup"] != "128" {
		t.Errorf("%v", r.instead)
	}
	if r.addPrefixed(one, []string{"dim"}) {
		t.Error("a prefix that the file does not have")
	}
}
