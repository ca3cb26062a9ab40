// The grammar of Python, as CPython 3.14 accepts it.
//
// Every decision is LL(1): the generated parser must not call AdaptivePredict
// (grammar/grammar_test.go). What that costs is paid in three places:
//
//   - parser/scan*.go, before: INDENT and DEDENT, soft keywords, "is not" and
//     "not in" as one token, all augmented assignments as one token, two
//     adjacent commas or semicolons refused;
//   - the actions, during: operator precedence (an expression is a flat list of
//     operands and operators here);
//   - the checks of parser/build_*.go, after: targets, order of arguments and
//     parameters, place of stars.
//
// Actions call p.b (interface Builder in base.go), which makes the tree. A rule
// consumes tokens and leaves its result on the builder's stacks; an action sees
// the last consumed token. Actions never decide what is parsed.
parser grammar Python;

options {
	tokenVocab = Tokens;
	superClass = Base;
}

// ---- Entry points -----------------------------------------------------------

// The driver calls stmt once per top-level statement, so that it can resume
// after a syntax error; file documents the whole.
file : stmt* EOF ;

eval : exprs {p.b.ExprStmt()} EOF ;

// ---- Statements -------------------------------------------------------------

stmt
	: simple (';' simple?)* NEWLINE
	| 'if' {p.b.Begin()} named ':' block ('elif' {p.b.Elif()} named ':' block)* orelse? {p.b.If()}
	| 'while' {p.b.Begin()} named ':' block orelse? {p.b.While()}
	| forStmt
	| tryStmt
	| withStmt
	| def
	| classDef
	| 'async' {p.b.Async()} (def | withStmt | forStmt)
	| {p.b.Mark()} ('@' named NEWLINE)+ decorated {p.b.Decorate()}
	| 'match' {p.b.Begin()} subject ':' NEWLINE INDENT (caseBlock | errorLine)+ DEDENT {p.b.Match()}
	| errorLine
	;

decorated : def | classDef | 'async' {p.b.Async()} def | errorLine ;

block : {p.b.BeginBlock()} (NEWLINE INDENT stmt+ DEDENT | simple (';' simple?)* NEWLINE) {p.b.EndBlock()} ;

orelse : 'else' ':' block {p.b.Else()} ;

forStmt : 'for' {p.b.BeginCompound()} targets 'in' exprs ':' block orelse? {p.b.For()} ;

tryStmt : 'try' {p.b.Begin()} ':' block handler* orelse? ('finally' ':' block {p.b.Finally()})? {p.b.Try()} ;

handler
	: 'except' {p.b.BeginHandler()} ('*' {p.b.HandlerStar()})?
	  (expr {p.b.HandlerType()} ('as' NAME {p.b.HandlerName()} | ',' {p.b.BeginTuple()} expr? (',' expr?)* {p.b.Tuple()} {p.b.HandlerTypes()})?)? ':' block {p.b.Handler()}
	;

withStmt : 'with' {p.b.BeginCompound()} withItem (',' withItem)* ':' {p.b.WithHeader()} block {p.b.With()} ;

withItem : expr ('as' target {p.b.WithAs()} | {p.b.WithItem()}) ;

def : 'def' {p.b.BeginCompound()} NAME {p.b.DefName()} typeParams? '(' params? ')' ('->' expr {p.b.Returns()})? ':' block {p.b.Def()} ;

classDef : 'class' {p.b.Begin()} NAME {p.b.DefName()} typeParams? ('(' {p.b.BeginBases()} args? ')' {p.b.ClassArgs()})? ':' block {p.b.Class()} ;

// A line that did not parse; the driver puts it in the place of the faulty
// tokens before it parses again. Clauses that belonged to it are kept.
errorLine
	: ERROR_LINE NEWLINE (INDENT (stmt | caseBlock {p.b.OrphanCase()})+ DEDENT)?
	  (('else' | 'finally' | ('elif' named | 'except' exprs) {p.b.Drop()}) ':' block {p.b.EndOrphan()})*
	;

// ---- Simple statements ------------------------------------------------------

simple
	: exprs
	  ( {p.b.ExprStmt()}
	  | ':' {p.b.AnnTarget()} expr ('=' {p.b.AnnEqual()} rhs)? {p.b.AnnAssign()}
	  | AUG_ASSIGN {p.b.AugTarget()} rhs {p.b.AugAssign()}
	  | '=' {p.b.BeginAssign()} rhs ('=' rhs)* {p.b.Assign()}
	  )
	| yieldExpr ({p.b.ExprStmt()} | '=' {p.b.BeginAssign()} rhs)
	| 'return' {p.b.Begin()} exprs? {p.b.Return()}
	| 'import' {p.b.Begin()} importName (',' importName)* {p.b.Import()}
	| 'from' {p.b.Begin()} (('.' {p.b.Dots()} | '...' {p.b.Dots()})+ dotted? | dotted) 'import' {p.b.FromModule()} fromNames {p.b.ImportFrom()}
	| 'raise' {p.b.Begin()} (expr ('from' expr)?)? {p.b.Raise()}
	| 'pass' {p.b.Pass()}
	| 'break' {p.b.Break()}
	| 'continue' {p.b.Continue()}
	| 'assert' {p.b.Begin()} expr (',' expr)? {p.b.Assert()}
	| 'del' {p.b.Begin()} exprs {p.b.Delete()}
	| 'global' {p.b.Begin()} NAME {p.b.Ident()} (',' NAME {p.b.Ident()})* {p.b.Global()}
	| 'nonlocal' {p.b.Begin()} NAME {p.b.Ident()} (',' NAME {p.b.Ident()})* {p.b.Nonlocal()}
	| 'type' {p.b.Begin()} NAME {p.b.StoreName()} typeParams? '=' expr {p.b.TypeAlias()}
	;

rhs : exprs | yieldExpr ;

dotted : NAME {p.b.Ident()} ('.' NAME {p.b.DottedPart()})* ;

importName : dotted ('as' NAME {p.b.AliasAs()} | {p.b.Alias()}) ;

fromNames
	: '*' {p.b.AliasStar()}
	| '(' fromName (',' fromName?)* ')'
	| fromName (',' fromName)*
	;

fromName : NAME {p.b.Ident()} ('as' NAME {p.b.AliasAs()} | {p.b.Alias()}) ;

// ---- Parameters -------------------------------------------------------------

typeParams : '[' {p.b.BeginTypeParams()} typeParam (',' typeParam?)* ']' {p.b.EndTypeParams()} ;

typeParam
	: ( NAME {p.b.TypeVar()} (':' expr {p.b.TypeBound()})?
	  | '*' {p.b.Begin()} NAME {p.b.TypeVarTuple()}
	  | '**' {p.b.Begin()} NAME {p.b.ParamSpec()}
	  ) ('=' starExpr {p.b.TypeDefault()})?
	;

params : param (',' param?)* ;

param
	: NAME {p.b.Param()} (':' expr {p.b.ParamAnnotation()})? ('=' expr {p.b.ParamDefault()})?
	| '*' (NAME {p.b.VarArg()} (':' starExpr {p.b.ParamAnnotation()})? | {p.b.BareStar()})
	| '**' NAME {p.b.KwArg()} (':' expr {p.b.ParamAnnotation()})?
	| '/' {p.b.ParamSlash()}
	;

lambdaParams : lambdaParam (',' lambdaParam?)* ;

lambdaParam
	: NAME {p.b.Param()} ('=' expr {p.b.ParamDefault()})?
	| '*' (NAME {p.b.VarArg()} | {p.b.BareStar()})
	| '**' NAME {p.b.KwArg()}
	| '/' {p.b.ParamSlash()}
	;

// ---- Expressions ------------------------------------------------------------

// One expression, or a tuple without parentheses.
exprs
	: (expr | '*' {p.b.Begin()} expr {p.b.Star()})
	  (',' {p.b.BeginTuple()} (expr | '*' {p.b.Begin()} expr {p.b.Star()})?
	   (',' (expr | '*' {p.b.Begin()} expr {p.b.Star()})?)* {p.b.Tuple()})?
	;

starExpr : expr | '*' {p.b.Begin()} expr {p.b.Star()} ;

named : expr (':=' {p.b.NamedTarget()} expr {p.b.Named()})? ;

yieldExpr : 'yield' {p.b.Begin()} ('from' expr {p.b.YieldFrom()} | exprs {p.b.Yield()} | {p.b.YieldNothing()}) ;

expr
	: {p.b.OpenExpr()}
	  ( ('not' | '-' | '+' | '~' | 'await') {p.b.Prefix()} )* primary
	  ( ('+' | '-' | '*' | '/' | '//' | '%' | '@' | '**' | '<<' | '>>' | '&' | '^' | '|'
	    | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in' | 'and' | 'or') {p.b.Infix()}
	    ( ('not' | '-' | '+' | '~' | 'await') {p.b.Prefix()} )* primary
	  )* {p.b.CloseExpr()}
	  ('if' {p.b.Deeper()} oper 'else' expr {p.b.IfExp()})?
	| 'lambda' {p.b.BeginLambda()} lambdaParams? ':' expr {p.b.Lambda()}
	;

// An expression without a conditional or lambda at its top.
oper
	: {p.b.OpenExpr()}
	  ( ('not' | '-' | '+' | '~' | 'await') {p.b.Prefix()} )* primary
	  ( ('+' | '-' | '*' | '/' | '//' | '%' | '@' | '**' | '<<' | '>>' | '&' | '^' | '|'
	    | '==' | '!=' | '<' | '<=' | '>' | '>=' | 'is' | 'is not' | 'in' | 'not in' | 'and' | 'or') {p.b.Infix()}
	    ( ('not' | '-' | '+' | '~' | 'await') {p.b.Prefix()} )* primary
	  )* {p.b.CloseExpr()}
	;

primary
	: ( NAME {p.b.Name()}
	  | NUMBER {p.b.Number()}
	  | (STRING {p.b.String()} | fstring) {p.b.BeginStrings()} (STRING {p.b.String()} | fstring)* {p.b.Strings()}
	  | '...' {p.b.Const()}
	  | 'None' {p.b.Const()}
	  | 'True' {p.b.Const()}
	  | 'False' {p.b.Const()}
	  | '(' {p.b.Begin()} paren ')' {p.b.EndParen()}
	  | '[' {p.b.Begin()} (element (comp+ {p.b.ListComp()} | (',' element?)* {p.b.List()}) | {p.b.List()}) ']' {p.b.EndDisplay()}
	  | '{' {p.b.Begin()} braces '}' {p.b.EndDisplay()}
	  )
	  ( '.' NAME {p.b.Attribute()}
	  | '(' {p.b.BeginCall()} args? ')' {p.b.Call()}
	  | '[' {p.b.BeginIndex()} index (',' {p.b.IndexComma()} index?)* ']' {p.b.Subscript()}
	  )*
	;

// The inside of parentheses that are not a call's.
paren
	: yieldExpr {p.b.Group()}
	| element parenAs? (comp+ {p.b.GeneratorExp()} | {p.b.Group()} | (',' (element parenAs?)?)+ {p.b.ParenTuple()})
	| {p.b.ParenTuple()}
	;

// Only in the parentheses of a with statement; the builder refuses it elsewhere.
parenAs : 'as' {p.b.ParenAs()} target {p.b.ParenAsTarget()} ;

element : expr (':=' {p.b.NamedTarget()} expr {p.b.Named()})? | '*' {p.b.Begin()} expr {p.b.Star()} ;

braces
	: expr
	  ( ':' expr (comp+ {p.b.DictComp()} | (',' dictItem?)* {p.b.Dict()})
	  | (':=' {p.b.NamedTarget()} expr {p.b.Named()})? (comp+ {p.b.SetComp()} | (',' element?)* {p.b.Set()})
	  )
	| '*' {p.b.Begin()} expr {p.b.Star()} (comp+ {p.b.SetComp()} | (',' element?)* {p.b.Set()})
	| '**' {p.b.DictUnpack()} expr {p.b.CheckUnpack()} (',' dictItem?)* {p.b.Dict()}
	| {p.b.Dict()}
	;

dictItem : expr ':' expr | '**' {p.b.DictUnpack()} expr {p.b.CheckUnpack()} ;

comp : ('async' {p.b.CompAsync()})? 'for' {p.b.BeginComp()} targets 'in' oper ('if' oper)* {p.b.Comp()} ;

args : arg (',' {p.b.ArgComma()} arg?)* ;

arg
	: expr
	  ( '=' {p.b.KeywordName()} expr {p.b.Keyword()}
	  | (':=' {p.b.NamedTarget()} expr {p.b.Named()})? (comp+ {p.b.GeneratorArg()} | {p.b.Arg()})
	  )
	| '*' {p.b.Begin()} expr {p.b.StarArg()}
	| '**' {p.b.Begin()} expr {p.b.DoubleStarArg()}
	;

index
	: expr (':' {p.b.BeginSlice()} slice | (':=' {p.b.NamedTarget()} expr {p.b.Named()})?)
	| ':' {p.b.BeginSliceHere()} slice
	| '*' {p.b.Begin()} expr {p.b.StarIndex()}
	;

slice : (expr {p.b.SliceUpper()})? (':' (expr {p.b.SliceStep()})?)? {p.b.Slice()} ;

// Assignment targets of for, comprehensions and with.
targets : target (',' {p.b.BeginTuple()} target? (',' target?)* {p.b.Tuple()})? {p.b.Store()} ;

target : primary | '*' {p.b.Begin()} primary {p.b.Star()} ;

// An f-string or t-string: the text of FSTRING_START tells which.
fstring : FSTRING_START {p.b.BeginFString()} (FSTRING_MIDDLE {p.b.FStringText()} | field)* FSTRING_END {p.b.EndFString()} ;

field
	: '{' {p.b.BeginField()} (exprs | yieldExpr) ('=' {p.b.FieldDebug()})?
	  (F_BANG NAME {p.b.FieldConversion()})?
	  (F_COLON {p.b.BeginSpec()} (FSTRING_MIDDLE {p.b.SpecText()} | field)* {p.b.EndSpec()})?
	  '}' {p.b.EndField()}
	;

// ---- Patterns ---------------------------------------------------------------

subject : element (',' {p.b.BeginTuple()} element? (',' element?)* {p.b.Tuple()})? {p.b.Subject()} ;

caseBlock
	: 'case' {p.b.BeginCase()} maybeStar (',' {p.b.PatternComma()} maybeStar?)* {p.b.CasePattern()} ('if' named {p.b.Guard()})? ':' block {p.b.Case()}
	;

maybeStar : pattern | '*' {p.b.Begin()} NAME {p.b.PatternStar()} ;

pattern : orPattern ('as' NAME {p.b.PatternAs()})? ;

orPattern : closed ('|' {p.b.BeginOr()} closed ('|' closed)* {p.b.PatternOr()})? ;

closed
	: NAME {p.b.PatternName()} ('.' NAME {p.b.PatternAttr()})*
	  ( '(' {p.b.BeginClassPattern()} (classArg (',' classArg?)*)? ')' {p.b.PatternClass()} | {p.b.PatternValueOrCapture()} )
	| literal {p.b.PatternLiteral()}
	| '(' {p.b.Begin()} (maybeStar (',' {p.b.PatternComma()} maybeStar?)*)? ')' {p.b.PatternParen()}
	| '[' {p.b.Begin()} (maybeStar (',' maybeStar?)*)? ']' {p.b.PatternList()}
	| '{' {p.b.Begin()} (mappingItem (',' mappingItem?)*)? '}' {p.b.PatternMapping()}
	;

classArg : pattern ('=' {p.b.PatternKeyword()} pattern {p.b.PatternKeywordValue()})? ;

mappingItem
	: ( literal | NAME {p.b.PatternName()} ('.' NAME {p.b.PatternAttr()})+ ) {p.b.MappingKey()} ':' pattern {p.b.MappingValue()}
	| '**' NAME {p.b.MappingRest()}
	;

literal
	: NUMBER {p.b.Number()} imaginary?
	| '-' {p.b.Begin()} NUMBER {p.b.NegativeNumber()} imaginary?
	| (STRING {p.b.String()} | fstring) {p.b.BeginStrings()} (STRING {p.b.String()} | fstring)* {p.b.Strings()}
	| 'None' {p.b.Const()}
	| 'True' {p.b.Const()}
	| 'False' {p.b.Const()}
	;

imaginary : ('+' | '-') {p.b.ComplexSign()} NUMBER {p.b.Complex()} ;
