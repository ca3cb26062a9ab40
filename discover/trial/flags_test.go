package trial

import "testing"

func TestClassesAreFoundAtTheTopOfATextAlone(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"class Net:\n", 0},
		{"class Net", 0},
		{"class Network:\n\nclass Net(Base):\n", 16},
		{"class Net2:\n  class Net:\n", -1},
		{"# class Net\nx = 1\nclass Net():\n", 18},
		{"subclass Net\n", -1},
		{"class Net_:\n", -1},
		{"", -1},
	} {
		if got := classAtTop(c.text, "Net"); got != c.want {
			t.Errorf("classAtTop(%q) = %d, want %d", c.text, got, c.want)
		}
	}
}
