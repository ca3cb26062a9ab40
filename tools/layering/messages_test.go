package layering

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// askedMessage is a question about the text of a finding.
var askedMessage = regexp.MustCompile(
	`strings\.(Contains|HasPrefix|HasSuffix|Index|Cut|CutPrefix|CutSuffix|EqualFold|Split|Fields)\w*\([^;]*\bd\.Msg\b|\.said\(\)`)

// messagesAsked are the lines that may ask, by their files, and why.
var messagesAsked = map[string]string{
	"internal/diag/place": "a message in one line",
}

// TestMessagesAreForPeople finds code that decides by the words of a finding: those are for people, and change. What a finding comes
// down to is its diag.Fact.
func TestMessagesAreForPeople(t *testing.T) {
	root := filepath.Join("..", "..")
	found := map[string]bool{}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if n := d.Name(); n == "testdata" || strings.HasPrefix(n, ".") && n != ".." {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))
		n := 0
		for line := range strings.Lines(string(text)) {
			n++
			if !askedMessage.MatchString(line) {
				continue
			}
			excepted := false
			for prefix := range messagesAsked {
				if strings.HasPrefix(name, prefix) {
					found[prefix], excepted = true, true
				}
			}
			if !excepted {
				t.Errorf("%s:%d decides by the words of a finding: %s", name, n, strings.TrimSpace(line))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for prefix, why := range messagesAsked {
		if !found[prefix] {
			t.Errorf("%s asks no message (%s)", prefix, why)
		}
	}
}
