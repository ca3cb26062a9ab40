// The extension: it starts the language server and passes the settings on. All else is the server's.

import * as fs from "node:fs";
import * as vscode from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";
import { findProgram, sameVersion } from "./binary";

let client: LanguageClient | undefined;
let log: vscode.LogOutputChannel;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  log = vscode.window.createOutputChannel("shapecheck", { log: true });
  const restart = () => start(context).catch((e: unknown) => vscode.window.showErrorMessage(`shapecheck: ${String(e)}`));
  context.subscriptions.push(
    log,
    vscode.commands.registerCommand("shapecheck.restart", restart),
    vscode.commands.registerCommand("shapecheck.showLog", () => log.show()),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
    vscode.workspace.onDidChangeConfiguration((e) => {
      if (e.affectsConfiguration("shapecheck.path")) {
        void restart();
      } else if (e.affectsConfiguration("shapecheck")) {
        void client?.sendNotification("workspace/didChangeConfiguration", { settings: { shapecheck: settings() } });
      }
    }),
  );
  await restart();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}

function settings(): { inlayHints: string; codeLens: string; unknowns: string } {
  const c = vscode.workspace.getConfiguration("shapecheck");
  return { inlayHints: c.get("inlayHints", "all"), codeLens: c.get("codeLens", "on"), unknowns: c.get("unknowns", "off") };
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  await client?.stop();
  client = undefined;
  const trusted = vscode.workspace.isTrusted;
  const places = {
    setting: trusted ? vscode.workspace.getConfiguration("shapecheck").get("path", "") : "",
    folders: trusted ? (vscode.workspace.workspaceFolders ?? []).map((f) => f.uri.fsPath) : [],
    python: trusted ? await selectedPython() : undefined,
    extension: context.extensionPath,
  };
  const command = findProgram(places, { platform: process.platform, exists: (f) => fs.existsSync(f) });
  log.info(`the program is ${command}`);
  const server: ServerOptions = { command, args: ["lsp"] };
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "python" },
      { notebook: "jupyter-notebook", language: "python" },
    ],
    outputChannel: log,
    initializationOptions: settings(),
    middleware: { executeCommand: async (command, args, next) => next(command, args.length > 0 ? args : await chosen(command)) },
  };
  client = new LanguageClient("shapecheck", "shapecheck", server, options);
  await client.start();
  const told = client.initializeResult?.serverInfo?.version;
  const own = String(context.extension.packageJSON.version);
  if (told !== undefined && !sameVersion(told, own)) {
    log.warn(`the program has version ${told}, the extension ${own}`);
  }
}

/** The arguments of a command of the server that was chosen from the palette: the editor's file and, for an export, where to write. */
async function chosen(command: string): Promise<unknown[]> {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined) {
    throw new Error("no file is open");
  }
  const uri = document.uri.toString();
  if (command !== "shapecheck.exportOnnx") {
    return [uri];
  }
  const proposed = document.uri.with({ path: document.uri.path.replace(/\.[^./]*$/, ".onnx") });
  const target = await vscode.window.showSaveDialog({ defaultUri: proposed, filters: { ONNX: ["onnx"] } });
  if (target === undefined) {
    throw new vscode.CancellationError();
  }
  return [uri, "", target.fsPath];
}

/** The interpreter that the Python extension has selected, where there is that extension. */
async function selectedPython(): Promise<string | undefined> {
  const extension = vscode.extensions.getExtension("ms-python.python");
  if (extension === undefined) {
    return undefined;
  }
  const api = extension.isActive ? extension.exports : await extension.activate();
  const path: unknown = api?.environments?.getActiveEnvironmentPath?.()?.path;
  return typeof path === "string" ? path : undefined;
}
