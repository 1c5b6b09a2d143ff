import { pageDocument } from '../../browser/injected/built-ins-of.js'
/** Maximum length of a name or a label. Characters. */
const MAX_TEXT = 100

export const cleanText = (text: string | null | undefined): string =>
  (text || '').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)

/** Resolves a URL against the document; undefined for an absent or invalid one. */
export function toAbsoluteUrl(url: string | null | undefined): string | undefined {
  try {
    return url ? new URL(url, pageDocument.baseURI).href : undefined
  } catch {
    return undefined
  }
}
