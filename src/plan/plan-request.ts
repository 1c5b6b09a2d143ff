import type { PageRequest } from '../fetch/fetcher.js'
import { parseUrlField } from '../options/fields/url-field.js'

/** What will be fetched, from a checked URL. */
export function planRequest(url: string): PageRequest {
  const read = parseUrlField(url)
  // The door refused such a request: coming here with one is a defect.
  if ('problem' in read) throw new TypeError(read.problem)
  return read
}
