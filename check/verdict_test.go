package check

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shapecheck/infer"
	"shapecheck/internal/diag"
)

// The exit code follows from the states of the entries.
func TestExitCodeOfStates(t *testing.T) {
	entry := func(basis Basis, checked bool, unsettled string, severity ...diag.Severity) Outcome {
		r := &Result{Result: &infer.Result{Checked: checked}, Target: &Target{Basis: basis}, Unsettled: unsettled}
		for _, s := range severity {
			r.Diagnostics = append(r.Diagnostics, &diag.Diagnostic{Code: diag.ShapeMismatch, Severity: s})
		}
		return Outcome{Result: r}
	}
	found := entry(BasisGiven, true, "", diag.Info, diag.Warning)
	verified, weak := entry(BasisRead, true, "", diag.Info), entry(BasisWeak, true, "")
	unsettled, not := entry(BasisWeak, true, "it fails"), entry(BasisGiven, false, "")
	missing := entry(BasisWeak, true, "it is not known")
	missing.Result.Missing = true
	for i, x := range []Outcome{found, verified, weak, unsettled, not} {
		if got := x.State(); got != State(i) {
			t.Errorf("%s, not %s", got, State(i))
		}
		if s, ok := StateNamed(State(i).String()); !ok || s != State(i) {
			t.Errorf("%s is called %s", State(i), s)
		}
	}
	if s := missing.State(); s != NotChecked {
		t.Errorf("without a module it is %s", s)
	}
	if s := (&Outcome{Err: errors.New("no such entry")}).State(); s != NotChecked {
		t.Errorf("what cannot be run is %s", s)
	}
	for _, c := range []struct {
		entries      []Outcome
		code, strict int
	}{
		{nil, ExitClean, ExitClean},
		{[]Outcome{verified}, ExitClean, ExitClean},
		{[]Outcome{verified, weak}, ExitClean, ExitFindings},
		{[]Outcome{unsettled}, ExitClean, ExitFindings},
		{[]Outcome{not, unsettled}, ExitClean, ExitFindings},
		{[]Outcome{not, missing}, ExitUsage, ExitUsage},
		{[]Outcome{not, found}, ExitFindings, ExitFindings},
		{[]Outcome{verified, {Err: errors.New("no such entry")}}, ExitUsage, ExitUsage},
	} {
		for strict, want := range map[bool]int{false: c.code, true: c.strict} {
			if got := (&Project{Entries: c.entries, Strict: strict}).ExitCode(); got != want {
				t.Errorf("%v, strict: %v: %d, not %d", (&Project{Entries: c.entries}).Count(), strict, got, want)
			}
		}
	}
}

// Each state has a name of its own and a row in both guides, with its mark, and the schemas of both documents have it.
func TestEveryStateIsDocumented(t *testing.T) {
	read := func(name string) string {
		text, err := os.ReadFile(filepath.Join("../docs", name))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	usage, unsettled := read("usage.md"), read("unsettled.md")
	schemas := map[string]string{"json-schema.json": read("json-schema.json"), "project-schema.json": read("project-schema.json")}
	var names []string
	for s := range numStates {
		if s.String() == "" || slices.Contains(names, s.String()) || s.Mark(false) == "" || s.Mark(true) == "" {
			t.Errorf("state %d, %q, has no name of its own, or no marks", s, s)
		}
		names = append(names, s.String())
		if row := "\n| `" + s.String() + "` | `" + s.Mark(false) + "` | "; strings.Count(usage, row) != 1 {
			t.Errorf("docs/usage.md has no row, or several, of the state %q", s)
		}
		if row := "\n| " + s.Mark(false) + " | " + s.String() + " | "; strings.Count(unsettled, row) != 1 {
			t.Errorf("docs/unsettled.md has no row, or several, of the state %q", s)
		}
	}
	list := `"state": {"enum": ["` + strings.Join(names, `", "`) + `"]`
	for name, text := range schemas {
		if !strings.Contains(text, list) {
			t.Errorf("docs/%s does not have %s", name, list)
		}
	}
}
