"""The language server as a real client sees it: pytest-lsp checks each message against lsprotocol's types."""

import asyncio
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient

NET = """import torch
from torch import nn


# shapecheck: check Net() x:f32[B,3,H,W]
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(3, 8, 3)
        self.fc = nn.Linear(9, 10)

    def forward(self, x):
        y = self.conv(x)
        return self.fc(y.mean((2, 3)))
"""


@pytest_lsp.fixture(config=ClientServerConfig(server_command=[os.environ["SHAPECHECK_PROGRAM"], "lsp"]))
async def client(lsp_client: LanguageClient):
    for method in ("client/registerCapability", "workspace/codeLens/refresh", "workspace/inlayHint/refresh"):
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(types.InitializeParams(capabilities=pytest_lsp.client_capabilities("visual-studio-code"), root_uri=None))
    yield
    await lsp_client.shutdown_session()


async def opened(client: LanguageClient, path: pathlib.Path) -> str:
    path.write_text(NET)
    client.text_document_did_open(
        types.DidOpenTextDocumentParams(types.TextDocumentItem(uri=path.as_uri(), language_id="python", version=1, text=NET))
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    return path.as_uri()


@pytest.mark.asyncio
async def test_findings_and_features(client: LanguageClient, tmp_path: pathlib.Path):
    uri = await opened(client, tmp_path / "net.py")
    document = types.TextDocumentIdentifier(uri=uri)
    (found,) = client.diagnostics[uri]
    assert found.code == "SC101" and found.severity == types.DiagnosticSeverity.Error
    assert found.range.start.line == 13 and found.related_information
    whole = types.Range(types.Position(0, 0), types.Position(100, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document, range=whole))
    assert [(h.position.line, h.label) for h in hints] == [(12, ": f32[B,8,H-2,W-2]"), (13, "→ ?")]
    hover = await client.text_document_hover_async(types.HoverParams(text_document=document, position=types.Position(12, 16)))
    assert "torch.nn.Conv2d" in hover.contents.value
    lenses = await client.text_document_code_lens_async(types.CodeLensParams(text_document=document))
    assert lenses[0].command.title == "Net() · x f32[B,3,H,W] → ?"
    (tree,) = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=document))
    assert [c.name for c in tree.children][:1] == ["conv"]
    report = await client.text_document_diagnostic_async(types.DocumentDiagnosticParams(text_document=document))
    assert len(report.items) == 1
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=document, range=found.range, context=types.CodeActionContext(diagnostics=[found]))
    )
    (fix,) = [a for a in actions if a.title == "in_features should be 8"]
    (edit,) = fix.edit.changes[uri]
    client.text_document_did_change(
        types.DidChangeTextDocumentParams(
            text_document=types.VersionedTextDocumentIdentifier(version=2, uri=uri),
            content_changes=[types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)],
        )
    )
    await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    assert not client.diagnostics[uri]


@pytest.mark.asyncio
async def test_a_burst_of_keys_ends_with_the_last_text(client: LanguageClient, tmp_path: pathlib.Path):
    uri = await opened(client, tmp_path / "net.py")
    for n in range(20):
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(version=n + 2, uri=uri),
                content_changes=[types.TextDocumentContentChangeWholeDocument(text=NET.replace("Linear(9", "Linear(%d" % (27 - n)))],
            )
        )
        await asyncio.sleep(0.01)
    # On a busy machine a check of an earlier text may end between two keys.
    for _ in range(20):
        await asyncio.wait_for(client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS), 20)
        if not client.diagnostics[uri]:
            return
    assert not client.diagnostics[uri]


@pytest.mark.asyncio
async def test_a_notebook(client: LanguageClient, tmp_path: pathlib.Path):
    uri = (tmp_path / "net.ipynb").as_uri()
    cells = [NET.partition("# shapecheck")[0], "%matplotlib inline\n# shapecheck" + NET.partition("# shapecheck")[2]]
    uris = ["vscode-notebook-cell:/net.ipynb#%d" % i for i in range(2)]
    client.notebook_document_did_open(
        types.DidOpenNotebookDocumentParams(
            notebook_document=types.NotebookDocument(
                uri=uri,
                notebook_type="jupyter-notebook",
                version=1,
                cells=[types.NotebookCell(kind=types.NotebookCellKind.Code, document=u) for u in uris],
            ),
            cell_text_documents=[types.TextDocumentItem(uri=u, language_id="python", version=1, text=t) for u, t in zip(uris, cells)],
        )
    )
    while not client.diagnostics.get(uris[1]):
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
    (found,) = client.diagnostics[uris[1]]
    assert found.code == "SC101" and found.range.start.line == 10
    document = types.TextDocumentIdentifier(uri=uris[1])
    whole = types.Range(types.Position(0, 0), types.Position(100, 0))
    hints = await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=document, range=whole))
    assert [(h.position.line, h.label) for h in hints] == [(9, ": f32[B,8,H-2,W-2]"), (10, "→ ?")]
    actions = await client.text_document_code_action_async(
        types.CodeActionParams(text_document=document, range=found.range, context=types.CodeActionContext(diagnostics=[found]))
    )
    (fix,) = [a for a in actions if a.title == "in_features should be 8"]
    ((edit,),) = fix.edit.changes.values()
    client.notebook_document_did_change(
        types.DidChangeNotebookDocumentParams(
            notebook_document=types.VersionedNotebookDocumentIdentifier(version=2, uri=uri),
            change=types.NotebookDocumentChangeEvent(
                cells=types.NotebookDocumentCellChanges(
                    text_content=[
                        types.NotebookDocumentCellContentChanges(
                            document=types.VersionedTextDocumentIdentifier(version=2, uri=uris[1]),
                            changes=[types.TextDocumentContentChangePartial(range=edit.range, text=edit.new_text)],
                        )
                    ]
                )
            ),
        )
    )
    while client.diagnostics[uris[1]]:
        await client.wait_for_notification(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
