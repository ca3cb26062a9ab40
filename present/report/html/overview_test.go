package html

import (
	"strings"
	"testing"

	"shapecheck/check/record"
)

// TestOverview has a page of several entries begin with a row for each, and shortens what is long.
func TestOverview(t *testing.T) {
	long := strings.Repeat("T + ", 60) + "1"
	list := []*Entry{
		{ID: "s1", Entry: "A()", File: "a.py", State: "checked", Output: "f32[B]", Contract: []record.Condition{{Condition: "B >= 2"}, {Condition: "B >= 3", Training: true}}},
		{ID: "s2", Entry: "B<i>()", File: "a.py", State: "findings", Findings: []finding{{Severity: "error"}, {Severity: "warning"}, {Severity: "error"}}, Totals: []amount{{Name: "multiply-adds", Text: long}}},
	}
	write := func(list []*Entry) string {
		var out strings.Builder
		if err := (&Page{Title: "t", Entries: list}).Write(&out); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	text := write(list)
	for _, want := range []string{"2 entries: 1 checked, 1 with findings", `<a href="#s1"><code>A()</code></a>`, "<code>B &gt;= 2</code>", "B&lt;i&gt;()", "2 errors", "1 warning",
		`<span title="` + long} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if one := write(list[:1]); strings.Contains(one, "<nav>") {
		t.Error("a page of one entry has an overview")
	}
}
