/* The builder of a fixed-output derivation: makes its output, hands the open file to whoever listens, and ends.
   Arguments: the name of an abstract socket, what the output says. */
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **words) {
  if (count != 3) return 2;
  int file = open(getenv("out"), O_CREAT | O_RDWR, 0644);
  if (file < 0 || write(file, words[2], strlen(words[2])) < 0) return 3;

  struct sockaddr_un address = {.sun_family = AF_UNIX};
  memcpy(address.sun_path + 1, words[1], strlen(words[1]));
  socklen_t size = offsetof(struct sockaddr_un, sun_path) + 1 + strlen(words[1]);
  int end = socket(AF_UNIX, SOCK_STREAM, 0);
  /* A Nix that lets it reach nobody has to take the output all the same. */
  if (connect(end, (struct sockaddr *)&address, size) != 0) return 0;

  char byte = 'x', space[CMSG_SPACE(sizeof file)] = {0};
  struct iovec part = {&byte, 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = space, .msg_controllen = sizeof space};
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(header), &file, sizeof file);
  return sendmsg(end, &message, 0) < 0 ? 4 : 0;
}
