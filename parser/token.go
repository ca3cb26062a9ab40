package parser

// This file defines the tokens and the stream that feeds them to the generated
// parser. All tokens of a file live in one slice: the parser gets pointers into
// it, so that a token costs no allocation.
//
// Positions are int32, which bounds files to 2 GiB and makes a token 12 bytes.

import (
	"github.com/antlr4-go/antlr/v4"

	"shapecheck/grammar/pygen"
)

// A token is a piece of source text. NEWLINE, INDENT and DEDENT have, as their
// end, the end of the last token before them that is not one of the three: that
// is where CPython ends a statement. Comments and blank lines have no tokens.
type token struct {
	kind       int32
	start, end int32 // byte offsets in the file
}

// These methods make *token an antlr.Token. The runtime calls only
// GetTokenType while parsing; the rest is there for the interface.

func (t *token) GetTokenType() int                           { return int(t.kind) }
func (t *token) GetChannel() int                             { return antlr.TokenDefaultChannel }
func (t *token) GetStart() int                               { return int(t.start) }
func (t *token) GetStop() int                                { return int(t.end) - 1 }
func (t *token) GetSource() *antlr.TokenSourceCharStreamPair { return nil }
func (t *token) GetLine() int                                { return 0 }
func (t *token) GetColumn() int                              { return 0 }
func (t *token) GetText() string                             { return "" }
func (t *token) SetText(string)                              {}
func (t *token) GetTokenIndex() int                          { return 0 }
func (t *token) SetTokenIndex(int)                           {}
func (t *token) GetTokenSource() antlr.TokenSource           { return nil }
func (t *token) GetInputStream() antlr.CharStream            { return nil }
func (t *token) String() string                              { return "" }

// A stream is an antlr.TokenStream over a slice whose last token is EOF. ANTLR's own stream
// buffers tokens from a lexer and filters channels; here all tokens are there before, so that
// looking ahead is indexing.
type stream struct {
	toks []token
	pos  int // index of the next token
}

// Consume goes to the next token; the parser never goes beyond EOF.
func (s *stream) Consume() { s.pos++ }

// LA is the kind of the k-th token from here, 1 the next one; the parser asks for the first
// nearly always.
func (s *stream) LA(k int) int {
	if k == 1 {
		return int(s.toks[s.pos].kind)
	}
	return s.at(k).GetTokenType()
}

// LT is the token itself; -1 is the last one that was consumed.
func (s *stream) LT(k int) antlr.Token {
	if k == 1 {
		return &s.toks[s.pos]
	}
	if k == -1 && s.pos > 0 {
		return &s.toks[s.pos-1]
	}
	return s.at(k)
}

// at returns the k-th token from here, clamped to the stream.
func (s *stream) at(k int) *token {
	i := s.pos + k
	if k > 0 {
		i--
	}
	return &s.toks[min(max(i, 0), len(s.toks)-1)]
}

// prev returns the last consumed token.
func (s *stream) prev() *token { return &s.toks[s.pos-1] }

func (s *stream) Mark() int                                         { return 0 }
func (s *stream) Release(int)                                       {}
func (s *stream) Index() int                                        { return s.pos }
func (s *stream) Seek(i int)                                        { s.pos = i }
func (s *stream) Size() int                                         { return len(s.toks) }
func (s *stream) GetSourceName() string                             { return "" }
func (s *stream) Reset()                                            { s.pos = 0 }
func (s *stream) Get(i int) antlr.Token                             { return &s.toks[i] }
func (s *stream) GetTokenSource() antlr.TokenSource                 { return nil }
func (s *stream) SetTokenSource(antlr.TokenSource)                  {}
func (s *stream) GetAllText() string                                { return "" }
func (s *stream) GetTextFromInterval(antlr.Interval) string         { return "" }
func (s *stream) GetTextFromRuleContext(antlr.RuleContext) string   { return "" }
func (s *stream) GetTextFromTokens(antlr.Token, antlr.Token) string { return "" }

// Token kinds, numbered in grammar/pygen/Tokens.tokens.
const (
	tEOF           = pygen.PythonEOF
	tNewline       = pygen.PythonNEWLINE
	tIndent        = pygen.PythonINDENT
	tDedent        = pygen.PythonDEDENT
	tName          = pygen.PythonNAME
	tNumber        = pygen.PythonNUMBER
	tString        = pygen.PythonSTRING
	tFStringStart  = pygen.PythonFSTRING_START
	tFStringMiddle = pygen.PythonFSTRING_MIDDLE
	tFStringEnd    = pygen.PythonFSTRING_END
	tLPar          = pygen.PythonLPAR
	tRPar          = pygen.PythonRPAR
	tLSqb          = pygen.PythonLSQB
	tRSqb          = pygen.PythonRSQB
	tLBrace        = pygen.PythonLBRACE
	tRBrace        = pygen.PythonRBRACE
	tComma         = pygen.PythonCOMMA
	tColon         = pygen.PythonCOLON
	tDot           = pygen.PythonDOT
	tEllipsis      = pygen.PythonELLIPSIS
	tPlus          = pygen.PythonPLUS
	tMinus         = pygen.PythonMINUS
	tStar          = pygen.PythonSTAR
	tSlash         = pygen.PythonSLASH
	tDoubleSlash   = pygen.PythonDOUBLESLASH
	tPercent       = pygen.PythonPERCENT
	tAt            = pygen.PythonAT
	tDoubleStar    = pygen.PythonDOUBLESTAR
	tLShift        = pygen.PythonLSHIFT
	tRShift        = pygen.PythonRSHIFT
	tAmper         = pygen.PythonAMPER
	tCaret         = pygen.PythonCARET
	tVBar          = pygen.PythonVBAR
	tEqEqual       = pygen.PythonEQEQUAL
	tNotEqual      = pygen.PythonNOTEQUAL
	tLess          = pygen.PythonLESS
	tLessEqual     = pygen.PythonLESSEQUAL
	tGreater       = pygen.PythonGREATER
	tGreaterEqual  = pygen.PythonGREATEREQUAL
	tIs            = pygen.PythonIS
	tIsNot         = pygen.PythonIS_NOT
	tIn            = pygen.PythonIN
	tNotIn         = pygen.PythonNOT_IN
	tAnd           = pygen.PythonAND
	tOr            = pygen.PythonOR
	tNot           = pygen.PythonNOT
	tTilde         = pygen.PythonTILDE
	tAwait         = pygen.PythonAWAIT
	tLambda        = pygen.PythonLAMBDA
	tNone          = pygen.PythonNONE
	tTrue          = pygen.PythonTRUE
	tFalse         = pygen.PythonFALSE
	tIf            = pygen.PythonIF
	tElse          = pygen.PythonELSE
	tFor           = pygen.PythonFOR
	tAsync         = pygen.PythonASYNC
	tYield         = pygen.PythonYIELD
	tFrom          = pygen.PythonFROM
	tAs            = pygen.PythonAS
	tEqual         = pygen.PythonEQUAL
	tColonEqual    = pygen.PythonCOLONEQUAL
	tSemi          = pygen.PythonSEMI
	tArrow         = pygen.PythonARROW
	tAugAssign     = pygen.PythonAUG_ASSIGN
	tFColon        = pygen.PythonF_COLON
	tFBang         = pygen.PythonF_BANG
	tReturn        = pygen.PythonRETURN
	tDel           = pygen.PythonDEL
	tPass          = pygen.PythonPASS
	tBreak         = pygen.PythonBREAK
	tContinue      = pygen.PythonCONTINUE
	tGlobal        = pygen.PythonGLOBAL
	tNonlocal      = pygen.PythonNONLOCAL
	tImport        = pygen.PythonIMPORT
	tRaise         = pygen.PythonRAISE
	tAssert        = pygen.PythonASSERT
	tElif          = pygen.PythonELIF
	tWhile         = pygen.PythonWHILE
	tTry           = pygen.PythonTRY
	tExcept        = pygen.PythonEXCEPT
	tFinally       = pygen.PythonFINALLY
	tWith          = pygen.PythonWITH
	tDef           = pygen.PythonDEF
	tClass         = pygen.PythonCLASS
	tMatch         = pygen.PythonMATCH
	tCase          = pygen.PythonCASE
	tType          = pygen.PythonTYPE
	tErrorLine     = pygen.PythonERROR_LINE
	tErrorToken    = pygen.PythonERROR_TOKEN
)

// keyword returns the token kind of an identifier: a keyword's, or tName. A switch over constant
// strings compiles to a search by length and content, which is faster than a map. Soft keywords
// (match, case, type) are names here.
func keyword(s string) int32 {
	switch s {
	case "and":
		return tAnd
	case "as":
		return tAs
	case "assert":
		return tAssert
	case "async":
		return tAsync
	case "await":
		return tAwait
	case "break":
		return tBreak
	case "class":
		return tClass
	case "continue":
		return tContinue
	case "def":
		return tDef
	case "del":
		return tDel
	case "elif":
		return tElif
	case "else":
		return tElse
	case "except":
		return tExcept
	case "finally":
		return tFinally
	case "for":
		return tFor
	case "from":
		return tFrom
	case "global":
		return tGlobal
	case "if":
		return tIf
	case "import":
		return tImport
	case "in":
		return tIn
	case "is":
		return tIs
	case "lambda":
		return tLambda
	case "nonlocal":
		return tNonlocal
	case "not":
		return tNot
	case "or":
		return tOr
	case "pass":
		return tPass
	case "raise":
		return tRaise
	case "return":
		return tReturn
	case "try":
		return tTry
	case "while":
		return tWhile
	case "with":
		return tWith
	case "yield":
		return tYield
	case "False":
		return tFalse
	case "None":
		return tNone
	case "True":
		return tTrue
	}
	return tName
}
