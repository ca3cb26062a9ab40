// Which program serves a folder.

import * as path from "node:path";

/** What is asked of the machine. */
export interface Machine {
  platform: string;
  exists(file: string): boolean;
}

/** Where a program may be. */
export interface Places {
  /** The setting `shapecheck.path`; empty: none. */
  setting: string;
  /** The open folders; a folder that is not trusted is none. */
  folders: string[];
  /** The interpreter that the Python extension has selected. */
  python?: string;
  /** The folder of this extension. */
  extension: string;
}

/**
 * The program: what the setting says, else that of a folder's `.venv` or `venv`, else of the selected
 * interpreter's environment, else the bundled one, else whatever PATH has. A setting that names no
 * file is an error, for silence would run another program than the one that was asked for.
 */
export function findProgram(places: Places, machine: Machine): string {
  const name = machine.platform === "win32" ? "shapecheck.exe" : "shapecheck";
  const scripts = machine.platform === "win32" ? "Scripts" : "bin";
  const join = machine.platform === "win32" ? path.win32.join : path.posix.join;
  const dirname = machine.platform === "win32" ? path.win32.dirname : path.posix.dirname;
  const absolute = machine.platform === "win32" ? path.win32.isAbsolute : path.posix.isAbsolute;
  if (places.setting !== "") {
    const candidates = absolute(places.setting) ? [places.setting] : places.folders.map((f) => join(f, places.setting));
    const found = candidates.find((c) => machine.exists(c));
    if (found === undefined) {
      throw new Error(`shapecheck.path: ${places.setting} does not exist`);
    }
    return found;
  }
  const candidates = places.folders.flatMap((f) => [".venv", "venv"].map((v) => join(f, v, scripts, name)));
  if (places.python !== undefined) {
    candidates.push(join(dirname(places.python), name));
  }
  candidates.push(join(places.extension, "bundled", name));
  return candidates.find((c) => machine.exists(c)) ?? name;
}

/** Whether a program and an extension have one version. The extension's is three numbers; the program's may go on, as in 0.2.0rc1. */
export function sameVersion(program: string, extension: string): boolean {
  return program.match(/^\d+\.\d+\.\d+/)?.[0] === extension;
}
