# The pinned Debian packages of this system, as sources: `debs."gcc-12"`.
{ readDebs }: readDebs ./pins.json
