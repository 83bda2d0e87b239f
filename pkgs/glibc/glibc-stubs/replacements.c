/* What gcc 12's libraries and headers want of a glibc newer than 2.28, made from what 2.28
   has. All of it is hidden: a kernel carries its own copy and shows it to nobody. */

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* libstdc++ asks whether it may count references without locks (since 2.32). Never. */
char __libc_single_threaded = 0;

/* std::random_device (since 2.36). */
unsigned arc4random(void) {
  unsigned value;
  while (getrandom(&value, sizeof value, 0) != (ssize_t)sizeof value) {
  }
  return value;
}

/* Not for libstdc++, but programs call it as if it had always been there (since 2.30). */
pid_t gettid(void) { return (pid_t)syscall(SYS_gettid); }

/* std::filesystem: functions of their own since 2.33, before that calls with a number for
   the layout of struct stat, which the processor decides. */
extern int __xstat(int, const char *, struct stat *);
extern int __lxstat(int, const char *, struct stat *);
extern int __fxstat(int, int, struct stat *);
extern int __fxstatat(int, int, const char *, struct stat *, int);
extern int __xstat64(int, const char *, struct stat64 *);
extern int __lxstat64(int, const char *, struct stat64 *);
extern int __fxstat64(int, int, struct stat64 *);
extern int __fxstatat64(int, int, const char *, struct stat64 *, int);

int stat(const char *path, struct stat *result) { return __xstat(STAT_VERSION, path, result); }
int lstat(const char *path, struct stat *result) { return __lxstat(STAT_VERSION, path, result); }
int fstat(int file, struct stat *result) { return __fxstat(STAT_VERSION, file, result); }
int fstatat(int folder, const char *path, struct stat *result, int flags) {
  return __fxstatat(STAT_VERSION, folder, path, result, flags);
}
int stat64(const char *path, struct stat64 *result) { return __xstat64(STAT_VERSION, path, result); }
int lstat64(const char *path, struct stat64 *result) { return __lxstat64(STAT_VERSION, path, result); }
int fstat64(int file, struct stat64 *result) { return __fxstat64(STAT_VERSION, file, result); }
int fstatat64(int folder, const char *path, struct stat64 *result, int flags) {
  return __fxstatat64(STAT_VERSION, folder, path, result, flags);
}

/* Waits by a chosen clock (since 2.30), as std::condition_variable::wait_for uses them. The
   older functions know the clock of the day only, so the time that is left is carried over
   to it: a clock that is set during the wait changes when it ends, as it did then. */
static struct timespec on_day_clock(clockid_t clock, const struct timespec *until) {
  struct timespec here, day, result;
  clock_gettime(clock, &here);
  clock_gettime(CLOCK_REALTIME, &day);
  result.tv_sec = until->tv_sec - here.tv_sec + day.tv_sec;
  result.tv_nsec = until->tv_nsec - here.tv_nsec + day.tv_nsec;
  while (result.tv_nsec < 0) {
    result.tv_nsec += 1000000000;
    result.tv_sec -= 1;
  }
  while (result.tv_nsec >= 1000000000) {
    result.tv_nsec -= 1000000000;
    result.tv_sec += 1;
  }
  return result;
}

#define IS_KNOWN(clock) ((clock) == CLOCK_REALTIME || (clock) == CLOCK_MONOTONIC)

int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                           const struct timespec *until) {
  if (!IS_KNOWN(clock)) return EINVAL;
  struct timespec day = on_day_clock(clock, until);
  return pthread_cond_timedwait(condition, mutex, &day);
}

int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock, const struct timespec *until) {
  if (!IS_KNOWN(clock)) return EINVAL;
  struct timespec day = on_day_clock(clock, until);
  return pthread_mutex_timedlock(mutex, &day);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  if (!IS_KNOWN(clock)) return EINVAL;
  struct timespec day = on_day_clock(clock, until);
  return pthread_rwlock_timedrdlock(lock, &day);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, clockid_t clock, const struct timespec *until) {
  if (!IS_KNOWN(clock)) return EINVAL;
  struct timespec day = on_day_clock(clock, until);
  return pthread_rwlock_timedwrlock(lock, &day);
}

int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *until) {
  if (!IS_KNOWN(clock)) {
    errno = EINVAL;
    return -1;
  }
  struct timespec day = on_day_clock(clock, until);
  return sem_timedwait(semaphore, &day);
}
