# kernels.lock: the commit of each kernel that a kernel depends on, and the hash of its files. The format is that of
# `NixKernelLocks` of the public client; `nix run .#lock-kernels` writes it.
{ values, messages, tables, ... }:
let
  inherit (builtins)
    elem
    filter
    fromJSON
    isAttrs
    isList
    isString
    match
    pathExists
    readFile
    ;
  inherit (values.lists) optionals;
  inherit (messages.check) showValue throwProblems;
  inherit (tables.types) kernelDependencies;

  file = "kernels.lock";
  isMatch = pattern: text: isString text && match pattern text != null;

  isLock =
    entry:
    let
      lock = entry.lock or null;
    in
    isAttrs entry
    && isAttrs lock
    && kernelDependencies.isValid [ (entry.dependency or null) ]
    && isMatch "[0-9a-f]{40}" (lock.commit or null)
    && isMatch "sha256-[A-Za-z0-9+/]{43}=" (lock.hash or null);
in
{
  /**
    The locks in the folder of a kernel; none if it has no kernels.lock.

    # Type

    ```
    readKernelLocks :: Path -> [{ dependency :: { repo-id :: String; … }; lock :: { commit, hash :: String; }; }]
    ```

    # Errors

    The file is not what `lock-kernels` writes.
  */
  readKernelLocks =
    root:
    let
      path = root + "/${file}";
      read = fromJSON (readFile path);
      wrong = if isList read then filter (entry: !isLock entry) read else [ read ];
      problems = map (entry: {
        at = file;
        found = showValue entry;
        want = ''entries such as { "dependency": { "repo-id": "owner/name", "version": 1 }, "lock": { "commit": 40 hexadecimal digits, "hash": "sha256-…" } }'';
        fix = "delete the file, and write it with `nix run .#lock-kernels`";
      }) wrong;
    in
    optionals (pathExists path) (throwProblems "${file} cannot be read" problems read);

  /**
    The dependencies among `wanted`, values of `kernel-depends`, that no lock is for.

    # Type

    ```
    listUnlocked :: [Lock] -> [AttrSet] -> [AttrSet]
    ```
  */
  listUnlocked =
    locks: wanted:
    let
      locked = map (lock: lock.dependency) locks;
    in
    filter (dependency: !elem dependency locked) wanted;
}
