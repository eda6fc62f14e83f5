#!/usr/bin/env python3
"""Proves on made-up trees that operation_forms.py accepts operations in all their forms and names what is missing."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

CHECKER = Path(__file__).with_name("operation_forms.py")

API = """\
namespace kftrain::kube {
/** The objects of one kind. A handle: copies share the client. */
template <resource K> class api {
public:
    /** Reads one object, see async_list(). */
    template <detail::completion_token Token = default_token>
    auto async_get(std::string name, call_options options = {}, Token&& token = Token()) const {
        return initiate([](std::string n, call_options o) {}, std::forward<Token>(token));
    }
    template <detail::completion_token Token> auto async_get(std::string name, Token&& token) const {
        return async_get(std::move(name), call_options(), std::forward<Token>(token));
    }
    template <detail::completion_token Token = default_token>
    auto async_apply(K const& object, apply_options options, Token&& token = Token()) const {}
};
template <class Api, detail::completion_token Token = default_token>
auto async_list_all(Api const& a, page_options options = {}, Token&& token = Token()) {}
template <class Api, detail::completion_token Token> auto async_list_all(Api const& a, Token&& token) {}
}
"""
INFORMER = """\
/// Belongs to the caller.
class informer {
    template <kube::detail::completion_token Token = kube::default_token> auto async_run(Token&& token = Token()) {}
};
"""
FACADE = """\
/** The client is a handle. */
class training_client {
    template <kube::detail::completion_token Token = kube::default_token>
    auto async_delete(job_reference job, job_delete_options options = {}, Token&& token = Token()) const {}
    template <kube::detail::completion_token Token> auto async_delete(job_reference job, Token&& token) const {}
    [[nodiscard]] result<void> delete_job(job_reference const& job, job_delete_options options = {}) const;
};
"""
FORMS = """\
BOOST_AUTO_TEST_CASE(forms) {
    CHECK_FORMS(kube::api<pod>, pods, async_get, kube::call_options, error_code(), "a");
    CHECK_FORMS_WITH_OPTIONS(kube::api<pod>, pods, async_apply, kube::apply_options, errc::invalid_argument, a);
    CHECK_FREE_FORMS(kube::api<pod>, pods, async_list_all, kube::page_options, error_code());
    CHECK_FREE_FORMS(kube::any_api, any_pods, async_list_all, kube::page_options, error_code());
    CHECK_FORMS_WITHOUT_OPTIONS(informer, i, async_run, errc::already_running);
    CHECK_FORMS(training_client, jobs, async_delete, job_delete_options, reason::not_found, absent);
    CHECK_BLOCKING_FORM(jobs, delete_job, job_delete_options, reason::not_found, absent);
}
"""
SOUND = {
    "include/kftrain/kube/api.hpp": API,
    "include/kftrain/kube/informer.hpp": INFORMER,
    "include/kftrain/training_client.hpp": FACADE,
    "test/async/forms/forms.cpp": FORMS,
}


class operation_forms(unittest.TestCase):
    def check(self, name="", old="", new=""):
        files = dict(SOUND)
        if name:
            self.assertIn(old, files[name])
            files[name] = files[name].replace(old, new)
        with tempfile.TemporaryDirectory() as root:
            for path, text in files.items():
                Path(root, path).parent.mkdir(parents=True, exist_ok=True)
                Path(root, path).write_text(text, encoding="utf-8")
            done = subprocess.run([sys.executable, CHECKER, root], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.splitlines()

    def refuses(self, name, old, new, *parts):
        code, lines = self.check(name, old, new)
        self.assertEqual(code, 1, lines)
        for part in parts:
            self.assertIn(part, "\n".join(lines[:-1]))

    def test_operations_in_all_their_forms_pass(self):
        self.assertEqual(self.check(), (0, ["5 operations, 0 faults"]))

    def test_an_operation_without_the_form_of_a_token_alone_fails(self):
        self.refuses("include/kftrain/kube/api.hpp",
                     "template <class Api, detail::completion_token Token> auto async_list_all",
                     "void list_all", "kube/api.hpp:17: Api::async_list_all cannot be called with a token alone")

    def test_an_operation_without_a_default_token_fails(self):
        self.refuses("include/kftrain/kube/api.hpp", "call_options options = {}, Token&& token = Token()",
                     "call_options options = {}, Token&& token", "api::async_get cannot be called without a token")

    def test_an_operation_without_options_fails(self):
        self.refuses("include/kftrain/kube/informer.hpp", "async_run", "async_wait",
                     "informer::async_wait has no overload with options")

    def test_a_token_that_accepts_options_fails(self):
        self.refuses("include/kftrain/kube/api.hpp", "template <detail::completion_token Token> auto async_get",
                     "template <class Token> auto async_get", "does not constrain its token")

    def test_mandatory_options_cannot_be_left_out_by_a_token(self):
        self.refuses("include/kftrain/kube/api.hpp", "std::string name, call_options options = {}",
                     "std::string name, call_options options", "cannot be called without options and token")

    def test_an_operation_without_a_token_fails(self):
        self.refuses("include/kftrain/kube/informer.hpp", "Token&& token = Token()", "std::function<void()> handler",
                     "its last parameter is `Token&& token`")

    def test_an_operation_that_changes_a_handle_fails(self):
        self.refuses("include/kftrain/kube/api.hpp", "Token&& token) const", "Token&& token)",
                     "is an operation of a handle")

    def test_an_operation_without_a_blocking_form_fails(self):
        self.refuses("include/kftrain/training_client.hpp", "result<void> delete_job(job_reference const& job, ",
                     "result<void> delete_job(", "has no blocking form delete_job(job_reference, options)")

    def test_an_operation_without_a_test_fails(self):
        self.refuses("test/async/forms/forms.cpp", "async_get,", "async_read,",
                     "api, async_get: test/async/forms checks 0 of 1")
        self.refuses("test/async/forms/forms.cpp", "CHECK_FREE_FORMS(kube::any_api", "IGNORE(kube::any_api",
                     "any_api, async_list_all")
        self.refuses("test/async/forms/forms.cpp", "jobs, delete_job", "jobs, remove",
                     "does not check the blocking form")


if __name__ == "__main__":
    unittest.main()
