package playground

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The gallery's programs say what their names promise.
func TestGallery(t *testing.T) {
	data, err := os.ReadFile("../../web/playground/gallery.json")
	if err != nil {
		t.Fatal(err)
	}
	var list []struct {
		Name, Says string
		Request
	}
	if err := json.Unmarshal(data, &list); err != nil || len(list) != 8 {
		t.Fatalf("%d programs, %v", len(list), err)
	}
	c := New()
	for _, x := range list {
		r := c.Check(context.Background(), &x.Request)
		if text := strings.Join(r.Sections, "\n"); r.Error != "" || !strings.Contains(text, x.Says) {
			t.Errorf("%s: error %q, no %q, findings %d", x.Name, r.Error, x.Says, r.Findings)
		}
	}
}

func TestFaultsAreAnswered(t *testing.T) {
	c := New()
	for _, x := range []struct{ request, want string }{
		{`{`, "unexpected EOF"}, {`{"texts": ""}`, "unknown field"}, {`{"text": ""}`, "nothing was found to check"},
		{`{"text": "x = 1", "entry": "f"}`, "f"}, {`{"text": "def f(x): return x", "entry": "f", "args": ["x:f32[("]}`, "f32"},
	} {
		var r Response
		if err := json.Unmarshal(c.CheckJSON(context.Background(), []byte(x.request)), &r); err != nil {
			t.Fatal(err)
		}
		if len(r.Sections) == 0 && !strings.Contains(r.Error, x.want) || len(r.Sections) > 0 && !strings.Contains(r.Sections[0], x.want) {
			t.Errorf("%s: %+v", x.request, r)
		}
	}
	// What one check did does not change the next.
	q := &Request{Text: "def f(x):\n    return x + 1\n", Entry: "f", Args: []string{"x:f32[B]"}}
	a, b := c.Check(context.Background(), q), c.Check(context.Background(), q)
	if len(a.Sections) != 1 || a.Sections[0] != b.Sections[0] {
		t.Errorf("%v, then %v", a, b)
	}
	if r := c.Check(context.Background(),
		&Request{Text: "import os\nprint(open('/etc/passwd').read())\n"}); strings.Contains(strings.Join(r.Sections, ""), "root:") {
		t.Error("a program reads the disk")
	}
}

// TestLines has what each line makes, by the first entry that runs it, and the severity of findings.
func TestLines(t *testing.T) {
	r := New().Check(t.Context(), &Request{Text: "import torch\n\n\ndef f(x: torch.Tensor):\n    y = x.sum(0)\n    return y @ y.new_zeros(3, 4)\n",
		Entry: "f", Args: []string{"x:f32[N,7]"}})
	want := []Line{{Number: 5, Type: "f32[7]"}, {Number: 6, Type: r.lineOf(6).Type, Severity: "error"}}
	if diff := cmp.Diff(want, r.Lines); diff != "" || r.Findings != 1 {
		t.Errorf("%d findings, %s", r.Findings, diff)
	}
}

func (r *Response) lineOf(n int) Line {
	for _, l := range r.Lines {
		if l.Number == n {
			return l
		}
	}
	return Line{}
}
