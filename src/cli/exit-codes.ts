/** What the process exits with; a signal that ends it gives 128 and its number. */
export const exitCodes = {
  ok: 0,
  /** The job failed, or gave no page at all. */
  failed: 1,
  /** Something is wrong with what was typed. */
  usage: 2,
  /** With `--strict`: a page failed, or a URL was invalid. */
  incomplete: 3,
} as const
