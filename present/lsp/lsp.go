// Package lsp is the language server: shapecheck lsp. It checks open Python files with what is in
// the editor, and shows findings, types beside the lines, contracts and the modules of a model. What
// a check does is the driver's matter.
//
//	lsp.go       the server, its life          protocol.go  the messages
//	rpc.go       answers and own messages      frames.go    the stream of messages
//	document.go  texts and their changes       schedule.go  when what is checked
//	view.go      what is kept of a check       files.go     paths as the editor has them
//	notebook.go  notebooks and their cells
//	hover.go trail.go hints.go lens.go symbols.go diagnostics.go actions.go decide.go annotate.go commands.go choose.go
//	outputs.go: the features; about.go: what is known of a place, which explain.go says without a server
//
// The rules are those of the protocol, version 3.17.
package lsp

// This file holds the server and its life.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/sourcegraph/jsonrpc2"

	"shapecheck/check"
	"shapecheck/discover/trial"
	"shapecheck/infer"
	"shapecheck/internal/version"
	"shapecheck/project/pyenv"
)

// Options are what the command line says.
type Options struct {
	// Environment says where packages are installed.
	Environment pyenv.Search
	Limits      check.Limits
	// Timed says that the command line has a timeout, which stands above that of a configuration.
	Timed bool
	// Checked, if it is set, is called after each check.
	Checked func()
	// Log takes what is said about the work; nil: nothing is.
	Log io.Writer
}

// A Server serves one editor.
type Server struct {
	options Options
	log     *log.Logger
	rpc     *jsonrpc2.Conn
	stream  *stream

	mu       sync.Mutex
	encoding encoding
	client   initializeParams
	settings settings
	roots    []string
	docs     map[string]*document               // by URI
	cells    map[string]string                  // the notebooks, by the URIs of their cells
	views    map[string]*view                   // by URI
	shown    map[string]map[string][]diagnostic // by the document whose check found them, and URI
	versions map[string]int                     // of the documents that were checked
	cache    *infer.Cache
	modules  *infer.Modules
	winners  trial.Winners
	running  map[jsonrpc2.ID]context.CancelFunc
	opened   bool   // initialize was carried out
	closing  bool   // shutdown was asked for
	made     string // the folder of files that go with the server; empty: there is none

	exited chan struct{} // closed: exit was said
	leave  sync.Once

	queue queue
}

// settings are those of an editor; the zero settings are the default.
type settings struct {
	// InlayHints are "all" (default), "changed": where the type differs from the line before, or "off".
	InlayHints string `json:"inlayHints"`
	// CodeLens is "on" (default) or "off".
	CodeLens string `json:"codeLens"`
	// Unknowns are "off" (default) or "on": what is not known is a hint, with its cause.
	Unknowns string `json:"unknowns"`
}

// Serve serves until the editor says exit, the stream ends or ctx does. The exit code is that of
// the protocol: 0 after a shutdown, else 1. A stream that ends in a message, or with one whose length is not
// known, is an error.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, o Options) (code int, err error) {
	s := newServer(o)
	work, stop := context.WithCancel(ctx)
	defer stop()
	s.connect(work, in, out, s.methods())
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.work(work)
	}()
	select { // who says exit need not close the stream, and reading it cannot be ended
	case <-s.rpc.DisconnectNotify():
		err = s.stream.fault()
	case <-s.exited:
	case <-ctx.Done():
	}
	stop()
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made != "" {
		if err := os.RemoveAll(s.made); err != nil {
			s.log.Print(err)
		}
	}
	if s.closing && err == nil {
		return 0, nil
	}
	return 1, err
}

func newServer(o Options) *Server {
	if o.Log == nil {
		o.Log = io.Discard
	}
	return &Server{
		options: o, log: log.New(o.Log, "", log.LstdFlags|log.Lmicroseconds), encoding: utf16Encoding,
		docs: map[string]*document{}, cells: map[string]string{}, views: map[string]*view{}, exited: make(chan struct{}),
		running: map[jsonrpc2.ID]context.CancelFunc{},
		shown:   map[string]map[string][]diagnostic{}, versions: map[string]int{}, cache: infer.NewCache(), modules: &infer.Modules{},
		queue: newQueue(),
	}
}

// methods are what is carried out, by name.
type methods struct{ requests, notifications map[string]method }

func (s *Server) methods() methods {
	return methods{
		requests: map[string]method{
			"initialize":                  call(s.initialize),
			"shutdown":                    call(s.shutdown),
			"textDocument/diagnostic":     call(s.pullDiagnostics),
			"textDocument/hover":          call(s.hover),
			"textDocument/inlayHint":      call(s.inlayHints),
			"textDocument/codeLens":       call(s.codeLenses),
			"textDocument/documentSymbol": call(s.documentSymbols),
			"textDocument/codeAction":     call(s.codeActions),
			"workspace/executeCommand":    call(s.executeCommand),
		},
		notifications: map[string]method{
			"initialized":                         call(s.initialized),
			"exit":                                call(s.exit),
			"$/cancelRequest":                     call(s.cancelRequest),
			"$/setTrace":                          call(ignored),
			"window/workDoneProgress/cancel":      call(ignored),
			"textDocument/didOpen":                call(s.didOpen),
			"textDocument/didChange":              call(s.didChange),
			"textDocument/didSave":                call(s.didSave),
			"textDocument/didClose":               call(s.didClose),
			"workspace/didChangeWatchedFiles":     call(s.didChangeFiles),
			"workspace/didChangeConfiguration":    call(s.didChangeConfiguration),
			"workspace/didChangeWorkspaceFolders": call(s.didChangeFolders),
			"notebookDocument/didOpen":            call(s.didOpenNotebook),
			"notebookDocument/didChange":          call(s.didChangeNotebook),
			"notebookDocument/didSave":            call(s.didSave),
			"notebookDocument/didClose":           call(s.didCloseNotebook),
		},
	}
}

// Commands that the server carries out.
const (
	commandCheck    = "shapecheck.check"
	commandFixAll   = "shapecheck.fixAll"
	commandComments = "shapecheck.writeShapeComments"
)

func (s *Server) initialize(_ context.Context, p *initializeParams) (*initializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client, s.opened = *p, true
	if slices.Contains(p.Capabilities.General.PositionEncodings, string(utf8Encoding)) {
		s.encoding = utf8Encoding
	}
	folders := p.WorkspaceFolders
	if len(folders) == 0 && p.RootURI != "" {
		folders = []folder{{URI: p.RootURI}}
	}
	for _, f := range folders {
		if path, err := pathOf(f.URI); err == nil {
			s.roots = append(s.roots, path)
		}
	}
	if len(s.roots) == 0 && p.RootPath != "" {
		s.roots = []string{filepath.Clean(p.RootPath)}
	}
	if len(p.InitializationOptions) > 0 {
		if err := json.Unmarshal(p.InitializationOptions, &s.settings); err != nil {
			s.log.Printf("initializationOptions: %v", err)
		}
	}
	out := &initializeResult{ServerInfo: serverInfo{"shapecheck", version.String()}}
	c := &out.Capabilities
	c.PositionEncoding = string(s.encoding)
	c.TextDocumentSync = syncOptions{OpenClose: true, Change: 2, Save: true}
	c.NotebookDocumentSync.NotebookSelector = []notebookSelector{{Notebook: "jupyter-notebook", Cells: []cellLanguage{{"python"}}}}
	c.HoverProvider, c.DocumentSymbolProvider = true, true
	c.CodeActionProvider.CodeActionKinds = []string{kindQuickFix, kindFixAll, kindRewrite}
	c.ExecuteCommandProvider.Commands = []string{commandCheck, commandUse, commandFixAll, commandComments, commandReport, commandSelect,
		commandExport}
	c.DiagnosticProvider = diagnosticOptions{Identifier: "shapecheck", InterFileDependencies: true}
	c.Workspace.WorkspaceFolders.Supported, c.Workspace.WorkspaceFolders.ChangeNotifications = true, true
	return out, nil
}

// initialized asks for news of files, where the editor can be asked.
func (s *Server) initialized(ctx context.Context, _ *json.RawMessage) (any, error) {
	if s.client.Capabilities.Workspace.DidChangeWatchedFiles.DynamicRegistration {
		watchers := []map[string]string{}
		for _, glob := range []string{"**/*.py", "**/shapecheck.toml", "**/pyproject.toml"} {
			watchers = append(watchers, map[string]string{"globPattern": glob})
		}
		go s.ask("client/registerCapability", map[string]any{"registrations": []any{map[string]any{
			"id": "files", "method": "workspace/didChangeWatchedFiles", "registerOptions": map[string]any{"watchers": watchers},
		}}})
	}
	return nil, nil
}

func (s *Server) shutdown(context.Context, *json.RawMessage) (any, error) {
	s.mu.Lock()
	s.closing = true
	s.mu.Unlock()
	s.queue.stop()
	return nil, nil
}

func (s *Server) exit(context.Context, *json.RawMessage) (any, error) {
	s.leave.Do(func() { close(s.exited) })
	return nil, nil
}

func (s *Server) didOpen(_ context.Context, p *didOpen) (any, error) {
	path, err := pathOf(p.TextDocument.URI)
	if err != nil {
		s.log.Print(err)
		return nil, nil // an untitled text has no place among files
	}
	s.mu.Lock()
	s.docs[p.TextDocument.URI] = newDocument(p.TextDocument.URI, path, p.TextDocument.Version, p.TextDocument.Text)
	s.mu.Unlock()
	s.queue.add(p.TextDocument.URI, 0)
	return nil, nil
}

func (s *Server) didChange(_ context.Context, p *didChange) (any, error) {
	uri := p.TextDocument.URI
	s.mu.Lock()
	d := s.docs[uri]
	if d == nil {
		s.mu.Unlock()
		return nil, fmt.Errorf("%s is not open", uri)
	}
	for i := range p.ContentChanges {
		if err := d.change(&p.ContentChanges[i], s.encoding); err != nil {
			s.log.Printf("%s: %v", uri, err)
		}
	}
	d.version = p.TextDocument.Version
	others := s.readers(d.path, uri)
	s.mu.Unlock()
	s.queue.add(uri, s.queue.patience())
	for _, o := range others {
		s.queue.add(o, s.queue.patience()+afterOthers)
	}
	return nil, nil
}

// readers are the open documents whose checks read a file.
func (s *Server) readers(path, but string) []string {
	var out []string
	for uri, v := range s.views {
		if uri != but && s.docs[uri] != nil && v.reads[path] {
			out = append(out, uri)
		}
	}
	slices.Sort(out)
	return out
}

func (s *Server) didSave(context.Context, *json.RawMessage) (any, error) { return nil, nil }

func (s *Server) didClose(_ context.Context, p *struct {
	TextDocument textDocument `json:"textDocument"`
}) (any, error) {
	s.close(p.TextDocument.URI)
	return nil, nil
}

// close forgets a document and takes back what its check has shown.
func (s *Server) close(uri string) {
	s.queue.remove(uri)
	s.mu.Lock()
	delete(s.docs, uri)
	delete(s.views, uri)
	s.mu.Unlock()
	s.publish(uri, nil, 0)
}

// didChangeFiles checks all open documents again: one that does not read what changed is done
// soon.
func (s *Server) didChangeFiles(context.Context, *json.RawMessage) (any, error) {
	s.recheck()
	return nil, nil
}

func (s *Server) recheck() {
	s.mu.Lock()
	var list []string
	for uri := range s.docs {
		list = append(list, uri)
	}
	s.mu.Unlock()
	slices.Sort(list)
	for _, uri := range list {
		s.queue.add(uri, s.queue.patience())
	}
}

func (s *Server) didChangeConfiguration(_ context.Context, p *struct {
	Settings struct {
		Shapecheck *settings `json:"shapecheck"`
	} `json:"settings"`
}) (any, error) {
	if p.Settings.Shapecheck != nil {
		s.mu.Lock()
		s.settings = *p.Settings.Shapecheck
		s.mu.Unlock()
		s.recheck()
	}
	return nil, nil
}

func (s *Server) didChangeFolders(_ context.Context, p *didChangeFolders) (any, error) {
	s.mu.Lock()
	for _, f := range p.Event.Removed {
		if path, err := pathOf(f.URI); err == nil {
			s.roots = slices.DeleteFunc(s.roots, func(r string) bool { return r == path })
		}
	}
	for _, f := range p.Event.Added {
		if path, err := pathOf(f.URI); err == nil && !slices.Contains(s.roots, path) {
			s.roots = append(s.roots, path)
		}
	}
	s.mu.Unlock()
	s.recheck()
	return nil, nil
}
