#pragma once
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <stddef.h>

// Algorithms are looked up once: each time anew it would cost as much as hashing a webhook. What is
// made here is never changed and never freed. NULL if libcrypto does not have it.
static inline EVP_MD *_Nullable till_fetch_sha256(void) {
  return EVP_MD_fetch(NULL, "SHA256", NULL);
}

// As above: an HMAC that knows its hash and no key yet, from a list of settings, which would have
// to be kept in place for the call.
static inline EVP_MAC_CTX *_Nullable till_make_hmac_sha256(void) {
  static char hash[] = "SHA256";
  OSSL_PARAM settings[] = {
      OSSL_PARAM_construct_utf8_string("digest", hash, 0), OSSL_PARAM_construct_end()};
  EVP_MAC *method = EVP_MAC_fetch(NULL, "HMAC", NULL);
  EVP_MAC_CTX *context = method ? EVP_MAC_CTX_new(method) : NULL;
  EVP_MAC_free(method);
  if (context && EVP_MAC_CTX_set_params(context, settings) != 1) {
    EVP_MAC_CTX_free(context);
    return NULL;
  }
  return context;
}

// SHA-256 of the bytes into 32 bytes at digest. 1 on success.
static inline int till_sha256(
    const EVP_MD *_Nonnull method, const void *_Nullable bytes, size_t count,
    unsigned char *_Nonnull digest) {
  unsigned int length = 0;
  return EVP_Digest(bytes, count, digest, &length, method, NULL) == 1 && length == 32;
}

// HMAC-SHA256 into 32 bytes at digest. 1 on success. OpenSSL takes a NULL key as "the one before",
// so an empty key is handed over as an address with length 0.
static inline int till_hmac_sha256(
    const EVP_MAC_CTX *_Nonnull method, const unsigned char *_Nullable key, size_t key_count,
    const unsigned char *_Nullable bytes, size_t count, unsigned char *_Nonnull digest) {
  static const unsigned char empty[1] = {0};
  size_t length = 0;
  EVP_MAC_CTX *context = EVP_MAC_CTX_dup(method);
  int is_done = context && EVP_MAC_init(context, key ? key : empty, key_count, NULL) == 1
      && EVP_MAC_update(context, bytes ? bytes : empty, count) == 1
      && EVP_MAC_final(context, digest, &length, 32) == 1;
  EVP_MAC_CTX_free(context);
  return is_done && length == 32;
}
