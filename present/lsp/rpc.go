package lsp

// This file answers the editor's messages and sends the server's own.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// Errors of the protocol that JSON-RPC has not.
const (
	codeNotInitialized   = -32002
	codeRequestCancelled = -32800
)

// A method answers a request, or takes a notification. A *jsonrpc2.Error is sent as it is.
type method func(ctx context.Context, params json.RawMessage) (any, error)

// call makes a method of a function; parameters that are missing are the zero ones.
func call[P, R any](f func(ctx context.Context, params *P) (R, error)) method {
	return func(ctx context.Context, raw json.RawMessage) (any, error) {
		var params P
		if len(raw) > 0 {
			if err := json.Unmarshal(raw, &params); err != nil {
				return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
			}
		}
		return f(ctx, &params)
	}
}

func ignored(context.Context, *json.RawMessage) (any, error) { return nil, nil }

// connect begins to serve a stream; the connection's end is its DisconnectNotify.
func (s *Server) connect(ctx context.Context, in io.Reader, out io.WriteCloser, m methods) {
	s.stream = newStream(in, out, s.log.Printf)
	s.rpc = jsonrpc2.NewConn(ctx, s.stream, handler{s, m}, jsonrpc2.SetLogger(s.log))
}

// A handler carries out what comes.
type handler struct {
	server  *Server
	methods methods
}

// Handle carries out notifications, and the first and the last request, in the order of their arrival, so that
// a request finds the texts as they were when it was sent. Other requests wait for nobody.
func (h handler) Handle(ctx context.Context, _ *jsonrpc2.Conn, r *jsonrpc2.Request) {
	s := h.server
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	if r.Notif {
		m, ok := h.methods.notifications[r.Method]
		if !ok || !s.handlesNotification(r.Method) {
			return // the protocol: unknown ones and those out of turn are ignored
		}
		m = s.guarded(r.Method, m)
		if _, err := m(ctx, params); err != nil {
			s.log.Printf("%s: %v", r.Method, err)
		}
		return
	}
	m, ok := h.methods.requests[r.Method]
	if err := s.refuses(r.Method, ok); err != nil {
		s.answer(r, nil, err)
		return
	}
	m = s.guarded(r.Method, m)
	if r.Method == "initialize" || r.Method == "shutdown" {
		result, err := m(ctx, params)
		s.answer(r, result, err)
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	s.mu.Lock()
	s.running[r.ID] = cancel
	s.mu.Unlock()
	go func() {
		defer cancel()
		result, err := m(ctx, params)
		s.mu.Lock()
		delete(s.running, r.ID)
		s.mu.Unlock()
		if err == nil && ctx.Err() != nil {
			err = ctx.Err()
		}
		s.answer(r, result, err)
	}()
}

// guarded makes an error of a panic in a method, and the server lives.
func (s *Server) guarded(name string, m method) method {
	return func(ctx context.Context, params json.RawMessage) (result any, err error) {
		defer func() {
			if r := recover(); r != nil {
				s.log.Printf("%s: internal error: %v\n%s", name, r, debug.Stack())
				result, err = nil, fmt.Errorf("internal error: %v", r)
			}
		}()
		return m(ctx, params)
	}
}

// refuses says why a request is not carried out in the server's state.
func (s *Server) refuses(name string, known bool) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closing:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server was shut down"}
	case !s.opened && name != "initialize":
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
	case !known:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no such method: " + name}
	case s.opened && name == "initialize":
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize comes once"}
	}
	return nil
}

// handlesNotification reports whether a notification is carried out in the server's state.
func (s *Server) handlesNotification(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return name == "exit" || s.opened && !s.closing
}

// answer sends a response.
func (s *Server) answer(r *jsonrpc2.Request, result any, err error) {
	out := &response{Version: "2.0", ID: json.RawMessage(r.ID.Str)}
	if err == nil {
		out.Result, err = json.Marshal(result)
	}
	var said *jsonrpc2.Error
	switch {
	case err == nil:
	case errors.As(err, &said):
		out = failed(out.ID, said)
	case errors.Is(err, context.Canceled):
		out = failed(out.ID, &jsonrpc2.Error{Code: codeRequestCancelled, Message: "cancelled"})
	default:
		out = failed(out.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()})
	}
	if err := s.stream.WriteObject(out); err != nil {
		s.log.Printf("%s: %v", r.Method, err)
	}
}

func (s *Server) cancelRequest(_ context.Context, p *struct {
	ID json.RawMessage `json:"id"`
}) (any, error) {
	id, ok := idOf(p.ID)
	if !ok {
		return nil, nil
	}
	s.mu.Lock()
	cancel := s.running[id]
	s.mu.Unlock()
	if cancel != nil {
		cancel()
	}
	return nil, nil
}

// ask sends a request whose answer does not matter.
func (s *Server) ask(name string, params any) {
	ctx, done := context.WithTimeout(context.Background(), time.Minute)
	defer done()
	if err := s.rpc.Call(ctx, name, params, nil); err != nil {
		s.log.Printf("%s: %v", name, err)
	}
}

// tell sends a notification.
func (s *Server) tell(name string, params any) {
	if err := s.rpc.Notify(context.Background(), name, params); err != nil {
		s.log.Printf("%s: %v", name, err)
	}
}
