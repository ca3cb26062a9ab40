package cli

import (
	"os"
	"strings"
	"testing"

	"shapecheck/check"
)

const blocks = `import torch
from torch import nn

width = 4


class EncoderBlock(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = nn.Linear(n, width)

    def forward(self, x, mask, *, drop=0.1):
        return self.a(x) * mask


class Encoder(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.a = EncoderBlock(n)

    def forward(self, x, mask=None):
        return self.a(x, mask)


def tune():
    global rate
    rate = 1
`

func TestSlipsAreAnsweredWithWhatWasMeant(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("net.py", []byte(blocks), 0o666); err != nil {
		t.Fatal(err)
	}
	block := []string{"net.py", "--entry", "EncoderBlock(3)"}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"chekc", "net.py"}, "chekc: no such command or file; did you mean check?"},
		{[]string{"exprt"}, "did you mean export?"},
		{[]string{"nte.py"}, "nte.py: no such file; did you mean net.py?"},
		{[]string{"net.py", "--outputformat", "json"}, "did you mean --output-format?"},
		{[]string{"export", "net.py", "--opst", "3"}, "did you mean --opset?"},
		{[]string{"net.py", "--output-format", "jsn"}, "did you mean json?"},
		{[]string{"net.py", "--entry", "Encodr(3)"}, "name 'Encodr' is not defined; did you mean Encoder?"},
		{[]string{"net.py", "--entry", "EncoderBlock", "--no-guess"}, "EncoderBlock is a class that needs arguments: EncoderBlock(n)"},
		{[]string{"net.py", "--entry", "EncoderBlock()"}, "it is EncoderBlock(n)"},
		{append(block, "--arg", "x:f32[2,3]", "--no-guess"), "forward(x, mask, *, drop=0.1) needs mask"},
		{append(block, "--arg", "x:flot32[2,3]"), "there is no type flot32; did you mean float32?"},
		{append(block, "--arg", "x:itn"), "there is no type itn; did you mean int?"},
		{append(block, "--arg", "x:f32[2,3]", "--arg", "mask=1", "--set", "wdith=3"),
			"--set wdith: net.py has no global of that name; did you mean width?"},
	} {
		code, stdout, stderr := run(append(c.args, "--no-config")...)
		if code != check.ExitUsage || !strings.Contains(stderr, c.want) {
			t.Errorf("%q: exit code %d\n%s%s", c.args, code, stdout, stderr)
		}
	}
	for _, set := range []string{"width=3", "rate=2"} {
		if code, stdout, stderr := run(append(block, "--arg", "x:f32[2,3]", "--arg", "mask=1", "--set", set,
			"--no-config")...); code != check.ExitClean {
			t.Errorf("--set %s: exit code %d\n%s%s", set, code, stdout, stderr)
		}
	}
}

func TestFlagsAroundScriptsAreToldApart(t *testing.T) {
	t.Chdir(t.TempDir())
	const zeros = "x = torch.zeros(3)\n"
	for name, text := range map[string]string{
		"plain.py": "import torch\nx = torch.zeros(3)\n",
		"parse.py": "import argparse\nimport torch\np = argparse.ArgumentParser()\np.add_argument('--device')\np.add_argument('-n', type=int)\n" +
			"a = p.parse_args()\nx = torch.zeros(a.n)\ny = torch.zeros(len(a.device))\n",
		"remark.py": "# shapecheck remark.py --timeout 9s\nimport torch\n\n  # with another device\nx = torch.zeros(3)\nimport sys\nassert len(sys.argv) == 1\n",
		"prose.py":  "\"\"\"Moves to the device.\"\"\"\nimport torch\nif not torch:\n    raise ValueError('no device')\n" + zeros,
		"word.py":   "import flags\nimport torch\nflags.string('device', 'cpu')\n" + zeros,
		"usage.py":  "\"\"\"Usage: usage.py [--device NAME]\"\"\"\nimport docopt\nimport torch\ndocopt.docopt(__doc__)\n" + zeros,
		"names.py":  "import fire\nimport torch\n\n\ndef main(device='cpu'):\n    return torch.zeros(3)\n\n\nmain()\nfire.Fire(main)\n",
	} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir("lib", 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line       string
		code       int
		out, noted string
	}{
		{"plain.py --script --output-format concise", check.ExitClean, "", ""},
		{"plain.py --script --path lib", check.ExitClean, "f32[3]", ""},
		{"plain.py --script --path nowhere", check.ExitUsage, "", "--path nowhere: no such directory"},
		{"plain.py --script -- --path nowhere", check.ExitClean, "f32[3]", ""},
		{"plain.py --script --path lib -- --path nowhere", check.ExitClean, "f32[3]", ""},
		{"parse.py --script -n 3 --device cuda0", check.ExitClean, "f32[5]", ""},
		{"--device cpu parse.py --script -n 3 --device cuda0", check.ExitClean, "f32[5]", ""},
		{"parse.py --script --device cpu -- -n 3 --device cuda0", check.ExitClean, "f32[5]", ""},
		{"parse.py --script -n 3 --device cuda0 --output-format json", check.ExitClean, `"f32[5]"`, ""},
		{"--script parse.py -n 3 --device cuda0 --output-format=json", check.ExitClean, `"f32[5]"`, ""},
		{"remark.py --script --device cpu --timeout 9s", check.ExitClean, "f32[3]", ""},
		{"prose.py --script --device cpu", check.ExitClean, "f32[3]", ""},
		{"word.py --script --device cuda0", check.ExitClean, "f32[3]", "note: --device is given to the script"},
		{"usage.py --script --device cuda0", check.ExitClean, "f32[3]", ""},
		{"names.py --script --device cuda0", check.ExitClean, "f32[3]", "note: --device is given to the script"},
	} {
		code, stdout, stderr := run(append([]string{"--no-config"}, strings.Fields(c.line)...)...)
		if code != c.code || !strings.Contains(stdout, c.out) || !strings.Contains(stderr, c.noted) || c.noted == "" && stderr != "" {
			t.Errorf("%s: exit code %d\n%s%s", c.line, code, stdout, stderr)
		}
	}
}
