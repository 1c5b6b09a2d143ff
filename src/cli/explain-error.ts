import { InvalidRequestError, TrawlError, type ErrorCode, type RequestIssue } from '../index.js'
import type { Flag } from './flags/flag.js'
import { UsageError } from './usage-error.js'

/** How what is no flag was given, for an issue about it: `list.txt:3` for `['urls', 2]`. */
export type NameArgument = (path: RequestIssue['path']) => string

/** What says that the request itself is at fault, and that nothing was started. */
const faultsOfRequest: readonly ErrorCode[] = ['BAD_REQUEST', 'NOT_AVAILABLE']

/** Does what starts a job. @throws UsageError with every problem of the request, in the words of the command line */
export function explaining<T>(flags: readonly Flag[], nameArgument: NameArgument, start: () => T): T {
  try {
    return start()
  } catch (error) {
    throw toUsageError(error, flags, nameArgument)
  }
}

/** The error as one of usage, when the request is at fault; any other error as it is. */
export function toUsageError(error: unknown, flags: readonly Flag[], nameArgument: NameArgument): unknown {
  if (!(error instanceof TrawlError) || !faultsOfRequest.includes(error.code)) return error
  const issues: readonly Pick<RequestIssue, 'path' | 'message'>[] =
    error instanceof InvalidRequestError ? error.issues : [{ path: [], message: error.message }]
  return new UsageError(
    issues.map(({ path, message: said }) => {
      const message = said.replace(
        'make the engine with one, `createEngine({ model })`',
        'give --model-url and --model',
      )
      if (path.length === 0) return speakOfFlags(message, flags)
      const flag = flags.find((candidate) => candidate.path.every((key, index) => path[index] === key))
      if (!flag) return `${nameArgument(path)}: ${message}`
      const within = printWithin(path.slice(flag.path.length))
      // Inside of a value, a name in backticks is one of the value's own, even where a flag is called the same.
      return `--${flag.name}${within}: ${within === '' ? speakOfFlags(message, flags) : message}`
    }),
  )
}

/** The place inside of a flag's value: ` [0].type`. */
function printWithin(path: RequestIssue['path']): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${key}`)).join('')
  return place === '' ? '' : ` ${place.replace(/^\./, '')}`
}

/** Options that a message names in backticks, as the flags that they are here. */
export const speakOfFlags = (message: string, flags: readonly Flag[]): string =>
  message.replace(/`([\w.]+)([^`]*)`/g, (quoted, option: string, rest: string) => {
    const flag = flags.find(({ path }) => path.join('.') === option) ?? flags.find(({ path }) => path.at(-1) === option)
    return flag ? `--${flag.name}${rest}` : quoted
  })
