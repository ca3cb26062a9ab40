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

	"github.com/sourcegraph/jsonrpc2"

	"shapecheck/infer"
	"shapecheck/internal/safetext"
	"shapecheck/internal/version"
	"shapecheck/present/lsp"
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
	lsp.Options // how files are checked

	root  string
	cache *infer.Cache
}

// Serve answers what comes from in, until it ends, for the working directory. It returns an error where a stream fails.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) (err error) {
	if s.root, err = realPath("."); err != nil {
		return err
	}
	s.cache = infer.NewCache()
	lines, answers := bufio.NewScanner(in), json.NewEncoder(out)
	lines.Buffer(nil, maxMessage)
	for lines.Scan() && ctx.Err() == nil {
		var m struct { // a request, or a notification, which has no answer
			ID, Params json.RawMessage
			Method     string
		}
		if err := json.Unmarshal(lines.Bytes(), &m); err != nil {
			m.ID, m.Method = nil, ""
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 || m.Method != "" && (m.ID == nil || string(m.ID) == "null") {
			continue
		}
		answer := map[string]any{"jsonrpc": "2.0", "id": m.ID}
		if result, err := s.take(ctx, m.Method, m.Params); err != nil {
			answer["error"] = err
		} else {
			answer["result"] = result
		}
		_ = answers.Encode(answer) // a client that is gone ends the input as well
	}
	return lines.Err()
}

// take carries out a request. Its errors are those of JSON-RPC: what a tool cannot do is an answer, too, which the agent reads.
func (s *Server) take(ctx context.Context, method string, params json.RawMessage) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: fmt.Sprint("internal error: ", r)}
		}
	}()
	switch method {
	case "":
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "no message of JSON-RPC"}
	case "initialize":
		return initialized(params), nil
	case "ping":
		return struct{}{}, nil
	case "tools/list":
		return map[string]any{"tools": toolTable}, nil
	case "tools/call":
		return s.call(ctx, params)
	}
	return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeMethodNotFound, Message: "no such method: " + safetext.Line(method)}
}

// initialized takes the client's version of the protocol where it is known.
func initialized(params json.RawMessage) any {
	var p struct{ ProtocolVersion string }
	_ = json.Unmarshal(params, &p) // who names none gets the newest
	if !slices.Contains(protocols, p.ProtocolVersion) {
		p.ProtocolVersion = protocols[0]
	}
	return map[string]any{
		"protocolVersion": p.ProtocolVersion,
		"capabilities":    map[string]any{"tools": struct{}{}},
		"serverInfo":      map[string]string{"name": "shapecheck", "version": version.String()},
		"instructions":    "Shapes of tensor programs. Before an edit of a model is written, check_edit tells what it breaks and mends.",
	}
}

// call carries out a tool.
func (s *Server) call(ctx context.Context, params json.RawMessage) (any, error) {
	var p struct {
		Name      string    `json:"name"`
		Arguments arguments `json:"arguments"`
	}
	err := json.Unmarshal(params, &p)
	i := slices.IndexFunc(toolTable, func(t tool) bool { return t.Name == p.Name })
	if err == nil && i < 0 {
		err = errors.New("no such tool: " + safetext.Line(p.Name))
	}
	if err != nil {
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidParams, Message: err.Error()}
	}
	text, err := toolTable[i].run(s, ctx, &p.Arguments)
	if err != nil {
		text = err.Error()
	}
	if r := []rune(text); len(r) > maxAnswer {
		text = string(r[:maxAnswer-1]) + "…"
	}
	return map[string]any{"content": []any{map[string]string{"type": "text", "text": safetext.Lines(text)}}, "isError": err != nil}, nil
}
