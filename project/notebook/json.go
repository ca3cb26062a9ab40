package notebook

// This file finds the sources of code cells in the text of a notebook. It reads the text token by
// token, for the places of the strings matter. encoding/json cannot decode into values here because
// these have no places; its tokens have (InputOffset). The text may be any JSON, but must be a
// notebook of format 4, whose code is Python. Keys that are not needed are skipped without
// decoding.

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// A document is a notebook with its code cells. The text is that of the file, and cells are in
// order.
type document struct {
	text  string
	cells []*cell
}

// A cell is one with Python code. number counts all kinds from 1. The number counts cells of
// Markdown as well, as editors show it.
type cell struct {
	number int
	// source is where its source lies, a string or a list of strings; parts are these strings. Both
	// have the places in the document's text.
	source span
	list   bool
	parts  []part
}

// A span is a range of bytes of the text. From 0; end is behind the last byte.
type span struct{ start, end int }

// A part is a string of the text, with its quotes at its place. text is decoded.
type part struct {
	at   span
	text string
}

// The strings of a source follow one another without anything between them.
func (c *cell) text() string {
	var b strings.Builder
	for _, p := range c.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// lineAt is the line of the text, from 1, of the part with the byte of the source at offset. Used
// for messages about the notebook's own text; a place in the middle of a string has the line of its
// beginning.
func (c *cell) lineAt(text string, offset int) int {
	at := c.source.start
	for _, p := range c.parts {
		at = p.at.start
		if offset -= len(p.text); offset < 0 {
			break
		}
	}
	return 1 + strings.Count(text[:at], "\n")
}

// read finds the code cells of a notebook. It returns an error for what is no notebook of format 4,
// and ErrLanguage for one in another language.
func read(text string) (*document, error) {
	if !utf8.ValidString(text) {
		return nil, errors.New("is no notebook: it is not in UTF-8")
	}
	r := &reader{text: text, dec: json.NewDecoder(strings.NewReader(text))}
	d := &document{text: text}
	if err := r.document(d); err != nil {
		return nil, err
	}
	return d, nil
}

// A reader gives the tokens of a text with their places. Places are bytes.
type reader struct {
	text string
	dec  *json.Decoder
}

// The place of a token is without white space and without the comma or colon before it, which the
// decoder does not give. An error names the line.
func (r *reader) next() (json.Token, span, error) {
	start := int(r.dec.InputOffset())
	t, err := r.dec.Token()
	if err != nil {
		if errors.Is(err, io.EOF) {
			err = errors.New("the text ends too early")
		}
		return nil, span{}, fmt.Errorf("is no notebook: line %d: %w",
			1+strings.Count(r.text[:min(int(r.dec.InputOffset()), len(r.text))], "\n"), err)
	}
	end := int(r.dec.InputOffset())
	start += len(r.text[start:end]) - len(strings.TrimLeft(r.text[start:end], " \t\r\n,:"))
	return t, span{start, end}, nil
}

// object calls f for each member of an object, whose first brace was read; f reads the value. f
// must read exactly one value.
func (r *reader) object(f func(key string) error) error {
	for {
		t, _, err := r.next()
		if err != nil {
			return err
		}
		key, ok := t.(string)
		if !ok { // the closing brace
			return nil
		}
		if err := f(key); err != nil {
			return err
		}
	}
}

// skip reads a value. The value may be of any kind.
func (r *reader) skip() error { return r.rest(1, false) }

// rest reads to the end of depth open values; begun says that the innermost is a list or an object.
func (r *reader) rest(depth int, begun bool) error {
	if !begun {
		depth--
	}
	for first := !begun; first || depth > 0; first = false {
		t, _, err := r.next()
		if err != nil {
			return err
		}
		switch t {
		case json.Delim('{'), json.Delim('['):
			depth++
		case json.Delim('}'), json.Delim(']'):
			depth--
		}
	}
	return nil
}

// members reads an object; a value of another kind is passed over. f is called for the members as
// in object.
func (r *reader) members(f func(key string) error) error {
	t, _, err := r.next()
	switch {
	case err != nil:
		return err
	case t == json.Delim('{'):
		return r.object(f)
	case t == json.Delim('['):
		return r.rest(1, true)
	}
	return nil
}

// word reads a string; another value is the empty one. Notebooks that are malformed here are read
// nevertheless, as the word may be missing altogether.
func (r *reader) word(to *string) error {
	t, _, err := r.next()
	if err != nil {
		return err
	}
	switch x := t.(type) {
	case string:
		*to = x
	case json.Delim:
		return r.rest(1, true)
	}
	return nil
}

// document reads a notebook of any version of the format. Keys come in any order, so cells may come before the
// version that says what they mean.
func (r *reader) document(d *document) error {
	t, _, err := r.next()
	if err != nil {
		return err
	}
	if t != json.Delim('{') {
		return errors.New("is no notebook: expected a JSON object")
	}
	version, cells := 0.0, false
	kernel, language := "", ""
	err = r.object(func(key string) error {
		switch key {
		case "nbformat":
			t, _, err := r.next()
			if x, ok := t.(float64); ok {
				version = x
			} else if _, ok := t.(json.Delim); ok {
				return r.rest(1, true)
			}
			return err
		case "cells":
			cells = true
			return r.cells(d)
		case "metadata":
			return r.members(func(key string) error {
				switch key {
				case "kernelspec":
					return r.members(r.wordAt("language", &kernel))
				case "language_info":
					return r.members(r.wordAt("name", &language))
				}
				return r.skip()
			})
		}
		return r.skip()
	})
	if err != nil {
		return err
	}
	// Notebooks that were joined by mistake are no notebook.
	if _, err := r.dec.Token(); !errors.Is(err, io.EOF) {
		return errors.New("is no notebook: there is text after the JSON object")
	}
	// The version is looked at last, because keys have any order.
	switch {
	case version == 0:
		return errors.New("is no notebook: it has no nbformat")
	case version < 4:
		return fmt.Errorf("is a notebook of nbformat %g, and only 4 is read; \"jupyter nbconvert --to notebook FILE\" makes one", version)
	case version >= 5:
		return fmt.Errorf("is a notebook of nbformat %g, and only 4 is read", version)
	case !cells:
		return errors.New("is no notebook: it has no cells")
	}
	// language_info is written by the kernel that ran, so it goes before the kernelspec.
	for _, l := range []string{language, kernel} {
		if l != "" {
			if !isPython(l) {
				return ErrLanguage
			}
			break
		}
	}
	return nil
}

// The names that kernels of Python give themselves.
func isPython(language string) bool {
	l := strings.ToLower(language)
	return l == "python" || l == "ipython" || l == "python3"
}

// wordAt reads the string of one member into to.
func (r *reader) wordAt(name string, to *string) func(key string) error {
	return func(key string) error {
		if key == name {
			return r.word(to)
		}
		return r.skip()
	}
}

// cells reads the list of cells, of which only those of code are kept with their source. Cells in
// another language, as the extension of VS Code can mark them, are left out but counted.
func (r *reader) cells(d *document) error {
	t, _, err := r.next()
	if err != nil {
		return err
	}
	if t != json.Delim('[') {
		return errors.New("is no notebook: its cells are no list")
	}
	for number := 1; ; number++ {
		t, _, err := r.next()
		switch {
		case err != nil:
			return err
		case t == json.Delim(']'):
			return nil
		case t != json.Delim('{'):
			return fmt.Errorf("is no notebook: cell %d is no object", number)
		}
		c := &cell{number: number}
		kind, language := "", ""
		err = r.object(func(key string) error {
			switch key {
			case "cell_type":
				return r.word(&kind)
			case "source":
				return r.source(c)
			case "metadata":
				return r.members(func(key string) error {
					if key == "vscode" {
						return r.members(r.wordAt("languageId", &language))
					}
					return r.skip()
				})
			}
			return r.skip()
		})
		if err != nil {
			return err
		}
		if kind == "code" && (language == "" || isPython(language)) {
			d.cells = append(d.cells, c)
		}
	}
}

// source reads the source of a cell. A string or a list of strings; anything else is an error. The
// source of a cell that has the key twice is the second one.
func (r *reader) source(c *cell) error {
	t, at, err := r.next()
	if err != nil {
		return err
	}
	bad := fmt.Errorf("is no notebook: the source of cell %d is neither a string nor a list of strings", c.number)
	c.source, c.list, c.parts = at, false, nil
	switch t := t.(type) {
	case string:
		c.parts = []part{{at, t}}
		return nil
	case json.Delim:
		if t != '[' {
			return bad
		}
	default:
		return bad
	}
	for c.list = true; ; {
		t, at, err := r.next()
		if err != nil {
			return err
		}
		switch t := t.(type) {
		case string:
			c.parts = append(c.parts, part{at, t})
			continue
		case json.Delim:
			if t == ']' {
				c.source.end = at.end
				return nil
			}
		}
		return bad
	}
}
