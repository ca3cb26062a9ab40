package infer

import (
	"bufio"
	"compress/gzip"
	"os"
	"strings"
	"testing"

	"shapecheck/infer/value"
)

func TestZZ(t *testing.T) {
	f, _ := os.Open("lib/testdata/builtins.tsv.gz")
	z, _ := gzip.NewReader(f)
	un := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r")
	s := bufio.NewScanner(z)
	s.Buffer(nil, 1<<20)
	var cases [][2]string
	for s.Scan() {
		a, b, _ := strings.Cut(s.Text(), "\t")
		a, b = un.Replace(a), un.Replace(b)
		if strings.Contains(a, "; ") || strings.Contains(b, "KeyError") || strings.Contains(a, "\n") {
			continue
		}
		cases = append(cases, [2]string{a, b})
	}
	bad := 0
	for lo := 0; lo < len(cases); lo += 1000 {
		hi := min(lo+1000, len(cases))
		var b strings.Builder
		b.WriteString("def run(f):\n    try:\n        return repr(f())\n    except Exception as e:\n        return '!' + type(e).__name__ + ': ' + str(e)\ndef main():\n    out = []\n")
		for _, c := range cases[lo:hi] {
			b.WriteString("    out.append(run(lambda: " + c[0] + "))\n")
		}
		b.WriteString("    return out\n")
		res, err := Run(Config{Text: b.String(), File: "t.py", Entry: "main"})
		if err != nil {
			t.Fatal(lo, err)
		}
		l, ok := res.Output.(*value.List)
		if !ok || len(l.Elems) != hi-lo {
			t.Errorf("%d: %v", lo, res.Output)
			for _, d := range res.Diagnostics[:min(3, len(res.Diagnostics))] {
				t.Log(d.Msg, d.Args)
			}
			continue
		}
		for i, e := range l.Elems {
			got, ok := value.AsStr(e)
			if !ok {
				got = "?" + e.String()
				if !strings.HasPrefix(cases[lo+i][1], "!") {
					continue
				}
			}
			if got != cases[lo+i][1] {
				if bad++; bad < 100 {
					t.Logf("%s\n got %s\nwant %s", cases[lo+i][0], got, cases[lo+i][1])
				}
			}
		}
	}
	t.Log(bad, len(cases))
}
