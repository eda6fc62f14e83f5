#include "support/sanitized.hpp"
#include "unit/model/patch/sample_item.hpp"

#include <kftrain/model/patch.hpp>
#include <kftrain/objects/core/pod.hpp>

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <random>

BOOST_AUTO_TEST_SUITE(model_patch_properties)

using namespace kftrain;

namespace {

/// Objects whose parts repeat often enough that two of them share much.
class generator {
public:
    explicit generator(unsigned seed) : random_(seed) {}

    std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
    bool sometimes() { return below(2) == 0; }
    std::string word() { return std::string(1, static_cast<char>('a' + below(4))); }

    string_map map() {
        string_map m;
        for (auto n = below(4); n != 0; --n) m[word()] = word();
        return m;
    }
    /// Different, in any order.
    std::vector<std::int32_t> numbers() {
        std::vector<std::int32_t> all{1, 2, 3, 4, 5};
        std::shuffle(all.begin(), all.end(), random_);
        all.resize(below(6));
        return all;
    }
    std::vector<sample_item> items(int depth) {
        std::vector<sample_item> list;
        for (auto n : numbers()) {
            list.push_back(item(depth - 1));
            list.back().name = std::to_string(n);
        }
        return list;
    }
    sample_item item(int depth) {
        sample_item i;
        if (sometimes()) i.value = word();
        if (sometimes()) i.other = word();
        if (sometimes()) i.amount = quantity(std::to_string(below(3)) + (sometimes() ? "k" : "000"));
        if (sometimes()) i.labels = map();
        if (sometimes()) i.numbers = numbers();
        if (sometimes()) i.digits = numbers();
        if (sometimes()) i.unknown.set(word(), raw_json("{\"" + word() + "\":[" + std::to_string(below(3)) + "]}"));
        if (depth == 0) return i;
        if (sometimes()) i.parts = items(depth);
        if (sometimes()) i.steps = items(depth);
        if (sometimes()) i.mounts = items(depth);
        if (sometimes()) i.inner = item(depth - 1);
        if (sometimes()) {
            auto& r = i.choice.emplace();
            if (sometimes()) r.name = word();
            r.labels = map();
            r.numbers = numbers();
            r.parts = items(0 < depth ? 1 : 0);
        }
        return i;
    }
    pod a_pod() {
        pod p;
        p.metadata.name = word();
        p.metadata.labels = map();
        for (auto n : numbers()) p.metadata.finalizers.push_back("f" + std::to_string(n));
        p.spec.node_selector = map();
        for (auto n : numbers()) {
            auto& c = p.spec.containers.emplace_back();
            c.name = "c" + std::to_string(n);
            c.image = word();
            for (auto e : numbers()) c.env.emplace_back("E" + std::to_string(e), word());
            for (auto port : numbers()) {
                auto& added = c.ports.emplace_back();
                added.container_port_ = port % 4 + 1; // 1 and 5 are the same
                added.protocol = port < 3 ? "TCP" : "UDP";
            }
            if (sometimes()) c.resources.limits["cpu"] = quantity(sometimes() ? "1" : "1000m");
        }
        for (auto n : numbers()) {
            auto& v = p.spec.volumes.emplace_back();
            v.name = "v" + std::to_string(n);
            if (sometimes())
                v.empty_dir.emplace();
            else
                v.host_path.emplace().path = "/" + word();
        }
        return p;
    }

private:
    std::mt19937 random_;
};

template <class T> void check(T const& a, T const& b) {
    auto const strategic = strategic_patch(a, b);
    BOOST_TEST_REQUIRE(strategic.has_value());
    T c = a;
    auto const done = apply_strategic_patch(c, *strategic);
    BOOST_TEST(done.has_value(), (done ? "" : done.error().to_string()));
    BOOST_TEST(equal(descriptor_of<T>(), &c, &b),
               to_json(a) << "\nwith " << *strategic << "\ngives " << to_json(c) << "\nexpected " << to_json(b));
    T d = a;
    BOOST_TEST(apply_merge_patch(d, merge_patch(a, b).value()).has_value());
    BOOST_TEST(equal(descriptor_of<T>(), &d, &b), to_json(a) << "\nwith " << merge_patch(a, b).value() << "\ngives "
                                                             << to_json(d) << "\nexpected " << to_json(b));
    BOOST_TEST(strategic_patch(a, a).value() == "{}");
    BOOST_TEST(merge_patch(a, a).value() == "{}");
    BOOST_TEST(diff(a, a).empty());
    // Differences are symmetric in their paths.
    BOOST_TEST(diff(a, b).size() == diff(b, a).size());
}

} // namespace

BOOST_AUTO_TEST_CASE(a_generated_patch_turns_one_object_into_the_other) {
    generator g(20240717);
    for (std::size_t i = 0; i < test::draws(1500); ++i) check(g.item(2), g.item(2));
    for (std::size_t i = 0; i < test::draws(1500); ++i) check(g.a_pod(), g.a_pod());
}

BOOST_AUTO_TEST_SUITE_END()
