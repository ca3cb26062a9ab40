package lib

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// TestRegexp compares findall-style spans and groups with what CPython 3.12
// gives (testdata/re.jsonl: pattern, flags, text, spans of all groups of all
// matches, or null when the pattern is an error).
func TestRegexp(t *testing.T) {
	f, err := os.Open("testdata/re.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n := 0
	for sc := bufio.NewScanner(f); sc.Scan(); n++ {
		var c struct {
			Pattern string
			Flags   int
			Text    string
			Spans   *[][]int
			Last    []int
		}
		if err := json.Unmarshal(sc.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		p, err := reCompile(c.Pattern, c.Flags)
		if (err != nil) != (c.Spans == nil) {
			t.Errorf("%q: error %v, CPython accepts: %v", c.Pattern, err, c.Spans != nil)
			continue
		}
		if err != nil {
			continue
		}
		list, ok, err := p.all(newTestThread(), []rune(c.Text), 0, 0)
		if err != nil {
			t.Fatal(err)
		}
		same := ok && len(list) == len(*c.Spans)
		for i := range list {
			if !same {
				break
			}
			same = len(list[i].caps) == len((*c.Spans)[i]) && list[i].last == c.Last[i]
			for j := range list[i].caps {
				same = same && list[i].caps[j] == (*c.Spans)[i][j]
			}
		}
		if !same {
			t.Errorf("%q flags %d on %q:", c.Pattern, c.Flags, c.Text)
			for _, f := range list {
				t.Errorf("\tgot %v last %d", f.caps, f.last)
			}
			t.Errorf("\twant %v last %v", *c.Spans, c.Last)
		}
	}
	if n < 90 {
		t.Errorf("only %d cases", n)
	}
}
