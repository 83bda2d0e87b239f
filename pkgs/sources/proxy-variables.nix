# `proxyVariables`: Environment variables that name proxies, which downloads take from whoever runs the build.
{ }:
[ "http_proxy" "https_proxy" "ftp_proxy" "all_proxy" "no_proxy" ]
