"""Files that `kftrain run` cannot use, and its message for each."""

import os
import re


def bad_manifests(folder, good, write):
    """Writes variants of the manifest `good` by `write(folder, text, name)`; yields each path with patterns of the
    messages."""
    return [
        (os.path.join(folder, "absent.yaml"), [r"absent\.yaml", "No such file"]),
        (folder, [r"empty\.yaml: ", r"words\.yaml: "]),
        (write(folder, "", "empty.yaml"), [r"empty\.yaml", r"empty", "line 1, column 1"]),
        (write(folder, "kind: [a\n", "torn.yaml"), [r"torn\.yaml", r"line \d+, column \d+"]),
        (write(folder, "just words\n", "words.yaml"), [r"words\.yaml", r"line 1, column 1"]),
        (write(folder, good.replace("PyTorchJob", "PieTorchJob"), "kind.yaml"), ["PieTorchJob"]),
        (write(folder, good.replace("replicas: 1", "replicas: one", 1), "type.yaml"),
         [r"spec\.pytorchReplicaSpecs\.Master\.replicas", "one", "line 7, column 17"]),
        (write(folder, good.replace("image: none, ", "", 1), "image.yaml"),
         [r"spec\.pytorchReplicaSpecs\[Master\].*image", r"image\.yaml"]),
        (write(folder, good.replace("containers:", "volumes: [{name: v, hostPath: {path: /}}]\n          containers:",
                                    1),
               "volume.yaml"),
         [r"volume\.yaml:\d+:\d+: error: spec\.pytorchReplicaSpecs\[Master\]\.template\.spec\.volumes\[0\]\.hostPath",
          'volume "v" is hostPath "/", which is in no directory that pods may mount; allow it with --host-path /']),
        # Faults of the pods that the server would report.
        (write(folder, good.replace("containers:", 'hostname: "a.b"\n          containers:', 1), "hostname.yaml"),
         [r"hostname\.yaml:\d+:\d+: error: spec\.pytorchReplicaSpecs\[Master\]\.template\.spec\.hostname: Invalid "
          r"value: \"a\.b\": "
          r"must not contain dots \[lint\.pod\]"]),
        (write(folder, good.replace("containers:",
                                    "containers:\n            - {name: ../../x, image: none, command: ['true']}", 1),
               "name.yaml"), [r"\[Master\]\.template\.spec\.containers\[0\]\.name: Invalid value: \"\.\./\.\./x\": "]),
    ]
