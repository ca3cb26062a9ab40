package infer_test

import (
	"testing"

	"shapecheck/infer"
)

// TestThrowOutsideOfABody checks that an exception thrown into a generator that has not
// begun, or has ended, is raised there, as in CPython.
func TestThrowOutsideOfABody(t *testing.T) {
	const text = `
def g():
    yield 1
def thrown(it, exc):
    try:
        it.throw(exc)
    except exc:
        return True
it = g()
assert thrown(it, ValueError)
assert next(it, 5) == 5
it = g()
next(it)
assert next(it, None) is None
assert thrown(it, KeyError)
`
	res, err := infer.Run(infer.Config{File: "throw.py", Text: text, Script: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range res.Diagnostics {
		t.Errorf("%s %s", d.Code, d.Msg)
	}
}
