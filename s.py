import argparse,torch
p=argparse.ArgumentParser()
p.add_argument("--device")
p.add_argument("-n",type=int)
a=p.parse_args()
x=torch.zeros(a.n)
y=torch.zeros(len(a.device))