/** Exit codes of the process. A signal ends it with 128 plus the signal's number. */
export const exitCodes = {
  ok: 0,
  /** The job failed, or returned no page at all. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  /** With `--strict`: a page failed, or a URL was invalid. */
  incomplete: 3,
} as const
