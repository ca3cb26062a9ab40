"a".ljust(10**9)
"a".zfill(10**9)
"a".center(10**10)
"\t".expandtabs(10**9)
"a\t"*10
