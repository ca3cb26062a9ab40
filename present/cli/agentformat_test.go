package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shapecheck/present/render/agent"
)

// What --output-format agent says of findings with fixes that are right, that are not, and without any.
func TestTheFormatForAgents(t *testing.T) {
	const lin = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n" +
		"        self.a = nn.Linear(4, 3)\n        self.b = nn.Linear(3, 2)\n\n    def forward(self, x):\n        return self.b(self.a(x))\n"
	for _, s := range []story{
		{name: "a fix", args: "net.py --arg x:f32[B,5] --output-format agent", files: map[string]string{"net.py": lin}, code: 1, says: []string{
			"SC101 net.py:11 linear: ", "f32[3,4]", "\nfrom net.py:10: 5: ", "; net.py:7: 4: ",
			"\nedit net.py:7: self.a = nn.Linear(4, 3) => self.a = nn.Linear(5, 3)\nverified: Net() x:f32[B,5], 0 findings\n",
			"\nentries: 1 with findings, 0 checked, 0 weak, 0 unsettled, 0 not checked\n"}},
		{name: "a fix that another entry refuses", args: "--output-format agent", code: 1, files: map[string]string{"net.py": lin,
			"shapecheck.toml": "[[entries]]\nname = 'a'\nfile = 'net.py'\nentry = 'Net()'\nargs = ['x:f32[B,4]']\n" +
				"[[entries]]\nname = 'b'\nfile = 'net.py'\nentry = 'Net()'\nargs = ['x:f32[B,5]']\n"},
			says: []string{"SC101 net.py:11", "\nhint: in_features should be 5\n", "entries: 1 with findings, 1 checked"},
			not:  []string{"\nedit", "verified"}},
		{name: "a fix at its own call alone", args: "net.py --entry f --arg a:f32[2,77] --arg b:f32[2,154] --output-format agent", code: 1,
			files: map[string]string{"net.py": "import torch\n\n\ndef f(a, b):\n    c = torch.cat([a, b])\n    return c @ torch.zeros(77, 3)\n"},
			says:  []string{"SC101 net.py:5 ", "entries: 1 with findings"}},
		{name: "nothing", args: "net.py --arg x:f32[B,4] --output-format agent", files: map[string]string{"net.py": lin},
			says: []string{"entries: 0 with findings, 1 checked, 0 weak, 0 unsettled, 0 not checked\n"}, not: []string{"SC"}},
	} {
		t.Run(s.name, s.run)
	}
}

// No finding of the planted bugs takes more than its characters.
func TestFindingsForAgentsAreShort(t *testing.T) {
	begin := regexp.MustCompile(`(?m)^SC\d+ `)
	checkText := func(name, text string) (n int) {
		at := begin.FindAllStringIndex(text, -1)
		for i, x := range at {
			end := strings.LastIndex(text, "entries: ")
			if i+1 < len(at) {
				end = at[i+1][0]
			}
			if one := []rune(text[x[0]:end]); len(one) > agent.MaxFinding {
				t.Errorf("%s: %d characters:\n%s", name, len(one), string(one))
			}
		}
		return len(at)
	}
	found, verified := 0, 0
	for i, bug := range dataLines(t, "bugs.txt") {
		if i%12 > 0 { // each takes a run, and one more for its fix
			continue
		}
		_, file, _ := plant(t, bug)
		_, out, _ := run(file, "--script", "--no-config", "--output-format", "agent")
		found += checkText(bug, out)
		verified += strings.Count(out, "\nverified: ")
	}
	if found < 5 || verified == 0 {
		t.Errorf("%d findings, %d fixes verified", found, verified)
	}
	long := "import torch\n\n\ndef f(x):\n    " + strings.Repeat("a_long_name_", 40) + " = torch.zeros(5, 3) + x; y = x.reshape(" +
		strings.Repeat("1 * ", 200) + "7)\n    return y\n"
	dir := t.TempDir()
	file := filepath.Join(dir, strings.Repeat("folder/", 20)+"net.py")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(long), 0o666); err != nil {
		t.Fatal(err)
	}
	_, out, _ := run(file, "--no-config", "--entry", "f", "--arg", "x:f32[5,4]", "--output-format", "agent")
	if checkText("a long line", out) == 0 {
		t.Errorf("nothing is found:\n%s", out)
	}
}
