package opstest

// This file reads the recorded calls of opdb (format trace-values of the
// oracle's opdb/README.md).

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
)

// A Record is one call of opdb.
type Record struct {
	File    string `json:"-"`
	Line    int    `json:"-"`
	Op      string
	VT      string
	Variant string
	Gen     string
	Call    string
	Args    []json.RawMessage
	Kwargs  Object
	Src     string
	Env     Object
	Var     string
	Out     json.RawMessage
	Error   string
	OV      []json.RawMessage
	VD      string
	BE      int
	// Of a module: how it is made, and its tensors by name.
	Ctor        *Ctor
	Train       int
	Params      Object
	Buffers     Object
	StateDict   []string `json:"state_dict"`
	ParamsAfter Object   `json:"params_after"`
	ClassAfter  string   `json:"class_after"`
	Where       string   `json:"at"`
}

// A Ctor is a call of a class.
type Ctor struct {
	Module string
	Args   []json.RawMessage
	Kwargs Object
}

// An Object is a JSON object with the order of its keys.
type Object []Field

// A Field is one key with its value.
type Field struct {
	Key string
	Val json.RawMessage
}

// UnmarshalJSON keeps the order of keys. It returns an error where text is not valid JSON.
func (o *Object) UnmarshalJSON(text []byte) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	if _, err := dec.Token(); err != nil {
		return err
	}
	for dec.More() {
		k, err := dec.Token()
		if err != nil {
			return err
		}
		var f Field
		f.Key, _ = k.(string)
		if err := dec.Decode(&f.Val); err != nil {
			return err
		}
		*o = append(*o, f)
	}
	return nil
}

// Read reads all *.jsonl.gz files of dir, in order. It returns an error where a file cannot be read, or where a line is
// no record.
func Read(dir string) ([]*Record, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	sort.Strings(files)
	var all []*Record
	for _, name := range files {
		list, err := readFile(name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, list...)
	}
	return all, nil
}

// ReadFile reads one file. It returns an error where the file cannot be read, or where a line is no record.
func ReadFile(name string) ([]*Record, error) { return readFile(name) }

func readFile(name string) ([]*Record, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	var list []*Record
	in := bufio.NewScanner(z)
	in.Buffer(nil, 16<<20)
	for line := 1; in.Scan(); line++ {
		r := &Record{File: strings.TrimSuffix(filepath.Base(name), ".jsonl.gz"), Line: line}
		if err := json.Unmarshal(in.Bytes(), r); err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		list = append(list, r)
	}
	return list, in.Err()
}

// At names the record for messages.
func (r *Record) At() string { return fmt.Sprintf("%s:%d", r.File, r.Line) }

// OfChainer reports whether the record is one of Chainer, where a tensor is a Variable.
func (r *Record) OfChainer() bool { return strings.HasPrefix(r.File, "chainer") }

// String shows the call.
func (r *Record) String() string {
	var b strings.Builder
	b.WriteString(r.Call)
	b.WriteByte('(')
	for i, a := range r.Args {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(brief(a))
	}
	for i, k := range r.Kwargs {
		if i > 0 || len(r.Args) > 0 {
			b.WriteString(", ")
		}
		b.WriteString(k.Key + "=" + brief(k.Val))
	}
	b.WriteByte(')')
	if r.Src != "" {
		b.WriteString("  # " + r.Src)
	}
	return b.String()
}

// brief prints tensors as type strings, and the rest as JSON.
func brief(m json.RawMessage) string {
	var v any
	if json.Unmarshal(m, &v) != nil {
		return string(m)
	}
	return briefValue(v)
}

func briefValue(v any) string {
	switch v := v.(type) {
	case map[string]any:
		if t, ok := v["t"].(string); ok {
			s, _ := json.Marshal(v["s"])
			out := t + string(s)
			if st, ok := v["st"]; ok {
				x, _ := json.Marshal(st)
				out += "st" + string(x)
			}
			if c, ok := v["v"]; ok {
				x, _ := json.Marshal(c)
				if len(x) > 30 {
					x = append(x[:27:27], "..."...)
				}
				out += "=" + string(x)
			}
			return out
		}
		if len(v) == 1 {
			for k, x := range v {
				return k + briefValue(x)
			}
		}
	case []any:
		var parts []string
		for _, e := range v {
			parts = append(parts, briefValue(e))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	x, _ := json.Marshal(v)
	return string(x)
}
