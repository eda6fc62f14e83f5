#include "local/sandbox/channel.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <array>
#include <cstring>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>

namespace kftrain::local::sandbox {
namespace {

constexpr std::size_t max_inline = 60'000;
constexpr std::size_t max_fds = 4;
constexpr char inline_mark = 'j';
constexpr char file_mark = 'f'; // the text is in the first descriptor

unique_fd to_memory_file(std::string const& text) {
    unique_fd file(check(::memfd_create("kftrain-message", MFD_CLOEXEC), "make a memory file"));
    for (std::size_t at = 0; at < text.size();)
        at += static_cast<std::size_t>(
            check(::write(file.get(), text.data() + at, text.size() - at), "write a memory file"));
    return file;
}

std::string from_memory_file(int fd) {
    struct stat info{};
    check(::fstat(fd, &info), "inspect a memory file");
    std::string text(static_cast<std::size_t>(info.st_size), '\0');
    for (std::size_t at = 0; at < text.size();) {
        auto const n =
            check(::pread(fd, text.data() + at, text.size() - at, static_cast<off_t>(at)), "read a memory file");
        if (n == 0) throw std::runtime_error("a memory file is shorter than announced");
        at += static_cast<std::size_t>(n);
    }
    return text;
}

union control_space {
    std::array<char, CMSG_SPACE(sizeof(int) * max_fds)> bytes;
    cmsghdr align;
};

boost::json::value const* find(boost::json::object const& body, std::string_view member) {
    return body.if_contains({member.data(), member.size()});
}

[[noreturn]] void wrong(std::string_view member, char const* expected) {
    throw std::invalid_argument("member \"" + std::string(member) + "\" of the request: expected " + expected);
}

} // namespace

transfer send(int socket, std::string const& text, std::span<int const> fds, bool wait, std::int64_t id) {
    std::vector<int> all(fds.begin(), fds.end());
    unique_fd file;
    char mark = inline_mark;
    std::string stub;
    if (text.size() > max_inline) {
        file = to_memory_file(text);
        all.insert(all.begin(), file.get());
        mark = file_mark;
        if (id != 0) stub = boost::json::serialize(boost::json::object{{"id", id}});
    }
    auto const& packed = file ? stub : text;
    std::array<iovec, 2> parts{iovec{&mark, 1}, iovec{const_cast<char*>(packed.data()), packed.size()}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    control_space control{};
    if (!all.empty()) {
        if (all.size() > max_fds) throw std::invalid_argument("too many descriptors for one message");
        message.msg_control = control.bytes.data();
        message.msg_controllen = CMSG_SPACE(sizeof(int) * all.size());
        auto* head = CMSG_FIRSTHDR(&message);
        head->cmsg_level = SOL_SOCKET;
        head->cmsg_type = SCM_RIGHTS;
        head->cmsg_len = CMSG_LEN(sizeof(int) * all.size());
        std::memcpy(CMSG_DATA(head), all.data(), sizeof(int) * all.size());
    }
    for (;;) {
        if (::sendmsg(socket, &message, MSG_NOSIGNAL | (wait ? 0 : MSG_DONTWAIT)) >= 0) return transfer::done;
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return transfer::would_block;
        if (errno == EPIPE || errno == ECONNRESET || errno == ENOTCONN) return transfer::closed;
        fail("send a message");
    }
}

transfer send(int socket, boost::json::object const& body, std::span<int const> fds) {
    auto const* id = body.if_contains("id");
    return send(socket, boost::json::serialize(body), fds, true, id != nullptr && id->is_int64() ? id->as_int64() : 0);
}

transfer receive(int socket, datagram& into, bool wait) {
    std::string buffer(max_inline + 1, '\0');
    iovec part{buffer.data(), buffer.size()};
    control_space control{};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = control.bytes.data();
    message.msg_controllen = control.bytes.size();
    ssize_t size = -1;
    while (size < 0) {
        size = ::recvmsg(socket, &message, MSG_CMSG_CLOEXEC | (wait ? 0 : MSG_DONTWAIT));
        if (size >= 0 || errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) return transfer::would_block;
        if (errno == ECONNRESET || errno == ENOTCONN) return transfer::closed;
        fail("receive a message");
    }
    if (size == 0) return transfer::closed;
    into.fds.clear();
    for (auto* head = CMSG_FIRSTHDR(&message); head != nullptr; head = CMSG_NXTHDR(&message, head)) {
        if (head->cmsg_level != SOL_SOCKET || head->cmsg_type != SCM_RIGHTS) continue;
        auto const count = (head->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (std::size_t i = 0; i < count; ++i) {
            int fd = -1;
            std::memcpy(&fd, CMSG_DATA(head) + i * sizeof(int), sizeof(int));
            into.fds.emplace_back(fd);
        }
    }
    if ((message.msg_flags & MSG_TRUNC) != 0) throw std::runtime_error("a message was truncated");
    into.cut = (message.msg_flags & MSG_CTRUNC) != 0;
    if (into.cut) into.fds.clear();
    std::string text = buffer.substr(1, static_cast<std::size_t>(size) - 1);
    if (buffer[0] == file_mark && !into.cut) {
        if (into.fds.empty()) throw std::runtime_error("a long message arrived without its memory file");
        text = from_memory_file(into.fds.front().get());
        into.fds.erase(into.fds.begin());
    }
    if (text.empty()) throw std::runtime_error("a message was truncated");
    into.body = boost::json::parse(text).as_object();
    return transfer::done;
}

datagram call(int socket, boost::json::object const& request) {
    auto [ours, theirs] = make_socket_pair(); // several processes of a node share one socket
    int const fd = theirs.get();
    datagram reply;
    bool const sent = send(socket, request, {&fd, 1}) == transfer::done;
    theirs.reset();
    if (!sent || receive(ours.get(), reply) == transfer::closed) throw std::runtime_error("the supervisor ended");
    if (reply.cut) throw std::system_error(EMFILE, std::generic_category(), "receive a reply of the supervisor");
    return reply;
}

std::string text_of(boost::json::object const& body, std::string_view member) {
    auto const* value = find(body, member);
    if (value == nullptr || !value->is_string()) wrong(member, "a string");
    return {value->as_string().data(), value->as_string().size()};
}

std::int64_t number_of(boost::json::object const& body, std::string_view member) {
    auto const* value = find(body, member);
    if (value == nullptr || !value->is_int64()) wrong(member, "an integer");
    return value->as_int64();
}

std::vector<std::string> texts_of(boost::json::object const& body, std::string_view member) {
    std::vector<std::string> list;
    auto const* value = find(body, member);
    if (value == nullptr) return list;
    if (!value->is_array()) wrong(member, "an array of strings");
    for (auto const& item : value->as_array()) {
        if (!item.is_string()) wrong(member, "an array of strings");
        list.emplace_back(item.as_string().data(), item.as_string().size());
    }
    return list;
}

} // namespace kftrain::local::sandbox
