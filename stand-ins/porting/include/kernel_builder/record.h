// Records what pybind11 defines, a line of JSON each, with types as the compiler sees them. pybind11's `cpp_function`
// calls `record`: a line that `compiling.py` adds to Torch's own pybind11.h.
#pragma once
#include <ATen/core/Tensor.h>
#include <Python.h>
#include <dlfcn.h>
#include <execinfo.h>

#include <array>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

namespace c10 {
template <class T> class List;
template <class T> class IListRef;
template <class K, class V> class Dict;
}  // namespace c10
namespace kernel_builder {
template <class T> const char* spell_whole() { return __PRETTY_FUNCTION__; }
/** The type in C++. */
template <class T> std::string spell() {
  std::string text = spell_whole<T>();
  auto begin = text.find("T = ") + 4;
  return text.substr(begin, text.rfind(']') - begin);
}

/** The type of a schema, or `<type in C++>` without one. */
template <class T> struct Schema {
  static std::string text() {
    if constexpr (std::is_same_v<T, bool>) return "bool";
    else if constexpr (std::is_void_v<T>) return "()";
    else if constexpr ((std::is_integral_v<T> && !std::is_same_v<T, char>) || std::is_enum_v<T>) return "int";
    else if constexpr (std::is_floating_point_v<T>) return "float";
    else if constexpr (std::is_class_v<T> && std::is_base_of_v<at::Tensor, T>) return "Tensor";
    else return "<" + spell<T>() + ">";
  }
};
template <class T> std::string schema_of() { return Schema<std::remove_cv_t<std::remove_reference_t<T>>>::text(); }
#define KERNEL_BUILDER_SCHEMA(name, ...) \
  template <> struct Schema<__VA_ARGS__> { static std::string text() { return name; } }
#define KERNEL_BUILDER_LIST(...) \
  template <class T> struct Schema<__VA_ARGS__> { static std::string text() { return schema_of<T>() + "[]"; } }
#define KERNEL_BUILDER_MAP(...) \
  template <class K, class V> struct Schema<__VA_ARGS__> { \
    static std::string text() { return "Dict(" + schema_of<K>() + ", " + schema_of<V>() + ")"; } \
  }
KERNEL_BUILDER_SCHEMA("str", std::string);
KERNEL_BUILDER_SCHEMA("str", std::string_view);
KERNEL_BUILDER_SCHEMA("str", const char*);
KERNEL_BUILDER_SCHEMA("complex", std::complex<float>);
KERNEL_BUILDER_SCHEMA("complex", std::complex<double>);
KERNEL_BUILDER_SCHEMA("complex", c10::complex<float>);
KERNEL_BUILDER_SCHEMA("complex", c10::complex<double>);
KERNEL_BUILDER_SCHEMA("Scalar", c10::Scalar);
KERNEL_BUILDER_SCHEMA("SymInt", c10::SymInt);
KERNEL_BUILDER_SCHEMA("Device", c10::Device);
KERNEL_BUILDER_SCHEMA("Stream", c10::Stream);
KERNEL_BUILDER_SCHEMA("Storage", c10::Storage);
KERNEL_BUILDER_SCHEMA("ScalarType", c10::ScalarType);
KERNEL_BUILDER_SCHEMA("Layout", c10::Layout);
KERNEL_BUILDER_SCHEMA("MemoryFormat", c10::MemoryFormat);
KERNEL_BUILDER_SCHEMA("Generator", at::Generator);
KERNEL_BUILDER_LIST(std::vector<T>);
KERNEL_BUILDER_LIST(std::list<T>);
KERNEL_BUILDER_LIST(std::deque<T>);
KERNEL_BUILDER_LIST(std::set<T>);
KERNEL_BUILDER_LIST(c10::ArrayRef<T>);
KERNEL_BUILDER_LIST(c10::List<T>);
KERNEL_BUILDER_LIST(c10::IListRef<T>);
KERNEL_BUILDER_MAP(std::map<K, V>);
KERNEL_BUILDER_MAP(std::unordered_map<K, V>);
KERNEL_BUILDER_MAP(c10::Dict<K, V>);
template <class T> struct Schema<std::optional<T>> { static std::string text() { return schema_of<T>() + "?"; } };
template <class T> struct Schema<c10::OptionalArrayRef<T>> {
  static std::string text() { return schema_of<T>() + "[]?"; }
};
template <class T, size_t n> struct Schema<std::array<T, n>> {
  static std::string text() { return schema_of<T>() + "[" + std::to_string(n) + "]"; }
};
template <class... A> struct Schema<std::tuple<A...>> {
  static std::string text() {
    std::string all;
    ((all += (all.empty() ? "" : ", ") + schema_of<A>()), ...);
    return "(" + all + ")";
  }
};
template <class A, class B> struct Schema<std::pair<A, B>> : Schema<std::tuple<A, B>> {};

/** Whether the type of a parameter says that the function does not write to it. */
template <class T> struct IsConst : std::bool_constant<std::is_const_v<std::remove_reference_t<T>>> {};
template <class T> struct IsConst<c10::ArrayRef<T>> : std::true_type {};
template <class T> struct IsConst<c10::IListRef<T>> : std::true_type {};
template <class T> struct IsConst<c10::OptionalArrayRef<T>> : std::true_type {};
template <class T> struct IsConst<std::optional<T>> : IsConst<T> {};
template <class T> struct IsConst<std::vector<T>> : IsConst<T> {};

inline std::string quote(std::string_view text) {
  std::string all = "\"";
  for (unsigned char each : text) {
    char escaped[8];
    std::snprintf(escaped, 8, each < 32 || each == '"' || each == '\\' ? "\\u%04x" : "%c", each);
    all += escaped;
  }
  return all + "\"";
}
inline std::string join(const std::vector<std::string>& all) {
  std::string text;
  for (auto& each : all) text += (text.empty() ? "" : ", ") + each;
  return "[" + text + "]";
}
/** The file of an address, and the place in it. */
inline std::string locate(const void* address) {
  Dl_info found{};
  if (!dladdr(address, &found)) return "null";
  return "[" + quote(found.dli_fname) + ", " + std::to_string((const char*)address - (const char*)found.dli_fbase) + "]";
}
/** The expression of Python for a value. Members of enumerations are numbers. */
inline std::string represent(PyObject* value) {
  PyObject* number = PyIndex_Check(value) && !PyBool_Check(value) ? PyNumber_Index(value) : nullptr;
  PyObject* text = PyObject_ASCII(number ? number : value);
  std::string all = text ? PyUnicode_AsUTF8(text) : "";
  PyErr_Clear();
  return all;
}
template <class A> std::string describe() {
  return "{\"type\": " + quote(schema_of<A>()) + ", \"cpp\": " + quote(spell<A>()) +
         ", \"const\": " + (IsConst<A>::value ? "true}" : "false}");
}

/** Write a line about a function. `record` is pybind11's own. */
template <class F, class R, class... A, class Record> void record(const Record& record, const F& function) {
  static FILE* file = std::fopen(std::getenv("KERNEL_BUILDER_RECORD"), "a");
  std::vector<std::string> given, trace;
  for (auto& each : record.args)
    given.push_back("{\"name\": " + quote(each.name ? each.name : "") +
                    (each.value ? ", \"default\": " + quote(represent(each.value.ptr())) : "") + "}");
  void* frames[24];
  int count = backtrace(frames, 24);
  for (int i = 0; i < count; i++) trace.push_back(locate((char*)frames[i] - 1));
  PyObject* name = record.scope ? PyObject_GetAttrString(record.scope.ptr(), "__name__") : nullptr;
  std::string address = "null";
  if constexpr (std::is_pointer_v<F>) address = locate((const void*)function);
  std::string text = std::string("{\"kind\": ") +
                     (record.scope && PyModule_Check(record.scope.ptr()) ? "\"function\"" : "\"method\"") +
                     ", \"owner\": " + quote(name ? PyUnicode_AsUTF8(name) : "") + ", \"name\": " +
                     quote(record.name ? record.name : "") + ", \"callable\": " + quote(spell<F>()) + ", \"address\": " +
                     address + ", \"trace\": " + join(trace) + ", \"given\": " + join(given) + ", \"positional\": " +
                     std::to_string(record.nargs_pos) + ", \"parameters\": " + join({describe<A>()...}) +
                     ", \"result\": " + quote(schema_of<R>()) + ", \"result_cpp\": " + quote(spell<R>()) + "}\n";
  PyErr_Clear();
  std::fputs(text.c_str(), file);
  std::fflush(file);
}
}  // namespace kernel_builder
