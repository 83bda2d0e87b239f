# The pinned Debian packages of this system, as sources: `debs."libc6"`.
{ readDebs }: readDebs ./pins.json
