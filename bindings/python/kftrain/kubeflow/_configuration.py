"""Clients for a ``kubernetes.client.Configuration``."""

from __future__ import annotations

import json
import os
import tempfile
from typing import Any

from .._client import Client


def authorization_of(configuration: Any) -> str:
    """The current value of the Authorization header; a configuration may renew it."""
    return configuration.get_api_key_with_prefix("authorization") or ""


def open_client(configuration: Any, namespace: str | None) -> Client:
    """Opens a client with the server and the credentials of a configuration."""
    # The file is readable by this user only, and read once.
    with tempfile.NamedTemporaryFile("w", prefix="kftrain-", suffix=".json") as file:
        json.dump(_kubeconfig(configuration), file)
        file.flush()
        return Client(kubeconfig=file.name, namespace=namespace)


def _kubeconfig(configuration: Any) -> dict[str, Any]:
    if not hasattr(configuration, "get_api_key_with_prefix"):
        raise ValueError(
            f"client_configuration: expected a kubernetes.client.Configuration, got {type(configuration).__name__}"
        )
    for name in ("proxy_headers", "username", "password"):
        if getattr(configuration, name, None):
            raise ValueError(f"client_configuration: {name} is not supported; use config_file")
    if getattr(configuration, "assert_hostname", None) is False:
        raise ValueError("client_configuration: assert_hostname=False is not supported; set tls_server_name")
    cluster = {"server": configuration.host}
    user = {}
    if not configuration.verify_ssl:
        cluster["insecure-skip-tls-verify"] = True
    elif configuration.ssl_ca_cert:
        cluster["certificate-authority"] = os.path.abspath(configuration.ssl_ca_cert)
    if getattr(configuration, "tls_server_name", None):
        cluster["tls-server-name"] = configuration.tls_server_name
    if configuration.proxy:
        cluster["proxy-url"] = configuration.proxy
    if configuration.cert_file:
        user["client-certificate"] = os.path.abspath(configuration.cert_file)
    if configuration.key_file:
        user["client-key"] = os.path.abspath(configuration.key_file)
    scheme, space, token = authorization_of(configuration).rpartition(" ")
    if space and scheme.lower() != "bearer":
        raise ValueError(f"client_configuration: expected a bearer token as authorization, got the scheme {scheme!r}")
    if token:
        user["token"] = token
    return {
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{"name": "given", "cluster": cluster}],
        "users": [{"name": "given", "user": user}],
        "contexts": [{"name": "given", "context": {"cluster": "given", "user": "given"}}],
        "current-context": "given",
    }
