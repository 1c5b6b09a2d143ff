import { messageOf } from '../../../base/errors.js'
import { readFile } from 'node:fs/promises'

/** Fetches a list from the web. */
export type GetList = (url: string, signal: AbortSignal) => Promise<string>

/** The texts of filter lists, and the problems of those that could not be read. */
interface AdLists {
  readonly texts: readonly string[]
  readonly problems: readonly string[]
}

/** Maximum length of a filter list. Characters. */
const MAX_LENGTH = 64 * 1024 * 1024

/** Reads lists from files or URLs. A list that cannot be read is a problem, not an error. */
export async function readAdLists(places: readonly string[], get: GetList, signal: AbortSignal): Promise<AdLists> {
  const texts: string[] = []
  const problems: string[] = []
  for (const place of places) {
    try {
      const text = /^https?:\/\//i.test(place)
        ? await get(place, signal)
        : await readFile(place, { encoding: 'utf8', signal })
      if (text.length > MAX_LENGTH) throw new Error(`it has more than ${MAX_LENGTH} characters`)
      if (/^\s*<(?:!doctype|html)/i.test(text)) throw new Error('it is an HTML page')
      texts.push(text)
    } catch (error) {
      signal.throwIfAborted()
      const why = messageOf(error)
      problems.push(`The list \`${place}\` of \`adLists\` could not be read: ${why}.`)
    }
  }
  return { texts, problems }
}
