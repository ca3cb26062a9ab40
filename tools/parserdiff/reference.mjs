// Runs the program of the last argument in Pyodide, whose package is in the folder
// of the first: CPython as WebAssembly, which reads and writes this process's files.
import { pathToFileURL } from "node:url";

const [folder, program] = process.argv.slice(-2);
const { loadPyodide } = await import(pathToFileURL(folder + "/pyodide.mjs").href);
const python = await loadPyodide({ indexURL: folder + "/" });
try {
  python.runPython(program);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}
