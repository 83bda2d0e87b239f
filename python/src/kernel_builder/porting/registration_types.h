// Lets Torch call functions with types that its schemas do not have: int, float, enumerations, pairs, arrays.
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <ATen/ATen.h>
#include <ATen/core/List.h>

namespace porting {

// `Argument` and `Result` are the types that Torch passes and takes for T.
template <class T, class = void>
struct Type {
  using Argument = T;
  using Result = T;
};

template <class T>
inline constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;

template <class T>
inline constexpr bool is_choice = std::is_enum_v<T> && !std::is_same_v<T, at::ScalarType> &&
    !std::is_same_v<T, at::Layout> && !std::is_same_v<T, at::MemoryFormat>;

template <class T>
struct Type<T, std::enable_if_t<is_number<T> || is_choice<T>>> {
  using Argument = std::conditional_t<std::is_floating_point_v<T>, double, int64_t>;
  using Result = Argument;
};

template <class T>
struct Type<std::complex<T>> {
  using Argument = c10::complex<double>;
  using Result = c10::complex<double>;
};

template <>
struct Type<const char*> {
  using Argument = std::string;
  using Result = std::string;
};

template <class T>
struct Type<std::vector<T>> {
  using Argument = std::vector<typename Type<T>::Argument>;
  using Result = std::vector<typename Type<T>::Result>;
};

template <>
struct Type<std::vector<bool>> {
  using Argument = c10::List<bool>;
  using Result = c10::List<bool>;
};

template <class T>
struct Type<std::optional<T>> {
  // Torch has no value for std::optional<const at::Tensor>, which functions may take.
  using Argument = std::optional<typename Type<std::remove_const_t<T>>::Argument>;
  using Result = std::optional<typename Type<T>::Result>;
};

template <class T, size_t N>
struct Type<std::array<T, N>> {
  using Argument = typename Type<std::vector<T>>::Argument;
  using Result = Argument;
};

template <class A, class B>
struct Type<std::pair<A, B>> {
  using Argument = std::vector<typename Type<A>::Argument>;
  using Result = std::tuple<typename Type<A>::Result, typename Type<B>::Result>;
};

template <class A, class... T>
struct Type<std::tuple<A, T...>> {
  using Argument = std::vector<typename Type<A>::Argument>;
  using Result = std::tuple<typename Type<A>::Result, typename Type<T>::Result...>;
};

template <class T>
inline constexpr bool is_list = false;

template <class T>
inline constexpr bool is_list<std::vector<T>> = true;

template <class To, class From>
To convert(const From& from);

template <class T>
struct Make {
  template <class From>
  static T from(const From& value) {
    const T made = static_cast<T>(value);
    if constexpr (std::is_integral_v<T> && std::is_integral_v<From>) {
      // pybind11 refuses a number that does not fit, too.
      const bool fits = static_cast<From>(made) == value && (made < T(1)) == (value < From(1));
      const char* sign = std::is_signed_v<T> ? "" : ", from 0 on";
      TORCH_CHECK(fits, "expected an integer of ", sizeof(T) * 8, " bits", sign, ", got ", value);
    }
    return made;
  }
};

template <>
struct Make<c10::List<bool>> {
  template <class From>
  static c10::List<bool> from(const From& values) {
    c10::List<bool> made;
    for (bool value : values) made.push_back(value);
    return made;
  }
};

template <>
struct Make<const char*> {
  static const char* from(const std::string& value) { return value.c_str(); }
};

template <class T>
struct Make<std::vector<T>> {
  template <class From>
  static std::vector<T> from(const From& values) {
    std::vector<T> made;
    for (const auto& value : values) made.push_back(porting::convert<T>(value));
    return made;
  }
};

template <class T>
struct Make<std::optional<T>> {
  template <class From>
  static std::optional<T> from(const std::optional<From>& value) {
    return value ? std::optional<T>(porting::convert<T>(*value)) : std::nullopt;
  }
};

template <class T, size_t N>
struct Make<std::array<T, N>> {
  template <class From>
  static std::array<T, N> from(const From& values) {
    TORCH_CHECK(values.size() == N, "expected ", N, " values, got ", values.size());
    std::array<T, N> made{};
    for (size_t at = 0; at < N; ++at) made[at] = porting::convert<T>(values[at]);
    return made;
  }
};

template <class A, class B>
struct Make<std::pair<A, B>> {
  template <class From>
  static std::pair<A, B> from(const std::vector<From>& values) {
    TORCH_CHECK(values.size() == 2, "expected 2 values, got ", values.size());
    return {porting::convert<A>(values[0]), porting::convert<B>(values[1])};
  }
};

template <class... T>
struct Make<std::tuple<T...>> {
  template <class From, size_t... At>
  static std::tuple<T...> pick(const From& values, std::index_sequence<At...>) {
    if constexpr (is_list<From>) {
      TORCH_CHECK(values.size() == sizeof...(T), "expected ", sizeof...(T), " values, got ", values.size());
      return {porting::convert<T>(values[At])...};
    } else {
      return {porting::convert<T>(std::get<At>(values))...};
    }
  }
  template <class From>
  static std::tuple<T...> from(const From& values) {
    return pick(values, std::index_sequence_for<T...>{});
  }
};

template <class To, class From>
To convert(const From& from) {
  if constexpr (std::is_same_v<To, From>) {
    return from;
  } else {
    return Make<To>::from(from);
  }
}

// Returns a function that takes what Torch passes.
template <class R, class... A>
auto adapt(R (*function)(A...)) {
  return [function](typename Type<std::decay_t<A>>::Argument... given) -> typename Type<std::decay_t<R>>::Result {
    std::tuple<std::decay_t<A>...> values(porting::convert<std::decay_t<A>>(given)...);
    if constexpr (std::is_void_v<R>) {
      std::apply(function, values);
    } else {
      return porting::convert<typename Type<std::decay_t<R>>::Result>(std::apply(function, values));
    }
  };
}

} // namespace porting
