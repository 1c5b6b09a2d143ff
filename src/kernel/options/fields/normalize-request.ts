import { InvalidRequestError } from '../../../base/errors.js'
import { urlToString } from '../../../base/url.js'
import { type FeatureOptions, NO_FEATURE_OPTIONS } from '../option-definition.js'

/** Maximum number of items of an iterable, which may be infinite. */
const MAX_ITEMS = 1_000_000

/**
 * Converts the URLs and patterns of a request to strings, and its iterables to arrays. All other values, also wrong
 * ones, stay for the check.
 *
 * @param more options that features add to the request
 * @throws InvalidRequestError for an iterable of more than 1,000,000 items
 */
export function normalizeRequest(request: unknown, { job }: FeatureOptions = NO_FEATURE_OPTIONS): unknown {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return request
  const given = copyOptions(request)
  const { url, urls, includePaths, excludePaths } = given
  const receivers = Object.entries(job).filter(([name, { isReceiver }]) => isReceiver && name in given)
  return {
    ...given,
    ...('url' in request && { url: urlToString(url) }),
    ...('urls' in request && { urls: listItems(urls, 'urls', urlToString) }),
    ...Object.fromEntries(receivers.map(([name]) => [name, normalizeReceiver(given[name])])),
    ...('includePaths' in request && { includePaths: listItems(includePaths, 'includePaths', normalizePattern) }),
    ...('excludePaths' in request && { excludePaths: listItems(excludePaths, 'excludePaths', normalizePattern) }),
  }
}

/**
 * Copies the options of a request with those that it inherits, which the check of any other object reads as well. Inherited functions are
 * the methods of a class, which older compilers make enumerable; no option is a function.
 */
function copyOptions(request: object): { readonly [name: string]: unknown } {
  const inherited: [string, unknown][] = []
  for (const name in request) {
    const value: unknown = Object.hasOwn(request, name) ? undefined : Reflect.get(request, name)
    if (value !== undefined && typeof value !== 'function') inherited.push([name, value])
  }
  return { ...Object.fromEntries(inherited), ...request }
}

/** Converts the URL of a receiver of reports, which may stand alone, to a string. */
export function normalizeReceiver(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('url' in value)) return urlToString(value)
  return { ...value, url: urlToString(value.url) }
}

/**
 * Converts a `RegExp` to its source, with the flags that RE2 has. One with flag `v` or `y` stays, and is refused by the
 * check.
 */
function normalizePattern(value: unknown): unknown {
  if (!(value instanceof RegExp) || /[vy]/.test(value.flags)) return value
  const flags = value.flags.replace(/[^ims]/g, '')
  return flags === '' ? value.source : `(?${flags})${value.source}`
}

/** Lists the converted items of an iterable; any other value is returned as it is. */
function listItems(value: unknown, name: string, convert: (item: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return value
  const items: unknown[] = []
  for (const item of value as Iterable<unknown>) {
    items.push(convert(item))
    if (!Array.isArray(value) && items.length > MAX_ITEMS) {
      const message = `more than ${MAX_ITEMS} items of an iterable: give them in several requests`
      throw new InvalidRequestError([{ code: 'too_big', path: [name], message }])
    }
  }
  return items
}
