package vm

// This file holds the errors of loading and running.

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"shapecheck/codegen/isa"
	"shapecheck/runtime/memory"
	"shapecheck/runtime/tensor"
)

// An Error says why a program was not loaded, bound or run.
type Error struct {
	// Code is SC82x for the format, 83x for the verifier, 84x for loading and binding, 85x for
	// running, 86x for budgets.
	Code string
	// Place is the line of the source that the instruction or condition comes from: "net.py:41"; or empty.
	Place string
	// Nodes are the names of the original model's nodes.
	Nodes []string
	// PC is the index of the instruction, or -1; Op its opcode.
	PC int
	Op isa.Op
	// Operands are the types of the instruction's operands.
	Operands []string
	// Symbols are the bound symbols as "H = 225", in the program's order.
	Symbols []string
	Reason  string
	// Err is what caused it, such as context.Canceled; or nil.
	Err error
}

// Codes of errors.
const (
	CodeFormat    = "SC820" // the file is no program, or one of another version
	CodeVerify    = "SC830" // the verifier refused it
	CodeLoad      = "SC840" // segments, weights or kernels are missing
	CodeContract  = "SC841" // the inputs break the contract
	CodeInput     = "SC842" // an input is missing, unknown or of another type
	CodeRun       = "SC850" // an instruction cannot be computed for these elements
	CodeNumber    = "SC851" // a NaN or an infinity, when these are checked
	CodeDiffers   = "SC852" // a kernel's result is not the reference's, when these are compared
	CodePanic     = "SC859" // a fault of the machine itself
	CodeBudget    = "SC860" // more instructions, bytes or trips than allowed
	CodeCancelled = "SC861" // the context ended
)

func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Code)
	b.WriteString(": ")
	if e.Place != "" {
		b.WriteString(e.Place)
		b.WriteString(": ")
	}
	if e.PC >= 0 && e.Op != 0 {
		fmt.Fprintf(&b, "instruction %d, %s", e.PC, e.Op)
		if len(e.Operands) > 0 {
			b.WriteString(" of " + strings.Join(e.Operands, ", "))
		}
		b.WriteString(": ")
	}
	b.WriteString(e.Reason)
	if len(e.Symbols) > 0 {
		b.WriteString(" (" + strings.Join(e.Symbols, ", ") + ")")
	}
	return b.String()
}

// shortType is the type of a value, of a long sequence without its elements.
func shortType(v tensor.Value) string {
	if r, ok := v.(*rows); ok {
		return tensor.ListType(r.n, r.Type)
	}
	return tensor.ShortType(v)
}

// needs says how much memory was asked for in vain.
func needs(e *memory.FullError) string {
	return fmt.Sprintf("needs %d bytes, and %d of the %d that the process may have are in use", e.Bytes, e.Used, e.Limit)
}

// stopped says why a context has ended.
func stopped(err error) string {
	if errors.Is(err, context.DeadlineExceeded) {
		return "the time is up"
	}
	return "the run was stopped"
}

// failed makes an error of what went wrong outside of instructions.
func failed(code string, err error) error {
	e := &Error{Code: code, PC: -1, Reason: err.Error(), Err: err}
	var full *memory.FullError
	if errors.As(err, &full) {
		e.Code = CodeBudget
	}
	return e
}

// Unwrap gives the error that caused it, such as context.Canceled; nil if there is none.
func (e *Error) Unwrap() error { return e.Err }
