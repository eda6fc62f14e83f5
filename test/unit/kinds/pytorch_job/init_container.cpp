#include "unit/job/sample.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kinds_pytorch_job_init_container)

using namespace sample;

namespace {

pytorch_operator_options with(std::string text) {
    pytorch_operator_options reported;
    reported.init_container_image = "example.com/a+b:1";
    reported.init_container_max_tries = 7;
    reported.init_container_template = std::move(text);
    return reported;
}

std::vector<core::container> of_a_worker(pytorch_operator_options const& reported) {
    for (auto const& c : any_job(job(1, 1)).render(operator_options().set(reported)))
        if (auto const* p = c.get_if<pod>(); p != nullptr && p->metadata.name == "pt-worker-0")
            return p->spec.init_containers;
    return {};
}

} // namespace

BOOST_AUTO_TEST_CASE(a_template_replaces_the_init_container) {
    auto const made = of_a_worker(with("- name: first\n  image: '{{.InitContainerImage}}'\n  command: [wait, "
                                       "'{{ .MasterAddr }}', '{{- .MaxTries -}}  ']\n- name: second\n"));
    BOOST_TEST_REQUIRE(made.size() == 2U);
    BOOST_TEST(made[0].name == "first");
    BOOST_TEST(made[0].command.at(1) == "pt-master-0");
    BOOST_TEST(made[0].command.at(2) == "7");
    BOOST_TEST(made[1].name == "second");
}

// Go's html/template: htmlReplacementTable
BOOST_AUTO_TEST_CASE(values_are_escaped_as_html) {
    BOOST_TEST(of_a_worker(with("- image: \"{{.InitContainerImage}}\"")).at(0).image == "example.com/a&#43;b:1");
    BOOST_TEST(of_a_worker(with("")).at(0).image == "example.com/a&#43;b:1");
}

BOOST_AUTO_TEST_CASE(an_invalid_template_is_reported_and_ignored) {
    for (auto const& [text, message] :
         {std::pair("- name: {{.Other}}",
                    "init container template: expected .MasterAddr, .InitContainerImage or .MaxTries between {{ and "
                    "}}, found \".Other\""),
          std::pair("- name: {{.MasterAddr",
                    "init container template: expected }} after {{, found the end of the text")}) {
        auto const read = read_init_container_template(with(text), "pt-master-0");
        BOOST_TEST_REQUIRE(read.has_error());
        BOOST_TEST(read.error().detail.message == message);
        BOOST_TEST(of_a_worker(with(text)).at(0).name == "init-pytorch");
    }
    BOOST_TEST(read_init_container_template(with("name: x"), "pt-master-0").has_error());
}

BOOST_AUTO_TEST_SUITE_END()
