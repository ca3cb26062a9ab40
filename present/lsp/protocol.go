package lsp

// This file has the parts of the Language Server Protocol, 3.17, that are in use. The types are
// those that encoding/json reads and writes, with the field names of the specification; what a
// client sends beyond them is ignored. They have no methods, and every conversion from this
// program's positions and findings is elsewhere in the package. Requests without a type of their
// own take positioned or ranged.

import "encoding/json"

// A position is a line from 0 and a character in the encoding that was agreed upon. Columns are
// counted in UTF-16 code units unless the client offers UTF-8, which is preferred since sources are
// UTF-8.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A textRange ends before its end.
type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// A place in a document, as for a definition or a related finding.
type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

// The URI alone, without the version of the document.
type textDocument struct {
	URI string `json:"uri"`
}

// positioned are the parameters of requests about a place of a document.
type positioned struct {
	TextDocument textDocument `json:"textDocument"`
	Position     position     `json:"position"`
}

// ranged are those of requests about a document, or a range of it.
type ranged struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
}

// Clients name the workspace in one of three ways, of which the newest, workspaceFolders, goes
// first. initializationOptions are the settings of the editor's extension. Only the capabilities
// that decide something here are read.
type initializeParams struct {
	RootURI               string          `json:"rootUri"`
	RootPath              string          `json:"rootPath"`
	WorkspaceFolders      []folder        `json:"workspaceFolders"`
	InitializationOptions json.RawMessage `json:"initializationOptions"`
	Capabilities          struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			InlayHint             refresh `json:"inlayHint"`
			CodeLens              refresh `json:"codeLens"`
			Diagnostics           refresh `json:"diagnostics"`
			DidChangeWatchedFiles struct {
				DynamicRegistration bool `json:"dynamicRegistration"`
			} `json:"didChangeWatchedFiles"`
			WorkspaceEdit struct {
				DocumentChanges    bool     `json:"documentChanges"`
				ResourceOperations []string `json:"resourceOperations"`
			} `json:"workspaceEdit"`
		} `json:"workspace"`
		Window struct {
			WorkDoneProgress bool `json:"workDoneProgress"`
			ShowDocument     struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
	} `json:"capabilities"`
}

// The client can be asked to request the hints, lenses or diagnostics of all documents again.
type refresh struct {
	RefreshSupport bool `json:"refreshSupport"`
}

// Name is what the editor shows and has no meaning here.
type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

// The answer to initialize.
type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// What this server does. An empty struct says yes without options.
type capabilities struct {
	PositionEncoding       string            `json:"positionEncoding"`
	TextDocumentSync       syncOptions       `json:"textDocumentSync"`
	NotebookDocumentSync   notebookOptions   `json:"notebookDocumentSync"`
	HoverProvider          bool              `json:"hoverProvider"`
	InlayHintProvider      struct{}          `json:"inlayHintProvider"`
	CodeLensProvider       struct{}          `json:"codeLensProvider"`
	CodeActionProvider     codeActionOptions `json:"codeActionProvider"`
	DocumentSymbolProvider bool              `json:"documentSymbolProvider"`
	ExecuteCommandProvider commandOptions    `json:"executeCommandProvider"`
	DiagnosticProvider     diagnosticOptions `json:"diagnosticProvider"`
	Workspace              struct {
		WorkspaceFolders struct {
			Supported           bool `json:"supported"`
			ChangeNotifications bool `json:"changeNotifications"`
		} `json:"workspaceFolders"`
	} `json:"workspace"`
}

// The server is told of opening, closing and saving a document, and of changes as increments.
type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: increments
	Save      bool `json:"save"`
}

// The cells of notebooks of which type and language are sent to the server.
type notebookOptions struct {
	NotebookSelector []notebookSelector `json:"notebookSelector"`
}

// Notebook is a type such as jupyter-notebook.
type notebookSelector struct {
	Notebook string         `json:"notebook"`
	Cells    []cellLanguage `json:"cells"`
}

type cellLanguage struct {
	Language string `json:"language"`
}

// Kinds such as quickfix and source.fixAll, which a client can ask for separately.
type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

// The commands that lenses and actions name.
type commandOptions struct {
	Commands []string `json:"commands"`
}

// Diagnostics are pulled by the client. A file's findings depend on other files, as an entry may be
// in one and the fault in another.
type diagnosticOptions struct {
	Identifier            string `json:"identifier"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

// Version counts the changes of the document; an edit must name the one that it was made for.
type didOpen struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

// The changes apply one after the other, each to the text that those before it left.
type didChange struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []contentChange `json:"contentChanges"`
}

// A contentChange without a range is the whole text.
type contentChange struct {
	Range *textRange `json:"range"`
	Text  string     `json:"text"`
}

// Workspace folders that come and go while the server runs.
type didChangeFolders struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

// Severities of diagnostics. As DiagnosticSeverity numbers them.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
	severityHint        = 4
)

// Code is one such as SC101, Source the name of this program.
type diagnostic struct {
	Range              textRange         `json:"range"`
	Severity           int               `json:"severity"`
	Code               string            `json:"code"`
	Source             string            `json:"source"`
	Message            string            `json:"message"`
	RelatedInformation []relatedLocation `json:"relatedInformation,omitempty"`
}

// A further place that led to a finding.
type relatedLocation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

// For clients that do not pull. Version is left out for a document that is not open.
type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

// The answer to a pull; Kind is always full, since unchanged reports are not kept.
type fullReport struct {
	Kind  string       `json:"kind"`
	Items []diagnostic `json:"items"`
}

// Kind is markdown or plaintext.
type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

// Without a range the editor marks the word at the position.
type hover struct {
	Contents markup     `json:"contents"`
	Range    *textRange `json:"range,omitempty"`
}

// A text that the editor shows within the line, here the type of a variable.
type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Kind        int      `json:"kind"` // 1: a type
	Tooltip     *markup  `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

// A line above a definition with a command.
type codeLens struct {
	Range   textRange `json:"range"`
	Command command   `json:"command"`
}

// Arguments come back in executeCommand as they are.
type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

// The diagnostics at the place are those that the client shows, and Only are the kinds that it
// wants; empty: all.
type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Diagnostics []diagnostic `json:"diagnostics"`
		Only        []string     `json:"only"`
	} `json:"context"`
}

// It has an edit, or a command that makes one. IsPreferred is the one that a key applies at once.
type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
}

// Changes are by URI. A client that supports documentChanges gets these instead, as only they can
// create files.
type workspaceEdit struct {
	Changes map[string][]textEdit `json:"changes,omitempty"`
	// DocumentChanges are a createFile and documentEdits.
	DocumentChanges []any `json:"documentChanges,omitempty"`
}

type createFile struct {
	Kind    string `json:"kind"` // "create"
	URI     string `json:"uri"`
	Options struct {
		IgnoreIfExists bool `json:"ignoreIfExists"`
	} `json:"options"`
}

// A nil Version edits the document whatever its state.
type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

// Edits of one document refer to the same text and must not overlap.
type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

// The arguments are decoded by each command.
type executeCommand struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

// Range covers the whole definition, SelectionRange its name, which must lie within it. The list is
// a tree.
type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail"`
	Kind           int              `json:"kind"`
	Range          textRange        `json:"range"`
	SelectionRange textRange        `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// Kinds of symbols. As SymbolKind numbers them.
const (
	symbolClass    = 5
	symbolMethod   = 6
	symbolFunction = 12
	symbolField    = 8
)
