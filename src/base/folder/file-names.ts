import { createHash } from 'node:crypto'

/** Maximum length of a folder or file name, in UTF-8 bytes: far below the limits of file systems. */
const MAX_NAME_BYTES = 80
/** Maximum length of a whole path, in UTF-8 bytes. */
const MAX_PATH_BYTES = 200

/**
 * Assigns a file to each page: a path derived from the host and path of its URL that is valid on every file system,
 * stays inside the folder, and is unique.
 */
export class FileNames {
  /** URL of the page of each assigned path; the paths are folded by {@link foldPath}. */
  readonly #taken = new Map<string, string>()
  readonly #isForeign: (file: string) => boolean
  #hasCollided = false

  /** @param isForeign true for a path that a file of somebody else has. @default no such file is there */
  constructor(isForeign: (file: string) => boolean = () => false) {
    this.#isForeign = isForeign
  }

  /** True once two pages would have had one file, so that names depend on the order of pages: see {@link settleNames}. */
  get hasCollided(): boolean {
    return this.#hasCollided
  }

  /** Returns the path of a page's file, with `/` as separator: always the same for the same URL. */
  nameFor(url: string): string {
    const { names, top } = listNames(url)
    const found = names.find((name) => this.#take(url, name))
    if (found !== undefined) return found
    const [, hashed = top] = names
    // Something else has the place of one of its folders: no name in it is free.
    const isBarred = this.#isForeign(`${hashed}.none`)
    if (isBarred && this.#take(url, top)) return top
    const stem = (isBarred ? top : hashed).slice(0, -'.md'.length)
    for (let count = 2; ; count += 1) {
      const name = `${stem}-${count}.md`
      if (this.#take(url, name)) return name
    }
  }

  /** Gives a page a name. @returns false for a name that is not free */
  #take(url: string, name: string): boolean {
    const key = foldPath(name)
    const owner = this.#taken.get(key)
    if (owner === url) return true
    if (owner === undefined && !this.#isForeign(name)) {
      this.#taken.set(key, url)
      return true
    }
    this.#hasCollided = true
    return false
  }

  /** Keeps the file that an earlier run has given a page. @returns false for a file that is not one of that page */
  reserve(url: string, file: string): boolean {
    const key = foldPath(file)
    if (this.#taken.has(key)) return false
    const path = readPathOfAny(url)
    if (path === undefined) return false
    if (file !== `${path}.md`) {
      const { names, top } = listNames(url, path)
      const hashed = [...names.slice(1), top]
      if (!hashed.includes(file) && !hashed.includes(file.replace(/-[1-9]\d{0,9}\.md$/, '.md'))) return false
      // Another page may have the name that this one would get today.
      this.#hasCollided = true
    }
    this.#taken.set(key, url)
    return true
  }
}

/** Names the files of pages by their URLs alone: of several with one name, the first in the order of URLs has it, and the others a hash. */
export function settleNames(urls: Iterable<string>, isForeign?: (file: string) => boolean): Map<string, string> {
  const names = new FileNames(isForeign)
  return new Map([...urls].sort().map((url) => [url, names.nameFor(url)]))
}

/** Characters of the hash that are added to a name, one after the other, until it is free. */
const HASH_LENGTHS = [0, 8, 16, 64]

/** Names that the file of a page may have. */
interface PageNames {
  /** In its folder, the first one first. */
  readonly names: readonly string[]
  /** At the top, where something else has the place of one of its folders. */
  readonly top: string
}

function listNames(url: string, path = readPath(url)): PageNames {
  const sum = hash(url)
  const names = HASH_LENGTHS.map((length) => `${path}${length === 0 ? '' : `-${sum.slice(0, length)}`}.md`)
  return { names, top: `${truncate(path.slice(path.lastIndexOf('/') + 1), 60)}-${sum.slice(0, 32)}.md` }
}

/** Derives the path of a text that an index gives as a URL; undefined if it is none. */
function readPathOfAny(url: string): string | undefined {
  try {
    return readPath(url)
  } catch {
    return undefined
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Normalises a path as a file system that ignores case and Unicode form. */
const foldPath = (name: string): string => name.normalize('NFKD').toUpperCase().normalize('NFKD')

/** Derives folders and a file name without its extension. A URL that ends in `/` is the `index` of its folder. */
function readPath(url: string): string {
  const { host, pathname, search } = new URL(url)
  const folders = pathname
    .split('/')
    .slice(1)
    .filter((part, index, parts) => part !== '' || index === parts.length - 1)
  const last = folders.pop() ?? ''
  const page = (last === '' ? 'index' : decode(last).replace(/\.(html?|php|md)$/i, '')) + decode(search)
  const names = [host, ...folders.map(decode)].map((name) => makeFolderName(name))
  const path = [...names, makeName(page)].join('/')
  if (countBytes(path) <= MAX_PATH_BYTES) return path
  // The middle folders are dropped, and the hash keeps the path unique.
  return [names[0], `${truncate(makeName(page), 60)}-${hash(url).slice(0, 16)}`].join('/')
}

/** Decodes percent-encoding; an invalid encoding stays unchanged. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Converts a text to a folder name that cannot collide with a file beside it: `/a.md/b` and `/a` can both be stored.
 */
const makeFolderName = (text: string): string => makeName(text).replace(/\.(md|ndjson|partial)$/i, '.$1_')

/**
 * Removes from a name whatever has a meaning on some file system: separators, wildcards, control and invisible
 * characters, leading and trailing dots, and device names, which Windows recognises even in `con.txt`.
 */
function makeName(text: string): string {
  const safe = text.normalize('NFC').replace(/[\p{C}\p{Z}<>:"/\\|?*%&#$`';]+/gu, '_')
  const name = truncate(safe, MAX_NAME_BYTES).replace(/^\.+|\.+$/g, (dots) => '_'.repeat(dots.length))
  return /^(con|prn|aux|nul|conin_|conout_|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i.test(name) || name === '' ? `_${name}` : name
}

const countBytes = (text: string): number => Buffer.byteLength(text)

/** Truncates a text to a number of bytes, without splitting a character. */
function truncate(text: string, maxBytes: number): string {
  if (countBytes(text) <= maxBytes) return text
  let kept = ''
  let length = 0
  for (const character of text) {
    length += countBytes(character)
    if (length > maxBytes) break
    kept += character
  }
  return kept
}
