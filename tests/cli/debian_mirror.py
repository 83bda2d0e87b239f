"""A Debian mirror in a folder, and an apt that knows nothing else."""

import hashlib
import os
from pathlib import Path


class DebianMirror:
    """Packages of one suite; `publish` writes the lists that apt reads."""

    def __init__(
        self, root: Path, url: str, apt_home: Path, suite: str = "bookworm", origin: str = "Debian"
    ) -> None:
        self.root = root
        self.url = url
        self.suite, _, component = suite.partition("/")
        self.component = component or "main"
        self.origin = origin
        self.home = apt_home
        self._packages: dict[str, list[str]] = {}
        self._published = 1_767_225_600

    def put(
        self,
        package: str,
        version: str,
        content: bytes,
        architecture: str = "amd64",
        listed: bool = True,
        file: str = "",
    ) -> None:
        """Put a package into the pool, and into the lists unless it is to be an old one."""
        file = file or f"{package}_{version.rpartition(':')[2]}_{architecture}.deb"
        path = f"pool/main/{package[0]}/{package}/{file}"
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_bytes(content)
        if not listed:
            return
        record = (
            f"Package: {package}\nVersion: {version}\nArchitecture: {architecture}\n"
            f"Maintainer: nobody\nFilename: {path}\nSize: {len(content)}\n"
            f"SHA256: {hashlib.sha256(content).hexdigest()}\nDescription: a test\n"
        )
        for one in ("amd64", "arm64") if architecture == "all" else (architecture,):
            self._packages.setdefault(one, []).append(record)

    def clear_lists(self) -> None:
        """Forget what is listed; the pool stays."""
        self._packages.clear()

    def publish(self) -> None:
        sums = []
        for architecture in ("amd64", "arm64"):
            text = "\n".join(self._packages.get(architecture, [])).encode()
            name = f"{self.component}/binary-{architecture}/Packages"
            file = self.root / "dists" / self.suite / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(text)
            sums.append(f" {hashlib.sha256(text).hexdigest()} {len(text)} {name}")
        release = (
            f"Origin: {self.origin}\nSuite: {self.suite}\nCodename: {self.suite}\n"
            f"Components: {self.component}\nArchitectures: amd64 arm64\n"
            f"Date: Thu, 01 Jan 2026 00:00:00 UTC\nSHA256:\n"
        )
        file = self.root / "dists" / self.suite / "Release"
        file.write_text(release + "\n".join(sums) + "\n")
        # Each a day after the one before: apt asks for what is newer than what it has.
        self._published += 86400
        os.utime(file, (self._published, self._published))

    def configure(self) -> dict[str, str]:
        """Return the variables that make apt use this mirror, with lists that are empty."""
        for name in ("lists/partial", "cache/archives/partial", "parts"):
            (self.home / name).mkdir(parents=True, exist_ok=True)
        (self.home / "status").touch()
        (self.home / "sources.list").write_text(
            f"deb [trusted=yes] {self.url} {self.suite} {self.component}\n"
        )
        (self.home / "apt.conf").write_text(
            f"""
            Dir::State "{self.home}";
            Dir::State::lists "{self.home}/lists";
            Dir::State::status "{self.home}/status";
            Dir::Cache "{self.home}/cache";
            Dir::Etc::sourcelist "{self.home}/sources.list";
            Dir::Etc::sourceparts "{self.home}/parts";
            Dir::Etc::parts "{self.home}/parts";
            Dir::Etc::main "{self.home}/parts/none";
            Acquire::Languages "none";
            Acquire::AllowInsecureRepositories "true";
            APT::Get::AllowUnauthenticated "true";
            APT::Architecture "amd64";
            APT::Architectures {{ "amd64"; }};
            """
        )
        return {"APT_CONFIG": str(self.home / "apt.conf")}
