"""The answers of the test server: one function for each request that the clients make."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any

from tests.hub.context import Context, RefusalError
from tests.hub.exchange import Answer, Hub, Request
from tests.hub.repository import ConflictError

REPOSITORY = r"(?P<repo>[^/]+/[^/]+)"
KIND = "(?P<kind>kernels|datasets|models)"
API = rf"/api/{KIND}/{REPOSITORY}"
# Pages of models have no kind.
PAGE = rf"/(?:(?P<kind>kernels|datasets)/)?{REPOSITORY}"
# Signed addresses are secrets, too; tests look whether it is printed.
SIGNATURE = "secret-of-the-address"
# The day of all commits.
WHEN = "2026-01-01T00:00:00.000Z"


def create(context: Context) -> Any:
    context.require_token()
    asked = context.request.json
    owner = asked["organization"]
    if owner not in context.hub.owners:
        raise RefusalError(404, f"There is no user or organization called {owner}")
    context.names |= {"kind": f"{asked['type']}s", "repo": f"{owner}/{asked['name']}"}
    context.require_write()
    repository = context.stored
    url = {"url": context.url}
    if repository.exists:
        return Answer(409, url)
    repository.create(asked.get("visibility") == "private")
    return url


def create_branch(context: Context) -> Any:
    context.require_write()
    start = context.repository.resolve(context.request.json.get("startingPoint") or "main")
    if not start:
        raise RefusalError(404, "Invalid rev id", "RevisionNotFound")
    new = context.repository.branch(context.names["branch"], start)
    return {} if new else Answer(409, {"error": "Reference already exists"})


def info(context: Context) -> Any:
    context.names.setdefault("revision", "main")
    commit = context.commit()
    siblings = [{"rfilename": path} for path in context.repository.tree(commit)]
    private = context.repository.read()["private"]
    return {"id": context.repo_id, "sha": commit, "siblings": siblings, "private": private}


def tree(context: Context) -> Any:
    files = context.repository.tree(context.commit())
    below = context.names.get("folder")
    prefix = f"{below}/" if below else ""
    listed: dict[str, dict[str, Any]] = {}
    for path, entry in sorted(files.items()):
        if not path.startswith(prefix):
            continue
        parts = path[len(prefix) :].split("/")
        for depth in range(1, len(parts)):
            folder = prefix + "/".join(parts[:depth])
            listed[folder] = {"type": "directory", "oid": "0" * 40, "size": 0, "path": folder}
        listed[path] = describe(path, entry)
    if context.request.query.get("recursive") != ["true"]:
        listed = {path: each for path, each in listed.items() if "/" not in path[len(prefix) :]}
    if below and not listed:
        raise RefusalError(404, "no such folder", "EntryNotFound")
    if context.request.query.get("expand") == ["true"]:
        last = {"id": "0" * 40, "title": "a commit", "date": WHEN}
        listed = {path: {**each, "lastCommit": last} for path, each in listed.items()}
    return paginate(context, list(listed.values()))


def paginate(context: Context, entries: list[Any]) -> Any:
    query, size = context.request.query, context.hub.page
    start = int(query.get("cursor", ["0"])[0])
    headers = {}
    if start + size < len(entries):
        recursive = query.get("recursive", ["false"])[0]
        address = f"{context.hub.url}{context.request.path}?recursive={recursive}"
        headers["Link"] = f'<{address}&cursor={start + size}>; rel="next"'
    return Answer(data=entries[start : start + size], headers=headers)


def describe(path: str, entry: dict[str, Any]) -> dict[str, Any]:
    found = {"type": "file", "oid": entry["blob"], "size": entry["size"], "path": path}
    if entry["sha256"]:
        found["lfs"] = {"oid": entry["sha256"], "size": entry["size"], "pointerSize": 130}
    return found


def commits(context: Context) -> Any:
    listed = context.repository.list_commits(context.commit())
    return [
        {"id": name, "title": title, "message": "", "date": WHEN, "authors": [{"user": "somebody"}]}
        for name, title in listed
    ]


def refs(context: Context) -> Any:
    known = context.repository.read()["refs"].items()
    listed = [
        {"name": ref.removeprefix("refs/heads/"), "ref": ref, "targetCommit": oid}
        for ref, oid in known
    ]
    branches = [each for each in listed if each["ref"].startswith("refs/heads/")]
    requests = [each for each in listed if each["ref"].startswith("refs/pr/")]
    return {"branches": branches, "converts": [], "tags": [], "pullRequests": requests}


def validate_yaml(context: Context) -> Any:
    if not context.request.json["content"].startswith("---\n"):
        errors = [{"message": "no metadata"}]
        return Answer(400, {"errors": errors, "warnings": []})
    return {"errors": [], "warnings": []}


def preupload(context: Context) -> Any:
    context.require_token()
    files = context.repository.tree(context.commit())
    return {"files": [upload_mode(each, files) for each in context.request.json["files"]]}


def upload_mode(file: dict[str, Any], files: dict[str, Any]) -> dict[str, Any]:
    large = b"\0" in base64.b64decode(file["sample"])
    known = files.get(file["path"])
    return {
        "path": file["path"],
        "uploadMode": "lfs" if large else "regular",
        "shouldIgnore": False,
        "oid": (known["sha256"] or known["blob"]) if known else None,
    }


def lfs_batch(context: Context) -> Any:
    context.require_token()
    objects = []
    for each in context.request.json["objects"]:
        entry: dict[str, Any] = {"oid": each["oid"], "size": each["size"]}
        if not context.repository.has_lfs(each["oid"]):
            upload = {"href": f"{context.url}/lfs/{each['oid']}?signature={SIGNATURE}"}
            entry["actions"] = {"upload": upload, "verify": {"href": f"{context.url}/verify"}}
        objects.append(entry)
    return {"transfer": "basic", "objects": objects}


def lfs_put(context: Context) -> Any:
    if context.request.query.get("signature") != [SIGNATURE]:
        raise RefusalError(403, "this address is not signed")
    # Without a token: whoever has the address may write there.
    if not context.stored.store_lfs(context.names["sha"], context.request.body):
        raise RefusalError(400, "the content is not what its name says")
    return Answer(content=b"")


def lfs_verify(context: Context) -> Any:
    if not context.repository.has_lfs(context.request.json["oid"]):
        raise RefusalError(404, "there is no such object")
    return {}


def commit(context: Context) -> Any:
    create_pr = context.request.query.get("create_pr") == ["1"]
    if create_pr:
        context.require_token()
    else:
        context.require_write()
    context.commit()
    lines = [json.loads(line) for line in context.request.body.splitlines()]
    header = lines[0]["value"]
    changes = [read_change(context, line["key"], line["value"]) for line in lines[1:]]
    try:
        name, request = context.repository.commit(
            context.names["revision"],
            header.get("parentCommit"),
            header["summary"],
            changes,
            create_pr=create_pr,
            description=header.get("description", ""),
        )
    except ConflictError:
        raise RefusalError(412, "A commit has happened since. Please refresh.") from None
    except KeyError as path:
        raise RefusalError(404, f"A file with this name doesn't exist: {path}") from None
    base = context.url
    url = f"{base}/discussions/{request.rpartition('/')[2]}" if request else None
    return {"commitUrl": f"{base}/commit/{name}", "commitOid": name, "pullRequestUrl": url}


def read_change(context: Context, key: str, value: dict[str, Any]) -> tuple[str, str, Any]:
    path = value["path"]
    if key == "file":
        return "write", path, base64.b64decode(value["content"])
    if key == "lfsFile":
        if not context.repository.has_lfs(value["oid"]):
            raise RefusalError(400, f"the content of {path} was not uploaded")
        entry = {"blob": value["oid"][:40], "sha256": value["oid"], "size": value["size"]}
        return "lfs", path, entry
    if key == "deletedFile":
        return "remove", path, None
    raise RefusalError(400, f"unknown operation {key}")


def resolve(context: Context) -> Any:
    commit = context.commit()
    entry = context.repository.tree(commit).get(context.names["path"])
    if entry is None:
        raise RefusalError(404, "Entry not found", "EntryNotFound")
    etag = entry["sha256"] or entry["blob"]
    headers = {"X-Repo-Commit": commit, "ETag": f'"{etag}"'}
    if entry["sha256"] and context.hub.storage:
        place = f"{context.hub.storage}/{context.kind}/{context.repo_id}/lfs/{entry['sha256']}"
        return Answer(302, {}, headers={**headers, "Location": f"{place}?signature={SIGNATURE}"})
    return Answer(content=context.repository.content(entry), headers=headers)


def lfs_get(context: Context) -> Any:
    if context.request.query.get("signature") != [SIGNATURE]:
        raise RefusalError(403, "this address is not signed")
    return Answer(content=context.stored.content({"sha256": context.names["sha"]}))


def whoami(context: Context) -> Any:
    context.require_token()
    return {"type": "user", "name": "somebody"}


def organization(context: Context) -> Any:
    is_trusted = context.hub.are_owners_trusted
    return {"name": context.names["owner"], "trustedKernelPublisher": is_trusted}


ROUTES: tuple[tuple[str, str, Callable[[Context], Any]], ...] = (
    ("GET", r"/api/whoami-v2", whoami),
    ("POST", r"/api/repos/create", create),
    ("POST", rf"{API}/branch/(?P<branch>.+)", create_branch),
    ("GET", rf"{API}", info),
    ("GET", rf"{API}/revision/(?P<revision>.+)", info),
    ("GET", rf"{API}/tree/(?P<revision>refs/pr/\d+|[^/]+)(/(?P<folder>.+))?", tree),
    ("GET", rf"{API}/commits/(?P<revision>.+)", commits),
    ("GET", rf"{API}/refs", refs),
    ("POST", r"/api/validate-yaml", validate_yaml),
    ("POST", rf"{API}/preupload/(?P<revision>.+)", preupload),
    ("POST", rf"{PAGE}\.git/info/lfs/objects/batch", lfs_batch),
    ("PUT", rf"{PAGE}/lfs/(?P<sha>[0-9a-f]{{64}})", lfs_put),
    ("GET|HEAD", rf"{PAGE}/lfs/(?P<sha>[0-9a-f]{{64}})", lfs_get),
    ("POST", rf"{PAGE}/verify", lfs_verify),
    ("POST", rf"{API}/commit/(?P<revision>.+)", commit),
    ("GET|HEAD", rf"{PAGE}/resolve/(?P<revision>[^/]+)/(?P<path>.+)", resolve),
    ("GET", r"/api/organizations/(?P<owner>[^/]+)/overview", organization),
)


def answer(hub: Hub, request: Request) -> Answer:
    for methods, pattern, route in ROUTES:
        found = re.fullmatch(pattern, request.path)
        if found and request.method in methods.split("|"):
            names = {name: text for name, text in found.groupdict().items() if text is not None}
            try:
                given = route(Context(hub, request, names))
            except RefusalError as refusal:
                return refusal.answer
            return given if isinstance(given, Answer) else Answer(data=given)
    return Answer(404, {"error": f"the test server has no {request.method} {request.path}"})
