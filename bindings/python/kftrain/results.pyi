"""Made by bindings/python/scripts/stubs.py from the tables and the headers of the library."""

from typing import Any
from ._record import Record

class Explanation(Record):
    """Why a job is in its current state."""
    @property
    def job(self) -> JobState:
        ...
    @property
    def causes(self) -> list[JobCause]:
        """the most likely root cause first; never empty"""
    @property
    def missing(self) -> list[str]:
        """what could not be examined, and why; read the causes with this in mind"""

class FieldChange(Record):
    """One field that differs."""
    @property
    def path(self) -> str:
        """e.g. `spec.pytorchReplicaSpecs.Worker.replicas`"""
    @property
    def before(self) -> Any:
        ...
    @property
    def after(self) -> Any:
        ...
    @property
    def effect(self) -> str:
        ...
    @property
    def why(self) -> str:
        """the reason for the effect, in one clause"""

class Issue(Record):
    @property
    def severity(self) -> str:
        ...
    @property
    def rule(self) -> str:
        ...
    @property
    def path(self) -> str:
        ...
    @property
    def message(self) -> str:
        ...
    @property
    def keeps_from_starting(self) -> bool:
        ...

class JobCause(Record):
    """One cause with its evidence."""
    @property
    def kind(self) -> str:
        ...
    @property
    def summary(self) -> str:
        """one sentence"""
    @property
    def members(self) -> list[Member]:
        """The members concerned, at most 16. Members that ended are sorted by the time of their end, others by
        rank. Empty if the cause concerns the job as a whole. For `rendezvous`, the members that are missing."""
    @property
    def affected(self) -> int:
        """number of members concerned, also if `members` lists only the first ones"""
    @property
    def container(self) -> str:
        """container of the first of them; may be empty"""
    @property
    def code(self) -> int | None:
        """the exit code"""
    @property
    def signal(self) -> str:
        """signal name, e.g. `SIGKILL`; empty: no signal"""
    @property
    def restarts(self) -> int | None:
        """Number of restarts of the containers and pods of the member that restarted most often; only for
        `crash_loop`."""
    @property
    def decisive_line(self) -> str:
        """The line of the whole log of the first of them that shows why it ended; at most 500 bytes; may be empty."""
    @property
    def evidence(self) -> list[str]:
        """the proof: conditions, events and states, one line each"""
    @property
    def log(self) -> list[str]:
        """the last lines of the first of them; at most 500 bytes each"""
    @property
    def advice(self) -> str:
        """what to do, in one sentence; may be empty"""

class JobChange(Record):
    """One change from a job_watch: the state of a job that was added, modified or deleted."""
    @property
    def change(self) -> str:
        ...
    @property
    def initial(self) -> bool:
        """the job existed when the watch began"""
    @property
    def api_version(self) -> str:
        ...
    @property
    def kind(self) -> str:
        ...
    @property
    def namespace(self) -> str:
        """empty: the namespace of the client"""
    @property
    def name(self) -> str:
        ...
    @property
    def uid(self) -> str:
        """empty: any job of this name"""
    @property
    def resource_version(self) -> str:
        """resourceVersion of the observed job; job_watch does not report a change of this field alone"""
    @property
    def phase(self) -> str:
        ...
    @property
    def reason(self) -> str:
        """reason of the last condition that is True; may be empty"""
    @property
    def message(self) -> str:
        """message of the same condition"""
    @property
    def suspended(self) -> bool:
        ...
    @property
    def deleting(self) -> bool:
        ...
    @property
    def created(self) -> str | None:
        ...
    @property
    def started(self) -> str | None:
        """When the operator started the job, according to the status; for kinds that do not report this, the time
        since which the job runs."""
    @property
    def finished(self) -> str | None:
        """set for a finished job"""
    @property
    def restarts(self) -> int:
        """restarts of all containers of the existing pods"""
    @property
    def roles(self) -> list[RoleState]:
        """in the order of the kind"""
    @property
    def ranks(self) -> list[RankState]:
        """in the order of the kind, as in membership::members"""

class JobEvent(Record):
    """An event about a job or an object of the job, from either API of events."""
    @property
    def first(self) -> str | None:
        ...
    @property
    def last(self) -> str | None:
        ...
    @property
    def count(self) -> int:
        """number of occurrences, for a series"""
    @property
    def type(self) -> str:
        """Normal or Warning"""
    @property
    def reason(self) -> str:
        """e.g. `FailedScheduling`"""
    @property
    def message(self) -> str:
        ...
    @property
    def source(self) -> str:
        """the reporting component, e.g. `default-scheduler`"""
    @property
    def object_kind(self) -> str:
        """kind of the object that the event is about, e.g. `Pod`"""
    @property
    def object_name(self) -> str:
        ...

class JobEventList(Record):
    """The events of a job, oldest first."""
    @property
    def left_out(self) -> int:
        """number of older events beyond job_event_options::most"""
    @property
    def unread(self) -> list[str]:
        """Objects whose events could not be read, and why. Unreadable events of the job itself are an error
        instead."""

class JobProgress(Record):
    """The progress of a training job, as its program reports it in one line of its output. The Python module
    `kftrain.report` and the header `kftrain/report.hpp` write such lines; any program can print them:
    kftrain-progress/1 step=120 total=1000 epoch=2 loss=0.53 rate=812.5 unit=samples/s left=44 The line may have a
    prefix, as mpirun and torchrun write it. The fields after the marker are separated by single spaces, in any
    order, each at most once; only `step` is required. Unknown fields are ignored. docs/guides/
    progress-and-timeline.md documents the format. The replica with rank 0 decides. If the operator passes no ranks
    to the pods, the first replica of each role may report, and of several that do the one without a rank in the role
    whose name sorts first."""
    @property
    def step(self) -> int | None:
        """completed steps; absent if nothing was reported"""
    @property
    def total(self) -> int | None:
        """steps of the whole training"""
    @property
    def epoch(self) -> int | None:
        """current epoch"""
    @property
    def loss(self) -> float | None:
        """finite"""
    @property
    def diverged(self) -> bool:
        """the reported loss is infinite or not a number"""
    @property
    def rate(self) -> float | None:
        """throughput in `unit`; finite, at least 0"""
    @property
    def unit(self) -> str:
        """of the rate, for example `samples/s`; may be empty"""
    @property
    def left(self) -> int | None:
        """Seconds until the end, by the program or, if it does not report them, by the times of its reports."""
    @property
    def time(self) -> str | None:
        """when the line was written, by the clock of the node"""
    @property
    def pod(self) -> str:
        """pod that reported this"""

class JobState(Record):
    """The state of a job at one time, computed from the job and its pods by job_state_of(). A value. The ranks are
    those of the job as it is written; empty if the server stores a job that breaks the rules of its kind."""
    @property
    def api_version(self) -> str:
        ...
    @property
    def kind(self) -> str:
        ...
    @property
    def namespace(self) -> str:
        """empty: the namespace of the client"""
    @property
    def name(self) -> str:
        ...
    @property
    def uid(self) -> str:
        """empty: any job of this name"""
    @property
    def resource_version(self) -> str:
        """resourceVersion of the observed job; job_watch does not report a change of this field alone"""
    @property
    def phase(self) -> str:
        ...
    @property
    def reason(self) -> str:
        """reason of the last condition that is True; may be empty"""
    @property
    def message(self) -> str:
        """message of the same condition"""
    @property
    def suspended(self) -> bool:
        ...
    @property
    def deleting(self) -> bool:
        ...
    @property
    def created(self) -> str | None:
        ...
    @property
    def started(self) -> str | None:
        """When the operator started the job, according to the status; for kinds that do not report this, the time
        since which the job runs."""
    @property
    def finished(self) -> str | None:
        """set for a finished job"""
    @property
    def restarts(self) -> int:
        """restarts of all containers of the existing pods"""
    @property
    def roles(self) -> list[RoleState]:
        """in the order of the kind"""
    @property
    def ranks(self) -> list[RankState]:
        """in the order of the kind, as in membership::members"""

class JobTimeline(Record):
    """The history of a job: its pods, conditions, size and progress over time. A value. Times are those of the API:
    whole seconds by the clocks of the cluster. The times that only a recording observes are those of this machine."""
    @property
    def api_version(self) -> str:
        ...
    @property
    def kind(self) -> str:
        ...
    @property
    def namespace(self) -> str:
        ...
    @property
    def name(self) -> str:
        ...
    @property
    def uid(self) -> str:
        ...
    @property
    def phase(self) -> str:
        ...
    @property
    def created(self) -> str | None:
        ...
    @property
    def started(self) -> str | None:
        ...
    @property
    def finished(self) -> str | None:
        """as in job_state"""
    @property
    def observed(self) -> str | None:
        """up to when the timeline was observed"""
    @property
    def recorded(self) -> bool:
        """it was recorded while the job ran; otherwise it has only what the API still has"""
    @property
    def conditions(self) -> list[TimelineCondition]:
        """oldest first"""
    @property
    def scalings(self) -> list[TimelineScaling]:
        """oldest first; the latest 1,000"""
    @property
    def sizes(self) -> list[TimelineSize]:
        """oldest first, one for each change"""
    @property
    def progress(self) -> list[JobProgress]:
        """oldest first; at most 1,000, evenly thinned out"""
    @property
    def pods(self) -> list[TimelinePod]:
        """by role, index and creation"""
    @property
    def left_out(self) -> int:
        """number of further pods beyond timeline_options::most_pods"""
    @property
    def missing(self) -> list[str]:
        """what is unknown, and why, one sentence each"""

class LogLine(Record):
    """One line of the output of a member."""
    @property
    def role(self) -> str:
        """as the job names it: a replica type, e.g. `Worker`"""
    @property
    def index(self) -> int:
        """0-based within its role"""
    @property
    def rank(self) -> int | None:
        """0-based over the job; absent if the framework assigns ranks at run time"""
    @property
    def pod(self) -> str:
        """empty if unknown beforehand, as for pods that a Job creates"""
    @property
    def host(self) -> str:
        """host name that its peers use; empty: its pod_name"""
    @property
    def container(self) -> str:
        ...
    @property
    def run(self) -> int:
        """number of the run of the container in its pod: 0 for the first, 1 more after each restart"""
    @property
    def time(self) -> str:
        """RFC 3339, as the node wrote it; empty unless requested"""
    @property
    def text(self) -> str:
        """without the newline"""

class Member(Record):
    """One member of a job: a pod with its role, index and rank."""
    @property
    def role(self) -> str:
        """as the job names it: a replica type, e.g. `Worker`"""
    @property
    def index(self) -> int:
        """0-based within its role"""
    @property
    def rank(self) -> int | None:
        """0-based over the job; absent if the framework assigns ranks at run time"""
    @property
    def pod(self) -> str:
        """empty if unknown beforehand, as for pods that a Job creates"""
    @property
    def host(self) -> str:
        """host name that its peers use; empty: its pod_name"""

class ObjectChangePlan(Record):
    """The planned action for one object of the job."""
    @property
    def verb(self) -> str:
        """`create`, `delete` or `replace`"""
    @property
    def kind(self) -> str:
        ...
    @property
    def name(self) -> str:
        ...

class PreflightCheck(Record):
    """The result of one check before a job is submitted."""
    @property
    def name(self) -> str:
        """A stable name: `rules`, `lint`, `served`, `namespace`, `name`, `queue`, `priority-class`, `admission`,
        `may-create`, `may-read`, `may-watch`, `may-read-logs`, `may-read-events`, `may-change`, `may-delete`,
        `quota`. Several checks may have the same name, e.g. one for each quota."""
    @property
    def verdict(self) -> str:
        ...
    @property
    def message(self) -> str:
        """one sentence; for a failure it includes the remedy"""

class PreflightReport(Record):
    """Whether the caller could submit and follow a job."""
    @property
    def passed(self) -> bool:
        """no check failed; unknown results and warnings do not count"""
    @property
    def checks(self) -> list[PreflightCheck]:
        ...
    @property
    def served_versions(self) -> list[str]:
        """of the group and resource of the kind, e.g. `kubeflow.org/v1`"""
    @property
    def missing_rules(self) -> str:
        """YAML of an RBAC Role with the missing permissions, to be granted to the caller by a RoleBinding; empty if
        none is missing."""

class RankState(Record):
    """The state of one member of a job."""
    @property
    def role(self) -> str:
        """as the job names it: a replica type, e.g. `Worker`"""
    @property
    def index(self) -> int:
        """0-based within its role"""
    @property
    def rank(self) -> int | None:
        """0-based over the job; absent if the framework assigns ranks at run time"""
    @property
    def pod(self) -> str:
        """empty if unknown beforehand, as for pods that a Job creates"""
    @property
    def host(self) -> str:
        """host name that its peers use; empty: its pod_name"""
    @property
    def phase(self) -> str:
        ...
    @property
    def restarts(self) -> int:
        """restarts of all containers of the existing pod"""
    @property
    def reason(self) -> str:
        """e.g. `ImagePullBackOff`, `Unschedulable`, `OOMKilled`; may be empty"""
    @property
    def message(self) -> str:
        """message of the cluster about the reason; may be empty"""
    @property
    def node(self) -> str:
        """node of the pod; may be empty"""
    @property
    def exit_code(self) -> int | None:
        """Of the first container that exited with a code other than 0, now or in the run before the restart it
        waits for; 128 + n for signal n."""

class RoleState(Record):
    """Counts of the members of a role by phase. A ready member counts in `ready` and in `running`; absent, terminating
    and unknown members count in `wanted` alone."""
    @property
    def role(self) -> str:
        ...
    @property
    def wanted(self) -> int:
        """as the job requests"""
    @property
    def pending(self) -> int:
        ...
    @property
    def running(self) -> int:
        """running, ready or not"""
    @property
    def ready(self) -> int:
        """running and ready"""
    @property
    def succeeded(self) -> int:
        ...
    @property
    def failed(self) -> int:
        ...

class TimelineCondition(Record):
    """A condition of the job since a time. Conditions that another one has replaced are known only from a recording."""
    @property
    def time(self) -> str | None:
        """of its last transition"""
    @property
    def type(self) -> str:
        """e.g. `Running`"""
    @property
    def status(self) -> str:
        """True, False or Unknown"""
    @property
    def reason(self) -> str:
        ...
    @property
    def message(self) -> str:
        ...

class TimelinePod(Record):
    """One pod of a job, which may no longer exist. Times that are unknown, or have not come, are absent."""
    @property
    def role(self) -> str:
        ...
    @property
    def index(self) -> int:
        ...
    @property
    def rank(self) -> int | None:
        ...
    @property
    def pod(self) -> str:
        ...
    @property
    def host(self) -> str:
        ...
    @property
    def uid(self) -> str:
        """empty if only events of the pod are known"""
    @property
    def node(self) -> str:
        ...
    @property
    def phase(self) -> str:
        """last known phase"""
    @property
    def reason(self) -> str:
        """of this phase; may be empty"""
    @property
    def exit_code(self) -> int | None:
        """as rank_state::exit_code"""
    @property
    def restarts(self) -> int:
        """restarts of all containers"""
    @property
    def created(self) -> str | None:
        ...
    @property
    def scheduled(self) -> str | None:
        ...
    @property
    def ready(self) -> str | None:
        ...
    @property
    def ended(self) -> str | None:
        """end of its last run, if no further run follows"""
    @property
    def deleted(self) -> str | None:
        """when its deletion was requested or observed"""
    @property
    def runs(self) -> list[TimelineRun]:
        """known runs of its containers except init containers, by their start"""

class TimelineRun(Record):
    """One run of a container."""
    @property
    def container(self) -> str:
        ...
    @property
    def number(self) -> int:
        """0 for the first run, 1 more after each restart"""
    @property
    def started(self) -> str | None:
        ...
    @property
    def ended(self) -> str | None:
        ...
    @property
    def reason(self) -> str:
        """of its end, e.g. `Completed`, `Error`, `OOMKilled`"""
    @property
    def exit_code(self) -> int | None:
        """128 + n for signal n; absent while it runs, or if it is unknown"""

class TimelineScaling(Record):
    """A change of the requested number of members of a role; known only from a recording."""
    @property
    def time(self) -> str:
        ...
    @property
    def role(self) -> str:
        ...
    @property
    def from_(self) -> int:
        ...
    @property
    def to(self) -> int:
        ...

class TimelineSize(Record):
    """The number of running pods from a time on."""
    @property
    def time(self) -> str:
        ...
    @property
    def running(self) -> int:
        """pods with a running container"""

class UpdatePlan(Record):
    """The changes to the stored objects if the job were submitted as it is written now."""
    @property
    def exists(self) -> bool:
        """the job exists; otherwise everything is created"""
    @property
    def effect(self) -> str:
        """the most severe effect of the fields"""
    @property
    def fields(self) -> list[FieldChange]:
        """in the order of the kind"""
    @property
    def objects(self) -> list[ObjectChangePlan]:
        """The objects that the operator would create, replace and delete, without recreation."""
    @property
    def refusals(self) -> list[Issue]:
        """violated rules of the kind, for which the server would reject the update"""
    @property
    def missing(self) -> list[str]:
        """The objects to which the job refers and that could not be read, with the reason: `objects` may be
        incomplete."""
