# How the code for all targets is packed into a unit's fat binary. That happens where passes are
# gathered, so a flag about it is no pass's own, and no reason to keep a unit whole.
toolkits:
let
  inherit (builtins)
    elemAt
    filter
    foldl'
    head
    isString
    match
    split
    ;

  # What nvcc makes of its flags for `fatbinary`, which packs; the last group is their value.
  rules = [
    {
      pattern = "--?no-compress";
      takesValue = false;
      options = _: [ "--compress=false" ];
    }
    {
      pattern = "--?compress-mode(=(.+))?";
      takesValue = true;
      options = mode: [ "--compress-mode=${mode}" ];
    }
    {
      pattern = "--?(Xfatbin|fatbin-options)(=(.+))?";
      takesValue = true;
      options = words: filter isString (split "," words);
    }
  ];
  lastOf = groups: elemAt groups (builtins.length groups - 1);

  read =
    done: flag:
    let
      rule = head (filter (rule: match rule.pattern flag != null) rules ++ [ null ]);
      value = lastOf (match rule.pattern flag);
    in
    if done.waiting != null then
      done
      // {
        waiting = null;
        options = done.options ++ done.waiting.options flag;
      }
    else if rule == null then
      done // { rest = done.rest ++ [ flag ]; }
    else if rule.takesValue && value == null then
      done // { waiting = rule; }
    else
      done // { options = done.options ++ rule.options value; };

  isMode = option: match "--?compress-mode=.*" option != null;

  self = {
    /**
      What `flags` of nvcc say of packing, and those that say something else. `options` are what
      `fatbinary` is told: what the author says, or the toolkit's own choice; `unknown` are those
      that it does not know.

      # Type

      ```
      packingOf :: { toolkit :: String; flags :: [String]; } -> { options :: [String]; unknown :: [String]; rest :: [String]; }
      ```
    */
    packingOf =
      { toolkit, flags }:
      let
        inherit (toolkits.${toolkit}) compression;
        said = foldl' read {
          options = [ ];
          rest = [ ];
          waiting = null;
        } flags;
        isUnknown = option: isMode option && !compression.hasModes;
        known = filter (option: !isUnknown option) said.options;
      in
      {
        inherit (said) rest;
        unknown = filter isUnknown said.options;
        options = if known == [ ] then [ compression.default ] else known;
      };

    /**
      Warnings of what a release of the toolkit does not know of a component's flags.

      # Type

      ```
      warningsOf :: String -> Component -> [Problem]
      ```
    */
    warningsOf =
      toolkit: component:
      map
        (option: {
          at = "cuda-flags";
          found = "${option}, left out: CUDA ${toolkit} cannot choose how code is compressed (from 12.8 on)";
          want = "${toolkits.${toolkit}.compression.default}, which is what it does instead";
          fix = "nothing, if variants for it may be larger";
        })
        (self.packingOf {
          inherit toolkit;
          flags = component.cxx-flags ++ component.cuda-flags;
        }).unknown;
  };
in
self
