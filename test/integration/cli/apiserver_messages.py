"""Requests that the API server of a local cluster refuses, with messages of kube-apiserver v1.31 and of its own."""

import base64
import http.client
import json
import os
import socket
import ssl

from manifest_files import equal, read

NS = "/api/v1/namespaces/default"
PODS = f"{NS}/pods"
POD_A = f"{PODS}/a"
PATCH = "application/json-patch+json"
MERGE = "application/merge-patch+json"
REVIEW = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews"
JOBS = "/apis/kubeflow.org/v1/namespaces/default/pytorchjobs"

LIST = 'ListOptions.meta.k8s.io "" is invalid: '
REVIEWED = 'SelfSubjectAccessReview.authorization.k8s.io "" is invalid: spec.resourceAttributes: Invalid value: '


def new_pod(more="", metadata=None):
    """A pod with the name a, and these members of its metadata; or with this metadata."""
    head = metadata or '{"name":"a"' + more + "}"
    return '{"apiVersion":"v1","kind":"Pod","metadata":' + head + ',"spec":{"containers":[{"name":"c","image":"i:1"}]}}'


# Method, path, body, type of the body; code and message. Upstream: kube-apiserver v1.31 gives the same answers.
UPSTREAM = (
    ("GET", f"{PODS}?sendInitialEvents=true", "", "", 422,
     LIST + "sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list"),
    ("GET", f"{PODS}?resourceVersionMatch=Exact", "", "", 422,
     LIST + "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided"),
    ("GET", f"{PODS}?resourceVersionMatch=Near&resourceVersion=1", "", "", 422,
     LIST + 'resourceVersionMatch: Unsupported value: "Near": supported values: "Exact", "NotOlderThan", ""'),
    ("GET", f"{PODS}?labelSelector=a%20b", "", "", 400,
     "unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt"),
    ("GET", f"{PODS}?fieldSelector=x%3D1", "", "", 400, "field label not supported: x"),
    ("POST", PODS, '{"metadata":{"name":"b"}}', "", 422, 'Pod "b" is invalid: spec.containers: Required value'),
    ("POST", PODS, '{"apiVersion":"v1","metadata":{"name":"b"}}', "", 422,
     'Pod "b" is invalid: spec.containers: Required value'),
    ("POST", PODS, new_pod(',"resourceVersion":"7"'), "", 500,
     "resourceVersion should not be set on objects to be created"),
    ("POST", PODS, new_pod(',"namespace":"other"'), "", 400,
     "the namespace of the provided object does not match the namespace sent on the request"),
    ("POST", PODS, new_pod(), "", 409, 'pods "a" already exists'),
    ("POST", PODS, new_pod(metadata='{"labels":{}}'), "", 422,
     'Pod "" is invalid: metadata.name: Required value: name or generateName is required'),
    ("PUT", POD_A, new_pod(metadata='{"name":"b"}'), "", 400,
     "the name of the object (b) does not match the name on the URL (a)"),
    ("PUT", POD_A, new_pod(',"resourceVersion":"1"'), "", 409,
     'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to '
     "the latest version and try again"),
    ("PATCH", POD_A, '[{"op":"test","path":"/metadata/name","value":"b"}]', PATCH, 422,
     "the server rejected our request due to an error in our request"),
    ("PATCH", POD_A, '{"metadata":{"resourceVersion":"1"}}', MERGE, 409,
     'Operation cannot be fulfilled on pods "a": the object has been modified; please apply your changes to '
     "the latest version and try again"),
    ("DELETE", POD_A, '{"propagationPolicy":"Never"}', "", 422,
     'DeleteOptions.meta.k8s.io "" is invalid: propagationPolicy: Unsupported value: "Never": supported '
     'values: "Foreground", "Background", "Orphan", "nil"'),
    ("DELETE", "/api/v1/pods", "", "", 405, "the server does not allow this method on the requested resource"),
    ("POST", f"{POD_A}/binding", '{"target":{}}', "", 400, "name in URL does not match name in Binding object"),
    ("GET", f"{POD_A}/log?container=x", "", "", 400, "container x is not valid for pod a"),
)

# The same where kube-apiserver has another message or code, or would accept the request.
OWN = (
    ("GET", f"{PODS}?limit=-1", "", "", 400, "limit: must not be negative"),
    ("GET", f"{PODS}?resourceVersion=-1", "", "", 400,
     'resourceVersion: Invalid value: "-1": expected a decimal number'),
    ("GET", f"{PODS}?resourceVersion=x", "", "", 400, 'resourceVersion: Invalid value: "x": expected a decimal number'),
    ("GET", f"{PODS}?continue=*", "", "", 400, "continue key is not valid: not base64"),
    ("GET", f"{PODS}?continue=e30", "", "", 400, "continue key is not valid: not base64"),
    ("GET", f"{PODS}?resourceVersionMatch=Exact&resourceVersion=0", "", "", 422,
     LIST + 'resourceVersionMatch: Forbidden: resourceVersionMatch "Exact" is forbidden for resourceVersion "0"'),
    ("GET", f"{PODS}?watch=true&resourceVersion=1&resourceVersionMatch=Exact", "", "", 422,
     LIST + "resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents "
     "is provided"),
    ("POST", f"{PODS}?fieldValidation=Often", new_pod(), "", 400,
     'fieldValidation: "Often", expected Strict, Warn or Ignore'),
    ("POST", PODS, "{", "", 400, "the body is not valid JSON: incomplete JSON at line 1, column 2"),
    ("POST", PODS, "[]", "", 400, "the body is not a JSON object"),
    ("POST", PODS, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","labels":7}}', "", 400,
     "metadata.labels: expected object of strings, got number"),
    ("POST", PODS, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","finalizers":7}}', "", 400,
     "metadata.finalizers: expected array, got number"),
    ("POST", PODS, '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"b","ownerReferences":7}}', "", 400,
     "metadata.ownerReferences: expected array, got number"),
    ("PUT", POD_A, new_pod(',"namespace":"other"'), "", 400,
     "the namespace of the object (other) does not match the namespace on the URL (default)"),
    ("PATCH", POD_A, "{}", PATCH, 400, "error decoding patch: expected a list of operations"),
    ("PATCH", POD_A, "[7]", PATCH, 400, "error decoding patch: operation 0: expected an object"),
    ("PATCH", POD_A, "[]", MERGE, 400, "the patch is not a JSON object"),
    ("PATCH", POD_A, "7", "application/strategic-merge-patch+json", 400, "the patch is not a JSON object"),
    ("PATCH", POD_A, "a", "text/plain", 415,
     "the body of the request was in an unknown format - accepted media types include: "
     "application/json-patch+json, application/merge-patch+json, application/strategic-merge-patch+json, "
     "application/apply-patch+yaml"),
    ("DELETE", POD_A, '{"gracePeriodSeconds":"soon"}', "", 400, "gracePeriodSeconds: expected a whole number"),
    ("DELETE", POD_A, '{"gracePeriodSeconds":1.5}', "", 400, "gracePeriodSeconds: expected a whole number"),
    ("DELETE", POD_A, "7", "", 400, "the body is not a JSON object"),
    ("GET", f"{POD_A}/log?sinceSeconds=1&sinceTime=2026-01-01T00:00:00Z", "", "", 400,
     "at most one of `sinceTime` or `sinceSeconds` may be specified"),
    ("GET", f"{POD_A}/log?stream=Stdout", "", "", 400, "stream: only All is supported by this server"),
    ("GET", f"{POD_A}/log?tailLines=-1", "", "", 400, "tailLines: must be at least 0"),
    ("POST", REVIEW, '{"apiVersion":"v1","kind":"Pod"}', "", 400,
     "the object is not a SelfSubjectAccessReview of authorization.k8s.io/v1"),
    ("POST", REVIEW, '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":{}}', "", 422,
     REVIEWED + "exactly one of nonResourceAttributes or resourceAttributes must be specified"),
    ("POST", REVIEW,
     '{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","spec":'
     '{"resourceAttributes":{"verb":"get"},"nonResourceAttributes":{"path":"/"}}}', "", 422,
     REVIEWED + "cannot be specified in combination with nonResourceAttributes"),
    ("GET", f"{NS}/nothing", "", "", 404, "the server could not find the requested resource"),
    ("PUT", f"{JOBS}/x/scale",
     '{"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"x"},"spec":{"replicas":"three"}}', "", 404,
     'pytorchjobs.kubeflow.org "x" not found'),
    ("PUT", f"{NS}/finalize",
     '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"default"},"spec":{"finalizers":[]}}', "", 404,
     "the server could not find the requested resource"),
    ("POST", "/api/v1/namespaces",
     '{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{"finalizers":["a/b"]}}', "", 422,
     'Namespace "n" is invalid: spec.finalizers: Forbidden: this server finalizes namespaces itself, expected '
     '"kubernetes" alone'),
)


APPROVAL = ('metadata.annotations[api-approved.kubernetes.io]: %s protected groups must have approval annotation '
            '"api-approved.kubernetes.io"%s, see https://github.com/kubernetes/enhancements/pull/1111')

# Additions to the metadata, the spec and the version of a definition; and the message. Upstream:
# apiextensions-apiserver v1.31, `pkg/apis/apiextensions/validation`.
UPSTREAM_DEFINITIONS = (
    ({}, {"preserveUnknownFields": True}, {},
     "spec.preserveUnknownFields: Invalid value: true: cannot set to true, set x-kubernetes-preserve-unknown-fields to "
     "true in spec.versions[*].schema instead"),
    ({}, {}, {"deprecationWarning": "old"},
     'spec.versions[0].deprecationWarning: Invalid value: "old": can only be set for deprecated versions'),
    ({}, {}, {"deprecated": True, "deprecationWarning": ""},
     'spec.versions[0].deprecationWarning: Invalid value: "": must not be an empty string'),
    ({}, {}, {"deprecated": True, "deprecationWarning": "a" * 257},
     f'spec.versions[0].deprecationWarning: Invalid value: "{"a" * 257}": must be <= 256 characters long'),
    ({}, {}, {"subresources": {"scale": {"specReplicasPath": ".spec.n", "statusReplicasPath": ".status.n",
                                         "labelSelectorPath": ".metadata.s"}}},
     'spec.subresources.scale.labelSelectorPath: Invalid value: ".metadata.s": should be a json path under either '
     ".spec or .status"),
    ({}, {}, {"selectableFields": [{"jsonPath": ".metadata.name"}]},
     'spec.versions[0].selectableFields[0].jsonPath: Invalid value: ".metadata.name": must not point to fields in '
     "metadata"),
    ({}, {"group": "a.k8s.io"}, {}, APPROVAL % ("Required value:", "")),
    ({"annotations": {"api-approved.kubernetes.io": "yes"}}, {"group": "a.k8s.io"}, {},
     APPROVAL % ('Invalid value: "yes":', ' with either a URL or a reason starting with "unapproved"')),
)

# The same with messages of our own.
OWN_DEFINITIONS = (
    ({}, {"conversion": {"strategy": "None", "webhook": {}}}, {},
     "spec.conversion.webhook: Forbidden: should not be set when strategy is not set to Webhook"),
    ({}, {}, {"deprecated": True, "deprecationWarning": "a\nb"},
     'spec.versions[0].deprecationWarning: Invalid value: "a\\nb": must only contain printable UTF-8 characters'),
)


def definition(metadata, spec, version):
    group = spec.get("group", "a.example.com")
    schema = {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": True}}
    return json.dumps({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": f"widgets.{group}", **metadata},
        "spec": {"group": group, "scope": "Namespaced", "names": {"kind": "Widget", "plural": "widgets"},
                 "versions": [{"name": "v1", "served": True, "storage": True, "schema": schema, **version}], **spec}})


HOST = "Host: a\r\n"

TOO_LARGE = "Request header fields too large: limit is 1048576, 65533 for one field"

# Version of HTTP and fields of a request for /version; code and message. Our own: kube-apiserver sends plain text.
FRAMES = (
    ("1.1", "", 400, "missing required Host header"),
    ("1.1", HOST + HOST, 400, "too many Host headers"),
    ("1.1", "Host: a b\r\n", 400, "malformed Host header"),
    ("1.1", HOST + "A: \x01\r\n", 400, "malformed HTTP request: bad value"),
    ("1.1", HOST + "Content-Length: x\r\n", 400, "malformed HTTP request: bad Content-Length"),
    ("1.1", HOST + "Content-Length: 1, 1\r\n", 400, 'bad Content-Length "1, 1"'),
    ("1.1", HOST + "Transfer-Encoding: gzip\r\n", 501, "Unsupported transfer encoding"),
    ("1.0", HOST + "Transfer-Encoding: chunked\r\n", 400, "Transfer-Encoding in a request of HTTP/1.0"),
    ("1.1", HOST + "Expect: luck\r\n", 417, "Expectation Failed"),
    ("1.1", HOST + "A: " + "x" * 100000 + "\r\n", 431, TOO_LARGE),
)


class server:
    """The one of the kubeconfig that KUBECONFIG names."""

    def __init__(self):
        text = read(os.environ["KUBECONFIG"])
        fields = dict(line.strip().split(": ", 1) for line in text.splitlines() if ": " in line)
        self.token = fields["token"]
        self.address = fields["server"].removeprefix("https://")
        authority = base64.b64decode(fields["certificate-authority-data"]).decode()
        self.context = ssl.create_default_context(cadata=authority)

    def message(self, method, path, body="", content="application/json"):
        """The status code and the message of an answer."""
        connection = http.client.HTTPSConnection(self.address, context=self.context, timeout=60)
        headers = {"Authorization": f"Bearer {self.token}"}
        if body:
            headers["Content-Type"] = content or "application/json"
        connection.request(method, path, body or None, headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, json.loads(text).get("message", text) if text.startswith("{") else text

    def framing_message(self, version, fields, path="/version"):
        """The status code and the message of the answer to a request with these fields, the last on its connection."""
        host, port = self.address.rsplit(":", 1)
        with socket.create_connection((host, int(port)), timeout=60) as plain, \
                self.context.wrap_socket(plain, server_hostname=host) as secure:
            request = f"GET {path} HTTP/{version}\r\nAuthorization: Bearer {self.token}\r\n{fields}\r\n"
            secure.sendall(request.encode("latin-1"))
            answer = http.client.HTTPResponse(secure)
            answer.begin()
            status = json.loads(answer.read())
            equal((status["kind"], status["code"], secure.recv(1)), ("Status", answer.status, b""))
            return answer.status, status["message"]


def compare_messages():
    api = server()
    equal(api.message("POST", PODS, new_pod())[0], 201)
    for method, path, body, content, code, message in UPSTREAM + OWN:
        equal(api.message(method, path, body, content), (code, message), (method, path, body))
    for metadata, spec, version, message in UPSTREAM_DEFINITIONS + OWN_DEFINITIONS:
        text = definition(metadata, spec, version)
        name = json.loads(text)["metadata"]["name"]
        equal(api.message("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", text),
              (422, f'CustomResourceDefinition.apiextensions.k8s.io "{name}" is invalid: {message}'), text)
    for version, fields, code, message in FRAMES:
        equal(api.framing_message(version, fields), (code, message), (version, fields[:80]))
    for size in (1_100_000, 3_000_000):  # of the longer one the server reads only a part
        equal(api.framing_message("1.1", HOST, "/version?" + "x" * size), (431, TOO_LARGE), size)
