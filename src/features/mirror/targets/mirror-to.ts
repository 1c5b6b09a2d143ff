import { createHash } from 'node:crypto'
import { existsSync, lstatSync } from 'node:fs'
import { lstat, readFile, rename } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { FileNames, settleNames } from '../../../base/folder/file-names.js'
import { findBarred, isTaken, listParents, pathIn, removeFile } from '../../../base/folder/file-place.js'
import { replaceFile } from '../../../base/folder/replace-file.js'
import { isObject } from '../../../base/collections/is-object.js'
import {
  checkOptions,
  anyBoolean,
  checkArgument,
  numberInRange,
  type Rule,
} from '../../../base/runtime/check-options.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import type { Document } from '../../../kernel/page/document.js'
import type { MirrorStep } from '../find-changes.js'
import { AssetFiles, type AssetOptions, relink, relinkAssets, wayToRoot } from '../folder/asset-files.js'
import { FOLDER_RULE, FolderRecord } from '../folder/folder-record.js'
import { hashLists, LIST_FILES, orderPages, writeLlmsList, writeLlmsText } from '../folder/llms-files.js'
import { writePageFile } from '../../../base/folder/page-file.js'
import { IMAGE_TYPES } from '../folder/image-type.js'
import type { MirrorEntry, RecordChange, StoredFacts } from '../mirror-record.js'
import type { MirrorState } from '../mirror-state.js'
import type { MirrorFault, MirrorTarget, OpenTarget, TargetParts } from '../mirror-target.js'

/** Settings of {@link mirrorTo}. */
export interface FolderOptions {
  /**
   * Write `llms.txt`, a list of all pages, and `llms-full.txt`, the Markdown of all pages in one file.
   * @default true
   */
  llms?: boolean
  /**
   * Save the pictures that pages show in the folder `assets`, once each, and lead the links of the pages to them, so that the folder reads
   * offline. `true` has the defaults. One that cannot be had, is too large, or is an SVG with scripts, stays a link to its site.
   * @default false
   */
  assets?: boolean | AssetOptions
}

const ASSETS_RULE: Rule = {
  allowed: 'true, false or an object of the options types, maxBytes',
  accepts: (value) => typeof value === 'boolean' || isObject(value),
}

const ASSET_RULES: Readonly<Record<keyof AssetOptions, Rule>> = {
  types: {
    allowed: `a list of ${IMAGE_TYPES.join(', ')}`,
    accepts: (value) => Array.isArray(value) && value.every((one) => IMAGE_TYPES.some((type) => type === one)),
  },
  maxBytes: numberInRange('bytes', 1),
}

/** Files whose state is asked at once. */
const CHECKED_AT_ONCE = 32

/**
 * Mirrors a site as a folder of Markdown files with front matter. A file of an unchanged page is not written, each file is replaced
 * whole or not at all, and files that are not of the mirror are never touched. The folder keeps its own record, in `.trawl-mirror`.
 *
 * @param folder path of the folder, which is made where it is missing
 * @throws TypeError for invalid options, and for a folder that a mirror keeps for itself
 * @example
 * await engine.mirror({ url: 'https://example.com/docs/' }, mirrorTo('./docs')).sync()
 */
export function mirrorTo(folder: string, options: FolderOptions = {}): MirrorTarget {
  checkArgument('mirrorTo(folder)', folder, FOLDER_RULE)
  checkOptions('mirrorTo', options, { llms: anyBoolean, assets: ASSETS_RULE })
  const { llms = true, assets = false } = options
  const pictures = assets === true ? {} : assets === false ? undefined : { ...assets }
  if (pictures) checkOptions('mirrorTo({ assets })', pictures, ASSET_RULES)
  const path = resolve(folder)
  return {
    name: `folder ${path}`,
    needs: 'markdown',
    async open(parts) {
      const { isRead = false } = parts
      const target = new FolderTarget(path, { hasLists: llms, isRead, pictures, parts })
      try {
        if (!isRead) await target.open()
      } catch (error) {
        await target.close()
        throw error
      }
      return target
    },
  }
}

const sumOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Settings of a {@link FolderTarget}. */
interface FolderSettings {
  readonly hasLists: boolean
  readonly isRead: boolean
  /** Undefined where pictures are not saved. */
  readonly pictures: AssetOptions | undefined
  readonly parts: TargetParts
}

/** A page whose file, or that of a picture of it, is not as it was written. */
interface FaultyFile {
  readonly entry: MirrorEntry
  readonly file: string
  /** True for the file of a picture. */
  readonly isAsset: boolean
  /** `foreign` for a folder in its place, or below a link or a file that has the place of a folder: what is there is not the mirror's. */
  readonly kind: 'missing' | 'changed' | 'foreign'
}

/** Predicates of messages about a file. */
const FAULTS: Readonly<Record<FaultyFile['kind'], string>> = {
  missing: 'is missing',
  changed: 'is not as it was written',
  foreign: 'has something in its place that is not of the mirror',
}

/** The files of a mirror. */
class FolderTarget implements OpenTarget {
  readonly record: FolderRecord
  readonly #folder: string
  readonly #hasLists: boolean
  readonly #files = new Set<string>()
  readonly #names: FileNames
  readonly #assets: AssetFiles
  /** True once a page was written, be it as it was before: the lists may have what stood there. */
  #hasWritten = false

  constructor(folder: string, { hasLists, isRead, pictures, parts }: FolderSettings) {
    this.#folder = folder
    this.#hasLists = hasLists
    this.record = new FolderRecord(folder, isRead)
    this.#names = new FileNames((file) => this.#isForeign(file))
    this.#assets = new AssetFiles({ folder, record: this.record, options: pictures, site: parts })
  }

  /** Reads the record, deletes what a process that died or stopped has left, and finds files that are not as they were written. */
  async open(): Promise<void> {
    const { head, entries } = await this.record.load()
    this.#assets.load(entries)
    const faulty = await this.#findFaulty(entries)
    const lost = new Set(faulty.filter(({ kind, isAsset }) => kind === 'foreign' && !isAsset).map(({ entry }) => entry))
    for (const entry of entries) {
      const { key, stored } = entry
      if (!stored || lost.has(entry)) continue
      this.#files.add(stored.file)
      this.#names.reserve(key, stored.file)
    }
    await this.#removeBegun()
    // Their pages are read again. One in whose place something else stands gets another file.
    const again = new Set(faulty.map(({ entry }) => entry))
    const isOther = head?.assets !== this.#assets.key
    for (const entry of entries) if (isOther || this.#assets.wantsAgain(entry)) again.add(entry)
    const put = Array.from(again, (entry) => {
      const { stored, ...rest } = entry
      return { ...rest, digest: '', stored: lost.has(entry) ? undefined : stored }
    })
    if (put.length > 0) await this.record.save({ put })
    if (isOther) await this.record.saveHead({ run: 0, ...head, assets: this.#assets.key })
  }

  async write({ change, saved }: MirrorStep): Promise<RecordChange> {
    if (change.op === 'delete') {
      const entry = this.record.get(change.key)
      await this.#assets.count(saved)
      await this.#leave(entry, saved)
      return saved
    }
    const [own] = saved.put ?? []
    if (!own || !('page' in change)) return saved
    const previous = change.op === 'move' ? this.record.get(change.previous.key) : undefined
    const { stored: before, ...entry } = own
    const file = change.op === 'put' && before ? before.file : this.#names.nameFor(change.key)
    const { markdown = '', metadata } = change.page
    const { tries } = this.record.get(change.previous?.key ?? change.key) ?? {}
    const { markdown: text, ...facts } = await this.#assets.localize({ markdown, url: metadata.url }, file, tries)
    const stored = await this.#writePage(file, { ...change.page, markdown: text })
    const whole: RecordChange = { ...saved, put: [{ ...entry, stored, ...facts }] }
    await this.#assets.count(whole)
    if (previous) await this.#leave(previous, whole)
    else await this.record.save(whole)
    return whole
  }

  async settle(state: MirrorState, start: string): Promise<readonly string[]> {
    if (this.#names.hasCollided) await this.#settleNames(state)
    await this.#settleAssets(state)
    // A process that stopped because this one began may have written one after that.
    await this.record.release(await this.#removeBegun())
    const warnings = [...this.#assets.warnings, ...(await this.#writeLists(state, start))]
    await this.record.compact()
    await this.record.sync()
    return warnings
  }

  async check(entries: Iterable<MirrorEntry>, signal?: AbortSignal): Promise<readonly MirrorFault[]> {
    const found = await this.#findFaulty([...entries], { readsAll: true, signal })
    const lists = this.#hasLists ? LIST_FILES.filter((file) => !existsSync(this.#pathOf(file))) : []
    return [
      ...found.map(({ entry, file, kind }) => ({ key: entry.key, kind, message: `${file} ${FAULTS[kind]}` })),
      ...lists.map((file) => ({ key: file, kind: 'missing' as const, message: `${file} is missing` })),
    ]
  }

  close(): Promise<void> {
    return this.record.close()
  }

  /** Deletes the files that were begun when another process died or stopped. @returns their names */
  async #removeBegun(): Promise<string[]> {
    const begun = [...this.record.reserved].filter(
      (file) => !this.#files.has(file) && !this.#assets.has(file) && !isList(file),
    )
    for (const file of begun) await removeFile(this.#folder, file)
    return begun
  }

  #pathOf(file: string): string {
    return pathIn(this.#folder, file)
  }

  #isForeign(file: string): boolean {
    return !this.#files.has(file) && !this.record.reserved.has(file) && isTaken(this.#folder, file)
  }

  /** Writes the file of a page, unless it has the same text. */
  async #writePage(file: string, page: Document): Promise<StoredFacts> {
    const data = Buffer.from(writePageFile(page))
    const sum = sumOf(data)
    const path = this.#pathOf(file)
    const isOwn = this.#files.has(file)
    // A link in its place is replaced, and not followed.
    const isFile = isOwn && lstatSync(path, { throwIfNoEntry: false })?.isFile() === true
    const now = isFile ? await readFile(path) : undefined
    if (!now?.equals(data)) {
      this.#hasWritten = true
      if (isOwn) await this.record.checkAlone()
      else await this.record.reserve([file])
      await replaceFile(path, data, { through: this.record.parts }).catch(async (error: unknown) => {
        // Another process deletes what this one is writing.
        await this.record.checkAlone()
        throw error
      })
    }
    this.#files.add(file)
    return { file, bytes: data.length, sum, mtimeMs: (await lstat(path)).mtimeMs }
  }

  /** Saves a change after which an entry is gone, and deletes its file. A process that dies in between leaves the name of the file. */
  async #leave(entry: MirrorEntry | undefined, saved: RecordChange): Promise<void> {
    const file = entry?.stored?.file
    const isKept = saved.put?.some(({ stored }) => stored?.file === file) === true
    if (file === undefined || isKept) return this.record.save(saved)
    await this.record.reserve([file])
    await this.record.save(saved)
    await removeFile(this.#folder, file)
    this.#files.delete(file)
    await this.record.release([file])
  }

  /** Finds files that are not as they were written: by size and time alone, where these are the same, unless each is to be read. */
  async #findFaulty(
    entries: readonly MirrorEntry[],
    { readsAll = false, signal }: { readonly readsAll?: boolean; readonly signal?: AbortSignal | undefined } = {},
  ): Promise<FaultyFile[]> {
    const files = new Map<string, { readonly facts: StoredFacts; readonly isAsset: boolean; users: MirrorEntry[] }>()
    for (const entry of entries) {
      const { stored, assets = [] } = entry
      for (const facts of stored ? [stored, ...assets] : assets) {
        const known = files.get(facts.file)
        if (known) known.users.push(entry)
        else files.set(facts.file, { facts, isAsset: facts !== stored, users: [entry] })
      }
    }
    const all = [...files]
    const barred = await findBarred(
      this.#folder,
      all.flatMap(([file]) => listParents(file)),
    )
    const faulty: FaultyFile[] = []
    for (let from = 0; from < all.length; from += CHECKED_AT_ONCE) {
      signal?.throwIfAborted()
      const found = all.slice(from, from + CHECKED_AT_ONCE).map(async ([file, { facts, isAsset, users }]) => {
        const isBarred = barred.size > 0 && listParents(file).some((parent) => barred.has(parent))
        const kind = isBarred ? 'foreign' : await this.#findFault(facts, readsAll)
        if (kind) faulty.push(...users.map((entry) => ({ entry, file, isAsset, kind })))
      })
      await Promise.all(found)
    }
    return faulty
  }

  async #findFault(
    { file, bytes, sum, mtimeMs }: StoredFacts,
    readsAll: boolean,
  ): Promise<FaultyFile['kind'] | undefined> {
    try {
      const path = this.#pathOf(file)
      const found = await lstat(path)
      if (found.isDirectory()) return 'foreign'
      if (!found.isFile() || found.size !== bytes) return 'changed'
      if (found.mtimeMs === mtimeMs && !readsAll) return undefined
      return sumOf(await readFile(path)) === sum ? undefined : 'changed'
    } catch {
      return 'missing'
    }
  }

  /** Leads the links of pages that were not read again to the pictures of now. */
  async #settleAssets(state: MirrorState): Promise<void> {
    for (const [entry, assets] of await this.#assets.findOutdated(state.entries())) {
      const { stored, assets: before = [], links } = entry
      if (!stored) continue
      const root = wayToRoot(stored.file)
      const changed = await this.#rewritePage(stored, (text) =>
        relinkAssets(text, { before, now: assets, links }, root),
      )
      // Which link is whose, the page tells when it is read again.
      const put = [changed === undefined ? { ...entry, digest: '' } : { ...entry, assets, stored: changed }]
      await this.#assets.count({ put })
      await state.save({ put })
    }
  }

  /**
   * Changes the text of a page's file. One that was deleted by hand stays so.
   *
   * @returns undefined if `change` does
   */
  async #rewritePage(
    stored: StoredFacts,
    change: (text: string) => string | undefined,
  ): Promise<StoredFacts | undefined> {
    const path = this.#pathOf(stored.file)
    const text = await readFile(path, 'utf8').catch(() => undefined)
    const changed = text === undefined ? undefined : change(text)
    if (text === undefined || changed === text) return stored
    if (changed === undefined) return undefined
    this.#hasWritten = true
    const data = Buffer.from(changed)
    await this.record.checkAlone()
    await replaceFile(path, data, { through: this.record.parts })
    return { file: stored.file, bytes: data.length, sum: sumOf(data), mtimeMs: (await lstat(path)).mtimeMs }
  }

  /** Gives the files the names that depend on the URLs alone. */
  async #settleNames(state: MirrorState): Promise<void> {
    const pages = orderPages(state.entries())
    const names = settleNames(
      pages.map(({ key }) => key),
      (file) => this.#isForeign(file),
    )
    const moved = pages.flatMap((page) => {
      const file = names.get(page.key)
      const isSettled = file === undefined || file === page.stored.file || !existsSync(this.#pathOf(page.stored.file))
      return isSettled ? [] : [{ page, file }]
    })
    if (moved.length === 0) return
    await this.record.reserve(moved.flatMap(({ page, file }) => [page.stored.file, file]))
    const between = (index: number): string => join(this.record.parts, `${index}.moved`)
    for (const [index, { page }] of moved.entries()) await rename(this.#pathOf(page.stored.file), between(index))
    for (const [index, { file }] of moved.entries()) {
      await makeFolder(dirname(this.#pathOf(file)))
      await rename(between(index), this.#pathOf(file))
    }
    const put: MirrorEntry[] = []
    for (const { page, file } of moved) {
      const [from, to] = [wayToRoot(page.stored.file), wayToRoot(file)]
      const files = new Map((page.assets ?? []).map((asset) => [`${from}${asset.file}`, `${to}${asset.file}`]))
      const stored = { ...page.stored, file }
      const relinked = from === to ? stored : await this.#rewritePage(stored, (text) => relink(text, files))
      put.push({ ...page, stored: relinked ?? stored })
    }
    await state.save({ put })
    const now = new Set(names.values())
    const left = moved.map(({ page }) => page.stored.file).filter((file) => !now.has(file))
    for (const file of left) {
      // The folder may be empty.
      await removeFile(this.#folder, file)
      this.#files.delete(file)
    }
    await this.record.release(left)
    for (const { file } of moved) this.#files.add(file)
  }

  async #writeLists(state: MirrorState, start: string): Promise<string[]> {
    const isFolder = (file: string): boolean =>
      lstatSync(this.#pathOf(file), { throwIfNoEntry: false })?.isDirectory() === true
    const own = LIST_FILES.filter((file) => this.record.reserved.has(file) && !isFolder(file))
    if (!this.#hasLists) {
      for (const file of own) await removeFile(this.#folder, file)
      await this.record.release(own)
      return []
    }
    const foreign = LIST_FILES.filter((file) => this.#isForeign(file) || isFolder(file))
    // A file that was deleted by hand may be missing still, while the site does not give its page.
    const pages = orderPages(state.entries()).filter(
      ({ digest, stored }) => digest !== '' || existsSync(this.#pathOf(stored.file)),
    )
    const lists = hashLists(pages, start)
    const isThere =
      own.every((file) => existsSync(this.#pathOf(file))) && own.length + foreign.length === LIST_FILES.length
    if (state.head.lists !== lists || !isThere || this.#hasWritten) {
      await this.record.reserve(LIST_FILES.filter((file) => !own.includes(file) && !foreign.includes(file)))
      const through = { through: this.record.parts }
      const [list, text] = LIST_FILES
      await this.record.checkAlone()
      if (!foreign.includes(list)) await replaceFile(this.#pathOf(list), writeLlmsList(pages, start), through)
      if (!foreign.includes(text)) await replaceFile(this.#pathOf(text), writeLlmsText(pages, this.#folder), through)
      await state.note({ lists })
    }
    return foreign.map((file) => `${file} in ${this.#folder} is not of the mirror, and stays as it is.`)
  }
}

const isList = (file: string): boolean => LIST_FILES.some((list) => list === file)
