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
func (s *Server) connect(ctx context.Context, in io.Reader, out io.WriteCloser) {
	stream := jsonrpc2.NewBufferedStream(&duplex{in, out}, jsonrpc2.VSCodeObjectCodec{})
	s.rpc = jsonrpc2.NewConn(ctx, stream, handler{s, s.methods()}, jsonrpc2.SetLogger(s.log))
}

// A duplex is a stream of two halves. Closing it closes what is written: the reader is the
// program's input, and who waits for it cannot be woken.
type duplex struct {
	io.Reader
	io.WriteCloser
}

// A handler carries out what comes.
type handler struct {
	server  *Server
	methods map[string]method
}

// Handle carries out notifications, and the first request, in the order of their arrival, so that
// a request finds the texts as they were when it was sent. Other requests wait for nobody.
func (h handler) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	s := h.server
	m, ok := h.methods[r.Method]
	m = s.guarded(r.Method, m)
	var params json.RawMessage
	if r.Params != nil {
		params = *r.Params
	}
	if r.Notif {
		if !ok {
			return // the protocol: unknown ones are ignored
		}
		if _, err := m(ctx, params); err != nil {
			s.log.Printf("%s: %v", r.Method, err)
		}
		return
	}
	if err := s.refuses(r.Method, ok); err != nil {
		s.answer(ctx, conn, r, nil, err)
		return
	}
	if r.Method == "initialize" {
		result, err := m(ctx, params)
		s.answer(ctx, conn, r, result, err)
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
		s.answer(ctx, conn, r, result, err)
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
	case !known:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no such method: " + name}
	case s.closing:
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "the server was shut down"}
	case !s.opened && name != "initialize":
		return &jsonrpc2.Error{Code: codeNotInitialized, Message: "initialize comes first"}
	case s.opened && name == "initialize":
		return &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initialize comes once"}
	}
	return nil
}

// answer sends a response.
func (s *Server) answer(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request, result any, err error) {
	var said *jsonrpc2.Error
	switch {
	case err == nil:
		err = conn.Reply(ctx, r.ID, result)
	case errors.As(err, &said):
		err = conn.ReplyWithError(ctx, r.ID, said)
	case errors.Is(err, context.Canceled):
		err = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: codeRequestCancelled, Message: "cancelled"})
	default:
		err = conn.ReplyWithError(ctx, r.ID, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: err.Error()})
	}
	if err != nil {
		s.log.Printf("%s: %v", r.Method, err)
	}
}

func (s *Server) cancelRequest(_ context.Context, p *struct {
	ID jsonrpc2.ID `json:"id"`
}) (any, error) {
	s.mu.Lock()
	cancel := s.running[p.ID]
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
