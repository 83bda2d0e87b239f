OP = "tiny::three"
