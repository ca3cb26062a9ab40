// Command words finds phrases in documents and in the texts of the program that users do not understand, and sentences that are too
// long to be read once. It prints a line for each and fails where there is one.
//
//	go run ./tools/words
package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

func main() {
	found, err := check(".")
	if err != nil {
		fmt.Fprintln(os.Stderr, "words:", err)
		os.Exit(2)
	}
	for _, f := range found {
		fmt.Println(f)
	}
	if len(found) > 0 {
		os.Exit(1)
	}
}

// maxWords is how many words a sentence may have.
const maxWords = 30

// documents are those that newcomers read: their sentences are counted, too. The phrases are looked for in all documents.
var documents = []string{"README.md", "docs/start.md"}

// phrases that were once printed, and what is wrong with each.
var phrases = []struct {
	text *regexp.Regexp
	why  string
}{
	{regexp.MustCompile(`\b(how (a|the) \w+ is (made|called)[^.]*), a comment in`), "name the user's class, then the line to add"},
	{regexp.MustCompile(`modules that are not found are looked for`), "say which module is missing, and what to do"},
	{regexp.MustCompile(`\bno overload takes\b`), "name the argument that does not fit"},
	{regexp.MustCompile(`may be any number, but this works only where it is`), "say which number works"},
	{regexp.MustCompile(`it is not written over`), "say that the file exists and nothing was written"},
	{regexp.MustCompile(`the program says (f|i|u|bf|b)\d*\[`), "say which argument has which type"},
	{regexp.MustCompile(`[Aa] guess never accuses`), "say what is reported"},
	{regexp.MustCompile(`\baccus(e|es|ed)\b`), "say: reports"},
	{regexp.MustCompile(`\bis told\b`), "say: is reported, or: knows"},
	{regexp.MustCompile(`\bwhat is met\b`), "say what it is"},
}

// check gives what is wrong with the texts below a folder.
func check(root string) ([]string, error) {
	var found []string
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(rel)
		switch {
		case e.IsDir():
			if slices.Contains([]string{".git", "testdata", "node_modules", "pygen", "prelude"}, e.Name()) || name == "tools" {
				return filepath.SkipDir
			}
		case strings.HasSuffix(name, ".md"):
			found, err = inDocument(found, root, name)
		case strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go"):
			found, err = inProgram(found, root, name)
		}
		return err
	})
	return found, err
}

// inDocument adds what is wrong with a document in Markdown.
func inDocument(found []string, root, name string) ([]string, error) {
	data, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return nil, err
	}
	for _, p := range paragraphs(string(data)) {
		found = append(found, badPhrases(name, p.line, p.text)...)
		if slices.Contains(documents, name) {
			found = append(found, longSentences(name, p.line, p.text)...)
		}
	}
	return found, nil
}

// A paragraph is text without code and tables, and the line on which it begins.
type paragraph struct {
	line int
	text string
}

var listItem = regexp.MustCompile(`^\s*([-*]|\d+\.)\s`)

// paragraphs are those of a document in Markdown, without code, tables and headings; an item of a
// list is a paragraph.
func paragraphs(text string) []paragraph {
	var out []paragraph
	code, open := false, false
	for i, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code, open = !code, false
			continue
		}
		if code || trimmed == "" || strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "<") ||
			strings.HasPrefix(line, "    ") && !open {
			open = false
			continue
		}
		if !open || listItem.MatchString(line) {
			out = append(out, paragraph{line: i + 1})
		}
		open = true
		out[len(out)-1].text += trimmed + " "
	}
	return out
}

// inProgram adds what is wrong with the texts of a source file.
func inProgram(found []string, root, name string) ([]string, error) {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, filepath.Join(root, filepath.FromSlash(name)), nil, 0)
	if err != nil {
		return nil, err
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if x, ok := n.(*ast.CallExpr); ok && strings.HasSuffix(fmt.Sprint(x.Fun), "MustCompile}") {
			return false
		}
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		text, err := strconv.Unquote(lit.Value)
		if err != nil || !strings.Contains(text, " ") || strings.Contains(text, "\n") {
			return true // several lines are code, or laid out
		}
		if strings.HasPrefix(text, "(") || strings.Contains(text, "import ") {
			return true // a signature, a program
		}
		line := files.Position(lit.Pos()).Line
		found = append(found, badPhrases(name, line, text)...)
		found = append(found, longSentences(name, line, text)...)
		return true
	})
	return found, nil
}

func badPhrases(name string, line int, text string) []string {
	var out []string
	for _, p := range phrases {
		if m := p.text.FindString(text); m != "" {
			out = append(out, fmt.Sprintf("%s:%d: %q: %s", name, line, m, p.why))
		}
	}
	return out
}

var (
	quotedCode  = regexp.MustCompile("`[^`]*`")
	link        = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`)
	sentenceEnd = regexp.MustCompile(`[.!?:;]["')*]*(\s|$)`)
	word        = regexp.MustCompile(`[A-Za-z][\w'-]*`)
)

// longSentences are the sentences with more than maxWords words. Code counts as one word.
func longSentences(name string, line int, text string) []string {
	text = quotedCode.ReplaceAllString(link.ReplaceAllString(text, "$1"), "code")
	var out []string
	for _, s := range sentenceEnd.Split(text, -1) {
		if n := len(word.FindAllString(s, -1)); n > maxWords {
			if r := []rune(s); len(r) > 90 {
				s = string(r[:90]) + "…"
			}
			out = append(out, fmt.Sprintf("%s:%d: a sentence of %d words: %s", name, line, n, strings.TrimSpace(s)))
		}
	}
	return out
}
