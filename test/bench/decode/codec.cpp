// usage: bench_codec [MEGABYTES|FILE [ROUNDS]]
//
// Reads and writes one PodList (see pod_list.hpp, or that in FILE) with this library and, in the same round, with its
// peers. The table contains ratios within one round, since seconds of different machines cannot be compared; see
// paired.hpp.
#include "bench/decode/pod_list.hpp"
#include "bench/support/paired.hpp"

#include <kftrain/model/codec.hpp>
#include <kftrain/model/reflect.hpp>
#include <kftrain/objects/core.hpp>

#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/monotonic_resource.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <malloc.h>
#include <memory>
#include <new>

namespace {

std::size_t blocks_made = 0;

} // namespace

/// Counts, for what all rows pay alike.
void* operator new(std::size_t size) {
    ++blocks_made;
    if (void* const block = std::malloc(size)) return block;
    throw std::bad_alloc();
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t) noexcept { std::free(block); }

namespace kftrain::bench {

/// The part of a pod that an informer would keep to count ready pods.
struct outline_meta {
    outline_meta() = default;

    std::string name;
    std::string namespace_;
    std::string uid;
    std::string resource_version;
    string_map labels;
};
BOOST_DESCRIBE_STRUCT(outline_meta, (), (name, namespace_, uid, resource_version, labels))

struct outline_spec {
    outline_spec() = default;

    std::string node_name;
};
BOOST_DESCRIBE_STRUCT(outline_spec, (), (node_name))

struct outline_status {
    outline_status() = default;

    std::string phase;
    std::vector<core::pod_condition> conditions;
};
BOOST_DESCRIBE_STRUCT(outline_status, (), (phase, conditions))

struct pod_outline {
    pod_outline() = default;

    static constexpr resource_info resource = pod::resource;

    outline_meta metadata;
    outline_spec spec;
    outline_status status;
};
BOOST_DESCRIBE_STRUCT(pod_outline, (), (metadata, spec, status))

namespace {

namespace json = boost::json;

/// Takes every event and does nothing: the least that any use of Boost.JSON's parser costs.
struct no_handler {
    static constexpr std::size_t max_object_size = -1;
    static constexpr std::size_t max_array_size = -1;
    static constexpr std::size_t max_key_size = -1;
    static constexpr std::size_t max_string_size = -1;
    using ec = boost::system::error_code;
    using sv = json::string_view;
    bool on_document_begin(ec&) { return true; }
    bool on_document_end(ec&) { return true; }
    bool on_object_begin(ec&) { return true; }
    bool on_object_end(std::size_t, ec&) { return true; }
    bool on_array_begin(ec&) { return true; }
    bool on_array_end(std::size_t, ec&) { return true; }
    bool on_key_part(sv, std::size_t, ec&) { return true; }
    bool on_key(sv, std::size_t, ec&) { return true; }
    bool on_string_part(sv, std::size_t, ec&) { return true; }
    bool on_string(sv, std::size_t, ec&) { return true; }
    bool on_number_part(sv, ec&) { return true; }
    bool on_int64(std::int64_t, sv, ec&) { return true; }
    bool on_uint64(std::uint64_t, sv, ec&) { return true; }
    bool on_double(double, sv, ec&) { return true; }
    bool on_bool(bool, ec&) { return true; }
    bool on_null(ec&) { return true; }
    bool on_comment_part(sv, ec&) { return true; }
    bool on_comment(sv, ec&) { return true; }
};

/// Bytes that malloc has handed out and not got back, its own book-keeping in each block included.
std::size_t heap_in_use() {
    auto const m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

/// glibc puts off part of the work of freeing to the next large allocation; the one that freed shall not leave it to
/// the clock of the next.
void settle_heap() { std::free(std::malloc(100'000)); }

/// Only what `make` itself does is timed; the value is kept until its heap has been read, and freed after the clock.
template <class Make> double timed(Make make, std::size_t* heap = nullptr) {
    settle_heap();
    std::size_t const before = heap_in_use();
    double const start = processor_seconds();
    auto const value = make();
    double const seconds = processor_seconds() - start;
    keep(value);
    if (heap != nullptr) *heap = heap_in_use() - before;
    return seconds;
}

template <class T> T decoded(std::string_view text, decode_options const& options = {}) {
    auto r = from_json<T>(text, options);
    if (!r) {
        std::fprintf(stderr, "bench_codec: %s\n", r.error().to_string().c_str());
        std::exit(1);
    }
    return std::move(*r);
}

std::size_t pods_in(std::string_view text) { return decoded<object_list<pod>>(text).items.size(); }

void print(paired const& p, std::size_t base, double bytes, std::vector<std::size_t> const& heap) {
    std::printf("  %-52s %8s %9s %7s %8s\n", "", "ms", "MB/s", "x time", "x memory");
    for (std::size_t i = 0; i < p.size(); ++i) {
        std::printf("  %-52s %8.1f %9.0f %7.3f", p.name(i).c_str(), 1e3 * p.least(i), 1e-6 * bytes / p.least(i),
                    p.ratio(i, base));
        if (i < heap.size() && heap[i] != 0) std::printf(" %8.2f", static_cast<double>(heap[i]) / bytes);
        std::printf("\n");
    }
}

void decoding(std::string const& text, int rounds) {
    using full = object_list<pod>;
    std::vector<std::size_t> heap(8);
    decode_options lean;
    lean.keep_managed_fields = false;
    paired p;
    p.add("boost::json::parse", [&] { return timed([&] { return json::parse(text); }, &heap[0]); });
    p.add("boost::json::parse, monotonic_resource", [&] {
        return timed([&] { return json::parse(text, json::make_shared_resource<json::monotonic_resource>()); },
                     &heap[1]);
    });
    p.add("boost::json::basic_parser, handler that does nothing", [&] {
        return timed([&] {
            json::basic_parser<no_handler> parser{json::parse_options()};
            boost::system::error_code ec;
            return parser.write_some(false, text.data(), text.size(), ec);
        });
    });
    p.add("kftrain: PodList, complete", [&] { return timed([&] { return decoded<full>(text); }, &heap[3]); });
    p.add("kftrain: PodList without managedFields",
          [&] { return timed([&] { return decoded<full>(text, lean); }, &heap[4]); });
    p.add("kftrain: projection",
          [&] { return timed([&] { return decoded<object_list<pod_outline>>(text); }, &heap[5]); });
    p.add("memcpy", [&] { return timed([&] { return std::string(text); }); });
    p.measure(rounds);
    std::printf("\ndecode: time against boost::json::parse, memory against the text\n");
    print(p, 0, static_cast<double>(text.size()), heap);
    std::printf(
        "  targets: complete <= 0.333 and <= 1.50 memory (managedFields may be dropped), projection <= 0.350\n");
    std::printf("  projection against the complete list: %.3f\n", p.ratio(5, 3));
}

/// From the text to an object and on to freed memory, as what an informer replaces.
template <class Make> double timed_whole(Make make) {
    settle_heap();
    double const start = processor_seconds();
    {
        auto const value = make();
        keep(value);
    }
    return processor_seconds() - start;
}

void decoding_and_freeing(std::string const& text, std::size_t pods, int rounds) {
    struct footprint {
        double blocks = 0;
        double bytes = 0;
    };
    std::vector<footprint> sizes(3);
    paired p;
    auto const add = [&](std::string name, auto make) {
        p.add(name, [make] { return timed_whole(make); });
        p.add(std::move(name) + ", freeing alone", [make] {
            settle_heap();
            double start = 0;
            {
                auto const value = make();
                keep(value);
                start = processor_seconds();
            }
            return processor_seconds() - start;
        });
        std::size_t const blocks = blocks_made;
        std::size_t const heap = heap_in_use();
        auto const value = make();
        malloc_trim(0);
        auto& f = sizes[p.size() / 2 - 1];
        f.blocks = static_cast<double>(blocks_made - blocks) / static_cast<double>(pods);
        f.bytes = static_cast<double>(heap_in_use() - heap) / static_cast<double>(pods);
    };
    decode_options lean;
    lean.keep_managed_fields = false;
    add("boost::json::parse", [&] { return json::parse(text); });
    add("kftrain: PodList, complete", [&] { return decoded<object_list<pod>>(text); });
    add("kftrain: PodList without managedFields", [&] { return decoded<object_list<pod>>(text, lean); });
    p.measure(rounds);
    std::printf("\ndecode and free: time against boost::json::parse and its freeing; blocks and bytes of memory for a "
                "pod of %.1f KB\n",
                1e-3 * static_cast<double>(text.size()) / static_cast<double>(pods));
    std::printf("  %-52s %8s %7s %8s %8s\n", "", "ms", "x time", "blocks", "bytes");
    for (std::size_t i = 0; i < p.size(); ++i) {
        std::printf("  %-52s %8.1f %7.3f", p.name(i).c_str(), 1e3 * p.least(i), p.ratio(i, 0));
        if (i % 2 == 0) std::printf(" %8.1f %8.0f", sizes[i / 2].blocks, sizes[i / 2].bytes);
        std::printf("\n");
    }
}

void encoding(std::string const& text, int rounds) {
    auto const list = decoded<object_list<pod>>(text);
    auto const tree = json::parse(text);
    std::string const ours = to_json(list);
    paired p;
    p.add("boost::json::serialize", [&] { return timed([&] { return json::serialize(tree); }); });
    p.add("kftrain: to_json", [&] { return timed([&] { return to_json(list); }); });
    p.add("kftrain: encode_json into a string with room", [&] {
        std::string out;
        out.reserve(ours.size());
        std::memset(out.data(), 1, ours.size());
        double const start = processor_seconds();
        encode_json(descriptor_of<object_list<pod>>(), &list, out);
        keep(out);
        return processor_seconds() - start;
    });
    p.add("memcpy", [&] { return timed([&] { return std::string(ours); }); });
    p.measure(rounds);
    std::printf("\nencode %.1f MB: time against boost::json::serialize\n", 1e-6 * static_cast<double>(ours.size()));
    print(p, 0, static_cast<double>(ours.size()), {});
    std::printf("  target: >= 720 MB/s\n");
}

} // namespace
} // namespace kftrain::bench

template struct kftrain::model::table<kftrain::bench::outline_meta>;
template struct kftrain::model::table<kftrain::bench::outline_spec>;
template struct kftrain::model::table<kftrain::bench::outline_status>;
template struct kftrain::model::table<kftrain::bench::pod_outline>;
template struct kftrain::model::table<kftrain::object_list<kftrain::bench::pod_outline>>;

int main(int argc, char** argv) {
    std::string const what = argc > 1 ? argv[1] : "30";
    int const rounds = argc > 2 ? std::atoi(argv[2]) : 15;
    std::string text;
    if (what.find_first_not_of("0123456789") == std::string::npos) {
        text = kftrain::bench::make_pod_list(std::strtoul(what.c_str(), nullptr, 10) * 1'000'000);
    } else if (!std::filesystem::is_regular_file(what)) {
        std::fprintf(stderr, "bench_codec: no file \"%s\"; expected [MEGABYTES|FILE [ROUNDS]]\n", what.c_str());
        return 2;
    } else {
        std::ifstream file(what, std::ios::binary);
        text.assign(std::istreambuf_iterator<char>(file), {});
    }
    auto const count = kftrain::bench::pods_in(text);
    std::printf(
        "PodList of %zu pods, %.1f MB, %.1f KB each, %.0f %% managedFields; %d rounds\n", count,
        1e-6 * static_cast<double>(text.size()), 1e-3 * static_cast<double>(text.size()) / static_cast<double>(count),
        100.0 * static_cast<double>(kftrain::bench::managed_fields_bytes(text)) / static_cast<double>(text.size()),
        rounds);
    kftrain::bench::decoding(text, rounds);
    kftrain::bench::decoding_and_freeing(text, count, rounds);
    kftrain::bench::encoding(text, rounds);
}
