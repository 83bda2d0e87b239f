# Flags that a kernel must not have: with them, the code depends on the machine that compiles it, or is for targets that
# build.toml does not name.
{ values, messages, backends, config, ... }:
let
  inherit (builtins)
    any
    concatMap
    filter
    isString
    match
    split
    toJSON
    ;
  inherit (values.lists) optionals;
  inherit (messages.check) appendKey;
  inherit (config.sourceLists) listSourceSections sourceKeys;

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

  isFlags = key: config.schema.sections."kernel.NAME".keys.${key}.type == "flags";

  machineProblems =
    section: key:
    map (flag: {
      at = appendKey section.at key;
      found = "${toJSON flag}, which means the processor of the machine that compiles";
      want = "flags that give the same code on every machine";
      fix = "name the processor, such as -march=x86-64-v3, or the instructions, such as -mavx2";
    }) (filter dependsOnMachine section.values.${key});

  targetProblems =
    section: key:
    concatMap (
      backend:
      let
        inherit (backends.all.${backend}) componentKeys targets;
      in
      optionals (targets != null && componentKeys ? ${key}) (
        map (flag: {
          at = appendKey section.at key;
          found = "${toJSON flag}, which names targets";
          want = "targets in ${appendKey section.at targets.key}, because the metadata of the kernel lists these";
          fix = "delete the flag, and write its targets there";
        }) (targets.listFlags section.values.${key})
      )
    ) section.backends;
in
{
  /**
    Problems of the flags in all sections of a configuration.

    Type: checkFlags :: { config :: Config; } -> [Problem]
  */
  checkFlags =
    { config }:
    concatMap (
      section:
      concatMap (key: machineProblems section key ++ targetProblems section key) (filter isFlags sourceKeys)
    ) (listSourceSections config);
}
