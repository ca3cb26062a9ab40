package contract

import "testing"

func TestContractsAreComparedByMeaning(t *testing.T) {
	for _, c := range []struct {
		a, b []string
		same bool
	}{
		{nil, nil, true},
		{[]string{"H % 16 == 0"}, []string{"H % 16 == 0"}, true},
		{[]string{"H % 2 == 0", "H % 3 == 0"}, []string{"H % 6 == 0"}, true},
		{[]string{"H >= 3", "H >= 5"}, []string{"5 <= H"}, true},
		{[]string{"A == B", "B == C"}, []string{"C == A", "A == B"}, true},
		{[]string{"H % 16 == 0"}, []string{"H % 32 == 0"}, false},
		{[]string{"H % 16 == 0"}, nil, false},
		{nil, []string{"H % 16 == 0"}, false},
	} {
		if got, err := Same(c.a, c.b); err != nil || got != c.same {
			t.Errorf("%v and %v: %v, %v", c.a, c.b, got, err)
		}
	}
	if _, err := Same([]string{"H +"}, nil); err == nil {
		t.Error("a malformed condition is accepted")
	}
}
