import { InvalidRequestError } from '../errors.js'
import { urlToString } from '../url.js'
import type { Webhook } from './fields/webhook.js'

/** Pattern as given by a caller: RE2 syntax as a string, or a `RegExp` with such a source. */
export type PatternLike = string | RegExp

/** Checked request: its URLs and patterns are arrays of strings. */
export type Checked<Request> = Omit<Request, 'url' | 'webhook' | 'includePaths' | 'excludePaths'> & {
  url: string
  webhook?: string | CheckedWebhook | undefined
  includePaths?: readonly string[] | undefined
  excludePaths?: readonly string[] | undefined
}

/** Checked batch. */
export type CheckedBatch<Batch> = Omit<Batch, 'urls' | 'webhook'> & {
  urls: readonly string[]
  webhook?: string | CheckedWebhook | undefined
}

/** Checked webhook. */
export type CheckedWebhook = Omit<Webhook, 'url'> & { url: string }

/** Maximum number of items of an iterable, which may be infinite. */
const MAX_ITEMS = 1_000_000

/**
 * Converts URLs and patterns of a request to strings, and iterables to arrays; everything else is left to its schema.
 */
export function normalizeRequest(request: unknown): unknown {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return request
  const { url, urls, webhook, includePaths, excludePaths }: { readonly [name: string]: unknown } = { ...request }
  return {
    ...request,
    ...('url' in request && { url: urlToString(url) }),
    ...('urls' in request && { urls: listItems(urls, 'urls', urlToString) }),
    ...('webhook' in request && { webhook: normalizeWebhook(webhook) }),
    ...('includePaths' in request && { includePaths: listItems(includePaths, 'includePaths', normalizePattern) }),
    ...('excludePaths' in request && { excludePaths: listItems(excludePaths, 'excludePaths', normalizePattern) }),
  }
}

/** Converts a webhook, or the URL that is short for one, to an object with its URL as a string. */
function normalizeWebhook(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('url' in value)) return urlToString(value)
  return { ...value, url: urlToString(value.url) }
}

/**
 * Converts a `RegExp` to its source, with the flags that RE2 supports. Sticky expressions and those with sets are left
 * unchanged.
 */
function normalizePattern(value: unknown): unknown {
  if (!(value instanceof RegExp) || /[vy]/.test(value.flags)) return value
  const flags = value.flags.replace(/[^ims]/g, '')
  return flags === '' ? value.source : `(?${flags})${value.source}`
}

/** @throws InvalidRequestError for an iterable that does not end */
function listItems(value: unknown, name: string, take: (item: unknown) => unknown): unknown {
  if (typeof value !== 'object' || value === null || !(Symbol.iterator in value)) return value
  const items: unknown[] = []
  for (const item of value as Iterable<unknown>) {
    items.push(take(item))
    if (!Array.isArray(value) && items.length > MAX_ITEMS) {
      const message = `more than ${MAX_ITEMS} items of an iterable: give them in several requests`
      throw new InvalidRequestError([{ code: 'too_big', path: [name], message }])
    }
  }
  return items
}
