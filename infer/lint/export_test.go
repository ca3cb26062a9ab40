package lint

import (
	"reflect"
	"runtime"
	"strings"
	"sync"

	"shapecheck/infer/graph"
	"shapecheck/internal/diag"
)

// WatchRules notes which rules report something from now on. The result tells it: code and
// function of each rule, and whether it did.
func WatchRules() func() map[string]bool {
	var mu sync.Mutex
	reported := map[string]bool{}
	for i := range rules {
		r := &rules[i]
		name := runtime.FuncForPC(reflect.ValueOf(r.check).Pointer()).Name()
		name = string(r.code) + " " + name[strings.LastIndexByte(name, '.')+1:]
		reported[name] = false
		check := r.check
		r.check = func(l *linter, n *graph.Node) {
			report := l.Report
			l.Report = func(d *diag.Diagnostic) {
				mu.Lock()
				reported[name] = true
				mu.Unlock()
				report(d)
			}
			check(l, n)
			l.Report = report
		}
	}
	return func() map[string]bool { return reported }
}
