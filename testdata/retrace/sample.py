"""Takes programs and what frameworks did with them out of a folder of records.

  python sample.py FOLDER/jax jax NAME...

makes jax/programs.txtar beside this file: NAME.py and its record's calls, without messages. Programs that are files there stay.
"""
import json, pathlib, sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1] / "tools"))
import txtar

src, dst = pathlib.Path(sys.argv[1]), HERE / sys.argv[2]
names = sys.argv[3:]
rows = {}
for line in (src / "records.jsonl").read_text(encoding="utf-8").splitlines():
    r = json.loads(line)
    rows[r["id"].split("/")[1]] = r
files, records = {}, []
for n in sorted(names):
    text = (src / (n + ".py")).read_bytes()
    if (dst / (n + ".py")).exists():
        (dst / (n + ".py")).write_bytes(text)
    else:
        files[n + ".py"] = text
    calls = []
    for c in rows[n]["calls"]:
        c = {k: v for k, v in c.items() if k in ("line", "kind", "fn", "args", "result", "traces", "changed", "stdout", "error", "made_variables", "warning")}
        if "error" in c:
            c["error"].pop("message", None)
        if "warning" in c:
            c["warning"] = True
        calls.append(c)
    row = {"source": n + ".py", "version": rows[n]["version"], "calls": calls}
    if rows[n]["error"]:
        row["ends"] = rows[n]["error"]["type"]
    records.append(json.dumps(row, ensure_ascii=False) + "\n")
files["records.jsonl"] = "".join(records).encode()
txtar.write(dst / txtar.ARCHIVE, files)
