s="a"
while True: s+=s
