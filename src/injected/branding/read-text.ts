/** Characters of a name or a label. */
const MAX_TEXT = 100

export const cleanText = (text: string | null | undefined): string =>
  (text || '').replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT)

/** Resolves a URL against the document; undefined for none, and for one that is not valid. */
export function toAbsoluteUrl(url: string | null | undefined): string | undefined {
  try {
    return url ? new URL(url, document.baseURI).href : undefined
  } catch {
    return undefined
  }
}
