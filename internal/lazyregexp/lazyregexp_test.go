package lazyregexp

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestMethodsAreThoseOfRegexp(t *testing.T) {
	const pattern, text = `(\w)(\d+)`, "a12 b3, c"
	r, want := New(pattern), regexp.MustCompile(pattern)
	switch {
	case !r.MatchString(text) || r.MatchString("a"):
		t.Error("MatchString")
	case !slices.Equal(r.FindAllString(text, -1), want.FindAllString(text, -1)):
		t.Error("FindAllString")
	case string(r.Find([]byte(text))) != "a12" || r.Find([]byte("a")) != nil:
		t.Error("Find")
	case !slices.Equal(r.FindStringSubmatchIndex(text), want.FindStringSubmatchIndex(text)):
		t.Error("FindStringSubmatchIndex")
	case !slices.Equal(r.FindStringSubmatch(text), want.FindStringSubmatch(text)):
		t.Error("FindStringSubmatch")
	case !slices.EqualFunc(r.FindAllStringSubmatch(text, -1), want.FindAllStringSubmatch(text, -1), slices.Equal):
		t.Error("FindAllStringSubmatch")
	case !slices.EqualFunc(r.FindAllStringSubmatchIndex(text, 1), want.FindAllStringSubmatchIndex(text, 1), slices.Equal):
		t.Error("FindAllStringSubmatchIndex")
	case r.ReplaceAllString(text, "$2$1") != want.ReplaceAllString(text, "$2$1"):
		t.Error("ReplaceAllString")
	case r.ReplaceAllStringFunc(text, strings.ToUpper) != "A12 B3, c":
		t.Error("ReplaceAllStringFunc")
	}
}
