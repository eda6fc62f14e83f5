#include "kube/exec/exec_protocol.hpp"
#include "kube/streams/websocket_frames.hpp"

#include <kftrain/kube/exec.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <vector>

BOOST_AUTO_TEST_SUITE(unit_exec_protocol)

using namespace kftrain;
using namespace kftrain::kube::detail;
using namespace std::string_literals;

namespace {

constexpr frame_mask mask{0x37, 0xfa, 0x21, 0x3d};

std::vector<std::string> messages_of(websocket_parser& parser) {
    std::vector<std::string> found;
    while (auto m = parser.next()) found.push_back(std::to_string(static_cast<int>(m->type)) + ":" + m->payload);
    return found;
}

void expect_fault(std::string const& bytes, std::uint16_t code, connection_role role = connection_role::client,
                  std::size_t limit = 1000) {
    websocket_parser parser(role, limit);
    parser.put(bytes);
    BOOST_TEST(!parser.next().has_value());
    BOOST_TEST(parser.fault() == code);
    parser.put(write_frame(frame_type::binary, "later", std::nullopt));
    BOOST_TEST(!parser.next().has_value());
}

} // namespace

// RFC 6455, section 5.7.
BOOST_AUTO_TEST_CASE(web_socket_frames_follow_the_specification) {
    BOOST_TEST(write_frame(frame_type::text, "Hello", std::nullopt) == "\x81\x05Hello");
    BOOST_TEST(write_frame(frame_type::text, "Hello", mask) == "\x81\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
    BOOST_TEST(write_frame(frame_type::pong, "Hello", mask) == "\x8a\x85\x37\xfa\x21\x3d\x7f\x9f\x4d\x51\x58");
    std::string const medium(256, 'x'), large(65536, 'y');
    BOOST_TEST((write_frame(frame_type::binary, medium, std::nullopt) == "\x82\x7e\x01\x00"s + medium));
    BOOST_TEST(
        (write_frame(frame_type::binary, large, std::nullopt) == "\x82\x7f\x00\x00\x00\x00\x00\x01\x00\x00"s + large));
    BOOST_TEST(close_payload(1000) == "\x03\xe8"s);
}

// RFC 6455, section 1.3.
BOOST_AUTO_TEST_CASE(the_accept_key_follows_the_specification) {
    BOOST_TEST(websocket_accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    BOOST_TEST(make_websocket_key().size() == 24U);
    BOOST_TEST(make_websocket_key() != make_websocket_key());
}

// RFC 6455, sections 5.5.1 and 7.4.
BOOST_AUTO_TEST_CASE(close_frames_with_an_invalid_payload_are_protocol_errors) {
    auto const close = [](std::string const& payload) { return write_frame(frame_type::close, payload, std::nullopt); };
    expect_fault(close("\x03"), 1002);
    std::vector<std::uint16_t> const reserved{0, 999, 1004, 1005, 1006, 1015, 5000};
    for (auto const code : reserved) expect_fault(close(close_payload(code)), 1002);
    for (std::string const& payload : {""s, close_payload(1000), close_payload(1011, "why"), close_payload(4999)}) {
        websocket_parser parser(connection_role::client, 1000);
        parser.put(close(payload));
        BOOST_TEST(messages_of(parser) == std::vector<std::string>{"8:" + payload}, boost::test_tools::per_element());
        BOOST_TEST(parser.fault() == 0);
    }
}

BOOST_AUTO_TEST_CASE(messages_are_parsed_in_any_segmentation) {
    // Of RFC 6455: a text in two frames, with a ping between them.
    std::string const bytes = "\x01\x03Hel"s + "\x89\x05Hello"s + "\x80\x02lo"s +
                              write_frame(frame_type::binary, std::string(300, 'z'), std::nullopt) +
                              write_frame(frame_type::close, close_payload(1000), std::nullopt);
    std::vector<std::string> const expected{"9:Hello", "1:Hello", "2:" + std::string(300, 'z'), "8:\x03\xe8"s};
    for (std::size_t const size : {std::size_t(1), std::size_t(2), std::size_t(7), bytes.size()}) {
        websocket_parser parser(connection_role::client, 1000);
        std::vector<std::string> found;
        for (std::size_t i = 0; i < bytes.size(); i += size) {
            parser.put(std::string_view(bytes).substr(i, size));
            for (auto& m : messages_of(parser)) found.push_back(std::move(m));
        }
        BOOST_TEST(found == expected, boost::test_tools::per_element());
        BOOST_TEST(parser.fault() == 0);
    }
    websocket_parser server(connection_role::server, 1000);
    server.put(write_frame(frame_type::binary, "masked", mask));
    BOOST_TEST(messages_of(server) == std::vector<std::string>{"2:masked"}, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(invalid_frames_are_an_error) {
    expect_fault("\xc1\x01x", 1002);                                 // a reserved bit
    expect_fault("\x83\x01x", 1002);                                 // an opcode that does not exist
    expect_fault("\x80\x01x", 1002);                                 // goes on with nothing
    expect_fault("\x01\x01x\x81\x01y", 1002);                        // begins within a message
    expect_fault("\x09\x01x", 1002);                                 // a control frame in pieces
    expect_fault("\x89\x7e\x00\x7e"s + std::string(126, 'x'), 1002); // a long control frame
    expect_fault(write_frame(frame_type::binary, "x", mask), 1002);  // a server must not mask
    expect_fault(write_frame(frame_type::binary, "x", std::nullopt), 1002, connection_role::server);
    expect_fault("\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff"s, 1009);                       // before its bytes come
    expect_fault("\x02\x7e\x02\x00"s + std::string(512, 'x') + "\x80\x7e\x02\x00"s, 1009); // two frames together
}

BOOST_AUTO_TEST_CASE(the_end_of_a_command_is_its_exit_code) {
    for (int const code : {0, 1, 137}) {
        exec_end end;
        end.exit_code = code;
        auto const read = read_exec_end(write_exec_end(end));
        BOOST_TEST_REQUIRE(read.has_value());
        BOOST_TEST(*read == code);
    }
    // As API servers write them.
    BOOST_TEST(read_exec_end(R"({"metadata":{},"status":"Success"})").value() == 0);
    BOOST_TEST(read_exec_end(R"({"metadata":{},"status":"Failure","message":"command terminated with non-zero exit )"
                             R"(code: error executing command [false], exit code 1","reason":"NonZeroExitCode",)"
                             R"("details":{"causes":[{"reason":"ExitCode","message":"1"}]}})")
                   .value() == 1);
    auto const failed = read_exec_end(R"({"metadata":{},"status":"Failure","message":"Internal error occurred: no )"
                                      R"(runtime","reason":"InternalError","code":500})");
    BOOST_TEST(failed.error().code == make_error_code(reason::internal_error));
    BOOST_TEST(failed.error().detail.message == "Internal error occurred: no runtime");
    exec_end unstarted;
    unstarted.message = "no memory";
    BOOST_TEST(read_exec_end(write_exec_end(unstarted)).error().detail.message == "Internal error occurred: no memory");
    for (auto const* text : {"", "{}", "x", R"({"status":"Failure","reason":"NonZeroExitCode"})",
                             R"({"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[)"
                             R"({"reason":"ExitCode","message":"1x"}]}})"})
        BOOST_TEST(read_exec_end(text).error().code == make_error_code(errc::protocol), text);
}

BOOST_AUTO_TEST_CASE(exec_options_become_query_parameters) {
    using kube::exec_options;
    auto const target = [](exec_options const& o) {
        auto const r = kube::request::pod_exec("d", "p", {"sh", "a b"}, o);
        return r ? r->target : r.error().detail.path;
    };
    std::string const start = "/api/v1/namespaces/d/pods/p/exec?command=sh&command=a%20b";
    BOOST_TEST(target(exec_options()) == start + "&stdout=true&stderr=true");
    BOOST_TEST(target(exec_options().with_output(false)) == start + "&stderr=true");
    BOOST_TEST(target(exec_options().with_error_output(false).with_container("c")) ==
               start + "&container=c&stdout=true");
    BOOST_TEST(target(exec_options().with_tty().with_input()) == start + "&stdin=true&stdout=true&tty=true");
    BOOST_TEST(target(exec_options().with_output(false).with_error_output(false)) == "output");
    BOOST_TEST(target(exec_options().with_output(false).with_tty()) == "output");
}

BOOST_AUTO_TEST_CASE(lists_in_header_fields_may_be_divided_in_any_way) {
    kube::http_fields fields;
    fields.add("Sec-WebSocket-Protocol", " a ,b");
    fields.add("sec-websocket-protocol", "c,,");
    BOOST_TEST(list_of(fields, "Sec-WebSocket-Protocol") == (std::vector<std::string>{"a", "b", "c"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
