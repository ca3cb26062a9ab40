package trial

import (
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/reads"
)

// TestEncodings has files with a byte order mark, in another encoding and with bytes that are no text. Those that Python cannot read
// are no entry that was asked for: their folder's other files decide how the check ends.
func TestEncodings(t *testing.T) {
	const class = "import torch\n\n\nclass A(torch.nn.Module):\n    def forward(self, x):\n        return self.l(x) @ torch.rand(4, 5)\n"
	files := map[string]string{
		"mark.py": "\ufeff" + class, "latin.py": "# -*- coding: latin-1 -*-\n# caf\xe9\n" + class, "marked_base.py": "\ufefffrom mark import A\n\n\nclass B(A):\n    pass\n",
		"bytes.py": class + "# caf\xe9\n", "null.py": class + "\x00", "helper.py": "\ufeffimport torch\n\n\ndef f(x):\n    return x\n",
	}
	for file, want := range map[string]string{"mark.py": "SC302", "latin.py": "SC302", "marked_base.py": "SC302", "bytes.py": "invalid UTF-8", "null.py": "null",
		"helper.py": ""} {
		s := &check.Session{FS: reads.NewMemory(files)}
		d, err := Discover(t.Context(), s, file, nil, nil)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		got := d.WhyNot
		for _, x := range d.Entries {
			for _, f := range x.Result.Diagnostics {
				got += string(f.Code) + " "
			}
		}
		if !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
