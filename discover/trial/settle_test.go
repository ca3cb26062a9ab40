package trial

import (
	"context"
	"fmt"
	"runtime"
	"testing"

	"shapecheck/check"
	"shapecheck/check/record"
	"shapecheck/internal/reads"
	"shapecheck/present/report"
)

// A check of many files holds what it says of each, not what each run made.
func TestManyFilesLittleMemory(t *testing.T) {
	const n = 60
	texts := map[string]string{}
	var files []string
	for i := range n {
		name := fmt.Sprintf("net%d.py", i)
		files = append(files, name)
		texts["/"+name] = "import torch.nn as nn\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
			"        self.conv = nn.Conv2d(3, 8, 3)\n\n    def forward(self, x):\n        return self.conv(x).flatten(1)\n"
	}
	held := func(keep check.Keep) (bytes int64, types int) {
		s := &check.Session{FS: reads.NewMemory(texts), Keep: keep}
		before := live()
		p, err := CheckFiles(context.Background(), s, files, silent{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		bytes = live() - before
		for _, x := range p.Entries {
			if x.Err == nil && x.Result.OutputType == "f32[B,8*(H-2)*(W-2)]" && len(x.Result.Conditions()) == 2 {
				types++
			}
		}
		runtime.KeepAlive(s)
		return bytes, types
	}
	held(check.KeepFindings) // what is made once
	few, typed := held(check.KeepFindings)
	all, _ := held(check.KeepValues)
	if typed != n {
		t.Errorf("%d of %d entries have their type and contract", typed, n)
	}
	if few*3 > all {
		t.Errorf("%d files hold %d kB, with all values %d kB: at least three times less was meant", n, few>>10, all>>10)
	}
}

func live() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A document is there where it was asked for, and says what the whole result would.
func TestSettledDocument(t *testing.T) {
	texts := map[string]string{"/net.py": "import torch.nn as nn\n\nclass Net(nn.Module):\n    def forward(self, x):\n        return x.flatten(1)\n"}
	s := &check.Session{FS: reads.NewMemory(texts), Keep: check.KeepDocuments}
	p, err := CheckFiles(context.Background(), s, []string{"net.py"}, silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	whole := *s
	whole.Keep = check.KeepValues
	q, err := CheckFiles(context.Background(), &whole, []string{"net.py"}, silent{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := report.TallyIn(p.Entries[0].Result.Stored())
	if err != nil {
		t.Fatal(err)
	}
	want := report.Tally(q.Entries[0].Result.Result)
	if got != want || p.Entries[0].Result.Document(record.Version) == nil {
		t.Errorf("%s, document %v; the whole result says %s", got, p.Entries[0].Result.Document(record.Version), want)
	}
}
