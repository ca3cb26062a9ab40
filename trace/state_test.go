package trace

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shapecheck/infer"
	"shapecheck/trace/export"
)

// What a trace keeps of state, and what it does once, is reported for the ways to ask: with a tracer and with inputs.
func TestStateOfAnEntry(t *testing.T) {
	const head = "import random\nimport time\nimport torch\nfrom torch import nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.n = 0\n        self.log = []\n        self.seen = {}\n    def forward(self, x):\n"
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"random": {"        return x * random.random()\n",
			[]string{"13: SC506: a trace keeps a random number here, as it was while tracing"}},
		"random_unused": {"        k = random.random()\n        return x * 2\n", nil},
		"random_decides": {"        k = random.random()\n        if k < 0.5:\n            return x * 2\n        return x\n",
			[]string{"14: SC506: a trace decides this once, by a random number"}},
		"torch_draws":   {"        return x + torch.rand(3)\n", nil},
		"time":          {"        return x * time.time()\n", []string{"13: SC506: a trace keeps the time here, as it was while tracing"}},
		"time_measured": {"        t = time.time()\n        y = x * 2\n        self.seen['t'] = time.time() - t\n        return y\n", nil},
		"print": {"        print(x.shape)\n        return x * 2\n",
			[]string{"13: SC507: this is printed while tracing only, not by the runs of the trace"}},
		"append": {"        self.log.append(x.mean())\n        return x * 2\n",
			[]string{"13: SC507: a list grows here while tracing only, not in the runs of the trace"}},
		"append_own": {"        out = []\n        for i in range(2):\n            out.append(x * i)\n        return torch.stack(out)\n", nil},
		"counter": {"        self.n += 1\n        return x * self.n\n",
			[]string{"14: SC506: a trace keeps 1 here, as it is in the first call: in call 2 with the same inputs it is 2"}},
		"counter_unused": {"        self.n += 1\n        return x * 2\n",
			[]string{"13: SC507: this is counted while tracing only, not in the runs of the trace"}},
		"counter_equal": {"        self.n = 0\n        return x * 2\n", nil},
	} {
		file := filepath.Join(t.TempDir(), "net.py")
		if err := os.WriteFile(file, []byte(head+c.body), 0o666); err != nil {
			t.Fatal(err)
		}
		config := infer.Config{File: file, Entry: "Net()", Args: []string{"x:f32[3]"}, Trace: &infer.TraceSpec{For: export.ForExport},
			Numbers: Numbers}
		inputs := infer.Config{File: file, Entry: "Net()", Trace: &infer.TraceSpec{Inputs: "(torch.rand(3),)"}, Numbers: Numbers}
		for how, config := range map[string]infer.Config{"tracer": config, "inputs": inputs} {
			t.Run(name+"/"+how, func(t *testing.T) {
				r, err := infer.Run(config)
				if err != nil {
					t.Fatal(err)
				}
				var got []string
				for _, d := range r.Diagnostics {
					got = append(got, fmt.Sprintf("%d: %s: %s", r.Files.Position(d.At.Start).Line, d.Code, d.Msg))
				}
				if diff := cmp.Diff(c.want, got); diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			})
		}
	}
}
