// Package lsp is the language server: shapecheck lsp. It checks open Python files with what is in
// the editor, and shows findings, types beside the lines, contracts and the modules of a model. What
// a check does is the driver's matter.
//
//	lsp.go       the server, its life          protocol.go  the messages
//	document.go  texts and their changes       schedule.go  when what is checked
//	view.go      what is kept of a check       files.go     paths as the editor has them
//	hover.go hints.go lens.go symbols.go diagnostics.go actions.go commands.go: the features
//
// The rules are those of the protocol, version 3.17.
package lsp

// This file holds the server and its life.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/creachadair/jrpc2"
	"github.com/creachadair/jrpc2/channel"
	"github.com/creachadair/jrpc2/handler"

	"shapecheck/infer"
	"shapecheck/internal/driver"
	"shapecheck/internal/pyenv"
	"shapecheck/internal/version"
)

// Options are what the command line says.
type Options struct {
	// Environment says where packages are installed.
	Environment pyenv.Search
	Limits      driver.Limits
	// Log takes what is said about the work; nil: nothing is.
	Log io.Writer
}

// A Server serves one editor.
type Server struct {
	options Options
	log     *log.Logger
	rpc     *jrpc2.Server

	mu       sync.Mutex
	encoding encoding
	client   initializeParams
	settings settings
	roots    []string
	docs     map[string]*document               // by URI
	views    map[string]*view                   // by URI
	shown    map[string]map[string][]diagnostic // by the document whose check found them, and URI
	versions map[string]int                     // of the documents that were checked
	cache    *infer.Cache
	winners  driver.Winners
	closing  bool // shutdown was asked for

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
}

// Serve serves until the editor says exit, the stream ends or ctx does. The exit code is that of
// the protocol: 0 after a shutdown, else 1.
func Serve(ctx context.Context, in io.Reader, out io.WriteCloser, o Options) (code int, err error) {
	s := newServer(o)
	work, stop := context.WithCancel(ctx)
	defer stop()
	s.rpc = jrpc2.NewServer(s.methods(), &jrpc2.ServerOptions{
		AllowPush: true, DisableBuiltin: true, Concurrency: 4, NewContext: func() context.Context { return work },
	})
	s.rpc.Start(channel.LSP(in, out))
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.work(work)
	}()
	ended := make(chan error, 1)
	go func() { ended <- s.rpc.WaitStatus().Err }()
	select { // who says exit need not close the stream, and reading it cannot be ended
	case err = <-ended:
	case <-s.exited:
	case <-ctx.Done():
	}
	stop()
	<-done
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return 0, nil
	case errors.Is(err, io.EOF):
		err = nil
	}
	return 1, err
}

func newServer(o Options) *Server {
	if o.Log == nil {
		o.Log = io.Discard
	}
	return &Server{
		options: o, log: log.New(o.Log, "", log.LstdFlags|log.Lmicroseconds), encoding: utf16Encoding,
		docs: map[string]*document{}, views: map[string]*view{}, exited: make(chan struct{}),
		shown: map[string]map[string][]diagnostic{}, versions: map[string]int{}, cache: infer.NewCache(), queue: newQueue(),
	}
}

// methods are the requests and notifications that are answered.
func (s *Server) methods() handler.Map {
	return handler.Map{
		"initialize":                          call(s.initialize),
		"initialized":                         call(s.initialized),
		"shutdown":                            call(s.shutdown),
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
		"textDocument/diagnostic":             call(s.pullDiagnostics),
		"textDocument/hover":                  call(s.hover),
		"textDocument/inlayHint":              call(s.inlayHints),
		"textDocument/codeLens":               call(s.codeLenses),
		"textDocument/documentSymbol":         call(s.documentSymbols),
		"textDocument/codeAction":             call(s.codeActions),
		"workspace/executeCommand":            call(s.executeCommand),
	}
}

// call makes a handler of a function; parameters that are missing are the zero ones.
func call[P, R any](f func(ctx context.Context, params *P) (R, error)) jrpc2.Handler {
	return func(ctx context.Context, r *jrpc2.Request) (any, error) {
		var params P
		if r.HasParams() {
			var raw json.RawMessage
			if err := r.UnmarshalParams(&raw); err != nil {
				return nil, err
			}
			if err := json.Unmarshal(raw, &params); err != nil {
				return nil, jrpc2.Errorf(jrpc2.InvalidParams, "%s: %v", r.Method(), err)
			}
		}
		return f(ctx, &params)
	}
}

func ignored(context.Context, *json.RawMessage) (any, error) { return nil, nil }

// Commands that the server carries out.
const (
	commandCheck    = "shapecheck.check"
	commandFixAll   = "shapecheck.fixAll"
	commandComments = "shapecheck.writeShapeComments"
)

func (s *Server) initialize(_ context.Context, p *initializeParams) (*initializeResult, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.client = *p
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
	c.HoverProvider, c.DocumentSymbolProvider = true, true
	c.CodeActionProvider.CodeActionKinds = []string{kindQuickFix, kindFixAll, kindRewrite}
	c.ExecuteCommandProvider.Commands = []string{commandCheck, commandUse, commandFixAll, commandComments}
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

// ask sends a request whose answer does not matter.
func (s *Server) ask(method string, params any) {
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	if _, err := s.rpc.Callback(ctx, method, params); err != nil {
		s.log.Printf("%s: %v", method, err)
	}
}

// tell sends a notification.
func (s *Server) tell(method string, params any) {
	if err := s.rpc.Notify(context.Background(), method, params); err != nil {
		s.log.Printf("%s: %v", method, err)
	}
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

func (s *Server) cancelRequest(ctx context.Context, p *struct {
	ID json.RawMessage `json:"id"`
}) (any, error) {
	jrpc2.ServerFromContext(ctx).CancelRequest(string(p.ID))
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
	uri := p.TextDocument.URI
	s.queue.remove(uri)
	s.mu.Lock()
	delete(s.docs, uri)
	delete(s.views, uri)
	s.mu.Unlock()
	s.publish(uri, nil, 0)
	return nil, nil
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
