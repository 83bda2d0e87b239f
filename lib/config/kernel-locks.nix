# kernels.lock pins each kernel that a kernel depends on, by its commit and by the hash of its files. The format is
# that of `NixKernelLocks` in the public client. `nix run .#lock-kernels` writes the file.
{ values, messages, tables, ... }:
let
  inherit (builtins) filter fromJSON isList isString length match pathExists readFile split;
  inherit (values.lists) optionals;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) showValue throwProblems;
  inherit (tables.types) kernelDependencies;

  file = "kernels.lock";
  isMatch = pattern: text: isString text && match pattern text != null;

  isLock =
    entry:
    kernelDependencies.isValid [ (entry.dependency or null) ]
    && isMatch "[0-9a-f]{40}" (entry.lock.commit or null)
    && isMatch "sha256-[A-Za-z0-9+/]{43}=" (entry.lock.hash or null);
in
{
  /**
    The locks of the kernel in the folder `root`; an empty list if the folder has no kernels.lock.

    Type: readKernelLocks :: Path -> [{ dependency :: { repo-id :: String; … }; lock :: { commit, hash :: String; }; }]

    # Errors

    The file does not have the format that `lock-kernels` writes.
  */
  readKernelLocks =
    root:
    let
      path = root + "/${file}";
      text = readFile path;
      # A merge has left them, and Nix would end there without the name of the file.
      content = if length (split "<<<<<<< " text) > 1 then "conflict marks of git" else fromJSON text;
      invalidEntries = if isList content then filter (entry: !isLock entry) content else [ content ];
      problems = map (entry: (readCatalogue ./kernel-locks.json).invalid { entry = showValue entry; }) invalidEntries;
    in
    optionals (pathExists path) (throwProblems "${file} cannot be read" problems content);
}
