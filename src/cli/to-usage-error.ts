import { InvalidRequestError, TrawlError, type ErrorCode, type RequestIssue } from '../index.js'
import { MODEL_ADVICE } from '../kernel/options/engine-capabilities.js'
import type { Flag } from './flags/flag.js'
import { UsageError } from './usage-error.js'

/** Names an argument that is not a flag, for an issue about it: `list.txt:3` for `['urls', 2]`. */
type NameArgument = (path: RequestIssue['path']) => string

/** Error codes of a request that was refused before anything was started. */
const requestErrorCodes: readonly ErrorCode[] = ['BAD_REQUEST', 'NOT_AVAILABLE']

/**
 * Calls a function that starts a job.
 *
 * @throws UsageError with every issue of the request, naming flags in place of options
 */
export function withUsageErrors<T>(flags: readonly Flag[], nameArgument: NameArgument, start: () => T): T {
  try {
    return start()
  } catch (error) {
    throw toUsageError(error, flags, nameArgument)
  }
}

/** Awaits a call of the engine about the URL of the command. @throws UsageError */
export const withUrlErrors = async <T>(flags: readonly Flag[], call: Promise<T>): Promise<T> =>
  call.catch((error: unknown) => {
    throw toUsageError(error, flags, () => 'URL')
  })

/** Converts an error about the request to a `UsageError`; returns any other error unchanged. */
export function toUsageError(error: unknown, flags: readonly Flag[], nameArgument: NameArgument): unknown {
  if (!(error instanceof TrawlError) || !requestErrorCodes.includes(error.code)) return error
  const issues: readonly { readonly path: RequestIssue['path']; readonly message: string }[] =
    error instanceof InvalidRequestError ? error.issues : [{ path: [], message: error.message }]
  return new UsageError(
    issues.map(({ path, ...issue }) => {
      const message = issue.message.replace(MODEL_ADVICE, 'give --model-url and --model')
      if (path.length === 0) return nameFlags(message, flags)
      const flag = flags.find((candidate) => candidate.path.every((key, index) => path[index] === key))
      if (!flag) return `${nameArgument(path)}: ${message}`
      const within = printWithin(path.slice(flag.path.length))
      // Within a value, a name in backticks is a member of the value, even if a flag has the same name.
      return `--${flag.name}${within}: ${within === '' ? nameFlags(message, flags) : message}`
    }),
  )
}

/** Formats a place within a flag's value: ` [0].type`. */
function printWithin(path: RequestIssue['path']): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return place === '' ? '' : ` ${place.replace(/^\./, '')}`
}

/**
 * Replaces option names in backticks by their flags, with their values. A parameter of a URL, such as `limit=5`, is none. A command has
 * one engine: flags are not told to be "of the engine".
 */
export const nameFlags = (message: string, flags: readonly Flag[]): string =>
  message.replace(/`([\w.]+)((?:[^\w.=`][^`]*)?)`(?: of the engine)?/g, (quoted, option: string, rest: string) => {
    const flag = flags.find(({ path }) => path.join('.') === option) ?? flags.find(({ path }) => path.at(-1) === option)
    return flag ? printUse(flag, rest) : quoted
  })

/** Formats a flag with what follows the name of its option in a message: `: true`, for example. */
function printUse(flag: Flag, rest: string): string {
  const value = /^: (["']?)([\w-]+)\1$/.exec(rest)?.[2]
  if (value === undefined) return `--${flag.name}${rest}`
  if (value === 'true') return `--${flag.name}`
  return value === 'false' ? `--no-${flag.name}` : `--${flag.name} ${value}`
}
