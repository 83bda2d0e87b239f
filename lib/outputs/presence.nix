# A shell function that looks for the devices of a backend, and the outputs for a machine that only it can see.
{ values, backends, ... }:
let
  inherit (builtins) attrNames attrValues concatStringsSep deepSeq elem groupBy head tryEval;
  inherit (values.attributes) generate;

  script = ''
    has_backend() {
      if [ -n "''${KERNEL_BUILDER_BACKEND:-}" ]; then
        [ "$1" = "$KERNEL_BUILDER_BACKEND" ]
        return
      fi
      case $1 in
      ${concatStringsSep "\n  " (map (name: "${name}) ${backends.all.${name}.isPresent} ;;") (attrNames backends.all))}
      *) false ;;
      esac
    }
  '';
in
{
  /**
    Outputs of a kernel for whoever looks for devices after the evaluation: the variants in an author's order, and what
    `select` gives of the outputs for the name of the first variant of each backend, or null where that throws. If a
    variant is `requested`, it is the only one, and a throw is one.

    Type: selectForMachine :: AttrSet -> { requested :: String | Null; select :: AttrSet -> String -> a; } -> {
      variants :: [ { name, backend :: String; } ]; selected :: { ${name} :: a | Null; }; script :: String; }
  */
  selectForMachine =
    outputs:
    { requested, select }:
    let
      variants = outputs.authorVariants;
      firsts = map (alike: (head alike).name) (attrValues (groupBy (variant: variant.backend) variants));
      attempt =
        name:
        let
          found = select outputs name;
          tried = tryEval (deepSeq found found);
        in
        if tried.success then tried.value else null;
      isKnown = elem requested (map (variant: variant.name) variants);
    in
    {
      inherit script variants;
      selected =
        if requested == null then
          generate firsts attempt
        else
          generate (if isKnown then [ requested ] else [ ]) (select outputs);
    };

  /**
    Defines the shell function `has_backend NAME`, which is false for an unknown backend. If KERNEL_BUILDER_BACKEND names
    a backend, it is the only one.
  */
  inherit script;
}
