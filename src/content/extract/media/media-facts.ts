import { isWebUrl, resolveUrl } from '../../../base/url.js'
import type { MediaFacts } from './found-media.js'

/** Maximum lengths. Characters. */
const MAX_TITLE = 500
const MAX_URL_LENGTH = 8192

/** Facts about a medium as a page writes them. */
type WrittenFacts = { readonly [Name in keyof MediaFacts]?: string | undefined }

/** Reads the facts of a medium; undefined if there are none. A value that is none of its kind is left out. */
export function readMediaFacts(written: WrittenFacts): MediaFacts | undefined {
  const title = written.title?.replace(/\s+/g, ' ').trim().slice(0, MAX_TITLE)
  const facts: MediaFacts = {}
  if (title) facts.title = title
  if (written.thumbnail) facts.thumbnail = written.thumbnail
  const duration = written.duration === undefined ? undefined : readSeconds(written.duration.trim())
  if (duration) facts.duration = duration
  for (const side of ['width', 'height'] as const) {
    const pixels = Number(/^\s*(\d{1,5})(?:px)?\s*$/.exec(written[side] ?? '')?.[1])
    if (pixels > 0) facts[side] = pixels
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}

/** Reads a duration in the form of ISO 8601 (`PT1H2M3S`), of a clock (`1:02:03`) or of seconds. @returns seconds */
function readSeconds(text: string): number | undefined {
  const [, days, hours, minutes, seconds] =
    /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,5})H)?(?:(\d{1,6})M)?(?:(\d{1,8}(?:\.\d{1,3})?)S)?)?$/.exec(text) ?? []
  const parts = [days, hours, minutes, seconds]
  if (parts.some((part) => part !== undefined)) {
    const [d = 0, h = 0, m = 0, s = 0] = parts.map((part) => Number(part ?? 0))
    return ((d * 24 + h) * 60 + m) * 60 + s
  }
  if (!/^\d{1,6}(?::\d{2}){0,2}(?:\.\d{1,3})?$/.test(text)) return undefined
  return text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0)
}

/** Resolves the address of the picture; facts without one that is on the web. */
export function resolveThumbnail(facts: MediaFacts, baseUrl: string): MediaFacts {
  const { thumbnail, ...rest } = facts
  if (thumbnail === undefined) return facts
  const resolved = thumbnail.length > MAX_URL_LENGTH ? undefined : resolveUrl(thumbnail, baseUrl)
  return resolved && isWebUrl(resolved) ? { ...rest, thumbnail: resolved.href } : rest
}
