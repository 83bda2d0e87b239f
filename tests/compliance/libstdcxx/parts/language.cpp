// Coroutines, exceptions and conversions that libstdc++.a brings code for.
#include <any>
#include <charconv>
#include <coroutine>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <system_error>
#include <typeinfo>
#include <variant>

#include "parts.h"

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

namespace {

struct Counter {
  struct promise_type {
    int64_t value = 0;
    Counter get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int64_t next) {
      value = next;
      return {};
    }
    void return_void() {}
    void unhandled_exception() { throw; }
  };
  std::coroutine_handle<promise_type> handle;
  ~Counter() { handle.destroy(); }
};

Counter count_to(int64_t steps) {
  for (int64_t i = 1; i <= steps; i++) co_yield i;
  throw std::out_of_range("the end");
}

}  // namespace

int64_t coroutine(int64_t steps) {
  Counter counter = count_to(steps);
  Counter::promise_type& promise = counter.handle.promise();
  int64_t sum = 0;
  try {
    for (;;) {
      counter.handle.resume();
      sum += promise.value;
    }
  } catch (const std::out_of_range&) {
  }
  return sum;
}

std::string exceptions() {
  std::string text;
  try {
    try {
      throw std::system_error(std::make_error_code(std::errc::no_such_file_or_directory), "inner");
    } catch (...) {
      std::throw_with_nested(std::runtime_error("outer"));
    }
  } catch (const std::runtime_error& outer) {
    text = outer.what();
    try {
      std::rethrow_if_nested(outer);
    } catch (const std::system_error& inner) {
      text += inner.code() == std::errc::no_such_file_or_directory ? " inner" : " ?";
    }
  }
  std::exception_ptr kept;
  try {
    (void)std::any_cast<int>(std::any(1.5));
  } catch (...) {
    kept = std::current_exception();
  }
  try {
    std::rethrow_exception(kept);
  } catch (const std::bad_cast&) {
    text += " cast";
  }
  try {
    (void)std::get<int>(std::variant<int, double>(1.5));
  } catch (const std::bad_variant_access&) {
    text += " variant";
  }
  return text;
}
