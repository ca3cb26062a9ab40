package main

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A page is a document as a tree.
type page struct {
	name, title string
	source      []byte
	tree        ast.Node
	anchors     map[string]bool
}

// markdown is what GitHub reads.
var markdown = goldmark.New(goldmark.WithExtensions(extension.GFM))

// newPage parses a page and gives its headings anchors as GitHub does; equal ones are numbered.
// It returns an error for a page without a heading, which would have no title.
func newPage(name string, source []byte) (*page, error) {
	p := &page{name: name, source: source, anchors: map[string]bool{}}
	p.tree = markdown.Parser().Parse(text.NewReader(source), parser.WithContext(parser.NewContext()))
	err := ast.Walk(p.tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering {
			words := p.words(h)
			if p.title == "" {
				p.title = words
			}
			id := anchor(words)
			for i, first := 1, id; p.anchors[id]; i++ {
				id = fmt.Sprintf("%s-%d", first, i)
			}
			p.anchors[id] = true
			h.SetAttributeString("id", []byte(id))
		}
		return ast.WalkContinue, nil
	})
	if err == nil && p.title == "" {
		err = fmt.Errorf("%s has no heading", name)
	}
	return p, err
}

// words is the text below a node, without marks.
func (p *page) words(n ast.Node) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(p.source))
		case *ast.String:
			b.Write(c.Value)
		default:
			b.WriteString(p.words(c))
		}
	}
	return b.String()
}

var notInAnchors = regexp.MustCompile(`[^\p{L}\p{N}_ -]`)

// anchor is the name that GitHub gives to a heading.
func anchor(heading string) string {
	return strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

// A section is a part of the navigation.
type section struct {
	title string
	links []link
}

// A link of the navigation leads to a document.
type link struct{ document, title string }

var navLink = regexp.MustCompile(`\[([^\]]*)\]\(([^)#]*\.md)\)`)

// navigation is the links to documents of the home page, below the lines of text before them.
func navigation(text []byte) []section {
	var out []section
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		found := navLink.FindAllStringSubmatch(line, -1)
		if len(found) == 0 {
			if line != "" && !strings.HasPrefix(line, "#") && !strings.HasPrefix(line, "[") {
				out = append(out, section{title: line})
			}
			continue
		}
		if len(out) == 0 {
			out = append(out, section{})
		}
		last := &out[len(out)-1]
		for _, m := range found {
			last.links = append(last.links, link{m[2], m[1]})
		}
	}
	return out
}

// html is the page as it is served.
func (p *page) html(nav []section) ([]byte, error) {
	var b bytes.Buffer
	title := html.EscapeString(p.title)
	if p.name != home {
		title += " · shapecheck"
	}
	fmt.Fprintf(&b, `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<nav aria-label="Documents">
`, title)
	anchor := func(class, document, text string) {
		here := ""
		if document == p.name {
			here = ` aria-current="page"`
		}
		fmt.Fprintf(&b, `<a%s href="%s"%s>%s</a>`, class, address(document), here, html.EscapeString(text))
	}
	anchor(` class="home"`, home, "shapecheck")
	for _, s := range nav {
		if len(s.links) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n<h2>%s</h2>\n<ul>\n", html.EscapeString(s.title))
		for _, l := range s.links {
			b.WriteString("<li>")
			anchor("", l.document, strings.ToUpper(l.title[:1])+l.title[1:])
			b.WriteString("</li>\n")
		}
		b.WriteString("</ul>")
	}
	b.WriteString("\n</nav>\n<main>\n")
	if err := markdown.Renderer().Render(&b, p.source, p.tree); err != nil {
		return nil, fmt.Errorf("%s: %w", p.name, err)
	}
	b.WriteString("</main>\n</body>\n</html>\n")
	return b.Bytes(), nil
}

const style = `:root { color-scheme: light dark; --line: light-dark(#ddd, #444); --soft: light-dark(#f6f6f4, #232323); --link: light-dark(#0b57a4, #8ab8f0); }
body { margin: 0 auto; max-width: 76rem; display: grid; grid-template-columns: 15rem minmax(0, 1fr); font: 1rem/1.55 system-ui, sans-serif; }
nav { padding: 1.5rem 1rem; border-right: 1px solid var(--line); font-size: .9rem; }
nav .home { font-weight: 700; font-size: 1.1rem; }
nav h2 { margin: 1.2rem 0 .2rem; font-size: .8rem; opacity: .7; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav a[aria-current] { font-weight: 700; color: inherit; }
main { padding: 1.5rem 2rem 4rem; min-width: 0; }
a { color: var(--link); text-decoration: none; }
a:hover { text-decoration: underline; }
pre, table { overflow-x: auto; display: block; }
pre { padding: .8rem 1rem; background: var(--soft); border-radius: .3rem; line-height: 1.4; }
code { font: .88em ui-monospace, monospace; }
td, th { padding: .3rem .7rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
table { border-collapse: collapse; }
img { max-width: 100%; }
@media (max-width: 50rem) { body { display: block; } nav { border-right: 0; border-bottom: 1px solid var(--line); } }
`
