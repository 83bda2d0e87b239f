# Finds code that other build systems accept and that fails here, such as bindings of pybind11, before anything is
# compiled. The results are warnings, because only compilers and the import check know for certain.
{ values, config, plan, ... }:
let
  inherit (builtins) any attrNames attrValues concatLists concatMap concatStringsSep elem elemAt filter genList head;
  inherit (builtins) isList isString length match readFile replaceStrings split stringLength substring tail;
  inherit (values) paths;
  inherit (values.lists) follow optionals unique;
  inherit (values.texts) hasPrefix longestMatch mayRunOn mentions;
  inherit (config) endings;
  inherit (plan.imports) statement testImports;

  # In each language, `skipped` matches comments, strings and definitions of macros. A rule has a `pattern`, whose first
  # group is shown. It is for files with one of its `words`, or for matches that pass its `test`. If no file has one of
  # the `words` of `needed`, the kernel lacks something. `ofStable` is the way out of a kernel for the stable ABI.
  table = builtins.fromJSON (readFile ./findings.json);

  # Larger files are not scanned.
  longest = 50000;

  # Whether no line, comment, string or argument of a text is so long that a pattern cannot match it.
  hasShortParts =
    text:
    let
      splitAt = pattern: text: filter isString (split pattern text);
      quoted = splitAt "\"\"\"|'''" text;
      isShort = part: stringLength part < longestMatch;
    in
    isShort text
    || !mayRunOn [ "\n" ] (replaceStrings [ "\\\n" ] [ "" ] text)
    && !mayRunOn [ "(" ")" "{" "}" ";" ] text
    && builtins.all isShort (
      map (part: head (splitAt "[*]/" part)) (tail (splitAt "/[*]" text))
      ++ genList (index: elemAt quoted (2 * index + 1)) (length quoted / 2)
    );

  # The first matches of a rule in a file, because the line of each is counted from the beginning.
  takeSome = list: genList (elemAt list) (if length list < 20 then length list else 20);

  matchesIn = pattern: text: filter isList (split pattern text);
  countLines = text: length (matchesIn "\n" text);

  # A text without comments, definitions of macros and the contents of strings, with as many lines.
  readCode =
    skipped: text:
    let
      isIncluded = token: match "#[ \t]*include.*" token != null;
      isQuoted = token: hasPrefix "\"" token || hasPrefix "'" token;
      blank = token: (if isQuoted token then "\"…\"" else "") + concatStringsSep "" (genList (_: "\n") (countLines token));
      replace = part: if isString part then part else if isIncluded (head part) then head part else blank (head part);
    in
    concatStringsSep "" (map replace (split "(${skipped})" text));

  # The groups of each match of a pattern at the beginning of a line, with the place and the text of the first group.
  findMatches =
    pattern: code:
    let
      pieces = split "(\n${pattern})" "\n${code}";
      textOf = piece: if isString piece then piece else head piece;
      describe =
        number:
        let
          piece = elemAt pieces (2 * number + 1);
          before = concatStringsSep "" (map textOf (genList (elemAt pieces) (2 * number + 1)));
          shown = concatStringsSep " " (filter isString (split "[ \t\n]+" (elemAt piece 1)));
          count = pattern: length (matchesIn "\n[ \t]*#[ \t]*${pattern}" before);
          guards = if match "[ \t\n]*#[ \t]*ifndef.*" before == null then 0 else 1;
        in
        {
          groups = tail piece;
          line = countLines "${before}${head piece}" - countLines (elemAt piece 1);
          shown =
            if stringLength shown <= 80 then shown else "${substring 0 40 shown} … ${substring (stringLength shown - 36) 36 shown}";
          isConditional = count "if" > count "endif" + guards;
        };
    in
    genList describe ((length pieces - 1) / 2);

  # The registration of the functions that pybind11 or RegisterOperators registers in a text.
  writeBlock =
    text:
    let
      define = groups: "  m.def(\"${elemAt groups 2}\", &${elemAt groups 3});\n";
    in
    "TORCH_LIBRARY_EXPAND(TORCH_EXTENSION_NAME, m) {\n"
    + concatStringsSep "" (unique (map define (matchesIn table.cpp.bound text)))
    + "}\nREGISTER_EXTENSION(TORCH_EXTENSION_NAME)";
in
{
  /**
    Warnings about the sources and Python files of a kernel, with files and lines.

    Type: listFindings :: { root :: Path; config :: Config; graph :: Graph; } -> [Problem]
  */
  listFindings =
    { root, config, graph }:
    let
      inherit (config) framework pythonFolder;
      isStable = config.torch != null && config.torch.stable-abi != null;
      read = file: readFile (root + "/${file}");
      isSmall = file: stringLength (read file) < longest;
      isShort = file: isSmall file && hasShortParts (read file);
      fill = replaceStrings [ "@name@" "@folder@" "@import@" ] [ config.general.python-name pythonFolder statement ];
      units = filter (file: graph.${file}.isListed) (attrNames graph);
      files = {
        # A computed include may be of any header, but is of few.
        cpp = follow (file: graph.${file}.direct) units;
        python = filter (file: paths.ending file == "py") (paths.filesBelow root pythonFolder);
      };
      flags = concatMap (section: concatLists (attrValues section.flags)) config.sections;
      imports = testImports { inherit root config; files = filter isShort files.python; };
      tests = imports // {
        # The fourth group of a macro that registers is the namespace.
        isOfTorch = _: groups: elem (elemAt groups 3) [ "aten" "_" ];
        isSerial = _: _: !any (mentions [ "openmp" ]) flags;
        isShared = _: groups: !elem (elemAt groups 3) [ "TORCH_EXTENSION_NAME" "aten" "_" ];
      };

      findIn =
        language: file:
        let
          inherit (table.${language}) rules;
          text = read file;
          hasOne = words: mentions (map fill words) text;
          hasAny = hasOne (concatMap (rule: rule.words or [ ]) rules);
          mayMatch = rule: if rule ? words then hasAny && hasOne rule.words else imports.mayLack file;
          # Others may include a header, too, and conditions in it are for them.
          isHeader = elem (paths.ending file) endings.headers;
          passes = rule: found: !rule ? test || tests.${rule.test} file found.groups;
          isCounted = found: !(isHeader && found.isConditional);
          slashes = matchesIn "/" (substring (stringLength pythonFolder) (stringLength file) file);
          describe = rule: found: {
            # The command line knows a path by its slash.
            at = "${if paths.parent file == "" then "./" else ""}${file}:${toString found.line}";
            found = "${found.shown}${if found.isConditional then ", behind a condition" else ""}";
            inherit (rule) want;
            fix = replaceStrings [ "@block@" "@dots@" ] [ (writeBlock text) (concatStringsSep "" (map (_: ".") slashes)) ] (
              if isStable then rule.ofStable or rule.fix else rule.fix
            );
          };
          code = readCode table.${language}.skipped text;
          matchesOf = rule: takeSome (filter (passes rule) (findMatches (fill rule.pattern) code));
          apply = rule: map (describe rule) (filter isCounted (matchesOf rule));
          likely = filter mayMatch rules;
        in
        optionals (likely != [ ] && hasShortParts text) (concatMap apply likely);

      lackIn =
        language:
        let
          isLacking = { words, ... }: !any (file: mentions words (read file)) files.${language};
        in
        map (rule: { inherit (rule) found want fix; at = fill rule.at; }) (filter isLacking table.${language}.needed);
    in
    concatMap (language: concatMap (findIn language) (filter isSmall files.${language})) (attrNames files)
    ++ optionals (framework.name == "torch") (concatMap lackIn (attrNames files));
}
