"""Writes sets.json: a program of random sets of numbers, and the order in which CPython has
the elements of each: sets.py SEED NUMBER FILE. Any version from 3.8 on."""
import json
import random
import sys

seed,N=int(sys.argv[1]),int(sys.argv[2])
r=random.Random(seed)
def num():
    k=r.randrange(12)
    if k<5: return repr(r.randrange(0,20))
    if k<7: return repr(r.randrange(-300,300))
    if k<8: return repr(r.randrange(-2**70,2**70))
    if k<9: return repr(r.choice([0.5,1.5,-2.25,1e300,3.0,-1.0,0.1,1e-300,float(r.randrange(-100,100)),r.random()*10**r.randrange(-5,25)]))
    if k<10: return r.choice(['True','False'])
    if k<11: return repr(8*r.randrange(0,40))
    return repr(2**61-1+r.randrange(-3,4))
def nums(n): return [num() for _ in range(n)]
def size(): return r.choice([0,1,2,3,4,5,6,8,10,13,20,40,90])
def expr(depth=0):
    k=r.randrange(9 if depth<2 else 5)
    xs=nums(size())
    if k==0: return '{'+', '.join(xs or ['1'])+'}'
    if k==1: return 'set(['+', '.join(xs)+'])'
    if k==2: return 'set(range(%d, %d, %d))'%(r.randrange(-20,20),r.randrange(20,200),r.randrange(1,9))
    if k==3: return '{x * %d for x in [%s]}'%(r.randrange(1,4),', '.join(xs))
    if k==4: return 'set(dict.fromkeys([%s]))'%', '.join(xs)
    if k==5: return '(%s %s %s)'%(expr(depth+1),r.choice('|&-^'),expr(depth+1))
    if k==6: return '%s.%s(%s)'%(expr(depth+1),r.choice(['union','intersection','difference','symmetric_difference']),
        r.choice([expr(depth+1),'['+', '.join(xs)+']']))
    if k==7: return 'set(%s)'%expr(depth+1) if r.random()<.5 else '%s.copy()'%expr(depth+1)
    return 'set(frozenset(%s))'%expr(depth+1)
def stmt():
    k=r.randrange(9)
    xs=nums(size())
    if k==0: return 's.add(%s)'%num()
    if k==1: return 's.discard(%s)'%num()
    if k==2: return 's.%s(%s)'%(r.choice(['update','intersection_update','difference_update','symmetric_difference_update']),
        r.choice([expr(1),'['+', '.join(xs)+']']))
    if k==3: return 's %s= %s'%(r.choice('|&-^'),expr(1))
    if k==4: return 'p = s.pop() if s else None'
    if k==5: return 'for x in [%s]: s.discard(x)'%', '.join(xs)
    if k==6: return 'for x in [%s]: s.add(x)'%', '.join(xs)
    if k==7: return 's = s - {%s}'%', '.join(xs or ['0'])
    return 's.clear()' if r.random()<.2 else 'for x in list(s)[::%d]: s.remove(x)'%r.randrange(1,4)
out=[];want=[]
for i in range(N):
    lines=['s = '+expr()]+[stmt() for _ in range(r.randrange(0,6))]
    env={}
    exec('\n'.join(lines),env)
    out.append('# %d'%i); out+=lines
    out.append('r%d = repr(list(s))'%i)
    want.append(repr(list(env['s'])))

program = 'def forward():\n'+''.join('    '+l+'\n' for l in out)+'    return ['+', '.join('r%d'%i for i in range(N))+']\n'
with open(sys.argv[3], "w") as f:
    json.dump({"program": program, "want": want}, f, indent=0)
