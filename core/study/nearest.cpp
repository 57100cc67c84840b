// The name somebody probably meant.
#include "core/study/nearest.h"

#include <algorithm>
#include <cctype>
#include <cstddef>

namespace assay {
namespace {

// Names are short; a hostile one of megabytes is not worth a quadratic comparison.
constexpr std::size_t longest_name = 128;

std::string lower(const std::string& text) {
  std::string result = text;
  for (char& letter : result) {
    letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

// Optimal string alignment distance: insert, delete, replace, swap neighbours.
std::size_t distance(const std::string& left, const std::string& right) {
  const std::size_t width = right.size() + 1;
  std::vector<std::size_t> table((left.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& {
    return table[i * width + j];
  };
  for (std::size_t i = 0; i <= left.size(); ++i) at(i, 0) = i;
  for (std::size_t j = 0; j <= right.size(); ++j) at(0, j) = j;
  for (std::size_t i = 1; i <= left.size(); ++i) {
    for (std::size_t j = 1; j <= right.size(); ++j) {
      const std::size_t replace = at(i - 1, j - 1) + (left[i - 1] == right[j - 1] ? 0 : 1);
      std::size_t best = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, replace});
      const bool swapped =
          i > 1 && j > 1 && left[i - 1] == right[j - 2] && left[i - 2] == right[j - 1];
      if (swapped) best = std::min(best, at(i - 2, j - 2) + 1);
      at(i, j) = best;
    }
  }
  return at(left.size(), right.size());
}

}  // namespace

std::string nearest_name(const std::string& name, const std::vector<std::string>& candidates) {
  if (name.empty() || name.size() > longest_name) return {};
  const std::string wanted = lower(name);
  std::string best;
  // A third of the letters may be wrong; two letters of a short name are another name.
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest_name) continue;
    const std::size_t found = distance(wanted, lower(candidate));
    if (found >= best_distance) continue;
    best_distance = found;
    best = candidate;
  }
  return best;
}

std::string did_you_mean(const std::string& name, const std::vector<std::string>& candidates) {
  const std::string nearest = nearest_name(name, candidates);
  return nearest.empty() ? std::string() : " (did you mean '" + nearest + "'?)";
}

}  // namespace assay
