import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { isObject } from '../../../base/collections/is-object.js'
import { TrawlError } from '../../../base/errors.js'
import { replaceFile } from '../../../base/folder/replace-file.js'
import type { Rule } from '../../../base/runtime/check-options.js'
import { makeFolder } from '../../../base/runtime/make-folder.js'
import { isWebUrl, parseUrl } from '../../../base/url.js'
import { parseJson } from '../../../base/text/parse-json.js'
import type { MirrorEntry, MirrorHead, MirrorRecord, RecordChange } from '../mirror-record.js'
import { toEntry, toHead } from '../records/entry-text.js'
import { isImageFile } from './image-type.js'

/** Folder of what a mirror keeps beside its files. */
export const OWN_FOLDER = '.trawl-mirror'

/** Allows folders but those that mirrors keep for themselves: what stands there is deleted. */
export const FOLDER_RULE: Rule = {
  allowed: `the path of a folder, not in a folder ${OWN_FOLDER}`,
  accepts: (value) => typeof value === 'string' && value !== '' && !resolve(value).split(/[\\/]/).includes(OWN_FOLDER),
}
const RECORD = 'record.ndjson'
const PARTS = 'parts'

/** Lines beyond those in use after which the record is written anew. */
const SPARE_LINES = 1000

/**
 * The record of a folder: a file of lines, to which each change is appended. A line that was cut off when a process died is dropped. Names
 * of new files are in it before the files are, so that a file of the mirror is told from those of others.
 *
 * Who begins to write appends a line with an id of its own, and has that id in each line that follows. The last one who began has the
 * record: what another one appends after that is read by nobody, and itself learns so from the file. Of several processes that begin at
 * once, in any order of their lines, one goes on.
 */
export class FolderRecord implements MirrorRecord {
  readonly #folder: string
  readonly #isRead: boolean
  /** Id of this process among those that write the record. */
  readonly #id = randomUUID().slice(0, 13)
  /** Id of the last one who began. */
  #owner: string | undefined
  readonly #entries = new Map<string, MirrorEntry>()
  /** Names of files that were begun, and that no entry has. */
  readonly #reserved = new Set<string>()
  #head: MirrorHead | undefined
  #lines = 0
  /** Length of the file up to which it was read or written here. */
  #bytes = 0
  #file: FileHandle | undefined

  /** @param isRead true to change nothing, not even what a process that may live has begun */
  constructor(folder: string, isRead: boolean) {
    this.#folder = join(folder, OWN_FOLDER)
    this.#isRead = isRead
  }

  /** Folder for files while they are written. */
  get parts(): string {
    return join(this.#folder, PARTS)
  }

  /** Names that were begun when a process died. */
  get reserved(): ReadonlySet<string> {
    return this.#reserved
  }

  get(key: string): MirrorEntry | undefined {
    return this.#entries.get(key)
  }

  async load(): Promise<{ head: MirrorHead | undefined; entries: MirrorEntry[] }> {
    if (!this.#isRead) await this.#open()
    else if (this.#bytes === 0) await this.#read()
    return { head: this.#head, entries: [...this.#entries.values()] }
  }

  async save(change: RecordChange): Promise<void> {
    const { put, remove } = change
    await this.#append({ put: put?.length ? put : undefined, remove: remove?.length ? remove : undefined })
    this.#apply(change)
  }

  async saveHead(head: MirrorHead): Promise<void> {
    await this.#append({ head })
    this.#head = head
  }

  /** Notes that a file is begun. */
  async reserve(files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await this.#append({ reserve: files })
    for (const file of files) this.#reserved.add(file)
  }

  /** Notes that files which were begun are gone: one of that name is somebody else's from now on. */
  async release(files: readonly string[]): Promise<void> {
    if (files.length === 0) return
    await this.#append({ release: files })
    for (const file of files) this.#reserved.delete(file)
  }

  /** Writes the record anew where most of its lines are out of date. */
  async compact(): Promise<void> {
    if (this.#lines < 2 * this.#entries.size + SPARE_LINES) return
    await this.checkAlone()
    const first = [{ owner: this.#id }, { head: this.#head }]
    const lines: object[] = [...first, ...Array.from(this.#entries.values(), (entry) => ({ put: [entry] }))]
    if (this.#reserved.size > 0) lines.push({ reserve: [...this.#reserved] })
    await this.#file?.close()
    this.#file = undefined
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
    await replaceFile(join(this.#folder, RECORD), text, { through: this.parts })
    this.#lines = lines.length
    this.#bytes = Buffer.byteLength(text)
    this.#file = await open(join(this.#folder, RECORD), 'a')
  }

  /** Checks that no other process has begun to write the record since this one has. @throws TrawlError `JOB_HELD` if one has */
  async checkAlone(): Promise<void> {
    const { size, nlink } = (await this.#file?.stat()) ?? { size: this.#bytes, nlink: 1 }
    // What was appended by others may be the last lines of one that has yet to learn that this one began.
    if (nlink > 0 && size > this.#bytes) await this.#read()
    if (nlink === 0 || (this.#owner ?? this.#id) !== this.#id)
      throw new TrawlError(
        'JOB_HELD',
        `another process has begun to fill the mirror in ${dirname(this.#folder)}, and goes on: this one stops, and what it wrote stays. ` +
          'Let one end before the next begins',
      )
  }

  /** Waits until the disk has the record. */
  async sync(): Promise<void> {
    await this.#file?.datasync()
  }

  async close(): Promise<void> {
    await this.#file?.close()
    this.#file = undefined
  }

  async #append(line: object): Promise<void> {
    const file = await this.#open()
    const text = `${JSON.stringify({ by: this.#id, ...line })}\n`
    await file.appendFile(text)
    this.#lines += 1
    const { size } = await file.stat()
    if (size === this.#bytes + Buffer.byteLength(text)) this.#bytes = size
    await this.checkAlone()
  }

  async #open(): Promise<FileHandle> {
    if (this.#file) return this.#file
    await makeFolder(this.parts)
    const file = await open(join(this.#folder, RECORD), 'a')
    this.#file = file
    // It ends a line that was cut off.
    await file.appendFile(`\n${JSON.stringify({ owner: this.#id })}\n`)
    await this.#read()
    await this.checkAlone()
    // What was being written when a process died, or stopped.
    for (const name of await readdir(this.parts)) await rm(join(this.parts, name), { force: true, recursive: true })
    return file
  }

  /** Reads what the record has beyond what is known of it, up to its last whole line. */
  async #read(): Promise<void> {
    let begun: Buffer[] = []
    try {
      const lines = createReadStream(join(this.#folder, RECORD), { start: this.#bytes })
      for await (const chunk of lines as AsyncIterable<Buffer>) {
        let from = 0
        for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
          const line = Buffer.concat([...begun, chunk.subarray(from, end)])
          begun = []
          from = end + 1
          this.#bytes += line.length + 1
          this.#take(line.toString())
        }
        begun.push(chunk.subarray(from))
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
  }

  #take(text: string): void {
    let line: unknown
    try {
      line = parseJson(text)
    } catch {
      // A line that the disk has lost.
      return
    }
    if (!isObject(line)) return
    this.#lines += 1
    const { owner, by, head, put, remove, reserve, release } = line
    if (typeof owner === 'string') this.#owner = owner
    if (by !== undefined && by !== this.#owner) return
    if (head !== undefined) this.#head = toHead(head) ?? this.#head
    if (Array.isArray(reserve)) for (const file of reserve) if (isInside(file)) this.#reserved.add(file)
    if (Array.isArray(release)) for (const file of release) this.#reserved.delete(String(file))
    this.#apply({
      put: Array.isArray(put) ? put.flatMap((entry) => withOwnFiles(toEntry(entry)) ?? []) : [],
      remove: Array.isArray(remove) ? remove.filter((key) => typeof key === 'string') : [],
    })
  }

  #apply({ put = [], remove = [] }: RecordChange): void {
    for (const key of remove) this.#entries.delete(key)
    for (const entry of put) {
      this.#entries.set(entry.key, entry)
      for (const { file } of [...(entry.stored ? [entry.stored] : []), ...(entry.assets ?? [])])
        this.#reserved.delete(file)
    }
  }
}

/** Tests for the path of a file in the folder. A record may come from elsewhere, with the folder: nothing outside is ever touched. */
const isInside = (file: unknown): file is string =>
  typeof file === 'string' &&
  !/[\\:\0]/.test(file) &&
  file.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part !== OWN_FOLDER)

const isOwnPicture = (value: unknown): boolean => {
  if (!isObject(value) || typeof value['file'] !== 'string' || !isImageFile(value['file'])) return false
  const url = typeof value['url'] === 'string' ? parseUrl(value['url']) : undefined
  return url !== undefined && isWebUrl(url)
}

/** Takes files from an entry that a page cannot have, such as one outside of the folder: the page is read again, and gets others. */
function withOwnFiles(entry: MirrorEntry | undefined): MirrorEntry | undefined {
  if (!entry) return undefined
  const { stored, assets, ...rest } = entry
  const isOwn = !stored || isInside(stored.file)
  const listed: unknown[] = Array.isArray(assets) ? assets : []
  const own = assets === undefined ? undefined : listed.filter(isOwnPicture)
  if (isOwn && own?.length === assets?.length) return entry
  return { ...rest, stored: isOwn ? stored : undefined, digest: '' }
}
