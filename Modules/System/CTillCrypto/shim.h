#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <stddef.h>

// EVP_sha256() in both places: naming the hash by text would make OpenSSL keep a pointer to it.

// SHA-256 of the bytes into 32 bytes at digest. 1 on success.
static inline int till_sha256(
    const void *_Nullable bytes, size_t count, unsigned char *_Nonnull digest) {
  unsigned int length = 0;
  return EVP_Digest(bytes, count, digest, &length, EVP_sha256(), NULL) == 1 && length == 32;
}

// HMAC-SHA256 into 32 bytes at digest. 1 on success. OpenSSL takes a NULL key as "the one before",
// so an empty key is handed over as an address with length 0.
static inline int till_hmac_sha256(
    const void *_Nullable key, int key_count, const unsigned char *_Nullable bytes, size_t count,
    unsigned char *_Nonnull digest) {
  static const unsigned char empty[1] = {0};
  unsigned int length = 0;
  return HMAC(EVP_sha256(), key ? key : empty, key_count, bytes ? bytes : empty, count, digest,
              &length) != NULL && length == 32;
}
