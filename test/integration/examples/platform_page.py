#!/usr/bin/python3
"""usage: platform_page.py KFTRAIN SERVICE SOURCE_DIR [FOLDER]

Tests the page of the platform service in a headless browser, and writes pictures of it to FOLDER: light and dark, wide
and narrow. Needs chromium, and is run by hand:

    apt-get install chromium
    scripts/build dev kftrain example_platform_service
    bin=build/dev/bin
    test/integration/examples/platform_page.py $bin/kftrain $bin/example_platform_service . /tmp/pictures"""

import base64
import json
import os
import subprocess
import sys
import tempfile
import time

sys.path += [os.path.join(os.path.dirname(os.path.abspath(__file__)), folder) for folder in ("../cli", "../cli/local")]

from local_server import server  # pylint: disable=wrong-import-position

JOB = """apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata: {{name: {name}}}
spec:
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      restartPolicy: Never
      template: {{spec: {{containers: [{{name: pytorch, image: none, command: [sh, -c, '{master}']}}]}}}}
    Worker:
      replicas: 2
      restartPolicy: Never
      template: {{spec: {{containers: [{{name: pytorch, image: none, command: [sh, -c, '{worker}']}}]}}}}
"""
MARKUP = "markup-in-the-output-of-a-job-with-a-long-name"
JOBS = {
    "good": ("echo hello; sleep 2", "echo ready"),
    "fails": ("exec sleep 1000", "echo no data; exit 3"),
    "runs": ("for i in 1 2 3 4 5 6; do echo step $i of 1000, loss 0.0$i; done; exec sleep 1000", "exec sleep 1000"),
    MARKUP: ("echo \"<b>bold</b><img src=x onerror=alert(1)>\"; sleep 2", "true"),
}


class browser:
    """Uses the DevTools protocol over pipes, which needs no further package."""

    def __init__(self, folder):
        theirs, ours = os.pipe()
        mine, theirs_out = os.pipe()
        arguments = ["--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe",
                     f"--user-data-dir={folder}/profile", "--no-first-run", "about:blank"]
        script = f'exec chromium "$@" 3<&{theirs} 4>&{theirs_out}'
        self.process = subprocess.Popen(["bash", "-c", script, "bash", *arguments], pass_fds=(theirs, theirs_out),
                                        stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(theirs)
        os.close(theirs_out)
        self.writer, self.reader = os.fdopen(ours, "wb", 0), os.fdopen(mine, "rb", 0)
        self.rest, self.number, self.session, self.faults = b"", 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log"):
            self.call(domain + ".enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.writer.write(json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self.rest:
                piece = self.reader.read(1 << 20)
                assert piece, "the browser has ended"
                self.rest += piece
            text, self.rest = self.rest.split(b"\0", 1)
            answer = json.loads(text)
            if answer.get("method") in ("Runtime.exceptionThrown", "Log.entryAdded"):
                self.faults.append(answer["params"])
            if answer.get("id") == self.number:
                assert "error" not in answer, (method, answer)
                return answer["result"]

    def value(self, expression):
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in result, (expression, result)
        return result["result"].get("value")

    def until(self, expression, seconds=30):
        end = time.monotonic() + seconds
        while not self.value(expression):
            text = self.value("document.body.innerText")
            assert time.monotonic() < end, f"{expression}: not within {seconds} s\n{text}"
            time.sleep(0.1)

    def open(self, address):
        self.call("Page.navigate", url=address)
        self.until(f"location.href.startsWith('{address}') && document.readyState === 'complete'")

    def look(self, width, scheme):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        assert self.value("document.documentElement.scrollWidth <= innerWidth"), f"the page is wider than {width}"
        return base64.b64decode(self.call("Page.captureScreenshot", captureBeyondViewport=True)["data"])


def take_pictures(page, name, folder):
    for scheme in ("light", "dark"):
        for width in (1200, 390):
            picture = page.look(width, scheme)
            if folder:
                with open(os.path.join(folder, f"{name}-{scheme}-{width}.png"), "wb") as file:
                    file.write(picture)


def row(name):
    return f"[...document.querySelectorAll('#jobs tr')].find(r => r.textContent.startsWith('{name}'))?.textContent"


def check_list(page, folder):
    page.until(f"document.getElementById('count').textContent === '{len(JOBS)} jobs'")
    page.until(f"({row('good')}).includes('Succeeded, Master 1/1, Worker 2/2')")
    page.until(f"({row('fails')}).includes('Failed')")
    page.until(f"({row('runs')}).includes('Running, Master 1/1, Worker 2/2')")
    take_pictures(page, "list", folder)


def check_job(page, folder):
    page.value("[...document.querySelectorAll('#jobs a')].find(a => a.textContent === 'runs').click()")
    page.until("document.querySelectorAll('#output div').length === 6")
    page.until("document.querySelectorAll('#ranks tr').length === 3")
    assert page.value("document.getElementById('output').firstChild.textContent") == "[0] step 1 of 1000, loss 0.01"
    assert page.value("document.title") == "runs – Training jobs"
    assert page.value("document.getElementById('list').hidden")
    take_pictures(page, "job", folder)

    page.value("location.hash = '#PyTorchJob.v1/default/fails'")
    page.until("document.getElementById('why').textContent.startsWith('Cause: ')")
    page.until("document.getElementById('output').textContent.includes('no data')")
    take_pictures(page, "failed", folder)

    page.value(f"location.hash = '#PyTorchJob.v1/default/{MARKUP}'")
    page.until("document.getElementById('output').textContent.includes('<b>bold</b><img src=x onerror=alert(1)>')")
    assert page.value("document.querySelectorAll('#output b, #output img').length") == 0
    page.look(390, "light")

    page.value("location.hash = '#PyTorchJob.v1/default/none'")
    page.until("document.getElementById('status').textContent.includes('not found')")
    page.value("location.hash = '#%'")  # damaged: shows the list
    page.until("!document.getElementById('list').hidden")
    page.value("history.back()")
    page.value("location.hash = ''")
    page.until(f"document.getElementById('count').textContent === '{len(JOBS)} jobs'")


def start(program, config, *arguments):
    environment = {"KUBECONFIG": config, "PATH": os.environ["PATH"]}
    process = subprocess.Popen([program, "--port", "0", *arguments], stdout=subprocess.PIPE, text=True, env=environment)
    return process, "http://" + process.stdout.readline().removeprefix("listening on ").strip() + "/"


def main():
    kftrain, program, sources = sys.argv[1:4]
    pictures = sys.argv[4] if len(sys.argv) > 4 else None
    if pictures:
        os.makedirs(pictures, exist_ok=True)
    processes = []
    with tempfile.TemporaryDirectory() as folder:
        s = server(kftrain, sources, os.path.join(folder, "state"))
        try:
            s.up()
            for name, (master, worker) in JOBS.items():
                path = os.path.join(folder, "job.yaml")
                with open(path, "w", encoding="utf-8") as file:
                    file.write(JOB.format(name=name, master=master, worker=worker))
                s.kubectl("create", "-f", path)
            process, address = start(program, s.config)
            page = browser(folder)
            processes += [process, page.process]
            page.open(address)
            check_list(page, pictures)
            check_job(page, pictures)
            s.kubectl("delete", "pytorchjob", "good")
            page.until(f"document.getElementById('count').textContent === '{len(JOBS) - 1} jobs'")
            wrong = [f for f in page.faults if f.get("entry", {}).get("level") not in ("verbose", "info")
                     and "404" not in json.dumps(f)]  # of the job that does not exist
            assert not wrong, wrong

            token = os.path.join(folder, "token")
            with open(token, "w", encoding="utf-8") as file:
                file.write("s3cret\n")
            process, address = start(program, s.config, "--token-file", token)
            processes.append(process)
            page.open(address)
            page.until("!document.getElementById('login').hidden")
            take_pictures(page, "login", pictures)
            page.value("document.getElementById('token').value = 's3cret';"
                       "document.getElementById('login').requestSubmit()")
            page.until(f"document.getElementById('count').textContent === '{len(JOBS) - 1} jobs'")
            assert page.value("document.getElementById('login').hidden")
        finally:
            for process in processes:
                process.kill()
                process.wait()
            s.local("down")
    print("the page works" + (f"; pictures are in {pictures}" if pictures else ""))


if __name__ == "__main__":
    main()
