/** Exit codes of the process. A signal ends it with 128 plus the signal's number. */
export const exitCodes = {
  ok: 0,
  /** The job failed, or returned no page at all; a map has no URL, because the site could not be read; a URL to explain is not in it. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  /** With `--strict`: the result is incomplete. */
  incomplete: 3,
} as const

/** Returns the exit code of a command that succeeded. @param isIncomplete whether its result lacks something, which `--strict` makes a failure */
export const strictExitCode = ({ strict }: { readonly strict?: boolean }, isIncomplete: boolean): number =>
  strict === true && isIncomplete ? exitCodes.incomplete : exitCodes.ok

/** Exit codes with their meanings. */
export const EXIT_CODES = [
  ['0', 'all is well; pages that failed are listed in the summary; resume: no job was unfinished'],
  ['1', 'the job failed, or gave no page at all; map: the site could not be read; explain: the job never met the URL'],
  ['2', 'something is wrong with the command or the request, and nothing was started'],
  ['3', 'with --strict: the result is incomplete, for example because a page failed'],
  [
    '129, 130, 143',
    'ended by SIGHUP, SIGINT (Ctrl-C) or SIGTERM; what was scraped is kept. work: only by a second one',
  ],
] as const
