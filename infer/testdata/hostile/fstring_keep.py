x="ab"*30000000
y=[f"{x}{i}" for i in range(1000)]
