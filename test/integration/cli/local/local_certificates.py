"""Users of `kftrain local up --user-certificates`, as kubectl uses them."""

import re


def check_certificates(s):
    """Users authenticate by client certificates, and have the permissions of their groups."""
    with open(s.config, encoding="utf-8") as file:
        text = file.read()
    assert text.count("client-certificate-data: ") == text.count("client-key-data: ") == 2, text
    assert text.count(" token: ") == 1, text
    whoami = s.kubectl("--context", "jane", "auth", "whoami")
    assert re.search(r"^Username +jane$", whoami, re.M), whoami
    assert re.search(r"^Groups +\[team-a system:authenticated\]$", whoami, re.M), whoami
    can_list = ["--context", "jane", "auth", "can-i", "list", "pods"]
    assert s.kubectl(*can_list, expect=1) == "no\n"
    s.kubectl("create", "role", "reader", "--verb=list", "--resource=pods")
    s.kubectl("create", "rolebinding", "reader", "--role=reader", "--group=team-a")
    assert s.kubectl(*can_list) == "yes\n"
    assert s.kubectl("--context", "root", "auth", "can-i", "*", "*", "-A").endswith("yes\n")
