// How often each word occurs in a text: all units count into one distributed hash table.
// dash-example: units=1,2,3,4,7 layouts=node,nolocal
#include <libdash.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

namespace {

constexpr std::size_t max_length = 32;

// --8<-- [start:word]
/// A word in lower case, filled up with zeros. Longer words are cut.
using Word = std::array<char, max_length>;

/// Many units add to the same count, so the counts are atomic. HashUniform distributes the words.
using Counts = dash::UnorderedMap<Word, dash::Atomic<long>, dash::HashUniform<Word>>;
// --8<-- [end:word]

struct Entry {
  Word word{};
  long count = 0;
};

/// Bytes above 127 are parts of letters in UTF-8.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) > 127;
}
char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Number of bytes of a file, or -1 if it cannot be read.
long file_size(const char* name) {
  std::error_code error;
  const auto size = std::filesystem::file_size(name, error);
  return !error && std::ifstream(name) ? static_cast<long>(size) : -1;
}

// --8<-- [start:read]
/// Counts the words that begin in the bytes [first, last) of a file.
std::map<Word, long> count_words(const char* name, long first, long last) {
  // One more byte at the front shows whether a word begins at `first`. The last word may end after
  // `last`, but no more than max_length of its bytes count.
  const long begin = std::max(first - 1, 0L);
  std::string text(static_cast<std::size_t>(last - begin) + max_length, ' ');
  std::ifstream file(name, std::ios::binary);
  file.seekg(begin);
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(file.gcount()));
  const auto end = std::min(static_cast<std::size_t>(last - begin), text.size());

  std::map<Word, long> counts;
  for (auto i = static_cast<std::size_t>(first - begin); i < end; ++i) {
    if (!is_letter(text[i]) || (i > 0 && is_letter(text[i - 1]))) continue;
    Word word{};
    for (std::size_t k = 0; k < max_length && i + k < text.size() && is_letter(text[i + k]); ++k)
      word[k] = to_lower(text[i + k]);
    ++counts[word];
  }
  return counts;
}
// --8<-- [end:read]

/// Frequent words come first, equally frequent ones in alphabetical order.
bool comes_before(const Entry& a, const Entry& b) {
  return a.count != b.count ? a.count > b.count : a.word < b.word;
}

// --8<-- [start:top]
/// The most frequent words of all units.
template <std::size_t N>
std::array<Entry, N> most_frequent(Counts& counts) {
  std::vector<Entry> own(N);  // at least N entries
  for (const auto& element : counts.local) {
    const Word& word = element.first;
    own.push_back({word, counts.at(word).load()});
  }
  std::partial_sort(own.begin(), own.begin() + N, own.end(), comes_before);

  std::array<Entry, N> best;
  std::copy_n(own.begin(), N, best.begin());
  const auto merge = [](const std::array<Entry, N>& a, const std::array<Entry, N>& b) {
    std::array<Entry, 2 * N> both;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), both.begin(), comes_before);
    std::array<Entry, N> first;
    std::copy_n(both.begin(), N, first.begin());
    return first;
  };
  return dash::allreduce_async(best, merge).get();
}
// --8<-- [end:top]

// --8<-- [start:check]
/// Counts the whole text without DASH and compares. Returns the number of wrong counts.
int compare_with_serial_count(const Counts& counts, const char* name, long size) {
  std::vector<Word> words;
  std::vector<long> expected;
  for (const auto& [word, count] : count_words(name, 0, size)) {
    words.push_back(word);
    expected.push_back(count);
  }
  std::vector<std::optional<dash::Atomic<long>>> found(words.size());
  counts.find_values(words.begin(), words.end(), found.begin());  // few messages for many words

  int wrong = counts.size() == words.size() ? 0 : 1;
  for (std::size_t i = 0; i < words.size(); ++i)
    wrong += found[i] == dash::Atomic<long>(expected[i]) ? 0 : 1;
  return wrong;
}
// --8<-- [end:check]

int run(const char* name) {
  const long me = dash::myid().id;
  const long units = static_cast<long>(dash::size());
  const long size = dash::allreduce_async(file_size(name), dash::min<long>()).get();
  if (size < 0) {
    if (me == 0) std::fprintf(stderr, "word_count: cannot read '%s' on all units\n", name);
    return 1;
  }

  // --8<-- [start:count]
  // Each unit reads a part of the text and counts the words in it.
  const std::map<Word, long> own = count_words(name, size * me / units, size * (me + 1) / units);

  // Then it adds its counts to those of all units. A new word starts with 0.
  Counts counts;
  long num_words = 0;
  for (const auto& [word, count] : own) {
    counts[word].add(count);
    num_words += count;
  }
  counts.barrier();  // the additions of all units are complete
  // --8<-- [end:count]

  num_words = dash::allreduce_async(num_words, dash::plus<long>()).get();
  const std::array<Entry, 10> top = most_frequent<10>(counts);
  int wrong = 0;
  if (me == 0) {
    std::printf("%ld words, %zu different ones\n", num_words, counts.size());
    for (const Entry& each : top)
      if (each.count > 0)
        std::printf("%5ld %.*s\n", each.count, static_cast<int>(max_length), each.word.data());
    wrong = compare_with_serial_count(counts, name, size);
    if (wrong != 0) std::fprintf(stderr, "word_count: %d counts are wrong\n", wrong);
  }
  counts.barrier();  // no unit frees its part before unit 0 has read it
  return wrong;
}

}  // namespace

int main(int argc, char** argv) {
  dash::init(&argc, &argv);
  const int wrong = run(argc > 1 ? argv[1] : DASH_EXAMPLE_DATA "/tz-news.txt");
  dash::finalize();
  return wrong == 0 ? 0 : 1;
}
