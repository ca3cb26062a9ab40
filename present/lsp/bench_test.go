package lsp

// This file measures what an editor waits for, in processor time. docs/editors.md has the figures.

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"shapecheck/internal/cputime"
)

// benchFiles are files of installed packages that are worked on.
var benchFiles = []string{
	"torchvision/models/resnet.py", "torchvision/models/densenet.py", "torchvision/models/vision_transformer.py",
	"timm/models/vision_transformer.py", "timm/models/convnext.py",
}

// BenchmarkKeystroke checks a file after each of many changes in a forward: processor time of an edit, of the first
// check, and of a hover and all hints of what a check left. SHAPECHECK_SITE is a folder with torchvision and timm.
func BenchmarkKeystroke(b *testing.B) {
	site := os.Getenv("SHAPECHECK_SITE")
	if site == "" {
		b.Skip("SHAPECHECK_SITE names no folder of packages")
	}
	const afterFirst = 400 // as the command has it; before, it collects at 128 MB, which a first check does not reach
	defer debug.SetGCPercent(debug.SetGCPercent(afterFirst))
	for _, name := range benchFiles {
		b.Run(strings.TrimSuffix(strings.ReplaceAll(name, "/", "."), ".py"), func(b *testing.B) {
			data, err := os.ReadFile(filepath.Join(site, name))
			if err != nil {
				b.Fatal(err)
			}
			text, path := string(data), filepath.Join(site, name)
			at := strings.Index(text, "def forward(")
			at += strings.Index(text[at:], ":\n") + 2
			s := newServer(Options{})
			runtime.GC()
			debug.SetGCPercent(-1)
			begin := cputime.Used()
			s.checkNow(b, site, path, text)
			first := cputime.Used() - begin
			debug.SetGCPercent(afterFirst)
			s.checkNow(b, site, path, text)
			const words = "# a word about it"
			b.ResetTimer()
			begin = cputime.Used()
			for i := range b.N {
				s.checkNow(b, site, path, text[:at]+"        "+words[:i%len(words)+1]+"\n"+text[at:])
			}
			b.ReportMetric(milliseconds(cputime.Used()-begin)/float64(b.N), "edit-ms")
			b.StopTimer()
			hover, hints := s.questions(b, path)
			b.ReportMetric(milliseconds(first), "first-ms")
			b.ReportMetric(float64(hover.Microseconds()), "hover-µs")
			b.ReportMetric(float64(hints.Microseconds()), "hints-µs")
		})
	}
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }

// checkNow checks a text of a file and shows what it gave.
func (s *Server) checkNow(t testing.TB, root, path, text string) *view {
	t.Helper()
	s.freshen()
	d := newDocument(uriOf(path), path, 1, text)
	v, err := (&checking{
		document: *d, texts: map[string]string{path: text}, cache: s.cache, modules: s.modules, winners: &s.winners, root: root,
		encoding: utf16Encoding,
	}).run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	d.accept()
	s.docs[d.uri], s.views[d.uri] = d, v
	return v
}

// questions gives the processor time of a hover, over all lines of a file, and of its hints.
func (s *Server) questions(t testing.TB, path string) (hover, hints time.Duration) {
	uri := uriOf(path)
	lines, answers := len(s.docs[uri].lines), 0
	begin := cputime.Used()
	for line := range lines {
		h, err := s.hover(context.Background(), &positioned{TextDocument: textDocument{URI: uri}, Position: position{line, 12}})
		if err != nil {
			t.Fatal(err)
		}
		if h != nil {
			answers++
		}
	}
	hover = (cputime.Used() - begin) / time.Duration(lines)
	begin = cputime.Used()
	const rounds = 20
	shown := 0
	for range rounds {
		list, err := s.inlayHints(context.Background(), &ranged{TextDocument: textDocument{URI: uri}, Range: textRange{End: position{lines, 0}}})
		if err != nil {
			t.Fatal(err)
		}
		shown += len(list)
	}
	if answers == 0 || shown == 0 {
		t.Fatalf("%d lines with a hover, %d hints", answers, shown)
	}
	return hover, (cputime.Used() - begin) / rounds
}

// What was checked is shown without a check: within 2 ms.
func TestQuestionsAreCheap(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "net.py")
	if err := os.WriteFile(filepath.Join(dir, "parts.py"), []byte(beside), 0o666); err != nil {
		t.Fatal(err)
	}
	s := newServer(Options{})
	s.checkNow(t, dir, path, strings.Replace(edited, "depth=3", "depth=60", 1))
	if hover, hints := s.questions(t, path); hover > 2*time.Millisecond || hints > 2*time.Millisecond {
		t.Errorf("a hover takes %v, hints take %v", hover, hints)
	}
}
