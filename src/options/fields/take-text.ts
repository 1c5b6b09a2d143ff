import { InvalidRequestError } from '../../errors.js'
import { takeUrl } from '../../url.js'
import type { Webhook } from './webhook.js'

/** A pattern as a caller may give it: RE2 syntax as text, or a `RegExp` whose source is that. */
export type PatternLike = string | RegExp

/** A request as it was checked: its URLs and patterns are text, in lists. */
export type Checked<Request> = Omit<Request, 'url' | 'webhook' | 'includePaths' | 'excludePaths'> & {
  url: string
  webhook?: string | CheckedWebhook | undefined
  includePaths?: readonly string[] | undefined
  excludePaths?: readonly string[] | undefined
}

/** A batch as it was checked. */
export type CheckedBatch<Batch> = Omit<Batch, 'urls' | 'webhook'> & {
  urls: readonly string[]
  webhook?: string | CheckedWebhook | undefined
}

/** A webhook as it was checked. */
export type CheckedWebhook = Omit<Webhook, 'url'> & { url: string }

/** URLs that are taken of an iterable, which need not end. */
const MAX_ITEMS = 1_000_000

/** Takes a request with its URLs and patterns as text and its lists as lists; all else is for its schema to judge. */
export function takeText(request: unknown): unknown {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) return request
  const { url, urls, webhook, includePaths, excludePaths }: { readonly [name: string]: unknown } = { ...request }
  return {
    ...request,
    ...('url' in request && { url: takeUrl(url) }),
    ...('urls' in request && { urls: takeList(urls, 'urls', takeUrl) }),
    ...('webhook' in request && { webhook: takeWebhook(webhook) }),
    ...('includePaths' in request && { includePaths: takeList(includePaths, 'includePaths', takePattern) }),
    ...('excludePaths' in request && { excludePaths: takeList(excludePaths, 'excludePaths', takePattern) }),
  }
}

/** The webhook that a URL is short for, or that has one, with its URL as text. */
function takeWebhook(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('url' in value)) return takeUrl(value)
  return { ...value, url: takeUrl(value.url) }
}

/** The source of a pattern with those of its flags that RE2 has. One that matches at a place only, or by sets, is left as it is. */
function takePattern(value: unknown): unknown {
  if (!(value instanceof RegExp) || /[vy]/.test(value.flags)) return value
  const flags = value.flags.replace(/[^ims]/g, '')
  return flags === '' ? value.source : `(?${flags})${value.source}`
}

/** @throws InvalidRequestError for an iterable that does not end */
function takeList(value: unknown, name: string, take: (item: unknown) => unknown): unknown {
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
