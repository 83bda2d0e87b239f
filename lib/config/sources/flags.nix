# Checks the flags in build.toml. A kernel must not have flags that make its code depend on the machine that compiles
# it, or that change the ABI which it shares with Torch. It may have flags that name targets or do nothing, which cause
# warnings.
{ values, messages, backends, config, ... }:
let
  inherit (builtins) any attrNames concatLists concatMap concatStringsSep elem elemAt filter;
  inherit (builtins) fromJSON genList isString length match readFile split toJSON;
  inherit (values) paths;
  inherit (values.lists) optionals unique;
  inherit (values.texts) hasPrefix;
  inherit (messages.check) appendKey showValue;
  inherit (config) endings;

  # nvcc passes words to gcc with the first two, gcc passes words to its programs with the third. Words are divided by
  # commas, or by spaces between quotes.
  forwarding = "(-Xcompiler=|--compiler-options=|-W[pal]=?)?";
  # The last is an option of Intel's compiler.
  namesMachine =
    word:
    match "${forwarding}(--?m(achine[-=])?[a-z]+=native([+].*)?|-x[Hh][Oo][Ss][Tt])" word != null;
  # A macro may have any text.
  isMacro = flag: match "(-D|--define-macro=).*" flag != null;
  dependsOnMachine =
    flag: !isMacro flag && any (word: isString word && namesMachine word) (split "[ ,'\"]" flag);

  machineProblems =
    section: key:
    map (flag: {
      at = appendKey section.at key;
      found = "${toJSON flag}, which means the processor of the machine that compiles";
      want = "flags that give the same code on every machine";
      fix = "name the processor, such as -march=x86-64-v3, or the instructions, such as -mavx2";
    }) (filter dependsOnMachine section.flags.${key});

  abiFlags = fromJSON (readFile ./abi-flags.json);

  # A flag may pass words to gcc. The name of a macro may be the word after `-D`.
  abiProblems =
    section: key:
    concatMap (
      flag:
      let
        words = if isMacro flag then [ flag ] else filter isString (split "[ ,'\"]" flag);
        changes = row: any (word: match "${forwarding}(${row.words})" word != null) words;
      in
      map (row: {
        at = appendKey section.at key;
        found = "${toJSON flag}, which changes ${row.change}";
        want = "the ABI of Torch and of its C++ library, which the kernel calls";
        inherit (row) fix;
      }) (filter changes abiFlags)
    ) section.flags.${key};

  # Options that the backend's compiler has in another spelling.
  misspeltProblems =
    section: key:
    concatMap (
      backend:
      let
        inherit (backends.all.${backend}) targets;
        isOf = targets != null && targets.flagsKey == key && targets ? listMisspelt;
      in
      optionals isOf (
        map ({ written, option }: {
          at = appendKey section.at key;
          found = "${toJSON written}, which the compiler does not have";
          want = "the option as the compiler spells it";
          fix = "write ${toJSON option}";
        }) (targets.listMisspelt section.flags.${key})
      )
    ) section.backends;

  # Flags that name targets add these to the component, as with the existing tool (lib/matrix/targets.nix).
  targetWarnings =
    section: key:
    concatMap (
      backend:
      let
        inherit (backends.all.${backend}) languages targets;
        isReader = entry: elem key (languages.${paths.ending entry.path} or { flagsKeys = [ ]; }).flagsKeys;
        isRead = any (entry: entry.path != null && isReader entry) section.entries.src;
      in
      optionals (targets != null && targets.flagsKey == key && isRead) (
        warnOfTargets {
          inherit section targets;
          at = appendKey section.at key;
          read = targets.readFlags section.flags.${key};
        }
      )
    ) section.backends;

  warnOfTargets =
    { section, targets, at, read }:
    let
      place = appendKey section.at targets.key;
      show = flags: concatStringsSep ", " (map (flag: toJSON flag.text) flags);
      warn = flags: more: optionals (flags != [ ]) [ ({ inherit at; want = "targets in ${place}"; } // more) ];
      naming = filter (flag: flag.targets != null && flag.targets != [ ]) read;
      added = unique (concatMap (flag: flag.targets) naming);
      listed = if section.targets == null then [ ] else section.targets;
      missing = filter (target: !elem target listed) added;
      chosen = filter (flag: flag.targets == null) read;
      empty = filter (flag: flag.targets == [ ]) read;
    in
    warn naming {
      found = "${show naming}, which ${if length naming == 1 then "adds" else "add"} to the targets: ${concatStringsSep ", " (map toJSON added)}";
      fix =
        if section.targets == null then
          "write ${targets.key} with all targets that the component needs, and delete the flags: without the key, it also has the default list"
        else if missing == [ ] then
          "delete the flags: ${targets.key} lists these targets"
        else
          "write ${targets.key} = ${showValue (listed ++ missing)}, and delete the flags";
    }
    ++ warn chosen {
      found = "${show chosen}, which adds the targets that the compiler of each toolkit knows";
      fix = "write ${targets.key} with the targets that the component needs, and delete the flag";
    }
    ++ warn empty {
      found = "${show empty}, left out: it names no target that is the same on every machine";
      fix = "delete the flag: the component is compiled for ${targets.key}, or for the default list without the key";
    };

  folder = "(-I|-iquote|-isystem|-idirafter|--?include-path|--?include-directory)";
  header = "(-include|-imacros|--include|--imacros|--pre-include)";
  # The compiler reports absolute paths; `@package@` stands for a package's folder.
  isOfKernel = value: match "[/@$].*" value == null;
  isOfMachine = value: match "/.*" value != null && !hasPrefix builtins.storeDir value;

  # Flags that name a folder that `include` lacks, or a header to include first. A compilation has only the
  # headers that the include scan finds (plan/include-graph.nix), and the scan reads `include`, not flags.
  includeWarnings =
    section: key:
    let
      flags = section.flags.${key};
      warningAt =
        index:
        let
          flag = elemAt flags index;
          # A folder or header may be the word after its flag.
          isAlone = match "${folder}|${header}" flag != null && index + 1 < length flags;
          text = if isAlone then "${flag} ${elemAt flags (index + 1)}" else flag;
          asFolder = match "${folder}[ =]?([^ =].*)" text;
          asHeader = match "${header} (.*)" text;
          value = elemAt (if asFolder != null then asFolder else asHeader) 1;
        in
        optionals (asFolder != null && isOfKernel value && !elem (paths.join "" value) section.include) [
          {
            at = appendKey section.at key;
            found = "${toJSON text}, which finds no header: a compile has only those that `include` leads to";
            want = "the folder in ${appendKey section.at "include"}";
            fix = "write include = [${toJSON value}], and delete the flag";
          }
        ]
        ++ optionals (asHeader != null && isOfKernel value) [
          {
            at = appendKey section.at key;
            found = "${toJSON text}, which finds no header of the kernel: a compile has only those that sources include";
            want = "an #include of ${toJSON value} in the sources";
            fix = "write it there, and delete the flag";
          }
        ]
        ++ optionals (asFolder != null || asHeader != null) (
          optionals (isOfMachine value) [
            {
              at = appendKey section.at key;
              found = "${toJSON text}, which is on your machine at most: a build has no files of it";
              want = "headers of the kernel, or of a package in `depends`";
              fix = "name the library in `depends`, or copy its headers into the kernel, and delete the flag";
            }
          ]
        );
    in
    unique (concatLists (genList warningAt (length flags)));

  # Keys with flags that the compiler of no source reads, such as `cxx-flags` beside `.cu` files only.
  unreadWarnings =
    section:
    let
      isOf = backend: source: source.path != null && endings.isUnit { backends = [ backend ]; } source.path;
      languagesFor =
        backend:
        map (source: backends.all.${backend}.languages.${paths.ending source.path}) (
          filter (isOf backend) section.entries.src
        );
      languages = concatMap languagesFor section.backends;
      read = unique (concatMap (language: language.flagsKeys) languages);
      isUnread = key: !elem key read;
    in
    map (key: {
      at = appendKey section.at key;
      found = "flags that no source gets";
      want = if read == [ ] then "no flags" else "the flags in ${concatStringsSep " and " read}";
      fix = "delete the key, after you have copied the flags that the sources need";
    }) (optionals (languages != [ ]) (filter isUnread (keysOf section)));

  keysOf = section: filter (key: section.flags.${key} != [ ]) (attrNames section.flags);
  forEachKey = check: section: concatMap (check section) (keysOf section);
in
{
  /**
    Problems of the flags of sections (as `listSections` returns them).

    Type: checkFlags :: { sections :: [Section]; } -> [Problem]
  */
  checkFlags =
    { sections }:
    concatMap (
      forEachKey (
        section: key: machineProblems section key ++ abiProblems section key ++ misspeltProblems section key
      )
    ) sections;

  /**
    Warnings about flags that name targets, or folders or headers of the kernel, and about flags that no source gets.

    Type: listFlagWarnings :: { sections :: [Section]; } -> [Problem]
  */
  listFlagWarnings =
    { sections }:
    concatMap (forEachKey (section: key: targetWarnings section key ++ includeWarnings section key)) sections
    ++ concatMap unreadWarnings sections;
}
