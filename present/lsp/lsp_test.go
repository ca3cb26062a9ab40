package lsp

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the sessions of testdata/lsp want")

// testLog is where servers say what they do; set it to os.Stderr to see it.
var testLog io.Writer

// An editor is a client over pipes.
type editor struct {
	t    *testing.T
	dir  string
	rpc  *jsonrpc2.Conn
	code chan int

	mu       sync.Mutex
	changed  *sync.Cond
	docs     map[string]*document // by name
	shown    map[string]publishDiagnostics
	encoding encoding
	choice   string      // the answer to what is asked; empty: none
	offered  []string    // what could be chosen last
	messages chan string // what is told
}

// entryHeading is the name of an entry in a report.
var entryHeading = regexp.MustCompile(`<h2[^>]*>(.*?)</h2>`)

// nextMessage is the next message.
func (c *editor) nextMessage() string {
	c.t.Helper()
	select {
	case m := <-c.messages:
		return m
	case <-time.After(time.Minute):
		c.t.Fatal("nothing is told")
		return ""
	}
}

// open starts a server for a folder.
func start(t *testing.T, dir string, e encoding, options string) *editor {
	t.Helper()
	toServer, fromEditor := io.Pipe()
	toEditor, fromServer := io.Pipe()
	c := &editor{t: t, dir: dir, code: make(chan int, 1), docs: map[string]*document{}, shown: map[string]publishDiagnostics{}, encoding: e,
		messages: make(chan string, 100)}
	c.changed = sync.NewCond(&c.mu)
	go func() {
		code, err := Serve(context.Background(), toServer, fromServer, Options{Log: testLog})
		if err != nil {
			t.Error(err)
		}
		c.code <- code
	}()
	stream := jsonrpc2.NewBufferedStream(&duplex{toEditor, fromEditor}, jsonrpc2.VSCodeObjectCodec{})
	c.rpc = jsonrpc2.NewConn(context.Background(), stream, jsonrpc2.HandlerWithError(c.got))
	var out initializeResult
	c.call("initialize", map[string]any{
		"processId": nil, "rootUri": uriOf(dir), "initializationOptions": json.RawMessage(options),
		"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{string(e)}},
			"workspace": map[string]any{"applyEdit": true, "workspaceEdit": map[string]any{"documentChanges": true,
				"resourceOperations": []string{"create"}}}, "window": map[string]any{"showDocument": map[string]any{"support": true}}},
	}, &out)
	if out.Capabilities.PositionEncoding != string(e) {
		t.Fatalf("positions are in %s", out.Capabilities.PositionEncoding)
	}
	c.notify("initialized", map[string]any{})
	return c
}

// end ends the session as the protocol wants it.
func (c *editor) end() {
	c.t.Helper()
	c.call("shutdown", nil, nil)
	c.notify("exit", nil)
	select {
	case code := <-c.code:
		if code != 0 {
			c.t.Errorf("exit code %d", code)
		}
	case <-time.After(time.Minute):
		c.t.Fatal("the server does not end")
	}
}

func (c *editor) call(method string, params, result any) {
	c.t.Helper()
	if err := c.rpc.Call(context.Background(), method, params, result); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

func (c *editor) notify(method string, params any) {
	c.t.Helper()
	if err := c.rpc.Notify(context.Background(), method, params); err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
}

// got takes what the server sends: findings are kept, changes carried out.
func (c *editor) got(_ context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) (any, error) {
	switch r.Method {
	case "textDocument/publishDiagnostics":
		var p publishDiagnostics
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, err
		}
		c.mu.Lock()
		c.shown[c.name(p.URI)] = p
		c.changed.Broadcast()
		c.mu.Unlock()
	case "window/showMessage":
		var p struct {
			Message string `json:"message"`
		}
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, err
		}
		c.messages <- strings.ReplaceAll(p.Message, c.dir, "DIR")
	case "window/showDocument":
		var p struct {
			URI      string `json:"uri"`
			External bool   `json:"external"`
		}
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, err
		}
		path, err := pathOf(p.URI)
		if err != nil {
			return nil, err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		var shown []string
		for _, m := range entryHeading.FindAllStringSubmatch(string(data), -1) {
			shown = append(shown, m[1])
		}
		c.messages <- fmt.Sprintf("%s, external %v: %s", filepath.Base(path), p.External, strings.Join(shown, "; "))
		return map[string]any{"success": true}, nil
	case "window/showMessageRequest":
		var p struct {
			Actions []struct {
				Title string `json:"title"`
			} `json:"actions"`
		}
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, err
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.offered = nil
		for _, a := range p.Actions {
			c.offered = append(c.offered, a.Title)
		}
		if c.choice == "" {
			return nil, nil
		}
		return map[string]any{"title": c.choice}, nil
	case "workspace/applyEdit":
		var p struct {
			Edit workspaceEdit `json:"edit"`
		}
		if err := json.Unmarshal(*r.Params, &p); err != nil {
			return nil, err
		}
		go c.apply(&p.Edit)
		return map[string]any{"applied": true}, nil
	}
	return nil, nil
}

func (c *editor) name(uri string) string {
	path, err := pathOf(uri)
	if err != nil {
		return uri
	}
	if rel, err := filepath.Rel(c.dir, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

func (c *editor) uri(name string) string { return uriOf(filepath.Join(c.dir, name)) }

// open opens a file with its text on the disk, or another one.
func (c *editor) open(name, text string) {
	c.t.Helper()
	c.mu.Lock()
	c.docs[name] = newDocument(c.uri(name), "", 1, text)
	c.mu.Unlock()
	c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": c.uri(name), "languageId": "python", "version": 1,
		"text": text}})
}

// edit replaces a range.
func (c *editor) edit(name string, r *textRange, text string) {
	c.t.Helper()
	c.mu.Lock()
	d := c.docs[name]
	change := contentChange{r, text}
	if err := d.change(&change, c.encoding); err != nil {
		c.t.Error(err)
	}
	d.version++
	version := d.version
	c.mu.Unlock()
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "version": version}, "contentChanges": []any{change},
	})
}

func (c *editor) apply(e *workspaceEdit) {
	if len(e.DocumentChanges) == 2 { // a new file with a text
		var edit documentEdit
		data, err := json.Marshal(e.DocumentChanges[1])
		if err == nil {
			err = json.Unmarshal(data, &edit)
		}
		if err != nil {
			c.t.Error(err)
			return
		}
		c.open(c.name(edit.TextDocument.URI), "")
		e.Changes = map[string][]textEdit{edit.TextDocument.URI: edit.Edits}
	}
	for uri, edits := range e.Changes {
		slices.SortStableFunc(edits, func(a, b textEdit) int { // from the end on
			if a.Range.Start.Line != b.Range.Start.Line {
				return b.Range.Start.Line - a.Range.Start.Line
			}
			return b.Range.Start.Character - a.Range.Start.Character
		})
		for _, x := range edits {
			c.edit(c.name(uri), &x.Range, x.NewText)
		}
	}
}

// wait waits until the findings of a document's text are shown.
func (c *editor) wait(name string) publishDiagnostics {
	c.t.Helper()
	late := time.AfterFunc(time.Minute, func() { c.changed.Broadcast() })
	defer late.Stop()
	begin := time.Now()
	c.mu.Lock()
	defer c.mu.Unlock()
	for {
		if p, ok := c.shown[name]; ok && p.Version != nil && *p.Version == c.docs[name].version {
			return p
		}
		if time.Since(begin) > 50*time.Second {
			c.t.Fatalf("no findings of %s are shown", name)
		}
		c.changed.Wait()
	}
}

// do carries out a line of a session and says what came of it.
func (c *editor) do(line string) string {
	c.t.Helper()
	words := strings.Fields(line)
	var out strings.Builder
	at := func(s string) position { // 12:4, lines from 1 and characters from 0
		l, ch, _ := strings.Cut(s, ":")
		line, err1 := strconv.Atoi(l)
		char := 0
		var err2 error
		if ch != "" {
			char, err2 = strconv.Atoi(ch)
		}
		if err1 != nil || err2 != nil {
			c.t.Fatalf("%s: no place", s)
		}
		return position{line - 1, char}
	}
	doc := func() map[string]any { return map[string]any{"uri": c.uri(words[1])} }
	switch words[0] {
	case "open":
		data, err := os.ReadFile(filepath.Join(c.dir, words[1]))
		if err != nil {
			c.t.Fatal(err)
		}
		c.open(words[1], string(data))
	case "write": // write FILE "text": on the disk
		text := c.quoted(line)
		if err := os.WriteFile(filepath.Join(c.dir, words[1]), []byte(text), 0o666); err != nil {
			c.t.Fatal(err)
		}
		c.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": c.uri(words[1]), "type": 2}}})
		for name := range c.docs { // a finding shown before does not count
			c.mu.Lock()
			delete(c.shown, name)
			c.mu.Unlock()
		}
	case "forget": // what is shown of a file does not count any more
		c.mu.Lock()
		delete(c.shown, words[1])
		c.mu.Unlock()
	case "close":
		c.notify("textDocument/didClose", map[string]any{"textDocument": doc()})
		c.mu.Lock()
		delete(c.docs, words[1])
		c.mu.Unlock()
		var r fullReport // what is told before this is answered has arrived
		c.call("textDocument/diagnostic", map[string]any{"textDocument": doc()}, &r)
	case "edit": // edit FILE FROM TO "text"
		c.edit(words[1], &textRange{at(words[2]), at(words[3])}, c.quoted(line))
	case "diagnostics":
		var list []diagnostic
		if c.docs[words[1]] != nil {
			list = c.wait(words[1]).Diagnostics
		} else {
			c.mu.Lock()
			list = c.shown[words[1]].Diagnostics
			c.mu.Unlock()
		}
		for _, d := range list {
			a, b := d.Range.Start, d.Range.End
			fmt.Fprintf(&out, "%d:%d-%d:%d %d %s %s\n", a.Line+1, a.Character, b.Line+1, b.Character, d.Severity, d.Code, d.Message)
			for _, r := range d.RelatedInformation {
				fmt.Fprintf(&out, "  %s:%d %s\n", c.name(r.Location.URI), r.Location.Range.Start.Line+1, r.Message)
			}
		}
	case "pull":
		var r fullReport
		c.call("textDocument/diagnostic", map[string]any{"textDocument": doc()}, &r)
		fmt.Fprintf(&out, "%d %s\n", len(r.Items), r.Kind)
	case "hints":
		var list []inlayHint
		c.call("textDocument/inlayHint", map[string]any{"textDocument": doc(), "range": textRange{position{0, 0}, position{1000, 0}}}, &list)
		for _, h := range list {
			fmt.Fprintf(&out, "%d:%d %s\n", h.Position.Line+1, h.Position.Character, h.Label)
		}
	case "hover":
		var h *hover
		c.call("textDocument/hover", map[string]any{"textDocument": doc(), "position": at(words[2])}, &h)
		if h == nil {
			return "nothing\n"
		}
		out.WriteString(strings.ReplaceAll(h.Contents.Value, uriOf(c.dir), "file://") + "\n")
	case "lens":
		var list []codeLens
		c.call("textDocument/codeLens", map[string]any{"textDocument": doc()}, &list)
		for _, l := range list {
			fmt.Fprintf(&out, "%d %s\n", l.Range.Start.Line+1, l.Command.Title)
		}
	case "use": // the command of a lens whose title ends with "use these shapes"
		var list []codeLens
		c.call("textDocument/codeLens", map[string]any{"textDocument": doc()}, &list)
		for _, l := range list {
			if strings.HasSuffix(l.Command.Title, "use these shapes") {
				c.command(&l.Command, words[1])
				break
			}
		}
	case "symbols":
		var list []documentSymbol
		c.call("textDocument/documentSymbol", map[string]any{"textDocument": doc()}, &list)
		var print func(list []documentSymbol, indent string)
		print = func(list []documentSymbol, indent string) {
			for _, s := range list {
				fmt.Fprintf(&out, "%s%s (%s) line %d\n", indent, s.Name, s.Detail, s.Range.Start.Line+1)
				print(s.Children, indent+"  ")
			}
		}
		print(list, "")
	case "actions", "act": // actions FILE LINE; act FILE LINE "title"
		var list []codeAction
		p := at(words[2])
		c.call("textDocument/codeAction", map[string]any{"textDocument": doc(), "range": textRange{p, p},
			"context": map[string]any{"diagnostics": []any{}}}, &list)
		for _, x := range list {
			switch {
			case words[0] == "actions":
				preferred := ""
				if x.IsPreferred {
					preferred = ", preferred"
				}
				fmt.Fprintf(&out, "%s (%s%s)\n", x.Title, x.Kind, preferred)
			case x.Title == c.quoted(line) && x.Edit != nil:
				c.apply(x.Edit)
				return "done\n"
			case x.Title == c.quoted(line):
				c.command(x.Command, words[1])
				return "done\n"
			}
		}
		if words[0] == "act" {
			return "no such action\n"
		}
	case "select": // select FILE "entry": the command asks, and this is the answer; select FILE: it gets none
		c.mu.Lock()
		c.choice = ""
		if strings.Contains(line, `"`) {
			c.choice = c.quoted(line)
		}
		delete(c.shown, words[1])
		c.mu.Unlock()
		c.call("workspace/executeCommand", map[string]any{"command": commandSelect, "arguments": []any{c.uri(words[1])}}, nil)
		c.mu.Lock()
		fmt.Fprintf(&out, "%s\n", strings.Join(c.offered, "; "))
		c.mu.Unlock()
	case "report", "export": // report FILE "entry"; export FILE "entry" [PATH]: what the editor is told, and what the file begins with
		arguments := []any{c.uri(words[1]), c.quoted(line)}
		name := commandReport
		if words[0] == "export" {
			name = commandExport
		}
		if err := c.rpc.Call(context.Background(), "workspace/executeCommand", map[string]any{"command": name, "arguments": arguments},
			nil); err != nil {
			return strings.ReplaceAll(err.Error(), c.dir, "DIR") + "\n"
		}
		out.WriteString(c.nextMessage() + "\n")
	case "fixall":
		c.command(&command{Command: commandFixAll, Arguments: []any{c.uri(words[1])}}, words[1])
	case "text":
		c.mu.Lock()
		out.WriteString(c.docs[words[1]].text)
		c.mu.Unlock()
	default:
		c.t.Fatalf("no such line: %s", line)
	}
	return out.String()
}

// command has a command carried out that changes a document.
func (c *editor) command(x *command, name string) {
	c.t.Helper()
	c.mu.Lock()
	before := c.docs[name].version
	c.mu.Unlock()
	c.call("workspace/executeCommand", map[string]any{"command": x.Command, "arguments": x.Arguments}, nil)
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		c.mu.Lock()
		now := c.docs[name].version
		c.mu.Unlock()
		if now != before {
			return
		}
		if time.Now().After(end) {
			c.t.Fatalf("%s changed nothing", x.Command)
		}
	}
}

// quoted is the Go string at the end of a line.
func (c *editor) quoted(line string) string {
	c.t.Helper()
	_, rest, _ := strings.Cut(line, `"`)
	text, err := strconv.Unquote(`"` + rest)
	if err != nil {
		c.t.Fatalf("%s: %v", line, err)
	}
	return text
}

// unpack writes the files of an archive, but for the script and what is wanted.
func unpack(t *testing.T, a *txtar.Archive) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range a.Files {
		if f.Name == "script" {
			continue
		}
		name := filepath.Join(dir, f.Name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// The script of a session has the lines of do, each followed by what came of it, indented.
func TestSessions(t *testing.T) {
	archives, err := filepath.Glob("../../testdata/lsp/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("%d archives, %v", len(archives), err)
	}
	for _, file := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e, options := utf16Encoding, "null"
			for line := range strings.SplitSeq(string(a.Comment), "\n") {
				if line == "utf-8" {
					e = utf8Encoding
				} else if text, ok := strings.CutPrefix(line, "options: "); ok {
					options = text
				}
			}
			c := start(t, unpack(t, a), e, options)
			defer c.end()
			script := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "script" })
			var got strings.Builder
			for line := range strings.SplitSeq(strings.TrimSuffix(string(a.Files[script].Data), "\n"), "\n") {
				if line == "" || strings.HasPrefix(line, "\t") {
					continue
				}
				got.WriteString(line + "\n")
				for text := range strings.SplitSeq(strings.TrimSuffix(c.do(line), "\n"), "\n") {
					if text != "" {
						got.WriteString("\t" + text + "\n")
					}
				}
			}
			if *update {
				a.Files[script].Data = []byte(got.String())
				if err := os.WriteFile(file, txtar.Format(a), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if diff := cmp.Diff(string(a.Files[script].Data), got.String()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
