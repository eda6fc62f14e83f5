"""Tests of the HTML for notebooks. Values of users and servers must never become elements of the page."""

import html.parser

import pytest
from conftest import pytorch_job

import kftrain
from kftrain import _html, _record
from kftrain.models.core import Pod

NASTY = "<script>alert('x')</script>&\"<b>"


class Checker(html.parser.HTMLParser):
    """Fails for unbalanced elements, scripts and references to other places; collects text and names of elements."""

    def __init__(self):
        super().__init__()
        self.open, self.elements, self.text = [], [], ""

    def handle_starttag(self, tag, attributes):
        assert tag in {
            "b", "details", "div", "li", "ol", "pre", "small", "span", "style", "summary", "table", "tbody", "td", "th",
            "thead", "tr", "ul", "wbr",
        }  # fmt: skip
        assert {name for name, _ in attributes} <= {"class", "open"}
        if tag == "wbr":
            return
        self.open.append(tag)
        self.elements.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open[-1:] == ["style"]:
            assert "url(" not in data and "@import" not in data
        else:
            self.text += data


def check(text):
    checker = Checker()
    checker.feed(text)
    checker.close()
    assert checker.open == []
    return checker


def test_a_job_shows_its_roles_and_conditions(job):
    job.metadata.namespace = "team-a"
    job.status = {
        "conditions": [
            {
                "type": "Failed",
                "status": "True",
                "reason": "PyTorchJobFailed",
                "message": NASTY,
                "lastTransitionTime": "2026-01-31T10:00:00Z",
            }
        ]
    }
    page = check(job._repr_html_())
    assert "PyTorchJob" in page.text and "team-a/hello" in page.text and "Master" in page.text
    assert NASTY in page.text
    assert "2026-01-31 10:00:00+00:00" in page.text
    assert 'class="bad">Failed' in job._repr_html_()


def test_an_invalid_job_shows_the_violated_rules(job):
    job.spec.pytorch_replica_specs["Master"].replicas = 2
    page = check(job._repr_html_())
    assert all(issue.message in page.text for issue in kftrain.validate(job))


def test_other_models_have_no_html():
    assert Pod(metadata={"name": "x"})._repr_html_() is None
    assert kftrain.job(pytorch_job()).spec._repr_html_() is None


def test_ranks_show_addresses_and_environments():
    job = kftrain.job(pytorch_job(workers=150))
    container = job.spec.pytorch_replica_specs["Worker"].template.spec.containers[0]
    container.env.append({"name": NASTY, "value": "a-secret"})
    ranks = kftrain.ranks(job)
    assert isinstance(ranks, list) and len(ranks) == 151
    page = check(ranks._repr_html_())
    assert "hello-worker-0" in page.text and "WORLD_SIZE=151" in page.text and NASTY in page.text
    assert "a-secret" not in page.text
    assert page.elements.count("tr") == 1 + _html.MAX_ROWS and "and 51 more" in page.text


def test_an_explanation_shows_causes_and_logs():
    record = _record.Record(
        {
            "job": {"kind": "PyTorchJob", "namespace": "default", "name": "x", "phase": "Failed", "message": NASTY},
            "causes": [
                {"summary": "Master 0 ended", "advice": "Check it.", "evidence": ["exit 3"], "log": ["a", NASTY]},
            ],
            "missing": ["events: forbidden"],
        }
    )
    page = check(record._repr_html_())
    for text in ("default/x", "Master 0 ended", "Check it.", "exit 3", "a\n" + NASTY, "Not readable:events: forbidden"):
        assert text in page.text
    assert "no known cause" in check(_record.Record({"job": {"name": "x"}})._repr_html_()).text


@pytest.mark.parametrize("exists", [True, False])
def test_a_plan_shows_fields_and_objects(exists):
    record = _record.Record(
        {
            "exists": exists,
            "effect": "recreation",
            "fields": [{"path": "spec.x", "before": 1, "after": {"a": NASTY}}],
            "objects": [{"verb": "create", "kind": "Pod", "name": "x-0"}],
        }
    )
    page = check(record._repr_html_())
    assert "spec.x" in page.text and NASTY in page.text and "x-0" in page.text
    assert ("recreation" in page.text) == exists


def test_other_results_show_all_their_fields():
    record = _record.Record({"passed": True, "checks": [{"verdict": "failed"}], "servedVersions": [NASTY], "x": None})
    page = check(record._repr_html_())
    assert "served versions" in page.text and NASTY in page.text
    assert 'class="bad">failed' in record._repr_html_()


def test_a_list_of_jobs_is_a_table(job):
    page = check(kftrain.JobPage([job, job], "", [])._repr_html_())
    assert page.text.count("hello") == 2 and "Created" in page.text
    assert "no jobs" in kftrain.JobPage([], "", [])._repr_html_()
