// The device pass of a file with SYCL code, by the function that Intel's library exports for the runtime compilation of SYCL. No
// device is needed.
//
//   sycl-device-pass FOLDER RUNTIME FILE FLAGS…
//
// FOLDER gets the portable code of each image (N.spv), `images` (a line for each image to compile ahead of time: its number, and
// that of the image that has the functions it asks for, or a file without its ending), and `registration.s`, which registers all images with libsycl.so.RUNTIME
// when an extension is loaded. The flags name the two files with declarations for the host.
//
// The layouts are those of intel/llvm: sycl-jit/jit-compiler/include/RTC.h, and sycl/source/detail/compiler.hpp for the runtime.

#include <dlfcn.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

template <typename T> struct View {
  T const *first;
  size_t count;
  T const *begin() const { return first; }
  T const *end() const { return first + count; }
};

struct InMemoryFile {
  char const *path, *contents;
};

struct Property {
  char const *name;
  bool is_number;
  uint32_t number;
  View<unsigned char> bytes;
};

struct PropertySet {
  char const *name;
  View<Property> properties;
};

struct Image {
  uint32_t format;
  uint64_t address_bits;
  unsigned char const *code;
  uint64_t size;
  View<char const *> symbols;
  View<PropertySet> properties;
};

struct Result {
  int error;
  View<Image> images;
  char const *options;
  View<char> bitcode;
  char const *log;
};

// The last argument chooses SPIR-V. Older releases have no such argument, and ignore it.
using CompileSYCL = Result (*)(InMemoryFile, View<InMemoryFile>, View<char const *>, View<char>, bool, uint32_t);
constexpr uint32_t spirv = 2;

// Drivers have this function.
constexpr char const *assertion = "__devicelib_assert_fail";

// The library starts threads that do not end well.
[[noreturn]] void leave(int status) {
  std::cerr.flush();
  _exit(status);
}

[[noreturn]] void refuse(std::string const &message) {
  std::cerr << "error: " << message << '\n';
  leave(1);
}

void write(std::string const &path, std::string const &text) {
  std::ofstream file(path, std::ios::binary);
  file << text;
  file.close();
  if (!file) refuse("cannot write " + path);
}

PropertySet const *find(Image const &image, char const *name) {
  for (PropertySet const &set : image.properties)
    if (std::strcmp(set.name, name) == 0) return &set;
  return nullptr;
}

std::set<std::string> names_in(Image const &image, char const *name) {
  std::set<std::string> names;
  if (PropertySet const *set = find(image, name))
    for (Property const &property : set->properties) names.insert(property.name);
  return names;
}

// The functions that the code uses and does not have.
std::set<std::string> imports_of(Image const &image) {
  constexpr uint32_t magic = 0x07230203, header = 5, op_decorate = 71, built_in = 11, linkage_attributes = 41, import = 1;
  std::vector<uint32_t> words(image.size / 4);
  std::memcpy(words.data(), image.code, words.size() * 4);
  if (words.size() < header || words[0] != magic) refuse("the device code is not SPIR-V");
  std::map<uint32_t, std::string> names;
  std::set<uint32_t> built_ins;
  for (size_t at = header, length; at < words.size(); at += length) {
    length = words[at] >> 16;
    if (length == 0 || length > words.size() - at) refuse("the device code is no valid SPIR-V");
    if ((words[at] & 0xffff) != op_decorate || length < 4) continue;
    uint32_t const target = words[at + 1], decoration = words[at + 2];
    if (decoration == built_in) built_ins.insert(target);
    if (decoration == linkage_attributes && words[at + length - 1] == import) {
      char const *name = reinterpret_cast<char const *>(&words[at + 3]);
      names[target] = std::string(name, strnlen(name, (length - 4) * 4));
    }
  }
  std::set<std::string> imports;
  for (auto const &[target, name] : names)
    if (!built_ins.count(target) && name != assertion) imports.insert(name);
  return imports;
}

// The code with a function for all devices: an image that is a library, or a file of a release whose runtime links it.
std::string provider_of(std::string const &name, Image const &image, View<Image> images, char const *file) {
  constexpr uint32_t bfloat16 = 1 << 9;
  PropertySet const *linked = find(image, "SYCL/devicelib req mask");
  if (linked && linked->properties.count && linked->properties.first->number & bfloat16 && name.find("__devicelib_Convert") == 0)
    return SYCL_LIB "/libsycl-fallback-bfloat16";
  for (size_t i = 0; i < images.count; i++) {
    PropertySet const *library = find(images.first[i], "SYCL/devicelib metadata");
    if (library && library->properties.count && library->properties.first->number == 0 &&
        names_in(images.first[i], "SYCL/exported symbols").count(name))
      return std::to_string(i);
  }
  std::string const at = std::string(file) + ": ";
  if (name.find("SpecConstant") != std::string::npos)
    refuse(at + "specialization constants are not supported by Intel's compiler library: pass the value as an argument of the kernel, or "
                "build with Intel's own packages (xpuToolkit)");
  refuse(at + "the device code calls " + name +
         ", which it does not have: define the function in this file or in a header, because each file is linked by itself, or build "
         "with Intel's own packages (xpuToolkit)");
}

// Writes the text of a registration. Labels of images end in their number.
class Registration {
public:
  explicit Registration(bool is_old) : is_old(is_old) {}

  void add(Image const &image, std::string const &number, bool is_native) {
    std::string const id = (is_native ? "n" : "p") + number;
    std::ostringstream entries, tables, sets;
    for (char const *symbol : image.symbols) {
      if (is_old)
        entries << " .quad 0," << text(symbol) << ",0\n .long 0,0\n";
      else
        entries << " .quad 0\n .short 1,8\n .long 0\n .quad 0," << text(symbol) << ",0,0,0\n";
    }
    size_t at = 0;
    for (PropertySet const &set : image.properties) {
      // Code that is compiled ahead of time has the functions.
      if (is_native && std::strcmp(set.name, "SYCL/imported symbols") == 0) continue;
      std::string const label = ".Lset_" + id + "_" + std::to_string(at++);
      tables << label << ":\n";
      for (Property const &property : set.properties) {
        if (property.is_number)
          tables << " .quad " << text(property.name) << ",0\n .long 1,0\n .quad " << property.number << '\n';
        else
          tables << " .quad " << text(property.name) << ',' << bytes(property.bytes) << "\n .long 2,0\n .quad " << property.bytes.count << '\n';
      }
      tables << label << "_end:\n";
      sets << " .quad " << text(set.name) << ',' << label << ',' << label << "_end\n";
    }
    std::ostringstream &out = is_native ? ahead : portable;
    out << ".section .rodata.sycl,\"a\",@progbits\n.balign 16\n.Limage_" << id << ":\n.incbin \"" << number << (is_native ? ".bin" : ".spv")
        << "\"\n.Limage_" << id << "_end:\n"
        << ".section .data.rel.ro.sycl,\"aw\",@progbits\n.balign 8\n.Lentries_" << id << ":\n"
        << entries.str() << ".Lentries_" << id << "_end:\n"
        << tables.str() << ".Lsets_" << id << ":\n"
        << sets.str() << ".Lsets_" << id << "_end:\n";
    // Kind 4 is SYCL; format 1 is native code, 2 is SPIR-V.
    out << ".section .data.rel.ro.sycl_images,\"aw\",@progbits\n .short " << (is_old ? 2 : 3) << "\n .byte 4," << (is_native ? 1 : 2)
        << "\n .long 0\n .quad " << text(is_native ? "spir64_gen" : "spir64") << ',' << text("") << ',' << text("") << ','
        << (is_old ? "0,0," : "") << ".Limage_" << id << ",.Limage_" << id << "_end,.Lentries_" << id << ",.Lentries_" << id << "_end,.Lsets_"
        << id << ",.Lsets_" << id << "_end\n";
    (is_native ? natives : portables)++;
  }

  // With `--defsym AHEAD=1`, the assembler takes code that was compiled ahead of time as well.
  std::string finish() const {
    std::ostringstream out;
    out << ".section .data.rel.ro.sycl_images,\"aw\",@progbits\n.balign 8\n.Limages:\n.ifdef AHEAD\n"
        << ahead.str() << ".endif\n" << portable.str();
    out << ".section .data.rel.ro.sycl,\"aw\",@progbits\n.balign 8\n.Lbinary:\n .short 1\n.ifdef AHEAD\n .short " << natives + portables
        << "\n.else\n .short " << portables << "\n.endif\n .long 0\n .quad .Limages,0,0\n";
    for (char const *action : {"register", "unregister"})
      out << ".text\n.L" << action << ":\n lea .Lbinary(%rip),%rdi\n jmp __sycl_" << action << "_lib@PLT\n";
    out << ".section .init_array.00001,\"aw\",@init_array\n.balign 8\n .quad .Lregister\n"
           ".section .fini_array.00001,\"aw\",@fini_array\n.balign 8\n .quad .Lunregister\n"
           ".section .rodata.sycl,\"a\",@progbits\n"
        << data.str() << ".section .note.GNU-stack,\"\",@progbits\n";
    return out.str();
  }

private:
  std::string text(std::string const &value) {
    auto [entry, is_new] = texts.emplace(value, ".Ltext_" + std::to_string(texts.size()));
    if (is_new) {
      data << entry->second << ": .byte ";
      for (unsigned char c : value) data << int(c) << ',';
      data << "0\n";
    }
    return entry->second;
  }

  std::string bytes(View<unsigned char> value) {
    std::string const label = ".Lbytes_" + std::to_string(values++);
    data << ".balign 8\n" << label << ":\n";
    for (unsigned char byte : value) data << " .byte " << int(byte) << '\n';
    return label;
  }

  bool is_old;
  std::map<std::string, std::string> texts;
  std::ostringstream data, portable, ahead;
  size_t values = 0, natives = 0, portables = 0;
};

int main(int count, char **words) {
  if (count < 4) refuse("sycl-device-pass FOLDER RUNTIME FILE FLAGS…");
  std::string const folder = words[1];
  char const *file = words[3];

  std::ifstream stream(file, std::ios::binary);
  std::string const source{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) refuse("cannot read " + std::string(file));

  void *library = dlopen(SYCL_LIB "/libsycl-jit.so", RTLD_NOW);
  if (!library) refuse(dlerror());
  auto compile = reinterpret_cast<CompileSYCL>(dlsym(library, "compileSYCL"));
  if (!compile) refuse(dlerror());
  Result const result =
      compile({file, source.c_str()}, {}, {const_cast<char const **>(words + 4), static_cast<size_t>(count - 4)}, {}, true, spirv);
  if (result.log) std::cerr << result.log;
  if (result.error) leave(1);
  if (char const *bitcode = std::getenv("SYCL_BITCODE")) write(bitcode, {result.bitcode.first, result.bitcode.count});
  // The library goes on after this warning, and the code does not work.
  if (result.log && std::strstr(result.log, "warning: Undefined function"))
    refuse(std::string(file) + ": the device code calls a function that this release has no device code for, see the warnings above: use that of sycl:: instead");

  Registration registration(std::strcmp(words[2], "9") < 0);
  std::ostringstream ahead;
  size_t kernels = 0;
  for (Image const &image : result.images) kernels += image.symbols.count;
  for (size_t i = 0; kernels && i < result.images.count; i++) {
    Image const &image = result.images.first[i];
    std::string const number = std::to_string(i);
    std::string const code(reinterpret_cast<char const *>(image.code), image.size);
    write(folder + "/" + number + ".spv", code);
    std::set<std::string> providers;
    for (std::string const &name : imports_of(image)) providers.insert(provider_of(name, image, result.images, file));
    registration.add(image, number, false);
    // libsycl links these to portable code.
    if (find(image, "SYCL/devicelib metadata")) continue;
    ahead << number;
    for (std::string const &provider : providers) ahead << ' ' << provider;
    ahead << '\n';
    registration.add(image, number, true);
  }
  write(folder + "/images", ahead.str());
  // A file without kernels has nothing to register.
  write(folder + "/registration.s", kernels ? registration.finish() : ".section .note.GNU-stack,\"\",@progbits\n");
  leave(0);
}
