package cli

import (
	"errors"
	"testing"
)

func TestTheWidthIsThatOfTheTerminal(t *testing.T) {
	none := errors.New("no terminal")
	for _, c := range []struct {
		env  string
		says int
		err  error
		want int
	}{
		{"", 0, none, 80}, {"", 132, nil, 132}, {"100", 132, nil, 100}, {"100", 0, none, 100},
		{"x", 132, nil, 132}, {"10", 132, nil, 132}, {"10", 20, nil, 80}, {"", 0, nil, 80},
	} {
		if got := columns(c.env, func() (int, error) { return c.says, c.err }); got != c.want {
			t.Errorf("COLUMNS=%q, %d, %v: %d, want %d", c.env, c.says, c.err, got, c.want)
		}
	}
}
