import type { LinkedChunk } from '../../content/convert/formats/chunks.js'
import type { Document } from '../../kernel/page/document.js'

/** Part of a site that a mirror has under one key: a page, or a chunk of one. */
export type MirrorUnit = 'page' | 'chunk'

/** An item of a mirror before a change. */
export interface MirroredItem {
  readonly key: string
  /** URL of its page. */
  readonly url: string
}

/** A chunk of a page, under the key that it has in a mirror. */
export interface MirroredChunk extends LinkedChunk {
  /** URL of its page. */
  readonly url: string
}

interface Stored {
  /**
   * The key of what is stored. Of a page, its URL after redirects. Of a chunk, a hash of that, of the headings above it and of its
   * Markdown: an edit elsewhere on the page does not change it. It is the same whenever the change is delivered again.
   */
  readonly key: string
}

interface Put extends Stored {
  readonly op: 'put'
  /** The item that it replaces; absent for a new one. */
  readonly previous?: MirroredItem
}

interface Move extends Stored {
  readonly op: 'move'
  /** The item that it was: under another key, because its page has another URL. */
  readonly previous: MirroredItem
}

interface Delete extends Stored {
  readonly op: 'delete'
  readonly previous: MirroredItem
}

/** A change of a page. A page that has moved may have changed as well. */
export type PageChange = ((Put | Move) & { readonly page: Document }) | Delete

/** A change of a chunk. One that has moved has the same text. */
export type ChunkChange = ((Put | Move) & { readonly chunk: MirroredChunk }) | Delete

/** A change of a site since what a mirror has acknowledged. */
export type MirrorChange = PageChange | ChunkChange

/** The changes of a unit. */
export type ChangeOf<Unit extends MirrorUnit> = Unit extends 'chunk' ? ChunkChange : PageChange

/** A page that could not be read. */
export interface MirrorFailure {
  readonly url: string
  /** Reason, such as `403` for a status, or the code and the message of an error. */
  readonly reason: string
}

/** URLs of pages of a mirror's last crawl, by what became of them: the first 100 of each kind. A kind is absent for none. */
export interface MirroredPages {
  new?: string[]
  changed?: string[]
  moved?: { readonly from: string; readonly to: string }[]
  removed?: string[]
  kept?: string[]
}

/** Numbers of pages of a mirror's last crawl. */
export interface MirrorSummary {
  /** Pages that the mirror did not have. */
  new: number
  changed: number
  /** Pages with another URL, by a redirect or with the same content. */
  moved: number
  removed: number
  unchanged: number
  /** Pages that could not be read: the mirror keeps what it has of them. */
  failed: number
  /** Pages that are in the mirror and were not found, and stay because the crawl did not see all of the site. */
  kept: number
  /** Reasons why nothing was removed for not being found. Sentences; empty for a crawl that saw all of its scope. */
  gaps: string[]
  /** URLs of the pages that are counted; absent for none, and in `status()`. */
  pages?: MirroredPages
  /** The first 100 pages that could not be read, with the reasons: `failed` counts all. Absent for none, and in `status()`. */
  failures?: MirrorFailure[]
  /** Problems of the target, such as a file that is not of the mirror. Sentences; absent for none. */
  warnings?: string[]
}
