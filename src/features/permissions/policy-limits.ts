/** Limits of policy files: `tdmrep.json` and licence files. */
export const policyLimits = {
  /** Maximum size of a file; a longer one is not read. Bytes. */
  fileBytes: 262_144,
  /** Time for a file; one that takes longer is not read. Milliseconds. */
  timeoutMs: 10_000,
  /** Lifetime of a file that was read, or that does not exist. Milliseconds. */
  readMs: 24 * 3_600_000,
  /** Lifetime of the knowledge that a file could not be read. Milliseconds. */
  failedMs: 5 * 60_000,
  /** Maximum size of all files in memory, as estimated. Bytes. */
  totalBytes: 33_554_432,
  /** Maximum number of licence files that the pages and robots.txt files of one registrable domain have requested in a day. */
  filesBySite: 20,
  /** Maximum number of licence files that are requested from one host in a day for sites of other domains. */
  filesByHost: 1000,
} as const
