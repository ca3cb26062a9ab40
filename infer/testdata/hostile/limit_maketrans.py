for i in range(50):
    str.maketrans(chr(0x4e00 + i) * 1000000, chr(i) * 1000000)
