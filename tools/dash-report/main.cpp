// What ./dev bench has measured, as a table, a page, or tables for a document.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "Html.h"
#include "Markdown.h"
#include "Results.h"
#include "Text.h"

namespace {

using namespace dash::report;

struct Options {
  std::vector<std::string> files;
  std::string page;
  std::string document;
  bool markdown = false;
};

void declare(CLI::App& app, Options& options) {
  app.add_option("FILE", options.files,
                 "results.json, as ./dev bench writes it; several of the same commit and machine,\n"
                 "each of a part of the programs, are taken together: of a run in two of them the\n"
                 "later one counts")
      ->required();
  app.add_option("-o,--output", options.page, "write a page of HTML that needs no other file");
  app.add_flag("--markdown", options.markdown, "print tables in markdown, sizes taken together");
  app.add_option("--update", options.document,
                 "put these tables into a document, between the lines\n" + std::string(begin_mark) +
                     " and " + end_mark);
}

void write(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) throw Error(path + " cannot be written");
}

void update(const std::string& path, const std::string& text) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + " cannot be read");
  const std::string document(std::istreambuf_iterator<char>(file), {});
  try {
    write(path, with_results(document, text));
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
}

void run(const Options& options) {
  std::vector<Results> parts;
  for (const std::string& file : options.files) {
    if (options.page == file) throw Error(options.page + " are the results themselves");
    parts.push_back(read_results(file));
  }
  const Results results = joined(std::move(parts));
  std::cout << (options.markdown ? markdown_of(results) : text_of(results));
  if (!options.page.empty()) write(options.page, html_of(results));
  if (!options.document.empty()) update(options.document, markdown_of(results));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Presents what ./dev bench has measured.", "dash-report");
  Options options;
  declare(app, options);
  CLI11_PARSE(app, argc, argv);
  try {
    run(options);
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "dash-report: %s\n", error.what());
    return 1;
  }
}
