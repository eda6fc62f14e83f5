"""Requests to the API server of a local cluster, for objects other than jobs."""

from __future__ import annotations

import base64
import http.client
import json
import re
import ssl
from typing import Any
from urllib.parse import urlsplit

from . import _errors


class Rest:
    """The API server of a kubeconfig that `LocalCluster` has written."""

    def __init__(self, kubeconfig: str) -> None:
        with open(kubeconfig) as file:
            text = file.read()
        found = {
            name: re.search(rf'\b{name}: "?([^"\s]+)', text)
            for name in ("server", "certificate-authority-data", "token")
        }
        values = {name: match[1] for name, match in found.items() if match is not None}
        self._address = urlsplit(values["server"])
        self._token = values["token"]
        certificate = base64.b64decode(values["certificate-authority-data"]).decode()
        self._context = ssl.create_default_context(cadata=certificate)

    def request(self, method: str, path: str, body: Any = None, content_type: str = "application/json") -> Any:
        """Sends a request; returns the JSON of the answer. Raises `kftrain.Error`."""
        assert self._address.hostname is not None
        connection = http.client.HTTPSConnection(
            self._address.hostname, self._address.port, timeout=60, context=self._context
        )
        try:
            headers = {"Authorization": f"Bearer {self._token}", "Content-Type": content_type}
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            value = json.loads(answer.read() or b"null")
        finally:
            connection.close()
        if answer.status >= 400:
            raise _error(answer.status, value or {})
        return value


def _error(status: int, answer: dict[str, Any]) -> _errors.Error:
    reason, message = answer.get("reason", ""), answer.get("message", f"HTTP status {status}")
    cls = getattr(_errors, reason, None)
    error = cls(message) if isinstance(cls, type) and issubclass(cls, _errors.Error) else _errors.Error(message)
    error.code, error.reason, error.status, error.detail = reason, reason, status, message
    return error
