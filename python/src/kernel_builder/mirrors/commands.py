"""`prefetch` fetches the sources of a build before it."""

import click

from kernel_builder.commands import options
from kernel_builder.messages.errors import KernelBuilderError
from kernel_builder.messages.terminal import complain, print_result, say
from kernel_builder.mirrors.coordinates import collect_sources
from kernel_builder.mirrors.fetch import fetch_sources
from kernel_builder.mirrors.refusals import describe_refusals
from kernel_builder.settings import change_settings
from kernel_builder.variants.missing import fetch_cached, find_missing


@click.command(short_help="Fetch the sources that a build needs.")
@click.argument("installables", nargs=-1, required=True, metavar="INSTALLABLE...")
@options.sources
def prefetch(installables: tuple[str, ...]) -> int:
    """Fetch what building INSTALLABLE needs and the store does not have.

    An INSTALLABLE is what `nix build` takes (./mykernel#bundle), or a path to a .drv file.
    Afterwards `nix build` needs no network.

    Wheels and Debian packages come through this machine's own pip and apt, all else from its
    address. For a tree of sources, such as tag v4.4.2 of NVIDIA/cutlass, DIR is searched first: it
    may hold an archive (cutlass-4.4.2.tar.gz or v4.4.2.tar.gz; also .zip, .tar.xz and the like). A
    mirror has each archive at the path that it has on its host.
    """
    # Whoever names sources wants them now.
    change_settings(refresh=True)
    missing = find_missing(installables)
    if missing.sources and fetch_cached(missing.roots):
        missing = find_missing(installables)
    refused = fetch_sources(missing)
    problems = describe_refusals(refused)
    failed = {derivation for derivation, _ in refused}
    sources = [each for each in collect_sources(missing.sources) if each.derivation not in failed]
    fetched = [source.label for source in sources]
    print_result({"fetched": fetched, "problems": [each.as_data() for each in problems]}, "")
    if refused:
        headline = f"{len(refused)} of {len(missing.sources)} missing sources cannot be had"
        complain("error", str(KernelBuilderError(headline, problems)))
        return 1
    count = f"fetched {len(fetched)} sources; " if fetched else ""
    say(f"{count}all that is needed is in the store")
    return 0
