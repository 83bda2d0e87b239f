# Evaluates a flake with exactly the inputs that its lock has. Nix's own resolution fetches, before it refuses anything,
# inputs that the lock lacks: folders of the user as well.
{
  lock,
  source,
  directory,
  system,
}:
let
  inherit (builtins)
    filter
    head
    isAttrs
    isList
    listToAttrs
    mapAttrs
    tail
    unsafeDiscardStringContext
    ;

  resolve = input: if isList input then follow lock.root input else input;
  follow =
    name: path:
    if path == [ ] then name else follow (resolve lock.nodes.${name}.inputs.${head path}) (tail path);

  below = tree: folder: "${tree.outPath}${if folder == "" then "" else "/${folder}"}";
  call =
    name: node:
    let
      isRoot = name == lock.root;
      sourceInfo = if isRoot then source else builtins.fetchTree (removeAttrs node.locked [ "dir" ]);
      folder = if isRoot then directory else node.locked.dir or "";
      inputs = mapAttrs (_: input: nodes.${resolve input}) (node.inputs or { });
      outputs = (import "${below sourceInfo folder}/flake.nix").outputs (inputs // { self = result; });
      result = outputs // sourceInfo // { inherit inputs outputs sourceInfo; };
    in
    if node.flake or true then result else sourceInfo;
  nodes = mapAttrs call lock.nodes;
  flake = nodes.${lock.root};

  has = path: set: path == [ ] || isAttrs set && set ? ${head path} && has (tail path) set.${head path};
  get = path: set: if path == [ ] then set else get (tail path) set.${head path};
in
{
  # An attribute, looked for where Nix does.
  select =
    path:
    let
      places = filter (has path) [
        (flake.packages.${system} or { })
        (flake.legacyPackages.${system} or { })
        flake
      ];
    in
    if places == [ ] then throw "the flake has no output ${toString path}" else get path (head places);

  # Derivations that the input kernel-builder gives for the kernel's files, without anything of its flake.nix.
  rebuild =
    names:
    let
      builder = flake.inputs.kernel-builder;
      outputs = builder.lib.genKernelFlakeOutputs {
        self = flake;
        path = /. + unsafeDiscardStringContext (below source directory);
      };
      variants = outputs.legacyPackages.${system}.redistributable;
    in
    {
      inherit (lock.nodes.${resolve lock.nodes.${lock.root}.inputs.kernel-builder}) locked;
      rev = builder.sourceInfo.rev or null;
      inherit (builder.sourceInfo) narHash;
      derivations = listToAttrs (
        map (name: {
          inherit name;
          value = variants.${name}.drvPath;
        }) names
      );
    };
}
