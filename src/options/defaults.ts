import { defaultRetrySettings } from '../fetch/retry.js'

/*
 * Every default that is a value, once. Plans take theirs from here; a test holds the doc comments, and with them the
 * reference, and the help of the command line to it.
 */

const MIB = 1024 * 1024

/** Defaults of an engine. Those that depend on the machine are computed in its plan. */
export const engineDefaults = {
  maxConcurrency: 10,
  allowPrivateNetworks: false,
  staleIfErrorMs: 0,
  fileTimeoutMs: 60_000,
  limits: { wireBytes: 50 * MIB, bodyBytes: 100 * MIB, redirects: 10, headerBytes: 64 * 1024 },
  fetcher: 'auto',
  browser: { pagesPerBrowser: 100 },
  ffmpeg: 'ffmpeg',
  modelOptions: {
    maxConcurrency: 4,
    timeoutMs: 60_000,
    maxRetries: 2,
    backoffMs: 1000,
    contextTokens: 32_768,
    maxOutputTokens: 4096,
    cacheBytes: 8 * MIB,
  },
  creditLimit: Infinity,
  retry: defaultRetrySettings,
  maxWaitingBytes: 32 * MIB,
  baseUrl: 'trawl://engine',
  retentionMs: 24 * 60 * 60 * 1000,
} as const
