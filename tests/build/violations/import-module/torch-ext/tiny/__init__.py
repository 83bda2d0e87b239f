import importlib

FAST = importlib.import_module("no_such_package")
