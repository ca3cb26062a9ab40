// Command picture writes docs/picture.svg: what a run prints on a terminal, for the README.
//
//	go run ./tools/picture
package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"shapecheck/internal/atomicfile"
	"shapecheck/present/cli"
)

// The run that is shown.
var command = []string{"testdata/readme/net.py", "--arg", "x:f32[B,3,32,32]"}

// Measures of the picture, in pixels: of a character, between lines, around the text.
const (
	charWidth  = 7.8
	lineHeight = 17
	margin     = 16
)

// colors are those of ANSI's codes, on a dark ground.
var colors = map[string]string{"31": "#ff7b72", "32": "#7ee787", "33": "#d29922", "34": "#79c0ff", "35": "#d2a8ff", "36": "#76e3ea",
	"2": "#8b949e"}

var (
	code = regexp.MustCompile("\x1b\\[([0-9;]*)m")
	took = regexp.MustCompile(`\b\d+(\.\d+)? m?s\b`)
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run() error {
	text, err := picture()
	if err != nil {
		return err
	}
	return atomicfile.Write("docs/picture.svg", []byte(text))
}

// picture runs the command in the project's folder.
func picture() (string, error) {
	for name, value := range map[string]string{"FORCE_COLOR": "1", "NO_COLOR": "", "COLUMNS": "90"} {
		if err := os.Setenv(name, value); err != nil {
			return "", err
		}
	}
	var out, said bytes.Buffer
	if code := cli.Run(command, strings.NewReader(""), &out, &said); code != 1 || said.Len() > 0 {
		return "", fmt.Errorf("exit code %d: %s", code, said.String())
	}
	text := took.ReplaceAllString(strings.TrimRight(out.String(), "\n"), "4 ms")
	prompt := "$ shapecheck " + strings.Join(command[:2], " ") + " '" + command[2] + "'"
	return svg(prompt + "\n" + text), nil
}

// svg is a text with ANSI's codes as a picture.
func svg(text string) string {
	lines := strings.Split(text, "\n")
	width := 0
	for _, l := range lines {
		width = max(width, utf8.RuneCountInString(code.ReplaceAllString(l, "")))
	}
	var b strings.Builder
	w, h := float64(width)*charWidth+2*margin, len(lines)*lineHeight+2*margin
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %.0f %d\" width=\"%.0f\" height=\"%d\" role=\"img\">\n", w, h,
		w, h)
	fmt.Fprintf(&b, "<title>%s</title>\n", html.EscapeString(lines[0]))
	fmt.Fprintf(&b, "<rect width=\"100%%\" height=\"100%%\" rx=\"8\" fill=\"#0d1117\"/>\n")
	b.WriteString("<g font-family=\"ui-monospace, SFMono-Regular, Menlo, Consolas, monospace\" font-size=\"13\" fill=\"#e6edf3\" xml:space=\"preserve\">\n")
	for i, l := range lines {
		if strings.TrimSpace(code.ReplaceAllString(l, "")) == "" {
			continue
		}
		fmt.Fprintf(&b, "<text x=\"%d\" y=\"%d\">%s</text>\n", margin, margin+(i+1)*lineHeight-4, spans(l))
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// spans are the parts of a line in their colours.
func spans(line string) string {
	var b strings.Builder
	style := ""
	rest := line
	for rest != "" {
		at := code.FindStringSubmatchIndex(rest)
		part, next := rest, ""
		if at != nil {
			part = rest[:at[0]]
		}
		if part != "" {
			part = strings.ReplaceAll(html.EscapeString(part), " ", "\u00a0") // renderers drop blanks otherwise
			if style == "" {
				b.WriteString(part)
			} else {
				fmt.Fprintf(&b, "<tspan%s>%s</tspan>", style, part)
			}
		}
		if at == nil {
			break
		}
		next = rest[at[1]:]
		style = attributes(rest[at[2]:at[3]])
		rest = next
	}
	return b.String()
}

// attributes are those of a code: "1;31" is bold red.
func attributes(code string) string {
	out := ""
	for part := range strings.SplitSeq(code, ";") {
		if part == "1" {
			out += ` font-weight="bold"`
		} else if c := colors[part]; c != "" {
			out += ` fill="` + c + `"`
		}
	}
	return out
}
