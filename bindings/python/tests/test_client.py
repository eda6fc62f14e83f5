import datetime
import json
import os
import pickle
import signal
import socket
import subprocess
import sys
import textwrap
import threading
import time

import pytest
from conftest import pytorch_job, wait_until

import kftrain
from kftrain import JobReference, local, until
from kftrain.local import LocalCluster
from kftrain.models.kubeflow_v1 import PyTorchJob
from kftrain.models.meta import ObjectMeta


@pytest.fixture(autouse=True)
def no_jobs_stay(client):
    yield
    for job in client.list():
        client.delete(job, wait=True)


def test_a_job_is_submitted_waited_for_and_its_output_is_read(client):
    job = client.submit(pytorch_job("digits", workers=2))
    assert isinstance(job, PyTorchJob) and job.metadata.uid
    lines = {(line.pod, line.rank, line.text) for line in client.logs(job)}
    assert lines == {
        ("digits-master-0", 0, "rank 0 of 3"),
        ("digits-worker-0", 1, "rank 1 of 3"),
        ("digits-worker-1", 2, "rank 2 of 3"),
    }
    done = client.wait(job, timeout=60)
    assert kftrain.phase(done) == "Succeeded"
    assert done.status.replica_statuses["Master"].succeeded == 1


def test_the_client_refuses_unknown_fields_of_texts_and_dicts(client):
    text = pytorch_job("misspelt").replace("restartPolicy", "restartpolicy")
    newer = kftrain.job(text, allow_unknown=True)
    for form in (text, newer.to_dict()):
        for call in (client.submit, client.update, client.plan, lambda job: client.apply(job, field_manager="me")):
            with pytest.raises((TypeError, kftrain.ParseError), match="restartPolicy"):
                call(form)
        with pytest.raises((TypeError, kftrain.ParseError), match="restartPolicy"):
            client.api(PyTorchJob).create(form)
    assert client.submit(newer).metadata.name == "misspelt"  # the server may have the field


@pytest.mark.parametrize("condition", [until.ranks_ready, len, "finished"])
def test_a_value_that_is_not_a_condition_is_rejected(client, condition):
    expected = r"write until.ranks_ready\(role, members\)" if condition is until.ranks_ready else "got the"
    with pytest.raises(TypeError, match=expected):
        client.wait("pytorchjob/none", condition)
    with pytest.raises(TypeError, match="unsupported operand type"):
        until.finished() | condition


def test_a_misspelt_field_of_a_result_is_an_error(client):
    job = client.submit(pytorch_job("result", "sleep 60"))
    client.wait(job, until.all_ranks_ready(), timeout=60)
    state = client.watch(job).next()
    assert state.finished is None and state.ranks[0].exit_code is None
    why = client.explain(job)
    assert why.missing == [] and why.job.finished is None and why.job.suspended is False
    assert "missing" not in why and why.causes[0].container == ""
    results = [state, state.ranks[0], state.roles[0], why, why.job, client.events(job)[0], client.preflight(job)]
    for result in [*results, client.plan(job)]:
        for record in (result, pickle.loads(pickle.dumps(result))):
            with pytest.raises(AttributeError, match="the result has no field 'nosuchfield'$"):
                record.nosuchfield
    with pytest.raises(AttributeError, match="did you mean 'exit_code'"):
        state.ranks[0].exitcode
    assert "exit_code" in dir(state.ranks[0])


def test_jobs_are_named_by_model_reference_and_text(client):
    job = client.submit(pytorch_job("named", "sleep 60"))
    for name in (job, JobReference("PyTorchJob.v1", "named"), "pytorchjobs.v1.kubeflow.org/named"):
        assert client.get(name).metadata.uid == job.metadata.uid
    with pytest.raises(ValueError, match="pytorchjob.v1/digits"):
        client.get("named")
    with pytest.raises(kftrain.InvalidArgument):
        client.get("nosuchkind/named")


def test_errors_have_the_class_of_their_reason(client):
    with pytest.raises(kftrain.NotFound) as caught:
        client.get("tfjob/none")
    error = caught.value
    assert (error.code, error.reason, error.status) == ("NotFound", "NotFound", 404)
    assert isinstance(error, LookupError)
    job = client.submit(pytorch_job("twice", "sleep 60"))
    with pytest.raises(kftrain.AlreadyExists):
        client.submit(pytorch_job("twice", "sleep 60"))
    job.metadata.resource_version = "1"
    with pytest.raises(kftrain.Conflict):
        client.update(job)
    with pytest.raises(kftrain.Invalid) as invalid:
        client.submit(pytorch_job("invalid").replace("name: pytorch", "name: other"))
    assert invalid.value.code == "invalid_job" and invalid.value.detail
    with pytest.raises(kftrain.Timeout) as late:
        client.wait(job, until.succeeded(), timeout=0.2)
    assert isinstance(late.value, TimeoutError)


def test_an_idempotent_submission_can_be_repeated(client):
    first = client.submit(pytorch_job("once", "sleep 60"), idempotency_key="request-1")
    again = client.submit(pytorch_job("once", "sleep 60"), idempotency_key="request-1")
    assert again.metadata.uid == first.metadata.uid


def test_a_dry_run_stores_nothing(client):
    assert client.submit(pytorch_job("dry"), dry_run=True).metadata.name == "dry"
    with pytest.raises(kftrain.NotFound):
        client.get("pytorchjob.v1/dry")


def test_a_job_is_changed(client):
    job = client.submit(pytorch_job("changed", "sleep 60"))
    client.wait(job, until.all_ranks_ready(), timeout=60)
    with pytest.raises(kftrain.InvalidArgument, match="suspend the job first"):
        client.scale(job, "Worker", 2)
    assert client.suspend(job).spec.run_policy.suspend
    client.wait(job, until.suspended(), timeout=60)
    assert client.scale(job, "Worker", 2).spec.pytorch_replica_specs["Worker"].replicas == 2
    assert not client.resume(job).spec.run_policy.suspend
    client.wait(job, until.ranks_ready("Worker", 2) & ~until.suspended(), timeout=60)
    patched = client.patch(job, {"metadata": {"labels": {"team": "a"}}})
    assert patched.metadata.labels["team"] == "a"
    patched = client.patch(job, [{"op": "replace", "path": "/metadata/labels/team", "value": "b"}])
    assert patched.metadata.labels["team"] == "b"
    patched = client.patch(job, {"metadata": ObjectMeta(labels={"team": "c"}), "spec": {"runPolicy": {}}})
    assert patched.metadata.labels["team"] == "c"
    when = datetime.datetime(2026, 1, 2, tzinfo=datetime.timezone.utc)
    condition = {"type": "Custom", "status": "True", "lastTransitionTime": when}
    assert client.patch(job, {"status": {"conditions": [condition]}}).metadata.name == "changed"
    while True:
        current = client.get(job)
        current.metadata.labels["x"] = "z"
        try:
            assert client.update(current).metadata.labels["x"] == "z"
            break
        except kftrain.Conflict:  # the operator has written the status meanwhile
            pass


def test_server_side_apply_reaches_the_server(client):
    assert client.apply(pytorch_job("applied", "sleep 60"), field_manager="test").metadata.name == "applied"


def test_jobs_are_listed_page_by_page(client):
    for name in "abc":
        client.submit(pytorch_job(f"list-{name}", "sleep 60"))
    assert [job.metadata.name for job in client.list()] == ["list-a", "list-b", "list-c"]
    assert client.list(["TFJob"]) == []
    page = client.list(["PyTorchJob.v1"], limit=2)
    assert len(page) == 2 and page.continue_token
    rest = client.list(["PyTorchJob.v1"], limit=2, continue_token=page.continue_token)
    assert [job.metadata.name for job in rest] == ["list-c"] and not rest.continue_token
    with pytest.raises(TypeError):
        client.list("PyTorchJob")


def test_changes_are_watched(client):
    with client.watch(kinds=["PyTorchJob.v1"]) as changes:
        client.submit(pytorch_job("watched"))
        phases = []
        for change in changes:
            assert change.name == "watched"
            phases.append(change.phase)
            if change.phase == "Succeeded":
                break
        assert phases[-1] == "Succeeded"
        assert change.change == "modified" and {rank.pod for rank in change.ranks} == {
            "watched-master-0",
            "watched-worker-0",
        }
        with pytest.raises(kftrain.Timeout):
            for _ in range(100):
                changes.next(timeout=0.2)


def test_results_explain_a_job(client):
    job = client.submit(pytorch_job("failing", "echo broken; exit 3"))
    client.wait(job, until.failed(), timeout=60)
    explanation = client.explain(job)
    assert explanation.job.phase == "Failed"
    cause = explanation.causes[0]
    assert (cause.kind, cause.code) == ("exited", 3)
    assert any("broken" in line for line in cause.log)
    assert {event.reason for event in client.events(job)} >= {"SuccessfulCreatePod"}
    plan = client.plan(pytorch_job("failing", "true"))
    assert plan.exists is True and plan.fields
    assert client.plan(pytorch_job("new")).exists is False
    assert client.preflight(pytorch_job("new")).passed is True
    assert explanation.missing == []
    with pytest.raises(AttributeError):
        explanation.job = None


def test_a_timeline_has_pods_and_progress(client):
    job = client.submit(pytorch_job("steps", "echo kftrain-progress/1 step=$RANK total=4 loss=0.5"))
    timeline = client.timeline(job, follow=True, timeout=60)
    assert timeline.data.phase == "Succeeded"
    assert {pod.pod for pod in timeline.data.pods} == {"steps-master-0", "steps-worker-0"}
    assert [report.step for report in timeline.data.progress] == [0]  # of rank 0
    assert str(timeline).startswith("PyTorchJob default/steps: Succeeded\n")
    assert timeline.to_svg().startswith("<svg ") and timeline.to_svg() in timeline._repr_html_()
    assert "<title>PyTorchJob default/steps: Succeeded</title>" in timeline.to_html()
    progress = client.progress(job)
    assert (progress.step, progress.total, progress.loss, progress.pod) == (0, 4, 0.5, "steps-master-0")
    assert '<progress max="4" value="0"></progress> step 0 of 4' in progress._repr_html_()
    silent = client.submit(pytorch_job("silent"))
    client.wait(silent, timeout=60)
    assert client.progress(silent).step is None
    with pytest.raises(kftrain.NotFound):
        client.timeline("pytorchjob.v1/none")


def test_output_that_is_not_utf8_is_replaced(client):
    job = client.submit(pytorch_job("bytes", r"test $RANK = 0 || printf 'a\377b\n'"))
    assert [line.text for line in client.logs(job)] == ["a\ufffdb"]


def test_the_names_in_a_merge_patch_are_checked(client):
    job = client.submit(pytorch_job("patched", "sleep 60"))
    assert client.patch(job, {"spec": {"run_policy": {"backoff_limit": 9}}}).spec.run_policy.backoff_limit == 9
    assert client.patch(job, {"spec": {"runPolicy": {"backoffLimit": None}}}).spec.run_policy.backoff_limit is None
    for reference in (job, "pytorchjob.v1/patched", kftrain.JobReference("PyTorchJob.v1.kubeflow.org", "patched")):
        with pytest.raises(TypeError, match="spec: PyTorchJobSpec has no field 'runpolicy'; did you mean 'runPolicy'?"):
            client.patch(reference, {"spec": {"runpolicy": {"suspend": True}}})
    client.delete(job, wait=True)


def test_a_log_is_continued_at_a_position(client):
    job = client.submit(pytorch_job("counting", "test $RANK = 0 || seq 1 5"))
    client.wait(job, timeout=60)
    lines = client.logs(job, roles=["Worker"])
    first = [next(lines).text for _ in range(2)]
    rest = [line.text for line in client.logs(job, roles=["Worker"], position=lines.position())]
    assert first + rest == ["1", "2", "3", "4", "5"]
    assert [line.text for line in client.logs(job, ranks=[1], tail=1)] == ["5"]
    with pytest.raises(kftrain.InvalidArgument, match="Worker"):
        list(client.logs(job, roles=["Wroker"]))


def wait_until_done(call):
    while not call.done():
        time.sleep(0.01)
    return call


def test_a_step_whose_item_a_former_call_took_waits_again(client, monkeypatch):
    job = client.submit(pytorch_job("taken", "test $RANK = 0 || seq 1 5"))
    client.wait(job, timeout=60)
    lines = client.logs(job, roles=["Worker"])
    former, taken = wait_until_done(lines._stream.take()), []

    def take_first(call):
        wait_until_done(call)  # with the item of the former call, which was not fetched
        taken.extend([] if taken else former.result())
        return call.wait()

    monkeypatch.setattr(lines, "_wait", take_first)
    assert [line.text for line in lines] == ["2", "3", "4", "5"]
    assert [json.loads(item)["text"] for item in taken] == ["1"]


def test_a_time_limit_of_a_step_shows_what_fails(client):
    job = client.submit(pytorch_job("silent", "sleep 60"))
    with client.logs(job) as lines:
        with pytest.raises(kftrain.Timeout, match="no line of output within .* ms"):
            lines.next(timeout=0.1)
    client.delete(job, wait=True)


def test_options_are_set_by_their_names(client):
    job = client.submit(pytorch_job("options", r"test $RANK = 0 || printf 'a\n\nb\n'"))
    assert [line.text for line in client.logs(job, roles=["Worker"], since=3600)] == ["a", "", "b"]
    with pytest.raises(kftrain.InvalidArgument, match="kinds.*PyTorchJob"):
        client.list(["nosuchkind"])
    with pytest.raises(kftrain.TypeMismatch, match="^position: "):
        client.logs(job, position="{}")
    for wrong in ({"timeout": "1"}, {"limit": 1.5}):
        with pytest.raises(TypeError):
            client.list(**wrong)
    for passed, message in ((0, "not complete after 1 ms"), (-1, "timeout: expected at least 0 seconds, got -1")):
        with pytest.raises(kftrain.Timeout, match=message):
            client.wait(job, until.deleted(), timeout=passed)
    assert client.get(job, timeout=float("inf")).metadata.uid == job.metadata.uid


def test_deletion_is_waited_for(client):
    job = client.submit(pytorch_job("deleted", "sleep 60"))
    client.delete(job, wait=True, timeout=60)
    assert client.wait("pytorchjob.v1/deleted", until.deleted(), timeout=10) is None
    with pytest.raises(kftrain.NotFound):
        client.delete(job)


def test_threads_share_a_client(client):
    errors = []

    def work(number):
        try:
            job = client.submit(pytorch_job(f"thread-{number}"))
            client.wait(job, timeout=60)
            list(client.logs(job))
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []


def test_other_threads_run_during_a_call(client):
    job = client.submit(pytorch_job("slow", "sleep 60"))
    count = 0
    waiting = threading.Thread(target=lambda: pytest.raises(kftrain.Timeout, client.wait, job, timeout=0.5))
    waiting.start()
    while waiting.is_alive():
        count += 1
    assert count > 1000


def test_a_closed_client_ends_calls_and_refuses_new_ones(cluster):
    client = cluster.client()
    job = client.submit(pytorch_job("closing", "sleep 60"))
    caught = []

    def wait():
        try:
            client.wait(job)
        except kftrain.Cancelled as error:
            caught.append(error)

    waiting = threading.Thread(target=wait)
    waiting.start()
    wait_until(lambda: sys._current_frames()[waiting.ident].f_code.co_name == "_wait")  # its operation has started
    client.close()
    waiting.join(10)
    assert len(caught) == 1
    with pytest.raises(RuntimeError, match="closed"):
        client.get(job)


def run_python(text, kubeconfig, **more):
    return subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(text)],
        # Python 3.12 and newer warn of a fork beside other threads.
        env={**os.environ, "KUBECONFIG": kubeconfig, "PYTHONWARNINGS": "ignore::DeprecationWarning"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **more,
    )


@pytest.mark.parametrize("call", ["client.wait(job)", "list(client.logs(job))", "list(client.watch(job))"])
def test_ctrl_c_interrupts_a_call(cluster, client, call):
    job = client.submit(pytorch_job("endless", "sleep 60"))
    process = run_python(
        f"""
        import time, kftrain
        client = kftrain.Client()
        job = client.get("pytorchjob.v1/{job.metadata.name}")
        try:
            print("ready", flush=True)
            {call}
        except KeyboardInterrupt:
            print("interrupted", time.time(), flush=True)
        print(client.get(job).metadata.name)
        """,
        cluster.kubeconfig,
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.3)
    sent = time.time()
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    words = output.split()
    assert (words[0], words[2], errors) == ("interrupted", "endless", "")
    print("seconds until the interruption:", float(words[1]) - sent)


def test_a_process_ends_while_calls_are_pending(cluster, client):
    job = client.submit(pytorch_job("pending", "sleep 60"))
    process = run_python(
        f"""
        import threading, time, kftrain
        client = kftrain.Client()
        job = client.get("pytorchjob.v1/{job.metadata.name}")
        def wait():
            try:
                client.wait(job)
            except kftrain.Error:
                pass
        for _ in range(3):
            threading.Thread(target=wait, daemon=True).start()
        changes = client.watch()
        next(changes)
        time.sleep(0.2)
        """,
        cluster.kubeconfig,
    )
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, output, errors) == (0, "", "")


def test_a_process_forks_while_clients_begin_to_work(cluster):
    process = run_python(
        """
        import os, kftrain
        for _ in range(5):
            client = kftrain.Client()
            changes = client.watch()
            child = os.fork()
            if child == 0:
                with kftrain.Client() as own:
                    own.list()
                os._exit(0)
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
            client.list()
            client.close()
        """,
        cluster.kubeconfig,
    )
    assert process.communicate(timeout=60) == ("", "") and process.returncode == 0


def test_a_client_is_refused_in_a_forked_process(cluster, client):
    process = run_python(
        """
        import os, kftrain
        client = kftrain.Client()
        changes = client.watch()
        child = os.fork()
        if child == 0:
            try:
                client.list()
            except RuntimeError as error:
                print(error, flush=True)
            del client, changes
            with kftrain.Client() as own:
                print(list(own.list()), flush=True)
            os._exit(0)
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
        print(list(client.list()))
        """,
        cluster.kubeconfig,
    )
    output, errors = process.communicate(timeout=20)
    assert output == "a client cannot be used after a fork: create one in each process\n[]\n0\n[]\n"
    assert errors == ""


@pytest.mark.parametrize("end", ["sys.exit()", "cluster.stop(); sys.exit()", "del cluster, client; sys.exit()"])
def test_a_forked_process_leaves_the_cluster_alone(end):
    process = run_python(
        f"""
        import os, sys
        from kftrain.local import LocalCluster
        cluster = LocalCluster(pods=False).start()
        client = cluster.client()
        child = os.fork()
        if child == 0:
            {end}
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), os.path.exists(cluster.kubeconfig))
        print(list(client.list()))
        """,
        "",
        start_new_session=True,
    )
    try:
        output, errors = process.communicate(timeout=20)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        raise
    assert (output, errors) == ("0 True\n[]\n", "")


def test_pods_are_simulated():
    with LocalCluster(simulate=0.05) as cluster:
        client = cluster.client()
        done = client.wait(client.submit(pytorch_job("simulated", workers=2)), timeout=60)
        assert kftrain.phase(done) == "Succeeded"


def test_a_local_cluster_has_nodes_with_resources():
    with LocalCluster(pods=False, nodes=2, node_resources={"cpu": 8, "nvidia.com/gpu": "4"}) as cluster:
        nodes = cluster.client().api("nodes").list()
        assert [node.metadata.name for node in nodes] == ["local-0", "local-1"]
        assert nodes[0].status.capacity["nvidia.com/gpu"] == 4
        assert nodes[0].status.capacity["cpu"] == 8
    with pytest.raises(kftrain.Error, match=r"node_resources\[cpu\]: expected quantity, got .x"):
        LocalCluster(nodes=1, node_resources={"cpu": "x"}).start()


def test_a_pod_preempts_a_pod_of_a_lower_priority():
    def pod(name, **spec):
        container = {"name": "c", "image": "i", "resources": {"requests": {"cpu": "2"}}}
        return {
            "apiVersion": "v1",
            "kind": "Pod",
            "metadata": {"name": name},
            "spec": {"containers": [container], "schedulerName": "default-scheduler", **spec},
        }

    def wait_for(condition):
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.02)

    with LocalCluster(pods=False, nodes=1, node_resources={"cpu": 2}) as cluster:
        client = cluster.client()
        pods = client.api("pods")
        high = {"apiVersion": "scheduling.k8s.io/v1", "kind": "PriorityClass", "metadata": {"name": "high"}, "value": 5}
        client.api("priorityclasses").create(high)
        pods.create(pod("low"))
        wait_for(lambda: pods.get("low").spec.node_name == "local-0")
        created = pods.create(pod("urgent", priorityClassName="high"))
        assert created.spec.priority == 5
        wait_for(lambda: pods.get("low").metadata.deletion_timestamp is not None)
        victim = {c.type: c for c in pods.get("low").status.conditions}["DisruptionTarget"]
        assert (victim.status, victim.reason) == ("True", "PreemptionByScheduler")
        assert victim.message == "default-scheduler: preempting to accommodate a higher priority pod"
        wait_for(lambda: pods.get("urgent").status.nominated_node_name == "local-0")
        events = client.api("events")
        wait_for(lambda: any(e.reason == "Preempted" for e in events.list()))
        event = next(e for e in events.list() if e.reason == "Preempted")
        assert event.message == f"Preempted by pod {created.metadata.uid} on node local-0"
        assert event.involved_object.name == "low"
        assert pods.get("urgent").spec.node_name in ("", None)
        pods.delete("low", grace_period=0)
        wait_for(lambda: pods.get("urgent").spec.node_name == "local-0")


def test_a_claim_is_bound_to_a_persistent_volume(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "words").write_text("stored\n", encoding="utf-8")
    size = {"storage": "1Gi"}
    volume = {
        "apiVersion": "v1",
        "kind": "PersistentVolume",
        "metadata": {"name": "data"},
        "spec": {
            "capacity": size,
            "accessModes": ["ReadWriteOnce"],
            "storageClassName": "manual",
            "hostPath": {"path": str(folder)},
        },
    }
    wanted = {"accessModes": ["ReadWriteOnce"], "resources": {"requests": size}, "storageClassName": "manual"}
    claim = {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "mine"}, "spec": wanted}
    mount = {"name": "v", "mountPath": str(tmp_path / "mounted")}
    script = 'cat "$0/words" && echo more > "$0/more"'
    container = {
        "name": "c",
        "image": "i",
        "command": ["sh", "-c", script, mount["mountPath"]],
        "volumeMounts": [mount],
    }
    pod = {
        "apiVersion": "v1",
        "kind": "Pod",
        "metadata": {"name": "reader"},
        "spec": {
            "restartPolicy": "Never",
            "containers": [container],
            "volumes": [{"name": "v", "persistentVolumeClaim": {"claimName": "mine"}}],
        },
    }
    with LocalCluster(host_paths=[str(folder)]) as cluster:
        if cluster.fallback_reason:
            pytest.skip("needs namespaces")
        client = cluster.client()
        volumes, claims, pods = (client.api(kind) for kind in ("persistentvolumes", "persistentvolumeclaims", "pods"))
        volumes.create(volume)
        claims.create(claim)
        assert claims.get("mine").status.phase == "Pending"
        pods.create(pod)
        end = time.monotonic() + 60
        while pods.get("reader").status.phase not in ("Succeeded", "Failed"):
            assert time.monotonic() < end
            time.sleep(0.02)
        assert pods.get("reader").status.phase == "Succeeded"
        bound = volumes.get("data")
        assert (bound.status.phase, bound.spec.claim_ref.name) == ("Bound", "mine")
        assert (claims.get("mine").status.phase, claims.get("mine").spec.volume_name) == ("Bound", "data")
        outside = {**volume, "metadata": {"name": "outside"}, "spec": {**volume["spec"], "hostPath": {"path": "/etc"}}}
        volumes.create(outside)
        claims.create({**claim, "metadata": {"name": "other"}, "spec": {**wanted, "volumeName": "outside"}})
        other = {"name": "v", "persistentVolumeClaim": {"claimName": "other"}}
        pods.create({**pod, "metadata": {"name": "refused"}, "spec": {**pod["spec"], "volumes": [other]}})
        events = client.api("events")
        text = 'hostPath "/etc" is in no directory that pods may mount; allow it with --host-path /etc'
        while not any(e.involved_object.name == "refused" and text in e.message for e in events.list()):
            assert time.monotonic() < end
            time.sleep(0.02)
        assert volumes.get("outside").status.phase == "Available"
    assert (folder / "more").read_text(encoding="utf-8") == "more\n"


@pytest.mark.parametrize("directory", [False, True])
def test_a_killed_process_leaves_no_kubeconfig(tmp_path, directory):
    argument = f"directory={str(tmp_path / 'cluster')!r}" if directory else ""
    process = run_python(
        f"""
        import time
        from kftrain.local import LocalCluster
        cluster = LocalCluster({argument}).start()
        print(cluster.kubeconfig, flush=True)
        time.sleep(60)
        """,
        "",
    )
    path = process.stdout.readline().strip()
    assert os.path.exists(path)
    process.kill()
    process.communicate()
    end = time.monotonic() + 20
    while os.path.exists(os.path.dirname(path)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not os.path.exists(os.path.dirname(path))


def test_a_cluster_that_cannot_start_leaves_no_directory(tmp_path, monkeypatch):
    made = tmp_path / "made"
    monkeypatch.setattr(local, "_new_directory", lambda: made.mkdir() or str(made))
    with socket.create_server(("127.0.0.1", 0)) as taken:
        for options, error, message in (
            ({"port": taken.getsockname()[1]}, kftrain.Error, "in use"),
            ({"port": 70000}, ValueError, "^port: expected 0 to 65535, got 70000$"),
            ({"isolation": "no"}, ValueError, "^isolation: expected automatic, namespaces or processes, got 'no'$"),
        ):
            with pytest.raises(error, match=message):
                LocalCluster(**options).start()
            assert not made.exists()


def test_a_cluster_without_a_sandbox_warns():
    if subprocess.run(["unshare", "-Ur", "true"]).returncode != 0:
        pytest.skip("user namespaces are not permitted here")
    # A user namespace whose limits forbid mount namespaces, as hardened machines do.
    forbidden = 'echo 0 >/proc/sys/user/max_mnt_namespaces && exec "$0" "$@"'
    program = "from kftrain.local import LocalCluster\nwith LocalCluster() as c: print(c.fallback_reason)"
    command = ["unshare", "-Ur", "sh", "-c", forbidden, sys.executable, "-c", program]
    process = subprocess.run(command, capture_output=True, text=True, timeout=60)
    reason = process.stdout.strip()
    assert "max_*_namespaces" in reason, process.stderr
    assert f"<string>:2: RuntimeWarning: pods run without a sandbox: {reason}\n" in process.stderr


LIMITED = """
from kftrain.local import LocalCluster
from kftrain import until

def run(name, resources):
    container = {"name": "pytorch", "image": "none", "command": ["true"], "resources": resources}
    master = {"replicas": 1, "restartPolicy": "Never", "template": {"spec": {"containers": [container]}}}
    spec = {"pytorchReplicaSpecs": {"Master": master}}
    kind = {"apiVersion": "kubeflow.org/v1", "kind": "PyTorchJob"}
    job = client.submit({**kind, "metadata": {"name": name}, "spec": spec})
    client.wait(job, until.succeeded(), timeout=60)
    print(cluster.limits_fallback_reason)

cluster = LocalCluster().start()
client = cluster.client()
run("unlimited", {"requests": {"cpu": "1"}})
run("limited", {"limits": {"memory": "64Mi"}})
cluster.stop()
cluster.stop()
print(cluster.limits_fallback_reason)
"""


def test_limits_that_are_not_enforced_are_reported_once():
    # Only root can forbid control groups for a test.
    read_only = "for d in $(awk '$3 ~ /^cgroup/ {print $2}' /proc/mounts); do mount -o remount,bind,ro $d; done; "
    command = [sys.executable, "-c", LIMITED]
    if os.geteuid() == 0:
        command = ["unshare", "-m", "sh", "-c", read_only + 'exec "$0" "$@"', *command]
    process = subprocess.run(command, capture_output=True, text=True, timeout=120)
    lines = process.stdout.split("\n")
    assert len(lines) == 4, process.stderr
    unlimited, limited, stopped, _ = lines
    if os.geteuid() != 0 and not limited:
        pytest.skip("this user may make control groups")
    assert unlimited == ""
    assert limited.startswith("memory: ")
    assert stopped == limited
    assert process.stderr.count(f"RuntimeWarning: limits of containers are not enforced: {limited}\n") == 1


def test_users_have_the_permissions_of_their_roles():
    role = {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "RoleBinding",
        "metadata": {"name": "viewers"},
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "view"},
        "subjects": [{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "team-a"}],
    }
    config_map = {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "a"}}
    with LocalCluster(pods=False, users={"jane": ["team-a", "team-b"], "joe": []}) as cluster:
        cluster.client().api("rolebindings").create(role)
        jane, joe = (cluster.client(user=name).api("configmaps") for name in ("jane", "joe"))
        assert jane.list() == []
        with pytest.raises(kftrain.Forbidden, match='"jane" cannot create'):
            jane.create(config_map)
        with pytest.raises(kftrain.Forbidden, match='"joe" cannot list'):
            joe.list()
        with kftrain.Client(cluster.kubeconfig, context="jane") as client:
            assert client.api("configmaps").list() == []
        with pytest.raises(kftrain.InvalidArgument, match="nobody"):
            cluster.client(user="nobody")
    with LocalCluster(pods=False, users={"jane": ["team-a"]}, user_certificates=True) as cluster:
        with open(cluster.kubeconfig, encoding="utf-8") as file:
            assert file.read().count("client-certificate-data: ") == 1
        cluster.client().api("rolebindings").create(role)
        assert cluster.client(user="jane").api("configmaps").list() == []
        with pytest.raises(kftrain.Forbidden, match='"jane" cannot create'):
            cluster.client(user="jane").api("configmaps").create(config_map)
    with pytest.raises(kftrain.InvalidArgument, match='users: expected a new name, got "kftrain"'):
        LocalCluster(pods=False, users={"kftrain": []}).start()
    with pytest.raises(TypeError, match=r"users\['jane'\]: expected a list of groups, got the str 'team-a'"):
        LocalCluster(users={"jane": "team-a"})


def test_operators_have_flags_and_output_a_limit():
    with LocalCluster(pods=False, operator_flags={"gang-scheduler-name": "volcano"}) as cluster:
        client = cluster.client()
        client.submit(pytorch_job("gang"))
        groups = client.api("podgroups.scheduling.volcano.sh")
        assert groups.wait("gang", lambda group: group is not None, timeout=60).spec.min_member == 2
    with pytest.raises(kftrain.InvalidArgument, match="no-such-flag"):
        LocalCluster(operator_flags={"no-such-flag": "1"}).start()
    with pytest.raises(ValueError, match="log_file_size: expected at least 4096 bytes, got 100"):
        LocalCluster(log_file_size=100)


def test_a_server_that_does_not_answer_is_unreachable(tmp_path):
    file = tmp_path / "kubeconfig"
    file.write_text(
        "apiVersion: v1\nkind: Config\ncurrent-context: c\n"
        "clusters: [{name: c, cluster: {server: 'http://127.0.0.1:1'}}]\n"
        "contexts: [{name: c, context: {cluster: c, user: u}}]\nusers: [{name: u}]\n"
    )
    with kftrain.Client(file) as client, pytest.raises(kftrain.Unreachable) as caught:
        client.get("tfjob/none", timeout=10)
    assert isinstance(caught.value, ConnectionError) and caught.value.code == "ECONNREFUSED"
    with pytest.raises(kftrain.InvalidArgument, match="nosuchcontext"):
        kftrain.Client(file, context="nosuchcontext")


def test_a_cluster_starts_once_and_cleans_up():
    cluster = LocalCluster()
    with pytest.raises(RuntimeError, match="does not run"):
        cluster.kubeconfig
    with cluster:
        path = cluster.kubeconfig
        assert os.stat(path).st_mode & 0o777 == 0o600
        client = cluster.client("team-a")
        assert client.namespace == "team-a"
        with pytest.raises(RuntimeError, match="started before"):
            cluster.start()
    assert not os.path.exists(path)
    with pytest.raises(RuntimeError, match="closed"):
        client.list()
    cluster.stop()
