#ifndef KFTRAIN_SRC_JOB_V1_REPLICA_SLOTS_HPP
#define KFTRAIN_SRC_JOB_V1_REPLICA_SLOTS_HPP

#include "base/ascii.hpp"
#include "job/v1/labels.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace kftrain::kubeflow_v1 {

/// Pods or services of a job by replica type and index. Refers to them.
template <class Object> class replica_slots {
public:
    using objects = std::span<Object const* const>;

    explicit replica_slots(std::vector<std::shared_ptr<Object const>> const& all) {
        /// The place keeps those of one index in their order.
        struct slot {
            std::int32_t index;
            std::size_t place;
            Object const* object;
        };
        std::map<std::string_view, std::vector<slot>, std::less<>> sorted;
        for (auto const& o : all)
            if (auto const index = index_of(o->metadata)) {
                auto& list = sorted[label_of(o->metadata, label::replica_type)];
                list.push_back(slot{*index, list.size(), o.get()});
            }
        for (auto& [type, list] : sorted) {
            std::sort(list.begin(), list.end(), [](slot const& a, slot const& b) {
                return a.index != b.index ? a.index < b.index : a.place < b.place;
            });
            auto& filled = types_[std::string(type)];
            for (auto const& s : list) {
                filled.indexes.push_back(s.index);
                filled.objects.push_back(s.object);
            }
        }
    }

    /// Calls `look(index, objects)` for each index below `wanted`, and then for each above that has objects.
    template <class Look> void visit(std::string_view type, std::int32_t wanted, Look look) const {
        auto const found = types_.find(to_lower(type));
        static slots const none;
        slots const& s = found == types_.end() ? none : found->second;
        std::size_t at = 0;
        auto const next = [&](std::int32_t index) {
            std::size_t const first = at;
            while (at < s.indexes.size() && s.indexes[at] == index) ++at;
            return objects(s.objects).subspan(first, at - first);
        };
        for (std::int32_t i = 0; i < wanted; ++i) look(i, next(i));
        while (at < s.indexes.size()) {
            std::int32_t const index = s.indexes[at];
            look(index, next(index));
        }
    }

private:
    struct slots {
        std::vector<std::int32_t> indexes; ///< ascending, one for each object
        std::vector<Object const*> objects;
    };
    std::map<std::string, slots, std::less<>> types_;
};

} // namespace kftrain::kubeflow_v1

#endif
