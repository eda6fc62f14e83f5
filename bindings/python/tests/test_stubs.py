import pydoc
import re
import subprocess
import sys

from conftest import SOURCES

from kftrain import models
from kftrain._convert import fields_of
from kftrain._documentation import _texts
from kftrain._model import classes
from kftrain.models.core import PodSpec
from kftrain.models.kubeflow_v1 import ElasticPolicy, PyTorchJob


def test_the_stubs_are_those_of_the_tables():
    subprocess.run([sys.executable, SOURCES / "bindings/python/scripts/stubs.py", "--check"], check=True)


def test_classes_and_fields_have_the_comments_of_the_headers():
    assert PyTorchJob.__doc__ == "A PyTorch training job: at most one master, any number of workers, or workers only."
    assert PodSpec.restart_policy.__doc__ == "Always, OnFailure or Never; empty means Always"
    types = [cls for cls in classes.values() if cls._type.resource is None or not cls._type.resource[4]]  # no lists
    assert len(types) > 250
    for cls in types:
        assert [field.name for field in fields_of(cls._type) if not getattr(cls, field.name).__doc__] == []
    page = pydoc.plain(pydoc.render_doc(ElasticPolicy))
    assert "c10d, etcd or etcd-v2" in page and "a job whose number of workers may change" in page


def test_no_comment_of_an_object_is_lost():
    texts = "".join(text for name in models.__all__ for text in _texts(name).values())
    folders = [path for path in (SOURCES / "include/kftrain/objects").iterdir() if path.name in models.__all__]
    headers = [header for folder in folders for header in folder.rglob("*.hpp")]
    comments = [text for header in headers for text in re.findall(r"(?<!unknown); +///< (.*)", header.read_text())]
    assert len(comments) > 300
    assert not {text for text in comments if "`" not in text and text not in texts}


def test_documentation_of_every_type_can_be_read():
    for cls in classes.values():
        assert cls.__doc__ is None or cls.__doc__.strip()
        for name in dir(cls):
            getattr(cls, name).__doc__
