#include "apiserver/journal/journal.hpp"
#include "unit/apiserver/journal/temporary_place.hpp"

#include <boost/test/unit_test.hpp>

#include <sys/stat.h>

BOOST_AUTO_TEST_SUITE(apiserver_journal_file)

using namespace sample;
using namespace kftrain;
using namespace kftrain::apiserver;

namespace {

std::string message_of(result<void> const& r) { return r ? "no error" : r.error().to_string(); }

result<void> opened(temporary_place const& place) {
    auto j = journal::open(place.directory);
    return j ? result<void>() : result<void>(j.error());
}

store_change change(std::string name, std::uint64_t version, std::string_view text) {
    store_change c;
    c.plural = "pods";
    c.namespace_ = "default";
    c.name = std::move(name);
    c.version = version;
    c.text = text;
    return c;
}

std::unique_ptr<journal> empty_journal(temporary_place const& place) {
    auto j = journal::open(place.directory).value();
    j->rewrite([](auto const&) {}, 1).value();
    return j;
}

} // namespace

BOOST_AUTO_TEST_CASE(an_unfinished_last_line_is_dropped_at_every_length) {
    temporary_place place;
    {
        auto const j = empty_journal(place);
        j->append(change("one", 2, R"({"a":1})"));
        j->flush().value();
    }
    auto const confirmed = place.read();
    {
        auto const j = journal::open(place.directory).value();
        BOOST_TEST(j->objects().size() == 1u);
    }
    auto const line = confirmed.substr(confirmed.find('\n') + 1);
    for (std::size_t n = 0; n < line.size(); ++n) {
        place.write(confirmed + line.substr(0, n));
        auto const j = journal::open(place.directory).value();
        BOOST_TEST(j->objects().size() == 1u);
        BOOST_TEST(j->version() == 2u);
    }
}

BOOST_AUTO_TEST_CASE(every_damaged_byte_of_a_confirmed_line_is_an_error_with_its_line) {
    temporary_place place;
    {
        auto const j = empty_journal(place);
        j->append(change("one", 2, R"({"a":1})"));
        j->append(change("two", 3, R"({"a":2})"));
        j->flush().value();
    }
    auto const whole = place.read();
    for (std::size_t i = 0; i < whole.size(); ++i) {
        auto damaged = whole;
        damaged[i] = damaged[i] == 'x' ? 'y' : 'x';
        place.write(damaged);
        auto const r = opened(place);
        if (i + 1 == whole.size()) { // looks as if it were unfinished
            BOOST_TEST(r.has_value());
            continue;
        }
        BOOST_REQUIRE(!r.has_value());
        BOOST_TEST((r.error().code == errc::syntax));
        BOOST_TEST(message_of(r).find(place.file.string() + ", line ") == 0u);
    }
    place.write("");
    BOOST_TEST(message_of(opened(place)) == place.file.string() + ": expected a journal, got an empty file");
}

BOOST_AUTO_TEST_CASE(files_that_are_none_are_refused) {
    for (auto const* name : {"journal", "lock"}) {
        temporary_place place;
        std::filesystem::create_directory(place.directory);
        auto const file = place.directory / name;
        BOOST_REQUIRE(::mkfifo(file.c_str(), 0600) == 0);
        BOOST_TEST(message_of(opened(place)) == file.string() + ": expected a regular file that belongs to you");
    }
}

BOOST_AUTO_TEST_CASE(another_format_is_refused) {
    temporary_place place;
    std::filesystem::create_directory(place.directory);
    place.write("4360a854 {\"format\":2,\"version\":1}\n");
    BOOST_TEST(message_of(opened(place)) == place.file.string() + ", line 1: expected the format 1, got 2");
}

BOOST_AUTO_TEST_CASE(the_file_is_rewritten_when_it_has_grown) {
    temporary_place place;
    auto const j = empty_journal(place);
    std::string const text = "{\"a\":\"" + std::string(std::size_t{1} << 20U, 'a') + "\"}";
    std::uint64_t version = 1;
    while (!j->has_grown()) {
        j->append(change("one", ++version, text));
        j->flush().value();
        BOOST_REQUIRE(version < 100u);
    }
    BOOST_TEST(version > 60u);
    j->rewrite([&](auto const& take) { take(change("one", version, text)); }, version).value();
    BOOST_TEST(!j->has_grown());
    BOOST_TEST(std::filesystem::file_size(place.file) < 2 * text.size());
}

BOOST_AUTO_TEST_CASE(a_directory_that_others_can_write_is_refused) {
    temporary_place place;
    std::filesystem::create_directory(place.directory);
    for (auto const mode : {0770, 0707}) {
        ::chmod(place.directory.c_str(), static_cast<mode_t>(mode));
        BOOST_TEST(message_of(opened(place)) ==
                   place.directory.string() +
                       ": expected a directory that belongs to you and that no other user can write");
    }
    ::chmod(place.directory.c_str(), 0755);
    BOOST_TEST(opened(place).has_value());
    std::filesystem::rename(place.directory, place.parent.path / "real");
    std::filesystem::create_symlink(place.parent.path / "real", place.directory);
    BOOST_TEST(!opened(place).has_value());
}

BOOST_AUTO_TEST_SUITE_END()
