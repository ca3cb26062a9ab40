package lsp

// This file has the parts of the Language Server Protocol, 3.17, that are in use.

import "encoding/json"

// A position is a line from 0 and a character in the encoding that was agreed upon.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// A textRange ends before its end.
type textRange struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

type location struct {
	URI   string    `json:"uri"`
	Range textRange `json:"range"`
}

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

type refresh struct {
	RefreshSupport bool `json:"refreshSupport"`
}

type folder struct {
	URI  string `json:"uri"`
	Name string `json:"name"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

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

type syncOptions struct {
	OpenClose bool `json:"openClose"`
	Change    int  `json:"change"` // 2: increments
	Save      bool `json:"save"`
}

type notebookOptions struct {
	NotebookSelector []notebookSelector `json:"notebookSelector"`
}

type notebookSelector struct {
	Notebook string         `json:"notebook"`
	Cells    []cellLanguage `json:"cells"`
}

type cellLanguage struct {
	Language string `json:"language"`
}

type codeActionOptions struct {
	CodeActionKinds []string `json:"codeActionKinds"`
}

type commandOptions struct {
	Commands []string `json:"commands"`
}

type diagnosticOptions struct {
	Identifier            string `json:"identifier"`
	InterFileDependencies bool   `json:"interFileDependencies"`
	WorkspaceDiagnostics  bool   `json:"workspaceDiagnostics"`
}

type didOpen struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

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

type didChangeFolders struct {
	Event struct {
		Added   []folder `json:"added"`
		Removed []folder `json:"removed"`
	} `json:"event"`
}

// Severities of diagnostics.
const (
	severityError       = 1
	severityWarning     = 2
	severityInformation = 3
	severityHint        = 4
)

type diagnostic struct {
	Range              textRange         `json:"range"`
	Severity           int               `json:"severity"`
	Code               string            `json:"code"`
	Source             string            `json:"source"`
	Message            string            `json:"message"`
	RelatedInformation []relatedLocation `json:"relatedInformation,omitempty"`
}

type relatedLocation struct {
	Location location `json:"location"`
	Message  string   `json:"message"`
}

type publishDiagnostics struct {
	URI         string       `json:"uri"`
	Version     *int         `json:"version,omitempty"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type fullReport struct {
	Kind  string       `json:"kind"`
	Items []diagnostic `json:"items"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup     `json:"contents"`
	Range    *textRange `json:"range,omitempty"`
}

type inlayHint struct {
	Position    position `json:"position"`
	Label       string   `json:"label"`
	Kind        int      `json:"kind"` // 1: a type
	Tooltip     *markup  `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type codeLens struct {
	Range   textRange `json:"range"`
	Command command   `json:"command"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type codeActionParams struct {
	TextDocument textDocument `json:"textDocument"`
	Range        textRange    `json:"range"`
	Context      struct {
		Diagnostics []diagnostic `json:"diagnostics"`
		Only        []string     `json:"only"`
	} `json:"context"`
}

type codeAction struct {
	Title       string         `json:"title"`
	Kind        string         `json:"kind"`
	Diagnostics []diagnostic   `json:"diagnostics,omitempty"`
	IsPreferred bool           `json:"isPreferred,omitempty"`
	Edit        *workspaceEdit `json:"edit,omitempty"`
	Command     *command       `json:"command,omitempty"`
}

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

type documentEdit struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version *int   `json:"version"`
	} `json:"textDocument"`
	Edits []textEdit `json:"edits"`
}

type textEdit struct {
	Range   textRange `json:"range"`
	NewText string    `json:"newText"`
}

type executeCommand struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type documentSymbol struct {
	Name           string           `json:"name"`
	Detail         string           `json:"detail"`
	Kind           int              `json:"kind"`
	Range          textRange        `json:"range"`
	SelectionRange textRange        `json:"selectionRange"`
	Children       []documentSymbol `json:"children,omitempty"`
}

// Kinds of symbols.
const (
	symbolClass    = 5
	symbolMethod   = 6
	symbolFunction = 12
	symbolField    = 8
)
