#include "bench/samples/sample_objects.hpp"

#include "bench/samples/json_pattern.hpp"
#include "bench/samples/sample_patterns.hpp"

#include <array>
#include <cstdio>
#include <random>

namespace kftrain::bench {
namespace {

/// Sizes of a job that the pods belong to.
constexpr std::size_t workers = 63;
constexpr std::size_t namespaces = 40;

/// The values of one object, which depend on its number alone.
class sample_values {
public:
    sample_values(std::size_t index, std::size_t job, char const* name_format)
        : random_(static_cast<std::mt19937::result_type>(index + 1)), index_(index), job_(job) {
        std::array<char, 48> name{};
        std::snprintf(name.data(), name.size(), name_format, static_cast<unsigned>(job));
        name_ = name.data();
        std::mt19937 of_job(static_cast<std::mt19937::result_type>(1'000'003 + job));
        job_uid_ = uid(of_job);
        uid_ = uid(random_);
        second_ = static_cast<unsigned>(random_() % 80'000);
    }

    std::string operator()(std::string_view name) {
        auto const rank = index_ % workers;
        if (name == "JOB") return name_;
        if (name == "RANK") return std::to_string(rank);
        if (name == "NAMESPACE") return "team-" + std::to_string(job_ % namespaces);
        if (name == "UID") return uid_;
        if (name == "JOBUID") return job_uid_;
        if (name == "VERSION") return std::to_string(7'000'000'000 + index_);
        if (name == "SHORT") return uid_.substr(0, 5);
        if (name == "HASH") return hex(random_, 64);
        if (name == "IP") return "10.244." + std::to_string(index_ % 250) + "." + std::to_string(2 + rank);
        if (name == "HOSTIP") return "192.168." + std::to_string(index_ % 4) + "." + std::to_string(index_ % 250);
        if (name == "NODE") return std::to_string(index_ % 1000);
        if (name == "CREATED") return time(second_);
        if (name == "READY") return time(second_ + 20);
        std::string nested;
        fill(name == "TEMPLATE" ? pattern::job_template : pattern::job_selector, *this, nested);
        return nested;
    }

private:
    static std::string hex(std::mt19937& random, std::size_t digits) {
        std::string s;
        while (digits-- != 0) s += "0123456789abcdef"[random() % 16];
        return s;
    }
    static std::string uid(std::mt19937& r) {
        auto const first = hex(r, 8), second = hex(r, 4), third = hex(r, 3), fourth = hex(r, 3);
        return first + "-" + second + "-4" + third + "-a" + fourth + "-" + hex(r, 12);
    }
    static std::string time(unsigned s) {
        std::array<char, 32> text{};
        std::snprintf(text.data(), text.size(), "2026-03-01T%02u:%02u:%02uZ", s / 3600, s / 60 % 60, s % 60);
        return text.data();
    }

    std::mt19937 random_;
    std::size_t index_, job_;
    unsigned second_ = 0;
    std::string name_, uid_, job_uid_;
};

/// 40 % of the objects have managedFields.
std::string sample(sample_values values, std::size_t index, std::string_view head, std::string_view managed,
                   std::string_view rest) {
    std::string text;
    fill(head, values, text);
    if (index % 5 < 2) fill(managed, values, text);
    fill(rest, values, text);
    return compact(text);
}

std::string list(std::string text, std::size_t count, std::string (*item)(std::size_t)) {
    text += R"("metadata":{"resourceVersion":"7000900000"},"items":[)";
    for (std::size_t i = 0; i < count; ++i) {
        if (i != 0) text += ',';
        text += item(i);
    }
    return text + "]}";
}

} // namespace

std::string sample_pod(std::size_t index) {
    return sample(sample_values(index, index / workers, "llama-%04x-pretrain"), index, pattern::pod_metadata,
                  pattern::pod_managed_fields, pattern::pod_rest);
}
std::string sample_pytorch_job(std::size_t index) {
    return sample(sample_values(index, index, "llama-%05x-pretrain"), index, pattern::job_metadata,
                  pattern::job_managed_fields, pattern::job_rest);
}

std::string sample_pod_list(std::size_t count) {
    return list(R"({"kind":"PodList","apiVersion":"v1",)", count, sample_pod);
}
std::string sample_pytorch_job_list(std::size_t count) {
    return list(R"({"apiVersion":"kubeflow.org/v1","kind":"PyTorchJobList",)", count, sample_pytorch_job);
}

} // namespace kftrain::bench
