# Names of repositories on the Hub.
_: {
  /**
    A regular expression for `owner/name`, which Python reads the same way. A name becomes part of URLs, paths,
    store names and the colon-separated LOCAL_KERNELS, so neither part is empty or begins with a dot.
  */
  pattern = "[A-Za-z0-9][-A-Za-z0-9._]*/[A-Za-z0-9][-A-Za-z0-9._]*";
}
