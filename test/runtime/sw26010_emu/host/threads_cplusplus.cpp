// clang-format off
// RUN: %swcc -host -std=c++20 -c %s -o %t.o && %swcc -hybrid -lstdc++ %t.o -o %t && %run %t | FileCheck %s
// clang-format on
// std::thread and what waits in the C++ library: mutexes, conditions, futures, atomics, latches.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <future>
#include <latch>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <vector>

static thread_local int mine = 1;

struct Noisy {
  int number = 0;
  ~Noisy() { std::printf("destroyed %d\n", number); }
};
static thread_local Noisy noisy;

int main() {
  std::mutex lock;
  std::condition_variable changed;
  int turn = 0;
  long sum = 0;
  std::vector<std::thread> threads;
  for (int n = 0; n < 3; ++n)
    threads.emplace_back([&, n] {
      mine += n;
      std::unique_lock<std::mutex> hold(lock);
      changed.wait(hold, [&] { return turn == 2 - n; });
      ++turn;
      noisy.number = n;
      try {
        throw std::runtime_error("thrown");
      } catch (const std::exception &) {
        changed.notify_all();
        hold.unlock();
        std::this_thread::sleep_for(std::chrono::microseconds(3 - n)); // others throw meanwhile
        sum += mine;
      }
    });
  for (auto &thread : threads)
    thread.join();
  // CHECK: destroyed 2
  // CHECK: destroyed 1
  // CHECK: destroyed 0
  std::printf("%ld %d\n", sum, mine); // CHECK: 6 1

  auto later = std::async(std::launch::async, [] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return 42;
  });
  std::printf("%d\n", later.get()); // CHECK: 42
  auto failing = std::async(std::launch::async, []() -> int { throw std::out_of_range("far"); });
  try {
    failing.get();
  } catch (const std::out_of_range &error) {
    std::printf("%s\n", error.what()); // CHECK: far
  }

  std::atomic<int> word{0};
  std::latch both{2};
  std::once_flag once;
  int calls = 0;
  std::thread other([&] {
    std::call_once(once, [&] { ++calls; });
    word.wait(0);
    both.arrive_and_wait();
  });
  std::call_once(once, [&] { ++calls; });
  word = 1;
  word.notify_one();
  both.arrive_and_wait();
  other.join();
  std::printf("calls: %d\n", calls); // CHECK: calls: 1
  std::mutex timed;
  const auto before = std::chrono::steady_clock::now();
  std::unique_lock<std::mutex> hold(timed);
  std::printf("%d\n", changed.wait_for(hold, std::chrono::microseconds(500)) ==
                          std::cv_status::timeout); // CHECK: 1
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - before;
  std::printf("%d\n", passed.count() >= 0.0005 && passed.count() < 0.0006); // CHECK: 1
  return 0;
}
