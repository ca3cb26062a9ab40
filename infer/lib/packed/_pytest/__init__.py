# This package has the names that tests import of pytest's own modules.

