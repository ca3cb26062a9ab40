package closest

import (
	"strings"
	"testing"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b        string
		limit, want int
	}{
		{"", "", 3, 0},
		{"conv", "conv", 3, 0},
		{"conv", "cnov", 3, 1}, // exchanged
		{"conv1", "conv2", 3, 1},
		{"conv", "conv2d", 3, 2},
		{"conv", "conv2d", 2, 2},
		{"kitten", "sitting", 9, 3},
		{"ca", "abc", 9, 3}, // no letter is edited twice
		{"", "abc", 9, 3},
		{"abcdef", "ghijkl", 4, 4},
		{strings.Repeat("x", 300), strings.Repeat("x", 300), 5, 5},
	} {
		if got := Distance(c.a, c.b, c.limit); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.a, c.b, c.limit, got, c.want)
		}
		if got := Distance(c.b, c.a, c.limit); got != c.want {
			t.Errorf("Distance(%q, %q, %d) = %d, want %d", c.b, c.a, c.limit, got, c.want)
		}
	}
}

func TestName(t *testing.T) {
	names := []string{"weight", "bias", "height", "eight"}
	for s, want := range map[string]string{"wieght": "weight", "bais": "bias", "heights": "height", "momentum": ""} {
		if got := Name(s, names, 3); got != want {
			t.Errorf("Name(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestIdentifier(t *testing.T) {
	names := []string{"n", "h", "xs", "dim", "__ne__"}
	for s, want := range map[string]string{"H": "h", "J": "", "x": "xs", "din": "dim", "hh": "h", "n": ""} {
		if got := Identifier(s, names); got != want {
			t.Errorf("Identifier(%q) = %q, want %q", s, got, want)
		}
	}
}
