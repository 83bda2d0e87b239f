// Parts of the standard library that call the system: files, random numbers, libm. Numbers as text.
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <random>
#include <set>
#include <sstream>

namespace fs = std::filesystem;

int64_t files(const std::string& folder) {
  const fs::path root = fs::path(folder) / "tree";
  fs::create_directories(root / "a" / "b");
  std::ofstream(root / "a" / "one") << "12345";
  fs::copy_file(root / "a" / "one", root / "a" / "b" / "two");
  fs::create_symlink(root / "a" / "one", root / "link");
  fs::rename(root / "a" / "b" / "two", root / "a" / "b" / "three");
  fs::permissions(root / "a" / "one", fs::perms::owner_read | fs::perms::owner_write);
  fs::resize_file(root / "a" / "b" / "three", 7);
  int64_t sum = 0;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.is_regular_file() && !entry.is_symlink()) sum += static_cast<int64_t>(entry.file_size());
  }
  const auto age = fs::file_time_type::clock::now() - fs::last_write_time(root / "a" / "one");
  if (age > std::chrono::hours(1) || age < -std::chrono::hours(1)) return -1;
  if (fs::canonical(root / "link") != fs::canonical(root / "a" / "one")) return -2;
  if (fs::space(root).capacity == 0) return -3;
  if (!fs::equivalent(fs::read_symlink(root / "link"), root / "a" / "one")) return -4;
  if (fs::exists(root / "absent") || fs::hard_link_count(root / "a" / "one") != 1) return -5;
  fs::remove_all(root);
  return sum;
}

int64_t randomness() {
  std::random_device device;
  std::set<unsigned> seen;
  for (int i = 0; i < 64; i++) seen.insert(device());
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  return seen.size() > 60 && std::isfinite(normal(engine)) ? 1 : 0;
}

// glibc 2.29 and later have new versions of these; the old ones have to be asked for.
std::string mathematics(double x) {
  std::ostringstream text;
  text << std::setprecision(6) << std::exp(x) << ' ' << std::pow(x, x) << ' ' << std::log2(x) << ' '
       << std::hypot(x, x, x) << ' ' << std::cyl_bessel_j(0, x) << ' ' << std::lgamma(x);
  return text.str();
}

std::string digits(double x) {
  char buffer[128];
  const auto shortest = std::to_chars(buffer, buffer + sizeof buffer, x);
  double back = 0;
  std::from_chars(buffer, shortest.ptr, back);
  std::string text(buffer, shortest.ptr);
  const auto fixed = std::to_chars(buffer, buffer + sizeof buffer, static_cast<long double>(x), std::chars_format::fixed, 3);
  text += ' ' + std::string(buffer, fixed.ptr);
  return text + (back == x ? " same" : " different");
}
