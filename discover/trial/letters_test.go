package trial

import (
	"context"
	"strings"
	"testing"

	"shapecheck/check"
	"shapecheck/internal/reads"
)

// Axes are called by what the code does with them, and an input of which any rank is right has none.
func TestLettersFollowTheUse(t *testing.T) {
	const header = "import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self, dim=64):\n        super().__init__()\n"
	for _, c := range []struct{ name, body, args, open string }{
		{"a sequence whose channels come first", `        self.lstm = nn.LSTM(dim, dim)

    def forward(self, x):
        return self.lstm(x.permute(2, 0, 1))[0].permute(1, 2, 0)
`, "x:f32[B,64,T]", ""},
		{"a sequence with its batch first", `        self.lstm = nn.LSTM(dim, dim, batch_first=True)

    def forward(self, x):
        return self.lstm(x)[0]
`, "x:f32[B,T,64]", ""},
		{"time first, which a caller may give", `        self.lstm = nn.LSTM(dim, dim)

    def forward(self, x):
        return self.lstm(x)[0]
`, "x:f32[B,T,64]", ""},
		{"one image whose channels come last", `        self.conv = nn.Conv2d(3, dim, 3)

    def forward(self, img):
        return self.conv(img.permute(2, 0, 1).unsqueeze(0))
`, "img:f32[H,W,3]", ""},
		{"images whose channels come last", `        self.conv = nn.Conv2d(3, dim, 3)

    def forward(self, x):
        return self.conv(x.permute(0, 3, 1, 2))
`, "x:f32[B,H,W,3]", ""},
		{"two inputs that share axes", `        self.conv = nn.Conv2d(3, dim, 3)

    def forward(self, x, scale):
        return self.conv(x.permute(0, 3, 1, 2) * scale.permute(0, 3, 1, 2))
`, "x:f32[B,H,W,3] scale:f32[B,H,W,3]", ""},
		{"two inputs whose axes differ, the second of which is convolved first", `        self.a, self.b = nn.Conv2d(8, 4, 1), nn.Conv2d(2, 4, 1)

    def forward(self, flow, corr):
        y = self.a(corr)
        return self.b(flow) + y.mean((2, 3), keepdim=True), y
`, "flow:f32[B,2,H,W] corr:f32[B,E,F,G]", ""},
		{"images", `        self.conv = nn.Conv2d(3, dim, 3)

    def forward(self, x):
        return self.conv(x)
`, "x:f32[B,3,H,W]", ""},
		{"a layer for the last axis", `        self.a = nn.Linear(dim, 10)

    def forward(self, x):
        return torch.relu(self.a(x))
`, "x:f32[B,64]", "x:f32[*,64] f32[*,10]"},
		{"no layer", `
    def forward(self, x):
        return torch.relu(x) * 2
`, "x:f32[B,C,H,W]", "x:f32[*] f32[*]"},
		{"a rank that the code unpacks", `
    def forward(self, x):
        b, c, t = x.shape
        return x.reshape(b * c, t)
`, "x:f32[B,C,T]", ""},
		{"a rank that counts", `        self.a = nn.Linear(dim, 10)

    def forward(self, x):
        return self.a(x).transpose(0, 1)
`, "x:f32[B,64]", ""},
	} {
		s := &check.Session{FS: reads.NewMemory(map[string]string{"/net.py": header + c.body})}
		p, err := CheckFiles(context.Background(), s, []string{"net.py"}, silent{}, nil)
		if err != nil || len(p.Entries) != 1 || p.Entries[0].Err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		target := p.Entries[0].Result.Target
		if got := strings.Join(target.Run.Args, " "); got != c.args {
			t.Errorf("%s: %s, want %s", c.name, got, c.args)
		}
		open := ""
		if x := target.AnyRank; x != nil {
			open = strings.Join(x.Args, " ") + " " + x.Result
		}
		if open != c.open {
			t.Errorf("%s: any rank: %q, want %q", c.name, open, c.open)
		}
		if state := p.Entries[0].State(); state != check.Verified && c.name != "a rank that counts" && c.name != "time first, which a caller may give" {
			t.Errorf("%s: %v", c.name, state)
		}
	}
}
