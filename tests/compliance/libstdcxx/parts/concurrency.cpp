// Everything that waits: in glibc these calls were renamed, or moved to another library.
#include <unistd.h>

#include <atomic>
#include <barrier>
#include <chrono>
#include <condition_variable>
#include <future>
#include <latch>
#include <mutex>
#include <semaphore>
#include <shared_mutex>
#include <stop_token>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

// Each wait that ends as it should sets one bit.
int64_t waits() {
  int64_t done = 0;
  std::mutex mutex;
  std::condition_variable condition;
  {
    std::unique_lock lock(mutex);
    const auto start = std::chrono::steady_clock::now();
    const bool timed_out = condition.wait_for(lock, 30ms) == std::cv_status::timeout;
    if (timed_out && std::chrono::steady_clock::now() - start >= 20ms) done |= 1;
  }
  {
    bool ready = false;
    std::thread other([&] {
      std::lock_guard lock(mutex);
      ready = true;
      condition.notify_one();
    });
    std::unique_lock lock(mutex);
    if (condition.wait_for(lock, 60s, [&] { return ready; })) done |= 2;
    lock.unlock();
    other.join();
  }
  std::timed_mutex timed;
  timed.lock();
  std::thread([&] { if (!timed.try_lock_for(10ms)) done |= 4; }).join();
  timed.unlock();
  std::shared_timed_mutex shared;
  shared.lock();
  std::thread([&] { if (!shared.try_lock_shared_for(10ms) && !shared.try_lock_for(10ms)) done |= 8; }).join();
  shared.unlock();
  std::counting_semaphore<2> semaphore(0);
  if (!semaphore.try_acquire_for(10ms)) done |= 16;
  auto later = std::async(std::launch::async, [] { std::this_thread::sleep_for(1ms); return 32; });
  if (later.wait_for(60s) == std::future_status::ready) done |= later.get();
  std::condition_variable_any any;
  std::shared_mutex readers;
  std::shared_lock reading(readers);
  if (any.wait_until(reading, std::chrono::system_clock::now() + 10ms) == std::cv_status::timeout) done |= 64;
  return done;
}

int64_t threads() {
  constexpr int count = 4;
  static std::once_flag once;
  std::atomic<int64_t> sum{0};
  std::latch started(count);
  std::barrier together(count);
  std::vector<std::jthread> workers;
  for (int number = 1; number <= count; number++) {
    workers.emplace_back([&, number] {
      struct AtEnd {
        std::atomic<int64_t>* sum = nullptr;
        ~AtEnd() { if (sum) *sum += 100; }
      };
      static thread_local AtEnd at_end;
      at_end.sum = &sum;
      std::call_once(once, [] {});
      started.arrive_and_wait();
      together.arrive_and_wait();
      sum += number;
      sum.notify_all();
    });
  }
  workers.clear();
  return sum;
}

int64_t thread_identity() { return gettid() == getpid() || gettid() > 0 ? 1 : 0; }
