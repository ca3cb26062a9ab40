for i in range(50):
    ascii(chr(0x4e00 + i) * 1500000)
