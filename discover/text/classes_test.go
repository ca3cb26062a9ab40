package text

import (
	"regexp"
	"strings"
	"testing"
)

func TestClassTextsAgreeWithTheLines(t *testing.T) {
	line := regexp.MustCompile(`(?m)^class +(\w+)`)
	parts := []string{"class A:\n", "class  B_1(A):\n", " class C:\n", "\n", "    x: int\n", "classD:\n", "class :\n", "class \u00e9:\n",
		"class", "class E"}
	for n := range 10 * 10 * 10 * 10 {
		var b strings.Builder
		for i := n; i > 0; i /= 10 {
			b.WriteString(parts[i%10])
		}
		text := b.String()
		var want, got []string
		starts := line.FindAllStringSubmatchIndex(text, -1)
		for i, m := range starts {
			end := len(text)
			if i+1 < len(starts) {
				end = starts[i+1][0]
			}
			want = append(want, text[m[2]:m[3]], text[m[0]:end])
		}
		for name, body := range classTexts(text) {
			got = append(got, name, body)
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Fatalf("%q: got %q, want %q", text, got, want)
		}
	}
}
