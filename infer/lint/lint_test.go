package lint

import "testing"

// TestRulesSayWhatTheyLookAt: a rule without forms and traits would look at every node.
func TestRulesSayWhatTheyLookAt(t *testing.T) {
	for i := range rules {
		if r := &rules[i]; len(r.forms) == 0 && r.is == 0 {
			t.Errorf("the rule of %s names no forms and no traits", r.code)
		}
	}
}
