LL=list(range(200000))
import typing
for _i in range(1000):
    try:
        typing.Union[tuple(LL)]
    except Exception: pass
