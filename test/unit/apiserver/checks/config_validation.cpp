#include "unit/apiserver/sample.hpp"

#include "model/scalars/base64.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(apiserver_config_validation)

using namespace sample;

// Config maps and secrets. Expected: kubernetes pkg/apis/core/validation/validation.go (ValidateConfigMap,
// ValidateSecret and those of updates), v1.31.3.
namespace {

struct refused_configs : stored_sample {
    std::string fault(kind_id kind, std::string const& rest) {
        auto const r = store.create(kind, "default", parse(R"({"metadata":{"name":"x"})" + rest + "}"), at(0));
        if (r) return "";
        BOOST_TEST(r.error().code == 422u);
        return r.error().message;
    }
    std::string map(std::string const& rest) { return fault(config_maps, "," + rest); }
    std::string secret(std::string const& rest) { return fault(secrets, "," + rest); }
    std::string of_type(std::string const& type, std::string const& data) {
        return secret(R"("type":"kubernetes.io/)" + type + R"(","stringData":{)" + data + "}");
    }
    std::string change(kind_id kind, std::string const& patch) {
        auto const r = store.patch(kind, "default", "x", patch_type::merge, patch, at(1));
        return r ? "" : r.error().message;
    }
};

std::string const key_syntax =
    "a valid config key must consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or "
    "'key-name', regex used for validation is '[-._a-zA-Z0-9]+')";

} // namespace

BOOST_AUTO_TEST_CASE(keys_have_the_syntax_of_file_names) {
    refused_configs w;
    BOOST_TEST(w.map(R"("data":{"a/b":"1","ok.x_y-z":"2"},"binaryData":{"..":"eA=="})") ==
               "ConfigMap \"x\" is invalid: [data[a/b]: Invalid value: \"a/b\": " + key_syntax +
                   ", binaryData[..]: Invalid value: \"..\": must not be '..']");
    BOOST_TEST(w.secret(R"("data":{"a b":"eA=="})") ==
               "Secret \"x\" is invalid: data[a b]: Invalid value: \"a b\": " + key_syntax);
    BOOST_TEST(w.secret(R"("stringData":{"..a":"1"})") ==
               "Secret \"x\" is invalid: data[..a]: Invalid value: \"..a\": must not start with '..'");
}

BOOST_AUTO_TEST_CASE(a_key_in_data_and_binary_data_is_rejected) {
    refused_configs w;
    BOOST_TEST(w.map(R"("data":{"a":"1"},"binaryData":{"a":"eA=="})") ==
               "ConfigMap \"x\" is invalid: data[a]: Invalid value: \"a\": duplicate of key present in binaryData");
}

BOOST_AUTO_TEST_CASE(data_is_limited_to_one_mebibyte) {
    refused_configs w;
    std::string const most(std::size_t{1} << 20U, 'x');
    BOOST_TEST(w.map(R"("data":{"a":")" + most + R"(","b":"y"})") ==
               "ConfigMap \"x\" is invalid: []: Too long: must have at most 1048576 bytes");
    BOOST_TEST(w.secret(R"("stringData":{"a":")" + most + R"(","b":"y"})") ==
               "Secret \"x\" is invalid: data: Too long: must have at most 1048576 bytes");
    BOOST_TEST(w.map(R"("data":{"a":")" + most + "\"}") == "");
    BOOST_TEST(w.secret(R"("data":{"a":")" + base64_encode(most) + "\"}") == "");
}

BOOST_AUTO_TEST_CASE(secret_types_require_their_keys) {
    refused_configs w;
    std::string const head = "Secret \"x\" is invalid: ", missing = "]: Required value";
    BOOST_TEST(w.of_type("ssh-auth", R"("ssh-publickey":"p")") == head + "data[ssh-privatekey" + missing);
    BOOST_TEST(w.of_type("ssh-auth", R"("ssh-privatekey":"")") == head + "data[ssh-privatekey" + missing);
    BOOST_TEST(w.of_type("tls", "") == head + "[data[tls.crt" + missing + ", data[tls.key" + missing + "]");
    BOOST_TEST(w.of_type("basic-auth", "") == head + "[data[username" + missing + ", data[password" + missing + "]");
    BOOST_TEST(w.of_type("dockercfg", "") == head + "data[.dockercfg" + missing);
    BOOST_TEST(
        w.of_type("dockerconfigjson", R"(".dockerconfigjson":"")") ==
        head + "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": unexpected end of JSON input");
    BOOST_TEST(
        w.of_type("dockerconfigjson", R"(".dockerconfigjson":"[1]")") ==
        head +
            "data[.dockerconfigjson]: Invalid value: \"<secret contents redacted>\": json: cannot unmarshal array into "
            "Go value of type map[string]interface {}");
    auto const hidden = w.of_type("dockerconfigjson", R"(".dockerconfigjson":"s3cret")");
    BOOST_TEST(hidden.find("<secret contents redacted>") != std::string::npos);
    BOOST_TEST(hidden.find("s3cret") == std::string::npos);
    BOOST_TEST(w.of_type("service-account-token", "") ==
               head + "metadata.annotations[kubernetes.io/service-account.name" + missing);
    BOOST_TEST(w.of_type("basic-auth", R"("password":"")") == "");
}

BOOST_AUTO_TEST_CASE(the_type_of_a_secret_is_immutable) {
    refused_configs w;
    BOOST_TEST(w.secret(R"("type":"a/b")") == "");
    BOOST_TEST(w.change(w.secrets, R"({"type":"a/c"})") ==
               "Secret \"x\" is invalid: type: Invalid value: \"a/c\": field is immutable");
    BOOST_TEST(w.change(w.secrets, R"({"stringData":{"a":"1"}})") == "");
}

BOOST_AUTO_TEST_CASE(immutable_objects_keep_their_data_and_immutability) {
    std::string const kept = "Forbidden: field is immutable when `immutable` is set";
    refused_configs w;
    BOOST_TEST(w.map(R"("data":{"a":"1"})") == "");
    BOOST_TEST(w.change(w.config_maps, R"({"immutable":true,"data":{"a":"2"}})") == "");
    BOOST_TEST(w.change(w.config_maps, R"({"immutable":null,"data":{"a":"3"},"binaryData":{"b":"eA=="}})") ==
               "ConfigMap \"x\" is invalid: [immutable: " + kept + ", data: " + kept + ", binaryData: " + kept + "]");
    BOOST_TEST(w.change(w.config_maps, R"({"metadata":{"labels":{"a":"b"}}})") == "");
    BOOST_TEST(w.secret(R"("immutable":true,"stringData":{"a":"1"})") == "");
    BOOST_TEST(w.change(w.secrets, R"({"stringData":{"a":"2"}})") == "Secret \"x\" is invalid: data: " + kept);
}

BOOST_AUTO_TEST_SUITE_END()
