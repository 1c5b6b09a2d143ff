/** A style sheet that a page links to, as it was received. Plain data. */
export interface LinkedSheet {
  /** Its address as the page writes it. */
  readonly href: string
  /** The texts that it imports, before its own. */
  readonly texts: readonly SheetText[]
}

/** Text of a style sheet. It is in memory that threads share, so that a page sends them no copy. */
export interface SheetText {
  /** Identifies the text: threads remember what they have read of it. */
  readonly id: string
  /** In UTF-8. */
  readonly bytes: Uint8Array
  /** The media that it is imported for. @default all */
  readonly media?: string
}

/** Reads an attribute of an element by its name in lower case. */
type ReadAttribute = (name: string) => string | undefined

/** A link to a style sheet. */
interface SheetLink {
  /** As it is written. */
  readonly href: string
  readonly media: string | undefined
}

/**
 * Reads the link to a style sheet that browsers apply, or that a handler of its own applies when it has loaded: pages defer sheets so.
 *
 * @returns undefined for another link
 */
export function readSheetLink(read: ReadAttribute): SheetLink | undefined {
  const href = read('href')?.trim() ?? ''
  const rel = (read('rel') ?? '').toLowerCase().split(/\s+/)
  const onload = read('onload') ?? ''
  const isDeferred = rel.includes('preload') && read('as') === 'style' && onload.includes('stylesheet')
  if (href === '' || read('disabled') !== undefined) return undefined
  if (!(rel.includes('stylesheet') || isDeferred) || rel.includes('alternate')) return undefined
  if (!/^(?:text\/css)?\s*(?:;|$)/i.test(read('type')?.trim() ?? '')) return undefined
  return { href, media: /\bmedia\b/.test(onload) ? undefined : read('media') }
}
