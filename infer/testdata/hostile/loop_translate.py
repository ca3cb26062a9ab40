x = ("a" * 10**6).translate({97: "b" * 1000})
