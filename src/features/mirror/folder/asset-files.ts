import { createHash } from 'node:crypto'
import { lstat, readFile } from 'node:fs/promises'
import { messageOf, rowOf, toTrawlError } from '../../../base/errors.js'
import { isBarred, isTaken, pathIn } from '../../../base/folder/file-place.js'
import { replaceFile } from '../../../base/folder/replace-file.js'
import { isSuccessStatus, transientStatuses } from '../../../base/http/statuses.js'
import { isWebUrl, MAX_URL_CHARACTERS, parseUrl, withoutFragment } from '../../../base/url.js'
import { findTargets } from '../../../content/convert/split/find-targets.js'
import type { AssetFacts, MirrorEntry, RecordChange } from '../mirror-record.js'
import type { FetchedAsset, TargetParts } from '../mirror-target.js'
import type { FolderRecord } from './folder-record.js'
import { listNames, mayRun, IMAGE_TYPES, type ImageType, imageTypeOf } from './image-type.js'

/** Settings of the pictures of a folder. */
export interface AssetOptions {
  /**
   * Types of pictures that are saved, as their bytes show them.
   * @default all of png, jpg, gif, webp, avif, svg, bmp, ico
   */
  types?: readonly ImageType[]
  /**
   * Size up to which a picture is saved. Bytes.
   * @default 10_485_760
   */
  maxBytes?: number
}

const MAX_BYTES = 10_485_760
/** Size up to which an SVG is searched for scripts, on the thread of the host. Bytes. */
const MAX_SVG_BYTES = 4_194_304
/** Length up to which a page is searched for pictures, on the thread of the host. */
const MAX_CHARACTERS = 1_000_000
/** Pictures of one page that are saved. */
const MAX_PER_PAGE = 500
/** Pictures that are asked for at once: they are in memory until they are written. */
const AT_ONCE = 4
/** Runs that ask again for pictures which a site did not give for now, and read their page for it. */
const MAX_TRIES = 3
/** Failures without an answer after which a host is asked for no more pictures in a run. */
const MAX_SILENT = 2
/** A picture that was had, or the reason why not. */
type Outcome =
  | { readonly facts: AssetFacts; readonly isTemporary?: boolean }
  | { readonly why: string; readonly isTemporary?: boolean }

/** A page with its pictures in the folder. */
interface LocalPage {
  readonly markdown: string
  readonly assets?: readonly AssetFacts[] | undefined
  /** For each link to one of them, its place among them; undefined for fewer than two. */
  readonly links?: readonly number[] | undefined
  /** Number of runs that did not get a picture which the site may give later. */
  readonly tries?: number | undefined
}

/** Parts of a folder that its pictures use. */
interface AssetParts {
  readonly folder: string
  readonly record: FolderRecord
  /** Undefined where no pictures are to be saved: those of earlier runs go with their pages. */
  readonly options: AssetOptions | undefined
  readonly site: Pick<TargetParts, 'fetchAsset' | 'signal'>
}

/** Returns the way from a file of the folder to its root. */
export const wayToRoot = (file: string): string => '../'.repeat(file.split('/').length - 1)

/** The pictures of the pages of a folder: files that are named after their bytes, so that one that many pages show is there once. */
export class AssetFiles {
  readonly #parts: AssetParts
  /** Number of pages that use a file. */
  readonly #uses = new Map<string, number>()
  /** Pictures of earlier runs, by URL. */
  readonly #known = new Map<string, AssetFacts>()
  /** URLs of which pages have different files: a run was cut off. */
  readonly #divided = new Set<string>()
  readonly #outcomes = new Map<string, Outcome>()
  /** Files that are as they were written. */
  readonly #whole = new Set<string>()
  readonly #silent = new Map<string, number>()
  #leftOut = 0
  #tooLong = 0

  constructor(parts: AssetParts) {
    this.#parts = parts
  }

  /** Identifies the settings that pages were written with; absent without pictures. */
  get key(): string | undefined {
    const { options } = this.#parts
    if (!options) return undefined
    const { types = IMAGE_TYPES, maxBytes = MAX_BYTES } = options
    return `${IMAGE_TYPES.filter((type) => types.includes(type)).join(' ')} ${maxBytes}`
  }

  /** Takes the pictures of the pages that the folder has. */
  load(entries: Iterable<MirrorEntry>): void {
    for (const { assets = [] } of entries) {
      for (const facts of assets) {
        const { url, file } = facts
        this.#uses.set(file, (this.#uses.get(file) ?? 0) + 1)
        if ((this.#known.get(url)?.file ?? file) !== file) this.#divided.add(url)
        this.#known.set(url, facts)
      }
    }
  }

  has(file: string): boolean {
    return this.#uses.has(file)
  }

  /** Tests whether a page is to be read again for pictures that its site did not give. */
  wantsAgain({ tries = 0 }: MirrorEntry): boolean {
    return this.#parts.options !== undefined && tries > 0 && tries < MAX_TRIES
  }

  /**
   * Counts which files are in use after a change of the record, which is saved next. What no page uses any more is noted as begun: it is
   * deleted at the end of the run, or by the next one.
   */
  async count({ put = [], remove = [] }: RecordChange): Promise<void> {
    const { record } = this.#parts
    for (const { assets = [] } of put)
      for (const { file } of assets) this.#uses.set(file, (this.#uses.get(file) ?? 0) + 1)
    const left = new Set<string>()
    for (const key of new Set([...put.map((entry) => entry.key), ...remove]))
      for (const { file } of record.get(key)?.assets ?? []) {
        const uses = (this.#uses.get(file) ?? 0) - 1
        if (uses > 0) this.#uses.set(file, uses)
        else if (this.#uses.delete(file)) left.add(file)
      }
    await record.reserve([...left])
  }

  /** Saves the pictures that a page shows, and leads its links to them. One that cannot be had stays a link to its site. */
  async localize(
    { markdown, url }: { readonly markdown: string; readonly url: string },
    file: string,
    tries = 0,
  ): Promise<LocalPage> {
    if (!this.#parts.options) return { markdown }
    if (markdown.length > MAX_CHARACTERS) {
      this.#tooLong += 1
      return { markdown }
    }
    const addressOf = (href: string): URL | undefined => {
      const address = href.length > MAX_URL_CHARACTERS ? undefined : parseUrl(href, url)
      return address && isWebUrl(address) ? address : undefined
    }
    const targets = findTargets(markdown).flatMap((target) => {
      const address = addressOf(target.href)
      return address ? [{ ...target, key: withoutFragment(address).href, hash: address.hash }] : []
    })
    const shown = [...new Set(targets.flatMap(({ isPicture, key }) => (isPicture ? [key] : [])))]
    this.#leftOut += Math.max(0, shown.length - MAX_PER_PAGE)
    const wanted = shown.slice(0, MAX_PER_PAGE)
    await this.#get(wanted, url)
    const saved = new Map<string, AssetFacts>()
    let isLacking = false
    for (const one of wanted) {
      const outcome = this.#outcomes.get(one)
      if (outcome?.isTemporary === true) isLacking = true
      if (outcome && 'facts' in outcome) saved.set(one, outcome.facts)
    }
    const root = wayToRoot(file)
    const order = [...saved.keys()]
    const places = targets.flatMap(({ from, to, key, hash }) => {
      const facts = saved.get(key)
      return facts ? [{ from, to, text: `${root}${facts.file}${escapeHash(hash)}`, at: order.indexOf(key) }] : []
    })
    return {
      markdown: replaceAll(markdown, places),
      assets: saved.size > 0 ? [...saved.values()] : undefined,
      links: saved.size > 1 ? places.map(({ at }) => at) : undefined,
      // A page that was given up, and has changed since, begins anew.
      tries: isLacking ? (tries < MAX_TRIES ? tries : 0) + 1 : undefined,
    }
  }

  /**
   * Finds the pages whose pictures have another file now, because another page that shows them was read again.
   *
   * @returns for each such page, its pictures of now
   */
  async findOutdated(entries: Iterable<MirrorEntry>): Promise<Map<MirrorEntry, readonly AssetFacts[]>> {
    const all = [...entries]
    if (!this.#parts.options) return new Map()
    for (const { key, assets = [] } of all) {
      const divided = assets.flatMap(({ url }) => (this.#divided.delete(url) ? [url] : []))
      if (divided.length > 0) await this.#get(divided, key)
    }
    return new Map(
      all.flatMap((entry): [MirrorEntry, readonly AssetFacts[]][] => {
        const { assets = [] } = entry
        const now = assets.map((asset) => {
          const outcome = this.#outcomes.get(asset.url)
          return outcome && 'facts' in outcome ? outcome.facts : asset
        })
        return now.some(({ file }, at) => file !== assets[at]?.file) ? [[entry, now]] : []
      }),
    )
  }

  /** Sentences about pictures that stay links. */
  get warnings(): string[] {
    const kinds = new Map<string, { count: number; readonly first: string }>()
    for (const [url, outcome] of this.#outcomes) {
      if ('facts' in outcome) continue
      const kind = kinds.get(outcome.why)
      if (kind) kind.count += 1
      else kinds.set(outcome.why, { count: 1, first: url })
    }
    const more = [
      ...(this.#leftOut === 0 ? [] : [`${countPictures(this.#leftOut)} beyond the first ${MAX_PER_PAGE} of a page`]),
      ...(this.#tooLong === 0 ? [] : [`those of pages with more than ${MAX_CHARACTERS} characters (${this.#tooLong})`]),
    ]
    const lacking = [...kinds].map(([why, { count, first }]) => `${countPictures(count)} ${why}, such as ${first}`)
    if (lacking.length + more.length === 0) return []
    return [`Pictures that were not saved, and are links to the site: ${[...lacking, ...more].join('; ')}.`]
  }

  /** Gets pictures that this run has not asked for. */
  async #get(urls: readonly string[], pageUrl: string): Promise<void> {
    const left = urls.filter((url) => !this.#outcomes.has(url))
    for (let from = 0; from < left.length; from += AT_ONCE) {
      const some = left.slice(from, from + AT_ONCE)
      const answers = await Promise.all(some.map((url) => this.#ask(url, pageUrl)))
      // One after the other: each line of the record is checked before the next.
      for (const [at, url] of some.entries()) {
        const answer = answers[at]
        if (answer) this.#outcomes.set(url, 'body' in answer ? await this.#judge(url, answer) : answer)
      }
    }
  }

  /** Asks for a picture; a known one that has not changed is not sent again. */
  async #ask(url: string, pageUrl: string): Promise<FetchedAsset | Outcome> {
    const { site, options: { maxBytes = MAX_BYTES } = {} } = this.#parts
    if (!site.fetchAsset) return { why: 'cannot be asked for here' }
    const earlier = this.#known.get(url)
    const known = earlier && this.#isWanted(earlier) ? earlier : undefined
    const isWhole = known !== undefined && (await this.#isWhole(known))
    /** A picture that is there stays while its site does not give it. */
    const failed = (why: string, isTemporary: boolean): Outcome =>
      isWhole && isTemporary ? { facts: known, isTemporary } : { why, isTemporary }
    const { host } = new URL(url)
    if ((this.#silent.get(host) ?? 0) >= MAX_SILENT) return failed('had no answer', true)
    try {
      const { etag, lastModified } = known ?? {}
      const validators = isWhole ? { etag, lastModified } : undefined
      const answer = await site.fetchAsset({ url, pageUrl, maxBytes, validators })
      this.#silent.delete(host)
      if (answer.statusCode === 304 && isWhole) return { facts: known }
      if (isSuccessStatus(answer.statusCode)) return answer
      return failed(`answered ${answer.statusCode}`, transientStatuses.has(answer.statusCode))
    } catch (error) {
      site.signal?.throwIfAborted()
      const { code } = toTrawlError(error, url)
      if (code.endsWith('_TOO_LARGE')) return { why: `had more than ${maxBytes} bytes` }
      const isTemporary = rowOf(code).retry
      if (isTemporary) this.#silent.set(host, (this.#silent.get(host) ?? 0) + 1)
      return failed(isTemporary ? 'had no answer' : `could not be asked for (${messageOf(error)})`, isTemporary)
    }
  }

  /** Tests whether a picture of an earlier run is one that is saved by the settings of this one. */
  #isWanted({ file, bytes }: AssetFacts): boolean {
    const { maxBytes = MAX_BYTES, types = IMAGE_TYPES } = this.#parts.options ?? {}
    return bytes <= maxBytes && types.some((type) => file.endsWith(`.${type}`))
  }

  /** Saves what was received, if it is a picture of a wanted type. */
  async #judge(url: string, { body, etag, lastModified }: FetchedAsset): Promise<Outcome> {
    const { maxBytes = MAX_BYTES, types = IMAGE_TYPES } = this.#parts.options ?? {}
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
    if (bytes.length > maxBytes) return { why: `had more than ${maxBytes} bytes` }
    const type = imageTypeOf(bytes)
    if (type === undefined) return { why: 'had bytes that are no picture' }
    if (!types.includes(type)) return { why: `had a type that is not wanted (${type})` }
    if (type === 'svg' && bytes.length > MAX_SVG_BYTES) return { why: `was an SVG of more than ${MAX_SVG_BYTES} bytes` }
    if (type === 'svg' && mayRun(bytes)) return { why: 'had scripts' }
    const sum = hash(bytes)
    const file = this.#nameFor(sum, type)
    if (file === undefined) return { why: `had no place, as something else has that of the folder \`assets\`` }
    const facts = { url, file, bytes: bytes.length, sum, etag, lastModified, mtimeMs: 0 }
    if (!(await this.#isWhole(facts))) await this.#write(file, bytes)
    this.#whole.add(file)
    const { mtimeMs } = await lstat(pathIn(this.#parts.folder, file))
    return { facts: { ...facts, mtimeMs } }
  }

  /** Names a file after its bytes; another name where somebody else has that one. */
  #nameFor(sum: string, type: ImageType): string | undefined {
    const { folder, record } = this.#parts
    const isOwn = (file: string): boolean => this.has(file) || record.reserved.has(file)
    return listNames(sum, type).find((file) => (isOwn(file) ? !isBarred(folder, file) : !isTaken(folder, file)))
  }

  async #write(file: string, bytes: Buffer): Promise<void> {
    const { folder, record } = this.#parts
    if (this.has(file)) await record.checkAlone()
    else await record.reserve([file])
    await replaceFile(pathIn(folder, file), bytes, { through: record.parts }).catch(async (error: unknown) => {
      // Another process deletes what this one is writing.
      await record.checkAlone()
      throw error
    })
  }

  /** Tests whether a file of the folder has the bytes that it was written with. It is read once a run. */
  async #isWhole({ file, sum, bytes }: Pick<AssetFacts, 'file' | 'sum' | 'bytes'>): Promise<boolean> {
    const { folder, record } = this.#parts
    if (this.#whole.has(file)) return true
    if ((!this.has(file) && !record.reserved.has(file)) || isBarred(folder, file)) return false
    const path = pathIn(folder, file)
    const found = await lstat(path).catch(() => undefined)
    if (!found?.isFile() || found.size !== bytes || hash(await readFile(path)) !== sum) return false
    this.#whole.add(file)
    return true
  }
}

/** Replaces the files that the links of a text lead to. @param files new path in the text by the path that it has */
export function relink(markdown: string, files: ReadonlyMap<string, string>): string {
  const links = findLinks(markdown, (path) => files.has(path))
  return replaceAll(
    markdown,
    links.map((link) => ({ ...link, text: `${files.get(link.path)}${link.hash}` })),
  )
}

/** Pictures of a page before and now, in the same order, and which of them each link of its file leads to. */
interface ChangedAssets {
  readonly before: readonly AssetFacts[]
  readonly now: readonly AssetFacts[]
  readonly links: readonly number[] | undefined
}

/**
 * Leads the links of a text to the pictures of now.
 *
 * @param root way from the file of the page to the folder
 * @returns undefined if two pictures that were alike differ now, and nothing tells which link is whose
 */
export function relinkAssets(
  markdown: string,
  { before, now, links = [] }: ChangedAssets,
  root: string,
): string | undefined {
  const files = new Map<string, Set<string>>()
  for (const [at, { file }] of before.entries()) {
    const [path, next] = [`${root}${file}`, `${root}${now[at]?.file ?? file}`]
    files.set(path, (files.get(path) ?? new Set()).add(next))
  }
  const found = findLinks(markdown, (path) => files.has(path))
  // Links that somebody has added or removed are not those that were written.
  const isKnown =
    found.length === links.length && found.every(({ path }, at) => path === `${root}${before[links[at] ?? -1]?.file}`)
  if (!isKnown && [...files.values()].some((next) => next.size > 1)) return undefined
  return replaceAll(
    markdown,
    found.map((link, at) => {
      const [only = ''] = files.get(link.path) ?? []
      return { ...link, text: `${isKnown ? `${root}${now[links[at] ?? -1]?.file}` : only}${link.hash}` }
    }),
  )
}

/** Finds the links of a text to some paths. */
const findLinks = (markdown: string, wants: (path: string) => boolean) =>
  findTargets(markdown).flatMap(({ from, to, href }) => {
    const [path = '', ...hash] = href.split(/(?=#)/)
    return wants(path) ? [{ from, to, path, hash: escapeHash(hash.join('')) }] : []
  })

/** Escapes the part of a URL after the file: what would end a link, or a cell of a table. */
const escapeHash = (hash: string): string => hash.replace(/[\\()|&]/g, '\\$&')

/** @param places in order */
function replaceAll(
  text: string,
  places: readonly { readonly from: number; readonly to: number; readonly text: string }[],
): string {
  const parts: string[] = []
  let at = 0
  for (const place of places) {
    parts.push(text.slice(at, place.from), place.text)
    at = place.to
  }
  return [...parts, text.slice(at)].join('')
}

const hash = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const countPictures = (count: number): string => `${count} ${count === 1 ? 'picture' : 'pictures'}`
