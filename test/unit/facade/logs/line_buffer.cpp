#include "facade/logs/line_buffer.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>

BOOST_AUTO_TEST_SUITE(unit_facade_line_buffer)

using namespace kftrain;

namespace {

struct buffered {
    explicit buffered(std::size_t lines, std::size_t bytes) : buffer(lines, bytes) {}

    buffered_line line(std::string text) const {
        buffered_line l;
        l.origin = origin;
        l.text = std::move(text);
        return l;
    }
    bool put(std::string text) {
        auto l = line(std::move(text));
        return buffer.put(l);
    }
    std::unique_ptr<line_buffer::entry> wait(std::string text) {
        return std::make_unique<line_buffer::entry>(buffer, io.get_executor(), line(std::move(text)));
    }
    std::string take() {
        auto l = buffer.take();
        return l ? l->text : "nothing";
    }

    boost::asio::io_context io;
    std::shared_ptr<log_origin> origin = std::make_shared<log_origin>();
    line_buffer buffer;
};

} // namespace

BOOST_AUTO_TEST_CASE(lines_and_bytes_are_limited_but_one_line_always_fits) {
    buffered b(2, 4);
    BOOST_TEST(b.put("longer than all of it"));
    BOOST_TEST(!b.put("x"));
    BOOST_TEST(b.take() == "longer than all of it");
    BOOST_TEST(b.put("ab"));
    BOOST_TEST(!b.put("abc"));
    BOOST_TEST(b.put(""));
    BOOST_TEST(!b.put(""));
    BOOST_TEST(b.buffer.bytes() == 2U);
    BOOST_TEST(b.origin->queued == 2U);
    BOOST_TEST(b.take() == "ab");
    BOOST_TEST(b.take() == "");
    BOOST_TEST(b.take() == "nothing");
    BOOST_TEST(b.origin->queued == 0U);
}

BOOST_AUTO_TEST_CASE(waiting_callers_are_admitted_in_order) {
    buffered b(1, 100);
    BOOST_TEST(b.put("first"));
    auto second = b.wait("second");
    auto left = b.wait("left");
    auto third = b.wait("third");
    left.reset();
    BOOST_TEST(b.take() == "first");
    BOOST_TEST(second->is_in());
    BOOST_TEST(!third->is_in());
    BOOST_TEST(!b.put("overtakes"));
    BOOST_TEST(b.take() == "second");
    BOOST_TEST(third->is_in());
    BOOST_TEST(b.take() == "third");
    BOOST_TEST(b.put("fourth"));
    auto fifth = b.wait("fifth");
    b.buffer.close();
    BOOST_TEST(b.take() == "nothing");
    BOOST_TEST(!fifth->is_in());
}

BOOST_AUTO_TEST_SUITE_END()
