import { parseJson } from '../../../base/text/parse-json.js'
import { isObject } from '../../../base/collections/is-object.js'

/** Facts about a response in the index. */
export interface IndexFacts {
  readonly url: string
  readonly date: string
  readonly mime: string
  readonly status: number
  readonly digest: string
  /** Hash of the request, by which an equal one is known; absent where it is not. */
  readonly request?: string
}

/** A line of an index: a response, and where its record stands. */
export interface CaptureLine extends IndexFacts {
  readonly filename: string
  readonly offset: number
  readonly length: number
  /** Method of the request, as other programs write it; undefined for `GET`. */
  readonly method?: string
}

/** Returns a URL in the order in which indexes are sorted: `com,example)/path`. */
export function toSurt(url: string): string {
  const { hostname, port, pathname, search } = new URL(url)
  const host = /^[\d.]+$|^\[/.test(hostname)
    ? hostname
    : hostname
        .replace(/^www\./, '')
        .split('.')
        .toReversed()
        .join(',')
  return `${host}${port === '' ? '' : `:${port}`})${pathname}${search}`.toLowerCase()
}

/** @see https://specs.webrecorder.net/cdxj/0.1.0/ */
export function formatLine({
  url,
  date,
  mime,
  status,
  digest,
  request,
  filename,
  offset,
  length,
}: CaptureLine): string {
  const time = date.replace(/\D/g, '').slice(0, 14)
  // The date in full is not in the specification: two requests of a second differ by it.
  const facts = {
    url,
    mime,
    status: String(status),
    digest,
    length: String(length),
    offset: String(offset),
    filename,
    date,
    request,
  }
  return `${toSurt(url)} ${time} ${JSON.stringify(facts)}\n`
}

/** Reads a line. @returns undefined for one that is none, such as a head */
export function parseLine(line: string): CaptureLine | undefined {
  const start = line.indexOf('{')
  if (start === -1 || line.startsWith('!')) return undefined
  try {
    const facts: unknown = parseJson(line.slice(start))
    if (!isObject(facts)) return undefined
    const text = (name: string): string => {
      const { [name]: value } = facts
      return typeof value === 'string' ? value : ''
    }
    const [offset, length] = [Number(facts['offset']), Number(facts['length'])]
    if (!isSize(offset) || !isSize(length) || text('url') === '') return undefined
    const stamp = line.slice(0, start).trim().split(' ').at(-1) ?? ''
    const date = typeof facts['date'] === 'string' ? facts['date'] : stamp
    const status = Number(facts['status'] ?? 0)
    return {
      url: text('url'),
      date,
      mime: text('mime'),
      status,
      digest: text('digest'),
      request: text('request') || undefined,
      method: text('method') || undefined,
      filename: text('filename'),
      offset,
      length,
    }
  } catch {
    return undefined
  }
}

const isSize = (value: number): boolean => Number.isSafeInteger(value) && value >= 0
