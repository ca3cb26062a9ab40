# The module base64: encoded data is not computed.
from _shapecheck import unknown


def b64encode(s, altchars=None):
    return unknown('encoded data')


b64decode = standard_b64encode = standard_b64decode = urlsafe_b64encode = urlsafe_b64decode = b64encode
b32encode = b32decode = b16encode = b16decode = b85encode = b85decode = a85encode = a85decode = encodebytes = decodebytes = b64encode
