package cli

import (
	"errors"
	"testing"
)

func TestTheWidthIsThatOfTheTerminal(t *testing.T) {
	none := errors.New("no terminal")
	for _, c := range []struct {
		env      string
		terminal bool
		says     int
		err      error
		want     int
	}{
		{"", true, 0, none, 80}, {"", true, 132, nil, 132}, {"100", true, 132, nil, 100}, {"100", true, 0, none, 100},
		{"x", true, 132, nil, 132}, {"10", true, 132, nil, 132}, {"10", true, 20, nil, 80}, {"", true, 0, nil, 80},
		{"", false, 132, nil, 0}, {"100", false, 0, none, 100}, {"10", false, 132, nil, 0},
	} {
		if got := widthOf(c.env, c.terminal, func() (int, error) { return c.says, c.err }); got != c.want {
			t.Errorf("COLUMNS=%q, %d, %v: %d, want %d", c.env, c.says, c.err, got, c.want)
		}
	}
}
