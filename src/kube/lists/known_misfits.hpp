#ifndef KFTRAIN_SRC_KUBE_LISTS_KNOWN_MISFITS_HPP
#define KFTRAIN_SRC_KUBE_LISTS_KNOWN_MISFITS_HPP

#include "kube/lists/misfit.hpp"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kftrain::kube::detail {

/// The objects of a collection that do not fit their type.
class known_misfits {
public:
    /// By namespace and name.
    std::vector<misfit> all() const {
        std::vector<misfit> list;
        list.reserve(by_name_.size());
        for (auto const& [name, object] : by_name_) list.push_back(object);
        return list;
    }
    /// These are all there are. Returns those that were not known in their version.
    std::vector<misfit> replace(std::vector<misfit> const& objects) {
        std::vector<misfit> fresh;
        auto const before = std::exchange(by_name_, {});
        for (auto const& m : objects) {
            auto const it = before.find({m.namespace_, m.name});
            if (it == before.end() || it->second.resource_version != m.resource_version) fresh.push_back(m);
            put(m);
        }
        return fresh;
    }
    void put(misfit const& object) { by_name_.insert_or_assign({object.namespace_, object.name}, object); }
    void erase(std::string const& ns, std::string const& name) {
        if (!by_name_.empty()) by_name_.erase({ns, name});
    }

private:
    std::map<std::pair<std::string, std::string>, misfit> by_name_;
};

} // namespace kftrain::kube::detail

#endif
