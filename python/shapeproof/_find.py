"""Where the program is that this package was installed with."""

import os
import sys
import sysconfig


def find_bin() -> str:
    """The path of the program: beside the package as pip installs it, else on the PATH.

    Raises FileNotFoundError where there is none.
    """
    name = "shapecheck.exe" if sys.platform == "win32" else "shapecheck"
    folders = [sysconfig.get_path("scripts")]
    user = "nt_user" if os.name == "nt" else "posix_user"
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=user))
    # pip install --target FOLDER puts programs into FOLDER/bin.
    package = os.path.dirname(os.path.abspath(__file__))
    folders.append(os.path.join(os.path.dirname(package), "Scripts" if os.name == "nt" else "bin"))
    folders += os.environ.get("PATH", "").split(os.pathsep)
    for folder in folders:
        path = os.path.join(folder, name)
        if folder and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise FileNotFoundError("the program %s is neither beside the package nor on the PATH" % name)


def find_version() -> str:
    """The version of the package as it is installed, which is that of its program; "0+source" where it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(__package__)
    except metadata.PackageNotFoundError:
        return "0+source"
