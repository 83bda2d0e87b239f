"""A request of the test server, with the repository that its address names."""

from __future__ import annotations

from tests.hub.exchange import Answer, Hub, Request
from tests.hub.repository import Repository


class RefusalError(Exception):
    def __init__(self, status: int, message: str, code: str = "") -> None:
        super().__init__(message)
        self.answer = Answer(
            status,
            {"error": message},
            headers={"X-Error-Message": message, **({"X-Error-Code": code} if code else {})},
        )


class Context:
    """A request with what its address names."""

    def __init__(self, hub: Hub, request: Request, names: dict[str, str]) -> None:
        self.hub = hub
        self.request = request
        self.names = names

    @property
    def repo_id(self) -> str:
        return self.names["repo"]

    @property
    def kind(self) -> str:
        return self.names.get("kind", "models")

    @property
    def url(self) -> str:
        kind = "" if self.kind == "models" else f"{self.kind}/"
        return f"{self.hub.url}/{kind}{self.repo_id}"

    @property
    def stored(self) -> Repository:
        """The repository, whoever asks; it need not exist."""
        return self.hub.repositories.get(self.repo_id, self.kind)

    @property
    def repository(self) -> Repository:
        """The repository, if the one who asks may see it."""
        found = self.stored
        if not found.exists or (found.read()["private"] and not self.may_write):
            # The Hub tells strangers apart from those whose token it knows, and from false ones.
            if self.request.token and self.request.token not in self.hub.tokens:
                raise RefusalError(401, "Invalid credentials in Authorization header")
            status = 404 if self.request.token else 401
            raise RefusalError(status, "Repository not found", "RepoNotFound")
        return found

    @property
    def may_write(self) -> bool:
        return self.repo_id.split("/")[0] in self.hub.tokens.get(self.request.token, set())

    def require_token(self) -> None:
        if self.request.token not in self.hub.tokens:
            raise RefusalError(401, "Invalid username or password.")

    def require_write(self) -> None:
        self.require_token()
        if not self.may_write:
            raise RefusalError(403, "Forbidden: you must have write access to this repository")

    def commit(self, name: str = "revision") -> str:
        found = self.repository.resolve(self.names[name])
        if not found:
            raise RefusalError(404, "Invalid rev id", "RevisionNotFound")
        return found
