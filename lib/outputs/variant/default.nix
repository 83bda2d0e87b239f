# A variant of a kernel with everything that a package set makes of it.
{ outputs, ... }:
{
  /**
    A Variant with the fields of an Output, which docs/data.md describes. Each is evaluated when it is used.

    Type: makeVariant :: Context -> Variant -> Output
  */
  makeVariant =
    context: variant:
    let
      output =
        variant
        // { set = context.packageSet.forPlan variant.plan; }
        // outputs.obstacles.findObstacles context output
        // outputs.build.buildOutput context output
        // outputs.author.makeAuthorOutputs context output
        // outputs.describe.describeOutput context output;
    in
    output;
}
