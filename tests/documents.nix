# The documents that are written from the library's tables.
import ../docs/generate { library = import ../lib; }
