#include "async/forms/forms.hpp"

#include <kftrain/kube/any_api.hpp>
#include <kftrain/kube/api.hpp>
#include <kftrain/kube/metadata.hpp>

// The operations of the clients of one type of objects.

BOOST_AUTO_TEST_SUITE(async_forms_api)

using namespace operation_forms;

BOOST_AUTO_TEST_CASE(a_client_sends_requests_in_every_form) {
    pod_and_job w;
    auto const& client = w.client;
    auto const read = kube::request::get(pod::resource, "default", "a");
    CHECK_FORMS(kube::client, client, async_call, kube::call_options, error_code(), read);
    CHECK_FORMS(kube::client, client, async_stream, kube::call_options, error_code(), read);
}

BOOST_AUTO_TEST_CASE(an_api_of_a_struct_has_every_form) {
    pod_and_job w;
    kube::api<pod> const pods(w.client, "default");
    auto const& a = w.stored_pod;
    kube::patch_body const nothing(patch_type::merge, "{}");
    auto const none = kube::list_options().with_label_selector("team=none");
    CHECK_FORMS(kube::api<pod>, pods, async_get, kube::call_options, error_code(), "a");
    CHECK_FORMS(kube::api<pod>, pods, async_list, kube::list_options, error_code());
    CHECK_FORMS(kube::api<pod>, pods, async_create, kube::write_options, reason::already_exists, a);
    CHECK_FORMS(kube::api<pod>, pods, async_replace, kube::write_options, error_code(), a);
    CHECK_FORMS(kube::api<pod>, pods, async_replace_status, kube::write_options, error_code(), a);
    CHECK_FORMS(kube::api<pod>, pods, async_patch, kube::write_options, error_code(), "a", nothing);
    CHECK_FORMS(kube::api<pod>, pods, async_patch_status, kube::write_options, error_code(), "a", nothing);
    CHECK_FORMS_WITH_OPTIONS(kube::api<pod>, pods, async_apply, kube::apply_options, errc::invalid_argument, a);
    CHECK_FORMS(kube::api<pod>, pods, async_delete, kube::delete_options, reason::not_found, "absent");
    CHECK_FORMS(kube::api<pod>, pods, async_delete_collection, kube::delete_options, error_code(), none);
}

BOOST_AUTO_TEST_CASE(an_api_of_any_type_has_every_form) {
    pod_and_job w;
    kube::any_api const pods(w.client, object_type_of<pod>, "default");
    any_object const a(w.stored_pod);
    kube::patch_body const nothing(patch_type::merge, "{}");
    auto const none = kube::list_options().with_label_selector("team=none");
    CHECK_FORMS(kube::any_api, pods, async_get, kube::call_options, error_code(), "a");
    CHECK_FORMS(kube::any_api, pods, async_list, kube::list_options, error_code());
    CHECK_FORMS(kube::any_api, pods, async_create, kube::write_options, reason::already_exists, a);
    CHECK_FORMS(kube::any_api, pods, async_replace, kube::write_options, error_code(), a);
    CHECK_FORMS(kube::any_api, pods, async_replace_status, kube::write_options, error_code(), a);
    CHECK_FORMS(kube::any_api, pods, async_patch, kube::write_options, error_code(), "a", nothing);
    CHECK_FORMS(kube::any_api, pods, async_patch_status, kube::write_options, error_code(), "a", nothing);
    CHECK_FORMS_WITH_OPTIONS(kube::any_api, pods, async_apply, kube::apply_options, errc::invalid_argument, a);
    CHECK_FORMS(kube::any_api, pods, async_delete, kube::delete_options, reason::not_found, "absent");
    CHECK_FORMS(kube::any_api, pods, async_delete_collection, kube::delete_options, error_code(), none);
}

// The server in the process does not send metadata alone.
BOOST_AUTO_TEST_CASE(an_api_of_metadata_has_every_form) {
    pod_and_job w;
    kube::metadata_api const pods(w.client, object_type_of<pod>, "default");
    auto const refused = reason::not_acceptable;
    CHECK_FORMS(kube::metadata_api, pods, async_get, kube::call_options, refused, "a");
    CHECK_FORMS(kube::metadata_api, pods, async_list, kube::list_options, refused);
    CHECK_FREE_FORMS(kube::metadata_api, pods, async_watch, kube::watch_options, refused);
    CHECK_FREE_FORMS(kube::metadata_api, pods, async_list_pages, kube::page_options, refused,
                     [](auto const&) { return true; });
    CHECK_FREE_FORMS(kube::metadata_api, pods, async_list_all, kube::page_options, refused);
}

BOOST_AUTO_TEST_SUITE_END()
