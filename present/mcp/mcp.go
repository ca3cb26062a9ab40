// Package mcp serves agents: the Model Context Protocol on standard input and output, one message of JSON-RPC a line. Nothing is
// written, and only files below the folder in which the server was started are looked at.
//
//	mcp.go    messages    tools.go  the tools    edit.go  texts with an edit
package mcp

// This file reads messages and answers them.

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"shapecheck/check"
	"shapecheck/infer"
	"shapecheck/internal/safetext"
	"shapecheck/internal/version"
	"shapecheck/project/pyenv"
)

// Bounds of messages.
const (
	maxMessage = 16 << 20 // bytes of one that is read
	maxAnswer  = 4000     // characters of a tool's answer
)

// protocols are the versions that are spoken, the newest first.
var protocols = []string{"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}

// A Server answers one client.
type Server struct {
	Environment pyenv.Search
	Limits      check.Limits
	// Timed says that the command line has a timeout, which stands above that of a configuration.
	Timed bool

	root  string
	cache *infer.Cache
	out   io.Writer
}

// A message is a request or a notification.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
}

// A fault is an error of JSON-RPC.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (f *fault) Error() string { return f.Message }

// The codes of JSON-RPC.
const (
	codeRequest = -32600
	codeMethod  = -32601
	codeParams  = -32602
)

// Serve answers what comes from in, until it ends, for the working directory. It returns an error where a stream fails.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	if s.root, err = realPath("."); err != nil {
		return err
	}
	s.out, s.cache = out, infer.NewCache()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() && ctx.Err() == nil {
		var m message
		line := bytes.TrimSpace(lines.Bytes())
		if err := json.Unmarshal(line, &m); len(line) > 0 && (err != nil || m.Method == "") {
			s.answer(json.RawMessage("null"), nil, &fault{codeRequest, "no message of JSON-RPC"})
		} else if len(m.ID) > 0 && string(m.ID) != "null" { // a notification has no answer
			result, err := s.take(ctx, &m)
			s.answer(m.ID, result, err)
		}
	}
	return lines.Err()
}

// take carries out a request.
func (s *Server) take(ctx context.Context, m *message) (any, error) {
	switch m.Method {
	case "initialize":
		return s.initialize(m.Params), nil
	case "ping":
		return struct{}{}, nil
	case "tools/list":
		return map[string]any{"tools": toolTable}, nil
	case "tools/call":
		return s.call(ctx, m.Params)
	}
	return nil, &fault{codeMethod, "no such method: " + safetext.Line(m.Method)}
}

// initialize takes the client's version of the protocol where it is known.
func (s *Server) initialize(params json.RawMessage) any {
	var p struct {
		Version string `json:"protocolVersion"`
	}
	_ = json.Unmarshal(params, &p) // who names none gets the newest
	if !slices.Contains(protocols, p.Version) {
		p.Version = protocols[0]
	}
	return map[string]any{
		"protocolVersion": p.Version,
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]string{"name": "shapecheck", "version": version.String()},
		"instructions":    "Shapes of tensor programs. Before an edit of a model is written, check_edit tells what it breaks and mends.",
	}
}

// call carries out a tool. What a tool cannot do is an answer, too, which the agent reads.
func (s *Server) call(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	}
	d := json.NewDecoder(bytes.NewReader(params))
	if err := d.Decode(&p); err != nil {
		return nil, &fault{codeParams, err.Error()}
	}
	i := slices.IndexFunc(toolTable, func(t tool) bool { return t.Name == p.Name })
	if i < 0 {
		return nil, &fault{codeParams, "no such tool: " + safetext.Line(p.Name)}
	}
	text, err := s.guarded(ctx, toolTable[i].run, &p.Arguments)
	if err != nil {
		text = err.Error()
	}
	if r := []rune(text); len(r) > maxAnswer {
		text = string(r[:maxAnswer-1]) + "…"
	}
	return map[string]any{"content": []any{map[string]string{"type": "text", "text": safetext.Lines(text)}}, "isError": err != nil}, nil
}

// guarded makes an error of a panic.
func (s *Server) guarded(ctx context.Context, run runTool, a *arguments) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("internal error: %v", r)
		}
	}()
	return run(s, ctx, a)
}

// answer sends a response.
func (s *Server) answer(id json.RawMessage, result any, err error) {
	out := map[string]any{"jsonrpc": "2.0", "id": id}
	var f *fault
	switch {
	case err == nil:
		out["result"] = result
	case errors.As(err, &f):
		out["error"] = f
	default:
		out["error"] = &fault{codeRequest, err.Error()}
	}
	if data, err := json.Marshal(out); err == nil {
		_, _ = s.out.Write(append(data, '\n')) // a client that is gone ends the input as well
	}
}
