package cli

// This file tests what is accepted for a time.

import (
	"strings"
	"testing"
)

const crf = `from torch import nn


class Crf(nn.Module):
    def __init__(self, settings):
        super().__init__()
        if settings["kind"] != "base":
            raise ValueError(f"unknown kind {settings['kind']}")
        self.fc = nn.Linear(settings["width"], 8)

    def forward(self, x):
        return self.fc(x)


class Other(nn.Module):
    def __init__(self, settings):
        super().__init__()
        if settings["kind"] != "base":
            raise ValueError(f"unknown kind {settings['kind']}")
        self.fc = nn.Linear(settings["width"], 8)

    def forward(self, x):
        return self.fc(x)
`

func TestStatesAreAcceptedForATime(t *testing.T) {
	above := func(comment string) string { return strings.Replace(crf, "class Crf", comment+"\nclass Crf", 1) }
	const later = `# shapecheck: accept unsettled until=2999-03-01 "needs the real labels"`
	const over = `# shapecheck: accept unsettled until=2001-03-01 "needs the real labels"`
	for _, s := range []story{
		{name: "nothing", args: "crf.py --strict", files: map[string]string{"crf.py": crf}, code: 1, says: []string{"2 unsettled"}, not: []string{"accepted"}},
		{name: "an entry", args: "crf.py --strict", files: map[string]string{"crf.py": above(later)}, code: 1,
			says: []string{"2 unsettled, 1 of them accepted", "Other fails"}, not: []string{"Crf fails"}},
		{name: "in the class", args: "crf.py --strict", code: 1, says: []string{"2 unsettled, 1 of them accepted"},
			files: map[string]string{"crf.py": strings.Replace(crf, "        self.fc", "        "+later+"\n        self.fc", 1)}},
		{name: "a file", args: "crf.py --strict", files: map[string]string{"crf.py": later + "\n" + crf}, says: []string{"2 unsettled, 2 of them accepted"}},
		{name: "expired", args: "crf.py --strict", files: map[string]string{"crf.py": over + "\n" + crf}, code: 1, says: []string{"2 unsettled"}, not: []string{"accepted"}},
		{name: "statistics", args: "crf.py --statistics", files: map[string]string{"crf.py": over + "\n" + above(later)},
			says: []string{"crf.py:1: unsettled counts again since 2001-03-01: needs the real labels\n",
				"crf.py:5 Crf: unsettled accepted until 2999-03-01: needs the real labels\n"}},
		{name: "json", args: "crf.py --output-format json", files: map[string]string{"crf.py": above(later)},
			says: []string{`"accepted": "until 2999-03-01: needs the real labels"`}},
		{name: "configuration", args: ". --strict", code: 1, says: []string{"2 unsettled, 1 of them accepted"}, files: map[string]string{"crf.py": crf,
			"shapecheck.toml": "[[accept]]\nfile = 'crf.py'\nentry = 'Other'\nwhat = ['unsettled']\nuntil = '2999-03-01'\nreason = 'why'\n"}},
		{name: "an unknown key", args: ".", code: 2, says: []string{"accept 1: 'unsetled' is neither a code nor one of the states"}, files: map[string]string{"crf.py": crf,
			"shapecheck.toml": "[[accept]]\nfile = 'crf.py'\nwhat = ['unsetled']\nuntil = '2999-03-01'\nreason = 'why'\n"}},
	} {
		t.Run(s.name, s.run)
	}
}

func TestCodesAreAcceptedForATime(t *testing.T) {
	const wide = "from torch import nn\n\n\nclass Net(nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a = nn.Linear(4, 3)\n\n" +
		"    def forward(self, x):\n        return self.a(x)\n"
	for _, s := range []story{
		{name: "a code", args: "net.py --arg x:f32[B,5]", files: map[string]string{"net.py": `# shapecheck: accept SC101 until=2999-03-01 "waits"` + "\n" + wide}},
		{name: "expired", args: "net.py --arg x:f32[B,5]", code: 1, says: []string{"SC101"},
			files: map[string]string{"net.py": `# shapecheck: accept SC101 until=2001-03-01 "waits"` + "\n" + wide}},
		{name: "nothing to accept", args: "net.py --arg x:f32[B,4]", code: 1, says: []string{"SC101 is not reported here"},
			files: map[string]string{"net.py": `# shapecheck: accept SC101 until=2999-03-01 "waits"` + "\n" + wide}},
	} {
		t.Run(s.name, s.run)
	}
	for comment, want := range map[string]string{
		`accept SC101 until=2999-03-01`:                "the reason is missing",
		`accept SC101 until=2999-03-01 ""`:             "the reason is empty",
		`accept SC101 "waits"`:                         "the last day is missing",
		`accept until=2999-03-01 "waits"`:              "no state or code is named",
		`accept SC101 until=tomorrow "waits"`:          "'tomorrow' is no day",
		`accept SC1 unsettled until=2999-03-01 "w"`:    "'SC1' is neither a code nor one of the states",
		`acept unsettled until=2999-03-01 "why it is"`: "there is no comment 'acept'",
	} {
		story{name: comment, args: "net.py --arg x:f32[B,4]", code: 1, says: []string{"SC692", want},
			files: map[string]string{"net.py": "# shapecheck: " + comment + "\n" + wide}}.run(t)
	}
}
