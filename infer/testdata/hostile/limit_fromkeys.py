dict.fromkeys(range(3000000))
