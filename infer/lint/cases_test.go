package lint_test

import (
	"os"
	"strings"
	"testing"

	"shapecheck/infer/lint"
	"shapecheck/internal/diag"
	"shapecheck/tools/golden"
)

// TestEveryRuleHasACase: each rule reports something in testdata/lint, and each code of the
// dimension lint is expected there.
func TestEveryRuleHasACase(t *testing.T) {
	reported := lint.WatchRules()
	t.Run("cases", func(t *testing.T) { golden.Run(t, "../../testdata/lint") })
	for rule, ok := range reported() {
		if !ok {
			t.Errorf("no case in testdata/lint has a finding of the rule %s", rule)
		}
	}
	text, err := os.ReadFile("../../testdata/lint/wrong.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range diag.Codes() {
		if strings.HasPrefix(string(c.Code), "SC4") && !strings.Contains(string(text), ": "+string(c.Code)) {
			t.Errorf("testdata/lint/wrong.txtar expects no finding of %s (%s)", c.Code, c.Title)
		}
	}
}
