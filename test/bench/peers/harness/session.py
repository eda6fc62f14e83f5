"""What the rows of one run share: options, the programs, the canned server."""

import contextlib
import json
import shutil
import subprocess
import tempfile

from . import builds
from .processes import figures, free_port, running, say
from .tree import BUILD


class Session(contextlib.ExitStack):
    def __init__(self, options):
        super().__init__()
        self.options, self.rounds = options, options.rounds
        self.kftrain = builds.Kftrain(options.bin)
        self.raw = {}  # name of a row to all that was measured
        self.addresses = None
        self.data_folder = options.data
        BUILD.mkdir(parents=True, exist_ok=True)
        self.folder = BUILD.joinpath(tempfile.mkdtemp(prefix="run-", dir=BUILD))
        self.callback(shutil.rmtree, self.folder, ignore_errors=True)

    def new_folder(self, name):
        return self.folder.joinpath(tempfile.mkdtemp(prefix=f"{name}-", dir=self.folder))

    def data(self):
        """The folder of the objects that all clients read."""
        if self.data_folder is None:
            program = self.kftrain.program("bench_data")
            self.data_folder = self.folder / "data"
            say("make the data")
            subprocess.run([program, self.data_folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        return self.data_folder

    def canned(self):
        """Addresses of the canned server, which runs until the end of the session."""
        if self.addresses is None:
            command = [builds.go_program("canned"), "-data", self.data(), "-out", self.folder, "-events", str(self.options.events),
                       "-paced", str(self.options.paced)]
            self.addresses = json.loads(self.enter_context(running(command, self.folder / "canned.log")).line())
        return self.addresses

    def bench(self, name, *arguments):
        return figures([self.kftrain.program(f"bench_{name}"), *arguments, "--json"])

    def go_client(self, *arguments):
        return figures([builds.go_program("client"), *arguments])

    def kube_rs(self, *arguments):
        return figures([builds.kube_rs_client(), *arguments])

    def port(self):
        return free_port()
