import { open, opendir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { ownValue } from '../../../base/collections/own-value.js'
import { isUrl } from '../../../base/url.js'
import { messageOf } from '../../../base/errors.js'
import type { ArchiveEntry, CaptureOptions } from './capture.js'

/** Bytes at the start of a file in which HTTrack says where it is from. */
const HEAD_BYTES = 2048

/** Files and folders of the programs themselves, which are no pages. */
const OWN_FILES = /^(?:hts-(?:cache|log\.txt)|cookies\.txt|fade\.gif|backblue\.gif)$/

/**
 * Reads the pages of a folder that `wget --mirror` or HTTrack has written: the path of a file is its URL, unless HTTrack says in the file where
 * it is from. The time is that of the file, which wget sets to `Last-Modified`.
 */
export async function* readMirror(
  folder: string,
  scheme: 'http' | 'https',
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  for await (const path of listFiles(folder)) {
    const place = { file: path }
    try {
      const entry = await readMirrored(path, toUrl(relative(folder, path), scheme), options)
      if (entry) yield entry
    } catch (error) {
      yield { broken: messageOf(error), place }
    }
  }
}

/** Lists the files of a folder, in the order of their names. */
async function* listFiles(folder: string): AsyncGenerator<string, void, undefined> {
  const entries: { readonly name: string; readonly isFolder: boolean }[] = []
  for await (const entry of await opendir(folder)) {
    // Links could lead out of the folder.
    if (!OWN_FILES.test(entry.name) && (entry.isFile() || entry.isDirectory()))
      entries.push({ name: entry.name, isFolder: entry.isDirectory() })
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  for (const { name, isFolder } of entries) {
    if (isFolder) yield* listFiles(join(folder, name))
    else yield join(folder, name)
  }
}

/** Returns the URL of a file by its path: `example.com/docs/index.html` is `https://example.com/docs/`. */
export function toUrl(path: string, scheme: 'http' | 'https'): string | undefined {
  const [host = '', ...parts] = path.split(sep)
  // wget writes `host+port` where a file system allows no colon.
  const origin = `${scheme}://${host.replace(/\+(\d+)$/, ':$1')}`
  if (!isUrl(origin) || parts.length === 0) return undefined
  const last = parts.at(-1) ?? ''
  const file = last === 'index.html' ? '' : last
  // A query is behind `?`, or behind `@` on Windows; `--adjust-extension` adds `.html` to it.
  const mark = file.search(/[?@]/)
  const hasQuery = mark !== -1 && file.includes('=', mark)
  const name = hasQuery ? file.slice(0, mark) : file
  const query = hasQuery ? file.slice(mark + 1) : undefined
  const folders = parts.slice(0, -1).map((part) => encodeURI(part))
  const search = query === undefined ? '' : `?${query.replace(/\.html$/, '')}`
  return `${origin}/${[...folders, encodeURI(name).replaceAll('?', '%3F').replaceAll('#', '%23')].join('/')}${search}`
}

async function readMirrored(
  path: string,
  fromPath: string | undefined,
  options: CaptureOptions,
): Promise<ArchiveEntry | undefined> {
  const place = { file: path }
  const { size, mtimeMs } = await stat(path)
  const head = await readStart(path)
  const mirrored = readMirrorNote(head)
  const url = mirrored === undefined ? fromPath : withScheme(mirrored.address)
  if (url === undefined) return { broken: 'The file is in no folder with the name of a host', place }
  const stated = Date.parse(mirrored?.date ?? '')
  const timeMs = Number.isNaN(stated) ? Math.round(mtimeMs) : stated
  const contentType = /<(?:!doctype html|html)\b/i.test(head) ? 'text/html' : typeByName(path)
  const cause = options.judge({ url, timeMs, statusCode: 200, contentType, place })
  if (cause) return { skipped: cause, url, place }
  if (size > options.bodyBytes)
    return { broken: `The file is larger than \`limits.bodyBytes\` (${options.bodyBytes} bytes)`, url, timeMs, place }
  const body = await readWhole(path)
  return { url, timeMs, place, statusCode: 200, statusText: '', headers: {}, contentType, body, problems: [] }
}

/** Reads what HTTrack writes at the start of a page: where it is from, and when it was copied. */
function readMirrorNote(head: string): { readonly address: string; readonly date: string } | undefined {
  const start = head.indexOf(NOTE_START)
  const end = start === -1 ? -1 : head.indexOf(' -->', start)
  const [address = '', by = ''] = end === -1 ? [] : head.slice(start + NOTE_START.length, end).split(NOTE_BY, 2)
  return by === '' || address.includes(' ') ? undefined : { address, date: by.slice(by.indexOf(',') + 1) }
}

const NOTE_START = '<!-- Mirrored from '
const NOTE_BY = ' by HTTrack Website Copier/'

const withScheme = (address: string): string => (/^[a-z]+:\/\//i.test(address) ? address : `http://${address}`)

async function readStart(path: string): Promise<string> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.toString('latin1', 0, bytesRead)
  } finally {
    await file.close()
  }
}

async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    return await file.readFile()
  } finally {
    await file.close()
  }
}

/** Types of files that are no pages, by their extension; the type of others is told from their bytes. */
const TYPES: Readonly<Record<string, string>> = {
  css: 'text/css',
  js: 'text/javascript',
  mjs: 'text/javascript',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
  webp: 'image/webp',
  ico: 'image/x-icon',
  woff: 'font/woff',
  woff2: 'font/woff2',
  ttf: 'font/ttf',
  mp4: 'video/mp4',
  mp3: 'audio/mpeg',
}

const typeByName = (path: string): string | undefined => {
  const extension = /\.([a-z\d]+)$/i.exec(path)?.[1]?.toLowerCase() ?? ''
  return ownValue(TYPES, extension)
}
