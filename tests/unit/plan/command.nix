{ command, ... }:
let
  fill = command.fillCommand { packages = [ "torch" ]; folders.torch = "/x"; };
in
{
  fillCommand = {
    folders = [ (fill "@torch@/a:@torch@/b") "/x/a:/x/b" ];
    plain = [ (fill "-O3") "-O3" ];
    # A kernel's own, as in `-DVERSION=@version@`.
    otherNames = [ (fill "-DA=@version@ b@torch @@") "-DA=@version@ b@torch @@" ];
  };
}
