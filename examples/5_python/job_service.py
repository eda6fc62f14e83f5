"""An HTTP service for training jobs: submit a job, list jobs, follow a job by server-sent events.

It keeps no state and finds the cluster as kubectl does:

    uvicorn job_service:app
    curl --data-binary @sum.yaml localhost:8000/jobs
    curl --no-buffer localhost:8000/jobs/PyTorchJob.v1/sum/changes
"""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator
from typing import Any

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, StreamingResponse

import kftrain

app = FastAPI(title="Training jobs")


@functools.lru_cache(maxsize=None)
def get_client() -> kftrain.AsyncClient:
    """One client serves all requests; a test may replace it by `app.dependency_overrides`."""
    return kftrain.AsyncClient()


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


@app.post("/jobs", status_code=201)
async def submit(request: Request, client: kftrain.AsyncClient = Depends(get_client)) -> dict[str, Any]:
    """Creates the job of the body, YAML or JSON. The header `Idempotency-Key` makes a retry safe."""
    text = (await request.body()).decode()
    key = request.headers.get("Idempotency-Key", "")
    return summary(await client.submit(kftrain.job(text), idempotency_key=key))


@app.get("/jobs")
async def list_jobs(
    namespace: str = "", limit: int = 100, after: str = "", client: kftrain.AsyncClient = Depends(get_client)
) -> dict[str, Any]:
    """Lists jobs of all kinds; `after` is the value of `next` in the page before."""
    page = await client.list(namespace=namespace, limit=limit, continue_token=after)
    return {"jobs": [summary(job) for job in page], "next": page.continue_token}


@app.get("/jobs/{kind}/{name}/changes")
async def follow(
    kind: str, name: str, namespace: str = "", client: kftrain.AsyncClient = Depends(get_client)
) -> StreamingResponse:
    """Sends every state of a job until it succeeds, fails or is deleted."""
    job = await client.get(f"{kind}/{name}", namespace=namespace)  # 404 before the stream begins
    return StreamingResponse(states(client, job), media_type="text/event-stream")


async def states(client: kftrain.AsyncClient, job: Any) -> AsyncIterator[str]:
    # If the client of the service disconnects, this generator is closed, and the watch with it.
    async with client.watch(job) as changes:
        async for state in changes:
            yield f"event: {state.change}\ndata: {json.dumps(state.to_dict())}\n\n"
            if state.change == "deleted" or state.phase in ("Succeeded", "Failed"):
                break
