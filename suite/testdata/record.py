"""record.py FILE...: runs the projects of txtar files with pytest and writes what it says of each test into their comments, a line for each:
node id, outcome. A third column is our verdict, which is kept. Needs pytest, and torch where the projects do."""
import os
import subprocess
import sys
import tempfile

PLUGIN = '''
import os
OUT = {}
ORDER = []
def pytest_collection_finish(session):
    for i in session.items:
        ORDER.append(i.nodeid)
def pytest_runtest_logreport(report):
    worst = {'passed': 0, 'skipped': 1, 'failed': 2}
    old = OUT.get(report.nodeid, 'passed')
    if worst[report.outcome] >= worst[old]:
        OUT[report.nodeid] = report.outcome
def pytest_sessionfinish(session):
    with open(os.environ['RECORD_OUT'], 'w') as f:
        for i in ORDER:
            f.write(i + '\\t' + OUT.get(i, 'passed') + '\\n')
'''


def record(path):
    text = open(path).read()
    comment, rest = text[:text.index('-- ')], text[text.index('-- '):]
    kept, ours, args = [], {}, []
    for line in comment.splitlines():
        cells = line.split('\t')
        if len(cells) > 1:
            if len(cells) > 2:
                ours[cells[0]] = cells[2]
            continue
        if line.startswith('args:'):
            args = line[5:].split()
        kept.append(line)
    while kept and not kept[-1]:
        kept.pop()
    with tempfile.TemporaryDirectory() as d:
        name, lines = None, []
        for line in (rest + '-- end --\n').splitlines(True):
            if line.startswith('-- ') and line.rstrip().endswith(' --'):
                if name is not None:
                    os.makedirs(os.path.dirname(os.path.join(d, name)) or d, exist_ok=True)
                    open(os.path.join(d, name), 'w').write(''.join(lines))
                name, lines = line.strip()[3:-3], []
            else:
                lines.append(line)
        with tempfile.TemporaryDirectory() as p:
            open(os.path.join(p, 'record_plugin.py'), 'w').write(PLUGIN)
            out = os.path.join(p, 'out')
            env = dict(os.environ, PYTHONPATH=p + os.pathsep + d, RECORD_OUT=out, PYTHONDONTWRITEBYTECODE='1')
            done = subprocess.run([sys.executable, '-m', 'pytest', '-q', '-p', 'record_plugin', '-p', 'no:cacheprovider', *args], cwd=d, env=env,
                                  capture_output=True, text=True)
            if not os.path.exists(out):
                sys.exit(path + '\n' + done.stdout + done.stderr)
            result = open(out).read().splitlines()
    lines = []
    for line in result:
        i = line.split('\t')[0]
        lines.append(line + ('\t' + ours[i] if i in ours else ''))
    open(path, 'w').write('\n'.join(kept + [''] + lines) + '\n\n' + rest)
    print(path, len(lines))


for f in sys.argv[1:]:
    record(f)
