"""Takes programs and what frameworks did with them out of a folder of records.

  python sample.py FOLDER/jax jax NAME...

copies NAME.py and its record's calls, without messages, to jax/ beside this file.
"""
import json, os, shutil, sys

src, dst = sys.argv[1], os.path.join(os.path.dirname(os.path.abspath(__file__)), sys.argv[2])
names = sys.argv[3:]
rows = {}
with open(os.path.join(src, "records.jsonl"), encoding="utf-8") as f:
    for line in f:
        r = json.loads(line)
        rows[r["id"].split("/")[1]] = r
with open(os.path.join(dst, "records.jsonl"), "w", encoding="utf-8") as f:
    for n in sorted(names):
        shutil.copyfile(os.path.join(src, n + ".py"), os.path.join(dst, n + ".py"))
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
        f.write(json.dumps(row, ensure_ascii=False) + "\n")
