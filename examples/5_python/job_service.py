"""An HTTP service for training jobs: submit a job, list jobs, follow a job by server-sent events, and a page.

It keeps no state and finds the cluster as kubectl does:

    uvicorn job_service:app
    curl --data-binary @sum.yaml localhost:8000/jobs
    curl --no-buffer localhost:8000/jobs/PyTorchJob.v1/sum/changes

If JOB_SERVICE_TOKEN is set, requests about jobs need `Authorization: Bearer TOKEN`. On SIGTERM uvicorn accepts no more
requests and ends the open ones; `--timeout-graceful-shutdown 20` is their limit.
"""

from __future__ import annotations

import collections
import functools
import hmac
import json
import os
import time
from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter, Depends, FastAPI, HTTPException, Request
from fastapi.responses import HTMLResponse, JSONResponse, PlainTextResponse, StreamingResponse

import kftrain

LONGEST_JOB = 1024 * 1024  # bytes

PAGE = """<!doctype html><meta charset="utf-8"><title>Training jobs</title><h1>Training jobs</h1><pre id="list"></pre>
<script>
const jobs = new Map();
function draw() {
  document.getElementById("list").textContent = [...jobs.values()].join("\\n");
}
function show(event) {
  const [, change, data] = /^event: (.*)\\ndata: (.*)$/.exec(event), job = JSON.parse(data);
  const key = `${job.namespace}/${job.name}`;
  if (change === "deleted") jobs.delete(key); else jobs.set(key, `${job.kind} ${key}: ${job.phase}`);
  draw();
}
async function read(answer) {
  const parts = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  jobs.clear(); // the stream begins with all jobs
  draw();
  for (let part; !(part = await parts.read()).done;) {
    const events = (rest + part.value).split("\\n\\n");
    rest = events.pop();
    events.forEach(show);
  }
}
async function follow(token) {
  for (;;) {
    try {
      const answer = await fetch("/changes", {headers: token ? {Authorization: `Bearer ${token}`} : {}});
      if (answer.status === 401) {
        if (!(token = prompt("Token"))) return;
        continue;
      }
      if (answer.ok) await read(answer);
    } catch (error) {
      console.warn(error); // the service is restarting, for example
    }
    await new Promise(done => setTimeout(done, 2000));
  }
}
follow();
</script>"""

METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS")
READY_FOR = 5  # seconds

requests: collections.Counter[tuple[str, int]] = collections.Counter()  # by one of METHODS or "other", and status


def check_token(request: Request) -> None:
    token = os.environ.get("JOB_SERVICE_TOKEN", "")
    scheme, _, given = request.headers.get("Authorization", "").partition(" ")
    is_known = scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())
    if token and not is_known:
        raise HTTPException(401, "expected a valid bearer token", {"WWW-Authenticate": "Bearer"})


app = FastAPI(title="Training jobs")
jobs = APIRouter(dependencies=[Depends(check_token)])


@functools.lru_cache(maxsize=None)
def get_client() -> kftrain.AsyncClient:
    """One client serves all requests; a test may replace it by `app.dependency_overrides`."""
    return kftrain.AsyncClient()


class Counted:
    """Counts requests by method and status."""

    def __init__(self, app: Any) -> None:
        self.served = app

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        async def count(message: Any) -> None:
            if message["type"] == "http.response.start":
                method = scope["method"] if scope["method"] in METHODS else "other"
                requests[method, message["status"]] += 1
            await send(message)

        await self.served(scope, receive, count)


app.add_middleware(Counted)


async def job_text(request: Request) -> str:
    body = b""
    async for part in request.stream():
        body += part
        if len(body) > LONGEST_JOB:
            raise HTTPException(413, f"expected a job of at most {LONGEST_JOB} bytes")
    return body.decode()


@app.get("/")
async def page() -> HTMLResponse:
    return HTMLResponse(PAGE)


@app.get("/healthz")
async def is_alive() -> dict[str, Any]:
    return {}


class Readiness:
    """Whether the cluster answers. Anyone may send this request, so it calls the cluster once in READY_FOR seconds."""

    def __init__(self) -> None:
        self.next_call = 0.0
        self.fault = "the cluster was not called yet"

    async def check(self, client: kftrain.AsyncClient) -> None:
        if time.monotonic() < self.next_call:
            return
        self.next_call = time.monotonic() + READY_FOR
        try:
            await client.api("namespaces").list(limit=1, timeout=READY_FOR)
            self.fault = ""
        except kftrain.Error as error:
            self.fault = str(error)


readiness = Readiness()


@app.get("/readyz")
async def is_ready(client: kftrain.AsyncClient = Depends(get_client)) -> JSONResponse:
    await readiness.check(client)
    return JSONResponse({"message": readiness.fault}, 503) if readiness.fault else JSONResponse({})


@app.get("/metrics")
async def metrics() -> PlainTextResponse:
    lines = [f'requests_total{{method="{m}",status="{s}"}} {n}\n' for (m, s), n in sorted(requests.items())]
    return PlainTextResponse("# TYPE requests_total counter\n" + "".join(lines))


@app.exception_handler(kftrain.Error)
async def refuse(request: Request, error: kftrain.Error) -> JSONResponse:
    """The status of the cluster's answer; without an answer, 422 for an unusable job and 502 for everything else."""
    is_unusable = isinstance(error, (kftrain.Invalid, kftrain.ParseError, kftrain.InvalidArgument))
    causes = [{"field": cause.field, "message": cause.message} for cause in error.causes]
    return JSONResponse({"message": str(error), "causes": causes}, error.status or (422 if is_unusable else 502))


@app.exception_handler(ValueError)
async def refuse_text(request: Request, error: ValueError) -> JSONResponse:
    """A text with two jobs, for example."""
    return JSONResponse({"message": str(error), "causes": []}, 422)


def summary(job: Any) -> dict[str, Any]:
    metadata = job.metadata
    return {
        "kind": job.kind,
        "namespace": metadata.namespace,
        "name": metadata.name,
        "uid": metadata.uid,
        "phase": kftrain.phase(job),
    }


@jobs.post("/jobs", status_code=201)
async def submit(
    request: Request, text: str = Depends(job_text), client: kftrain.AsyncClient = Depends(get_client)
) -> dict[str, Any]:
    """Creates the job of the body, YAML or JSON. The header `Idempotency-Key` makes a retry safe."""
    key = request.headers.get("Idempotency-Key", "")
    return summary(await client.submit(kftrain.job(text), idempotency_key=key))


@jobs.get("/jobs")
async def list_jobs(
    namespace: str = "", limit: int = 100, after: str = "", client: kftrain.AsyncClient = Depends(get_client)
) -> dict[str, Any]:
    """Lists jobs of all kinds; `after` is the value of `next` in the page before."""
    page = await client.list(namespace=namespace, limit=limit, continue_token=after)
    return {"jobs": [summary(job) for job in page], "next": page.continue_token}


@jobs.get("/jobs/{kind}/{name}/changes")
async def follow(
    kind: str, name: str, namespace: str = "", client: kftrain.AsyncClient = Depends(get_client)
) -> StreamingResponse:
    """Sends every state of a job until it succeeds, fails or is deleted."""
    job = await client.get(f"{kind}/{name}", namespace=namespace)  # 404 before the stream begins
    return StreamingResponse(states(client, job), media_type="text/event-stream")


@jobs.get("/changes")
async def follow_all(client: kftrain.AsyncClient = Depends(get_client)) -> StreamingResponse:
    """Sends the states of all jobs of a namespace, without end."""
    return StreamingResponse(states(client, None), media_type="text/event-stream")


async def states(client: kftrain.AsyncClient, job: Any) -> AsyncIterator[str]:
    # If the client of the service disconnects, this generator is closed, and the watch with it.
    async with client.watch(job) as changes:
        async for state in changes:
            yield f"event: {state.change}\ndata: {json.dumps(state.to_dict())}\n\n"
            if job is not None and (state.change == "deleted" or state.phase in ("Succeeded", "Failed")):
                break


app.include_router(jobs)
