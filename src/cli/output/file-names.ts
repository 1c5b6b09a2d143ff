import { createHash } from 'node:crypto'

/** Longest name of one folder or file, and of the whole path, in UTF-8 bytes: far below what file systems take. */
const MAX_NAME_BYTES = 80
const MAX_PATH_BYTES = 200

/**
 * Finds a file for each page of a folder: a path made of the page's host and path that every file system can hold, that
 * stays inside the folder, and that no other page has.
 */
export class FileNames {
  /** Paths given away, as a file system that ignores case and form sees them, with the page that has each. */
  readonly #taken = new Map<string, string>()

  /** The path of the file for the page at `url`, with `/`: always the same one for the same URL. */
  nameFor(url: string): string {
    const path = readPath(url)
    for (let length = 0; ; length += 8) {
      const name = `${path}${length === 0 ? '' : `-${hash(url).slice(0, length)}`}.md`
      const key = fold(name)
      const owner = this.#taken.get(key)
      if (owner === undefined) this.#taken.set(key, url)
      if (owner === undefined || owner === url) return name
    }
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

const fold = (name: string): string => name.normalize('NFKD').toUpperCase().normalize('NFKD')

/** Host and path as folders and a name without its ending. A URL ending in `/` is the `index` of its folder. */
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
  if (bytes(path) <= MAX_PATH_BYTES) return path
  // Too deep to be shown as it is: the folders in the middle go, and the hash keeps the page apart.
  return [names[0], `${cut(makeName(page), 60)}-${hash(url).slice(0, 16)}`].join('/')
}

/** Text as it was before it went into a URL; a broken escape is left as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A folder never ends like a file that is written beside it: `/a.md/b` and `/a` can both be kept. */
const makeFolderName = (text: string): string => makeName(text).replace(/\.(md|ndjson|partial)$/i, '.$1_')

/**
 * A name without what any file system gives a meaning to: separators, wildcards, control and invisible characters, dots
 * at an end, and the names of devices, which Windows finds even in `con.txt`.
 */
function makeName(text: string): string {
  const safe = text.normalize('NFC').replace(/[\p{C}\p{Z}<>:"/\\|?*%&#$`';]+/gu, '_')
  const name = cut(safe, MAX_NAME_BYTES).replace(/^\.+|\.+$/g, (dots) => '_'.repeat(dots.length))
  return /^(con|prn|aux|nul|conin_|conout_|com[\d¹²³]|lpt[\d¹²³])(\.|$)/i.test(name) || name === '' ? `_${name}` : name
}

const bytes = (text: string): number => Buffer.byteLength(text)

/** The start of a text that is at most so many bytes long; no character is split. */
function cut(text: string, maxBytes: number): string {
  if (bytes(text) <= maxBytes) return text
  let kept = ''
  let length = 0
  for (const character of text) {
    length += bytes(character)
    if (length > maxBytes) break
    kept += character
  }
  return kept
}
