# Checks the flags in build.toml. A kernel must not have flags that make its code depend on the machine that compiles
# it, or that change the ABI which it shares with Torch. It may have flags that name targets or do nothing, which cause
# warnings.
{ values, messages, backends, ... }:
let
  inherit (builtins) any attrNames concatLists concatMap elem elemAt filter;
  inherit (builtins) fromJSON genList isString length match readFile split;
  inherit (values) paths;
  inherit (values.lists) optional optionals unique;
  inherit (values.texts) hasPrefix;
  inherit (messages.catalogue) readCatalogue;
  inherit (messages.check) appendKey showValue;

  problems = readCatalogue ./flags.json;

  # Flags that a kernel must not have: `words` are patterns of the words of a flag.
  refused = fromJSON (readFile ./refused-flags.json);
  # nvcc passes words to gcc with the first two, gcc passes words to its programs with the third. Words are divided by
  # commas, or by spaces between quotes.
  forwarding = "(-Xcompiler=|--compiler-options=|-W[pal]=?)?";
  # A macro may have any text. Its name may be the word after `-D`.
  isMacro = flag: match "(-D|--define-macro=).*" flag != null;
  wordsOf = flag: if isMacro flag then [ flag ] else filter isString (split "[ ,'\"]" flag);

  refusedProblems =
    { at, flags, ... }:
    concatMap (
      flag:
      let
        isMeant = row: any (word: match "${forwarding}(${row.words})" word != null) (wordsOf flag);
      in
      map (row: problems.refused { inherit at flag; inherit (row) does want fix; }) (filter isMeant refused)
    ) flags;

  # The backends of a section whose targets flags of this key can name.
  readersOf =
    section: key:
    filter (backend: backends.all.${backend}.targets.flagsKey or null == key) section.backends;

  # The languages in which a backend compiles sources of a section.
  languagesOf =
    section: backend:
    let
      inherit (backends.all.${backend}) languages;
    in
    map (ending: languages.${ending}) (
      filter (ending: languages ? ${ending}) (map paths.ending section.src)
    );

  # Options that the backend's compiler has in another spelling.
  misspeltProblems =
    { section, key, at, flags }:
    concatMap (
      backend:
      map ({ written, option }: problems.misspelt { inherit at written option; }) (
        (backends.all.${backend}.targets.listMisspelt or (_: [ ])) flags
      )
    ) (readersOf section key);

  # Flags that name targets add these to the component, as with the existing tool (lib/matrix/targets.nix).
  targetWarnings =
    { section, key, at, flags }:
    concatMap (
      backend:
      let
        inherit (backends.all.${backend}) targets;
        isRead = any (language: elem key language.flagsKeys) (languagesOf section backend);
      in
      optionals isRead (warnOfTargets { inherit section at targets; read = targets.readFlags flags; })
    ) (readersOf section key);

  warnOfTargets =
    { section, targets, at, read }:
    let
      place = appendKey section.at targets.key;
      warn =
        name: flags: values:
        optional (flags != [ ]) (
          problems.${name} ({ inherit at place; inherit (targets) key; flags = map (flag: flag.text) flags; } // values)
        );
      naming = filter (flag: flag.targets != null && flag.targets != [ ]) read;
      added = unique (concatMap (flag: flag.targets) naming);
      listed = if section.targets == null then [ ] else section.targets;
      missing = filter (target: !elem target listed) added;
    in
    warn (
      if section.targets == null then
        "adds-to-default"
      else if missing == [ ] then
        "adds-nothing"
      else
        "adds-targets"
    ) naming {
      inherit added;
      adds = if length naming == 1 then "adds" else "add";
      all = showValue (listed ++ missing);
    }
    ++ warn "adds-by-compiler" (filter (flag: flag.targets == null) read) { }
    ++ warn "names-no-target" (filter (flag: flag.targets == [ ]) read) { };

  folder = "(-I|-iquote|-isystem|-idirafter|--?include-path|--?include-directory)";
  header = "(-include|-imacros|--include|--imacros|--pre-include)";
  # The compiler reports absolute paths; `@package@` stands for a package's folder.
  isOfKernel = value: match "[/@$].*" value == null;
  isOfMachine = value: match "/.*" value != null && !hasPrefix builtins.storeDir value;

  # Flags that name a folder that `include` lacks, or a header to include first. A compilation has only the
  # headers that the include scan finds (plan/include-graph.nix), and the scan reads `include`, not flags.
  includeWarnings =
    { section, at, flags, ... }:
    let
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
          values = { inherit at text value; include = appendKey section.at "include"; };
        in
        optional (asFolder != null && isOfKernel value && !elem (paths.join "" value) section.include) (
          problems.folder values
        )
        ++ optional (asHeader != null && isOfKernel value) (problems.header values)
        ++ optional ((asFolder != null || asHeader != null) && isOfMachine value) (problems.of-machine values);
    in
    unique (concatLists (genList warningAt (length flags)));

  # Keys with flags that the compiler of no source reads, such as `cxx-flags` beside `.cu` files only.
  unreadWarnings =
    section:
    let
      languages = concatMap (languagesOf section) section.backends;
      read = unique (concatMap (language: language.flagsKeys) languages);
      isUnread = key: !elem key read;
    in
    map (
      key:
      problems.unread {
        at = appendKey section.at key;
        want = if read == [ ] then "no flags" else "the flags in ${builtins.concatStringsSep " and " read}";
      }
    ) (optionals (languages != [ ]) (filter isUnread (keysOf section)));

  keysOf = section: filter (key: section.flags.${key} != [ ]) (attrNames section.flags);
  forEachKey =
    check: section:
    concatMap (
      key: check { inherit section key; at = appendKey section.at key; flags = section.flags.${key}; }
    ) (keysOf section);
in
{
  /**
    Problems of the flags of sections (as `listSections` returns them).

    Type: checkFlags :: [Section] -> [Problem]
  */
  checkFlags =
    sections:
    concatMap (forEachKey (written: refusedProblems written ++ misspeltProblems written)) sections;

  /**
    Warnings about flags that name targets, or folders or headers of the kernel, and about flags that no source gets.

    Type: listFlagWarnings :: [Section] -> [Problem]
  */
  listFlagWarnings =
    sections:
    concatMap (forEachKey (written: targetWarnings written ++ includeWarnings written)) sections
    ++ concatMap unreadWarnings sections;
}
