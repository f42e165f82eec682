"""usage: wait_for_quiet.py AUDIT_LOG SECONDS NAMESPACE...: returns when nothing has been written there for so long."""

import json
import os
import sys
import time
from datetime import datetime

BACK = 8_000_000
WRITES = ("create", "update", "patch", "delete", "deletecollection")


def changed_at(event: dict, namespaces: list[str]) -> float:
    """When this event changed one of the namespaces; 0 if it did not."""
    ref = event.get("objectRef", {})
    namespace = ref.get("name") if ref.get("resource") == "namespaces" else ref.get("namespace")
    if event.get("verb") not in WRITES or ref.get("resource") in ("leases", "events") or namespace not in namespaces:
        return 0
    return datetime.fromisoformat(event["stageTimestamp"].replace("Z", "+00:00")).timestamp()


def main() -> None:
    path, seconds, namespaces = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    last, rest = time.time(), b""
    with open(path, "rb") as log:
        log.seek(max(0, os.path.getsize(path) - BACK))
        while time.time() - last < seconds:
            *lines, rest = (rest + log.read()).split(b"\n")
            for line in lines:
                if not any(f'"{namespace}"'.encode() in line for namespace in namespaces):
                    continue
                try:
                    last = max(last, changed_at(json.loads(line), namespaces))
                except ValueError:
                    pass  # the first line may be cut
            time.sleep(0.3)


main()
