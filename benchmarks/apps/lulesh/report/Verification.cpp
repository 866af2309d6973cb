#include "report/Verification.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "physics/Solver.h"

namespace lulesh {

namespace {

constexpr double tolerance = 1e-12;

struct Answer {
  Int3 elements;
  long cycles;
  bool is_complete;
  double energy;
  bool is_own =
      false;  // from a run of this program with one unit; otherwise from the reference program
};

constexpr Int3 cube(int edge) {
  return {edge, edge, edge};
}

constexpr auto answers = std::to_array<Answer>({
    {cube(1), 1, true, 4.333328943758574e+02},
    {cube(2), 5, true, 2.746125041139015e+03},
    {cube(3), 23, true, 4.001337895665138e+03},
    {cube(4), 45, true, 5.550021237340223e+03},
    {cube(5), 72, true, 7.853665102145845e+03},
    {cube(6), 102, true, 1.045417598590898e+04},
    {cube(9), 196, true, 2.221045370857416e+04},
    {cube(10), 231, true, 2.720531168470347e+04},
    {cube(15), 400, true, 5.702893793328396e+04},
    {cube(20), 575, true, 9.668855981577835e+04},
    {cube(30), 932, true, 2.025074785071994e+05},
    {cube(10), 10, false, 2.596764195552437e+05},
    {cube(10), 50, false, 8.104795751845134e+04},
    {cube(10), 100, false, 4.898784929717268e+04},
    {cube(10), 200, false, 3.002195285301793e+04},
    {cube(15), 100, false, 1.653339913585910e+05},
    {cube(15), 250, false, 8.487302739348306e+04},
    {cube(20), 50, false, 6.483836601494054e+05},
    {cube(20), 100, false, 3.919027943240184e+05},
    {cube(20), 300, false, 1.737869009811687e+05},
    {cube(30), 50, false, 2.188294852994805e+06},
    {cube(30), 100, false, 1.322671930661539e+06},
    {cube(45), 10, false, 2.366301373197178e+07},
    {{30, 30, 60}, 20, false, 1.323427746176272e+07, true},
    {{30, 30, 60}, 50, false, 7.454859826509525e+06, true},
    {{30, 30, 60}, 200, false, 2.703315271733403e+06, true},
});

std::string compare(const Answer& answer, const FinalState& end) {
  if (end.cycles != answer.cycles) {
    return fmt::format("{} cycles instead of {}", end.cycles, answer.cycles);
  }
  const double error = std::abs(end.origin_energy / answer.energy - 1);
  if (error <= tolerance) return {};
  return fmt::format("the origin's energy is {:.16g} instead of {:.16g}", end.origin_energy,
                     answer.energy);
}

}  // namespace

Verdict verify(const Mesh& mesh, const FinalState& end) {
  const auto* const found = std::find_if(answers.begin(), answers.end(), [&](const Answer& answer) {
    return answer.elements == mesh.elements && answer.is_complete == end.is_complete &&
           (end.is_complete || answer.cycles == end.cycles);
  });
  if (found != answers.end()) {
    return {found->is_own ? "the known answer of a run with one unit"
                          : "the known answer of the reference",
            compare(*found, end), true};
  }

  const bool is_square = mesh.elements[0] == mesh.elements[1] && end.asymmetry.has_value();
  Verdict verdict;
  verdict.text = is_square ? "a positive energy, symmetric in x and y" : "a positive energy";
  // Differences below this limit are rounding errors.
  const double limit = tolerance * initial_energy(mesh.elements);
  if (!(end.origin_energy > 0) || !std::isfinite(end.origin_energy)) {
    verdict.failure = fmt::format("the origin's energy is {}", end.origin_energy);
  } else if (is_square && !(*end.asymmetry <= limit)) {
    verdict.failure = fmt::format("energies that should be symmetric in x and y differ by {:.3g}",
                                  *end.asymmetry);
  }
  return verdict;
}

}  // namespace lulesh
