"""Parse sources with ast.parse and write their dumps.

A request is a line with a number of bytes, then the source. A reply is a line
"ok|error LENGTH NANOSECONDS", then the dump or the message. With the argument
--mask, positions inside f-strings are written as zeros: before Python 3.12 they
are those of the whole string, or wrong. The first releases of 3.12 add empty
constants to format specifications; they are removed.

The first line that is written is the version, as 314 for 3.14.
"""
import ast
import sys
import threading
import time
import warnings

POSITIONS = ("lineno", "col_offset", "end_lineno", "end_col_offset")
# Before 3.13 empty lists are always written.
DUMP = {"show_empty": True} if sys.version_info >= (3, 13) else {}


def mask(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            for value in node.values:
                for part in ast.walk(value):
                    for name in POSITIONS:
                        if hasattr(part, name):
                            setattr(part, name, 0)


def drop_empty(tree):
    for node in ast.walk(tree):
        spec = getattr(node, "format_spec", None)
        if spec is not None:
            spec.values = [v for v in spec.values if getattr(v, "value", None) != ""]


def serve():
    masked = "--mask" in sys.argv
    read, write = sys.stdin.buffer, sys.stdout.buffer
    write.write(b"%d\n" % (sys.version_info[0] * 100 + sys.version_info[1]))
    write.flush()
    while line := read.readline():
        source = read.read(int(line))
        start = time.perf_counter_ns()
        try:
            tree = ast.parse(source)
            spent = time.perf_counter_ns() - start
            drop_empty(tree)
            if masked:
                mask(tree)
            status, text = "ok", ast.dump(tree, include_attributes=True, **DUMP)
        except (SyntaxError, ValueError, MemoryError, RecursionError) as e:
            spent = time.perf_counter_ns() - start
            line = getattr(e, "lineno", None)
            status, text = "error", f"{line}: {getattr(e, 'msg', None) or e}"
        data = text.encode("utf-8", "backslashreplace")
        write.write(b"%s %d %d\n" % (status.encode(), len(data), spent))
        write.write(data)
        write.flush()


warnings.simplefilter("ignore")
if sys.platform == "emscripten":  # which has no threads
    serve()
else:
    sys.setrecursionlimit(100000)
    threading.stack_size(512 << 20)
    thread = threading.Thread(target=serve)
    thread.start()
    thread.join()
