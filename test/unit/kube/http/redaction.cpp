#include "kube/http/redaction.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(kube_redaction)

using namespace kftrain::kube::detail;

namespace {

std::string hide(std::string_view secret, std::string text) {
    secrets s;
    s.add(secret);
    return s.hide(std::move(text));
}

} // namespace

BOOST_AUTO_TEST_CASE(a_secret_is_hidden_everywhere) {
    BOOST_TEST(hide("s3cret", "s3cret, as s3crets3cret.") == "[hidden], as [hidden][hidden].");
    BOOST_TEST(hide("s3cret", "s3cre") == "s3cre");
    BOOST_TEST(hide("aab-", "aaab-") == "a[hidden]");
}

BOOST_AUTO_TEST_CASE(other_spellings_of_a_secret_are_hidden) {
    std::string const secret = "a+b/c=d\"\n";
    for (std::string const spelled :
         {"a+b/c=d\"\n", "a%2Bb%2Fc%3Dd%22%0A", "a%2bb/c%3dd\"\n", "%61%2B%62%2F%63%3D%64%22%0a", R"(a+b\/c=d\"\n)",
          R"(a\u002bb/c\u003Dd\u0022\u000a)", R"(\x61+b/c=d"\n)"})
        BOOST_TEST(hide(secret, "<" + spelled + ">") == "<[hidden]>");
    BOOST_TEST(hide("pass word", "pass+word pass%20word") == "[hidden] [hidden]");
    BOOST_TEST(hide("50%25 off", "50%25 off, 50%2525%20off") == "[hidden], [hidden]");
}

BOOST_AUTO_TEST_CASE(parts_of_a_secret_are_hidden_from_eight_characters_on) {
    std::string const secret = "0123456789abcdef";
    BOOST_TEST(hide(secret, "at \"01234567\" or \"789abcdef\", 23456789ab") ==
               "at \"[hidden]\" or \"[hidden]\", [hidden]");
    BOOST_TEST(hide(secret, "0123456 9abcdef") == "0123456 9abcdef");
    BOOST_TEST(hide("aaaaaaaab-aaaaaaaac", "aaaaaaaac") == "[hidden]"); // the longest of several
}

BOOST_AUTO_TEST_CASE(invalid_encodings_are_treated_as_text) {
    for (std::string const text : {"toke", "%7", "%", "\\", "\\u00", "\\u007", "tok%6", "%zz"})
        BOOST_TEST(hide("token", text) == text);
}

BOOST_AUTO_TEST_CASE(the_longer_of_two_secrets_is_hidden_whole) {
    secrets s;
    s.add("abcd");
    s.add("abcdef");
    BOOST_TEST(s.hide("abcdef abcd") == "[hidden] [hidden]");
}

BOOST_AUTO_TEST_CASE(too_short_secrets_are_not_hidden) {
    BOOST_TEST(hide("", "text") == "text");
    BOOST_TEST(hide("tex", "text") == "text");
}

BOOST_AUTO_TEST_CASE(credentials_and_passwords_of_an_authorization_field_are_hidden) {
    secrets s;
    s.add_authorization("Bearer the-token");
    s.add_authorization("Basic dXNlcjpwYXNzOndvcmQ="); // user:pass:word
    s.add_authorization("naked-token");
    BOOST_TEST(s.hide("Bearer the-token, dXNlcjpwYXNzOndvcmQ= pass:word naked-token user") ==
               "Bearer [hidden], [hidden] [hidden] [hidden] user");
    secrets odd;
    for (auto const* value : {"", "Basic", "Basic ", "Basic =", "Basic dXNlcjo=", "Basic bm90aGluZw==", " "})
        odd.add_authorization(value);
    BOOST_TEST(odd.hide("user: nothing") == "user: nothing");
}

BOOST_AUTO_TEST_CASE(user_and_password_of_a_url_are_hidden) {
    BOOST_TEST(without_userinfo("https://user:pass@host:6443/x") == "https://[hidden]@host:6443/x");
    BOOST_TEST(without_userinfo("https://user:p/a@ss?@host") == "https://[hidden]@host");
    BOOST_TEST(without_userinfo("user:pass@host") == "[hidden]@host");
    BOOST_TEST(without_userinfo("ftp://host") == "ftp://host");
    BOOST_TEST(without_userinfo("") == "");
}

BOOST_AUTO_TEST_SUITE_END()
