"""Uses a kind of your own: creates its CRD, then creates, changes and lists objects of the kind.

Objects of a kind that the library does not know are `kftrain.Unstructured`. controller.py makes jobs of these objects.
"""

from __future__ import annotations

from pathlib import Path

import kftrain

FOLDER = Path(__file__).parent.parent / "3_custom_kind"


def is_established(crd: kftrain.Unstructured | None) -> bool:
    conditions = (crd and crd.status and crd.status.conditions) or ()
    return any(c.type == "Established" and c.status == "True" for c in conditions)


def create_crd(client: kftrain.Client) -> None:
    """Creates the CRD, unless it exists, and waits until the server serves the kind."""
    definitions = client.api("customresourcedefinitions")
    try:
        definitions.create((FOLDER / "crd.yaml").read_text())
    except kftrain.AlreadyExists:
        pass
    definitions.wait("sweeps.acme.example.com", is_established, timeout=60)


if __name__ == "__main__":
    with kftrain.Client() as client:
        create_crd(client)
        sweeps = client.api("sweeps.acme.example.com")
        sweep = sweeps.create((FOLDER / "sweep.yaml").read_text())
        sweep.spec.learning_rates.append("0.0001")
        sweep = sweeps.update(sweep)  # raises Conflict if the object has changed since it was read
        print(sweep.metadata.name, sweep.spec.learning_rates)
        try:
            sweeps.patch(sweep, {"spec": {"workers": 0}})
        except kftrain.Invalid as error:  # the schema of the CRD has a minimum
            print(error)
        sweeps.delete(sweep)
