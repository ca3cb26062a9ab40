package html_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/present/report/html"
)

// hostile has markup wherever a program can put some.
const hostile = `import torch
from torch import nn


class Net(nn.Module):
    "</script><img src=x onerror=alert(1)>"

    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(8, 4)

    def forward(self, x, flag=False):
        text = f"<b>{x.shape[0]}</b>&amp;"  # <i>
        if flag:
            x = x + 1
        y = self.fc(x)
        raise ValueError("<script>alert('x')</script>") if x.shape[0] == 3 else ValueError(text)


def early(x):
    return x[:, :5] @ torch.zeros(6, 2)
`

func section(t *testing.T, text string, args ...string) string {
	return entry(t, text, args...).Section()
}

func entry(t *testing.T, text string, args ...string) *html.Entry {
	t.Helper()
	r, err := infer.Run(infer.Config{File: "<b>.py", Text: text, Entry: args[0], Args: args[1:]})
	if err != nil {
		t.Fatal(err)
	}
	return html.Of(r, "shapecheck export '<b>.py'")
}

var tags = regexp.MustCompile(`</?([a-zA-Z!][a-zA-Z0-9]*)`)

func TestProgramsCannotAddMarkup(t *testing.T) {
	for _, s := range []string{section(t, hostile, "Net()", "x:f32[3,8]"), section(t, hostile, "early", "x:f32[B,9]")} {
		for _, m := range tags.FindAllStringSubmatch(s, -1) {
			if !strings.Contains(" section h2 h3 code p ul li span a div table tr td br dl dt dd figure figcaption script details summary pre b ",
				" "+m[1]+" ") {
				t.Errorf("the page has a tag %s", m[0])
			}
		}
		for _, bad := range []string{"<img", "<script>alert", "onerror=alert(1)>", "<b>{"} {
			if strings.Contains(s, bad) {
				t.Errorf("the page has %s", bad)
			}
		}
		if n := strings.Count(s, "<script"); n != strings.Count(s, `<script type="application/json">`) {
			t.Error("a section has scripts")
		}
	}
}

// Data that anyone may have written gives the same section, and no markup of its own.
func TestDataCannotAddMarkup(t *testing.T) {
	e := entry(t, hostile, "Net()", "x:f32[3,8]")
	data, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	back, err := html.Read(data)
	if err != nil || back.Section() != e.Section() {
		t.Errorf("%v: the section that is read is\n%s\nnot\n%s", err, back.Section(), e.Section())
	}
	const bad = `"'><script>alert(1)</script><img src=x>`
	texts := 0
	var spoil func(x any) any
	spoil = func(x any) any {
		switch x := x.(type) {
		case string:
			texts++
			return bad
		case []any:
			for i := range x {
				x[i] = spoil(x[i])
			}
		case map[string]any:
			for k := range x {
				x[k] = spoil(x[k])
			}
		}
		return x
	}
	var doc any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	if data, err = json.Marshal(spoil(doc)); err != nil {
		t.Fatal(err)
	}
	if back, err = html.Read(data); err != nil {
		t.Fatal(err)
	}
	if s := back.Section(); texts < 100 || strings.Contains(s, "<script>alert") || strings.Contains(s, "<img") || strings.Contains(s, `"'>`) {
		t.Errorf("%d texts make\n%s", texts, s)
	}
	for _, broken := range []string{
		`{`, `{"files": [null]}`, `{"files": [{"lines": [{"findings": [0]}]}]}`, `{"findings": [{}], "files": [{"lines": [{"findings": [-1]}]}]}`,
	} {
		if _, err := html.Read([]byte(broken)); err == nil {
			t.Errorf("%s is read", broken)
		}
	}
}

func TestASectionShowsEverything(t *testing.T) {
	s := section(t, hostile, "early", "x:f32[B,9]")
	for _, want := range []string{
		`data-symbols="B" data-example="`, "SC101", "early</code>", `<b class=k>def</b> early(x):`, `<b class=c># &lt;i&gt;</b>`, "how the sizes came about",
		`<code>shapecheck export &#39;&lt;b&gt;.py&#39;</code>`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%s is missing", want)
		}
	}
	ids := regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(s, -1)
	met := map[string]bool{}
	for _, id := range ids {
		if met[id[1]] {
			t.Errorf("two places are called %s", id[1])
		}
		met[id[1]] = true
	}
	for _, link := range regexp.MustCompile(`href="#([^"]*)"`).FindAllStringSubmatch(s, -1) {
		if !met[link[1]] {
			t.Errorf("a link leads to %s, which is nowhere", link[1])
		}
	}
}

func TestModelsHaveTreesContractsAndAmounts(t *testing.T) {
	const text = `from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Conv2d(3, 8, 3, stride=2, padding=1), nn.ReLU())
        self.fc = nn.Linear(8 * 7 * 7, 10)
        self.deep = False

    def forward(self, x):
        x = self.body(x)
        if self.deep:
            x = x + 1
        return self.fc(x.flatten(1))
`
	s := section(t, text, "Net()", "x:f32[B,3,H,W]")
	for _, want := range []string{
		`<code class="type">f32[B,10]</code>`, `data-cond="ceil(H / 2)*ceil(W / 2) == 49"`, `data-symbols="B H W" data-example="B=`,
		`<b>Conv2d</b>`, `body: <b>Sequential</b>`, "Not taken", `class="line dim"`, `<dt>parameters<dd data-expr="4154" data-unit="">`,
		`"amounts":[`, `class="type">f32[B,8,ceil(H/2),ceil(W/2)]</code>`,
	} {
		if !strings.Contains(s, want) {
			t.Errorf("%s is missing", want)
		}
	}
	var b strings.Builder
	p := html.Page{Title: "a <title>", Sections: []string{s}, Notes: []string{"<note>"}, Version: `"1"`}
	if err := p.Write(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	if strings.Contains(page, "<note>") || strings.Contains(page, "a <title>") || !strings.Contains(page, html.Script()) {
		t.Error("titles and notes are markup, or the script is changed")
	}
	if at := regexp.MustCompile(`(?i)https?://|\bsrc=|@import|url\(`).FindString(strings.ReplaceAll(page, "http://www.w3.org/2000/svg",
		"")); at != "" {
		t.Errorf("the page asks for something: %s", at)
	}
}
