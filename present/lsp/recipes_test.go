package lsp

import (
	"encoding/json"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/BurntSushi/toml"
)

// The recipes of docs/editors.md are what their editors read, and all start the server. Those of Neovim and of Emacs (eglot) are run by
// .ci/editor.
func TestRecipesOfEditors(t *testing.T) {
	data, err := os.ReadFile("../../docs/editors.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := map[string][]string{}
	for _, m := range regexp.MustCompile("(?s)```(\\w+)\n(.*?)```").FindAllStringSubmatch(string(data), -1) {
		blocks[m[1]] = append(blocks[m[1]], m[2])
	}
	want := []string{"shapecheck", "lsp"}

	var helix struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `toml:"language-server"`
		Languages []struct {
			Name    string
			Servers []string `toml:"language-servers"`
		} `toml:"language"`
	}
	if len(blocks["toml"]) != 1 {
		t.Fatalf("%d blocks of TOML", len(blocks["toml"]))
	}
	if _, err := toml.Decode(blocks["toml"][0], &helix); err != nil {
		t.Fatal(err)
	}
	server := helix.Servers["shapecheck"]
	if got := append([]string{server.Command}, server.Args...); !slices.Equal(got, want) {
		t.Errorf("Helix starts %v", got)
	}
	if len(helix.Languages) != 1 || helix.Languages[0].Name != "python" || !slices.Contains(helix.Languages[0].Servers, "shapecheck") {
		t.Errorf("Helix has it for %+v", helix.Languages)
	}

	var sublime struct {
		Clients map[string]struct {
			Enabled  bool
			Command  []string
			Selector string
		}
	}
	if len(blocks["json"]) != 2 {
		t.Fatalf("%d blocks of JSON", len(blocks["json"]))
	}
	if err := json.Unmarshal([]byte(blocks["json"][0]), &sublime); err != nil {
		t.Fatal(err)
	}
	if c := sublime.Clients["shapecheck"]; !c.Enabled || !slices.Equal(c.Command, want) || c.Selector != "source.python" {
		t.Errorf("Sublime Text has %+v", c)
	}

	var zed struct {
		LSP map[string]struct {
			Binary struct {
				Path      string
				Arguments []string
			}
		}
		Languages map[string]struct {
			Servers []string `json:"language_servers"`
		}
	}
	if err := json.Unmarshal([]byte(blocks["json"][1]), &zed); err != nil {
		t.Fatal(err)
	}
	for name, s := range zed.LSP {
		if got := append([]string{s.Binary.Path}, s.Binary.Arguments...); !slices.Equal(got, want) ||
			!slices.Contains(zed.Languages["Python"].Servers, name) {
			t.Errorf("Zed starts %v as %s, and %+v for Python", got, name, zed.Languages)
		}
	}

	if len(blocks["elisp"]) != 2 || len(blocks["lua"]) != 2 {
		t.Fatalf("%d blocks of Emacs Lisp, %d of Lua", len(blocks["elisp"]), len(blocks["lua"]))
	}
	for _, text := range blocks["elisp"] {
		depth := 0
		for i, r := range text {
			if r == '(' {
				depth++
			} else if r == ')' {
				depth--
			}
			if depth < 0 || depth == 0 && r == ')' && strings.TrimSpace(text[i+1:]) != "" {
				t.Errorf("the parentheses of %s do not match", text)
				break
			}
		}
		if depth != 0 || !regexp.MustCompile(`\("shapecheck" "lsp"\)`).MatchString(text) {
			t.Errorf("no form that starts the server: %s", text)
		}
	}
	for _, text := range blocks["lua"] {
		if !strings.Contains(text, `cmd = { "shapecheck", "lsp" }`) {
			t.Errorf("no table that starts the server: %s", text)
		}
	}
}
