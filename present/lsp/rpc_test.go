package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"testing"

	"github.com/sourcegraph/jsonrpc2"
)

// A duplex is a stream of two halves.
type duplex struct {
	io.Reader
	io.WriteCloser
}

// wire connects a server with the given methods to a client.
func wire(t *testing.T, methods map[string]method) *jsonrpc2.Conn {
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	s := newServer(Options{})
	m := s.methods()
	for name, f := range methods {
		m.requests[name], m.notifications[name] = f, f
	}
	s.connect(context.Background(), toServer, fromServer, m)
	ignore := jsonrpc2.HandlerWithError(func(context.Context, *jsonrpc2.Conn, *jsonrpc2.Request) (any, error) { return nil, nil })
	c := jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(&duplex{toClient, fromClient}, jsonrpc2.VSCodeObjectCodec{}),
		ignore)
	t.Cleanup(func() {
		if err := errors.Join(c.Close(), fromServer.Close()); err != nil {
			t.Error(err)
		}
	})
	return c
}

func TestRequestsOutOfTurnAreRefused(t *testing.T) {
	c := wire(t, nil)
	want := func(name string, code int64) {
		t.Helper()
		err := c.Call(context.Background(), name, map[string]any{}, nil)
		var e *jsonrpc2.Error
		if code == 0 && err != nil || code != 0 && (!errors.As(err, &e) || e.Code != code) {
			t.Errorf("%s: %v, not error %d", name, err, code)
		}
	}
	want("textDocument/hover", codeNotInitialized)
	want("initialize", 0)
	want("initialize", jsonrpc2.CodeInvalidRequest)
	want("textDocument/unheardOf", jsonrpc2.CodeMethodNotFound)
	want("exit", jsonrpc2.CodeMethodNotFound) // a notification
	if err := c.Notify(context.Background(), "textDocument/didUnheardOf", nil); err != nil {
		t.Error(err)
	}
	if err := c.Call(context.Background(), "textDocument/hover", []int{1}, nil); err == nil {
		t.Error("parameters of another form are taken")
	}
	want("shutdown", 0)
	want("textDocument/hover", jsonrpc2.CodeInvalidRequest)
}

func TestAPanicIsAnError(t *testing.T) {
	fails := func(context.Context, json.RawMessage) (any, error) { panic("a fault") }
	c := wire(t, map[string]method{"fails": fails})
	if err := c.Call(context.Background(), "initialize", map[string]any{}, nil); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the server lives
		var e *jsonrpc2.Error
		err := c.Call(context.Background(), "fails", nil, nil)
		if !errors.As(err, &e) || e.Code != jsonrpc2.CodeInternalError || e.Message != "internal error: a fault" {
			t.Errorf("the error is %v", err)
		}
		if err := c.Notify(context.Background(), "fails", nil); err != nil {
			t.Error(err)
		}
	}
}

func TestRequestsAreCancelled(t *testing.T) {
	for _, id := range []jsonrpc2.ID{{Num: 7}, {Str: "seven", IsString: true}} {
		began := make(chan struct{})
		c := wire(t, map[string]method{"block": func(ctx context.Context, _ json.RawMessage) (any, error) {
			close(began)
			<-ctx.Done()
			return nil, ctx.Err()
		}})
		if err := c.Call(context.Background(), "initialize", map[string]any{}, nil); err != nil {
			t.Fatal(err)
		}
		call, err := c.DispatchCall(context.Background(), "block", nil, jsonrpc2.PickID(id))
		if err != nil {
			t.Fatal(err)
		}
		<-began
		if err := c.Notify(context.Background(), "$/cancelRequest", map[string]any{"id": id}); err != nil {
			t.Fatal(err)
		}
		var e *jsonrpc2.Error
		if err := call.Wait(context.Background(), nil); !errors.As(err, &e) || e.Code != codeRequestCancelled {
			t.Errorf("request %v: %v", id, err)
		}
	}
}
