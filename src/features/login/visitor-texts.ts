import { findEndTag } from '../../content/html/scan-tags.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { addressOf } from './address-of.js'

/** Asks for a page, with the session or without it. */
export type AskAs = (visitor: 'member' | 'stranger') => Promise<FetchedPage | undefined>

/** Times that pages which differ are asked for: what passes, such as one of some advertisements, does not differ each time. */
const MAX_ROUNDS = 4
/** Longest source that is compared. Bytes. */
const MAX_SOURCE = 500_000
const UNSEEN: ReadonlySet<string> = new Set(['script', 'style', 'template', 'noscript', 'textarea', 'select'])
const NAME = /[a-z][a-z0-9-]{0,40}/iy

/** Tests whether a session gets another page than strangers do: another text each time, or one where they are led elsewhere. */
export async function isToldApart(url: string, ask: AskAs): Promise<boolean> {
  const [members, strangers] = [new Lines(), new Lines()]
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const stranger = await ask('stranger')
    const member = stranger && (await ask('member'))
    if (!member || member.statusCode >= 400) return false
    if (addressOf(member.url) === addressOf(url) && addressOf(stranger.url) !== addressOf(url)) return true
    members.add(member)
    strangers.add(stranger)
    if (!members.hasMoreThan(strangers) && !strangers.hasMoreThan(members)) return false
  }
  return true
}

/** Texts of the answers to one visitor. */
class Lines {
  readonly #all = new Set<string>()
  #lasting: ReadonlySet<string> | undefined

  add(page: FetchedPage): void {
    const lines = readLines(page)
    this.#lasting = new Set([...lines].filter((line) => this.#lasting?.has(line) ?? true))
    for (const line of lines) this.#all.add(line)
  }

  /** Tests for a text that was there each time, and that the other never got. */
  hasMoreThan(other: Lines): boolean {
    return [...(this.#lasting ?? [])].some((line) => !other.#all.has(line))
  }
}

/** Reads the texts between the tags of a page, in linear time. */
function readLines({ body }: Pick<FetchedPage, 'body'>): ReadonlySet<string> {
  const bytes = Buffer.from(body.buffer, body.byteOffset, Math.min(body.byteLength, MAX_SOURCE))
  const source = bytes.toString('latin1')
  const lines = new Set<string>()
  for (let at = 0; at !== -1 && at < source.length;) {
    const open = source.indexOf('<', at)
    const line = source.slice(at, open === -1 ? undefined : open).trim()
    if (line !== '') lines.add(line)
    if (open === -1) break
    const isComment = source.startsWith('<!--', open)
    NAME.lastIndex = open + 1
    const name = NAME.exec(source)?.[0].toLowerCase() ?? ''
    const from = UNSEEN.has(name) ? findEndTag(source, name, open + 1) : open
    const close = from === -1 ? -1 : source.indexOf(isComment ? '-->' : '>', from)
    at = close === -1 ? -1 : close + (isComment ? 3 : 1)
  }
  return lines
}
