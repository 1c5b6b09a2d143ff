import { open, opendir, readdir, stat } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { ownValue } from '../../../base/collections/own-value.js'
import { isUrl } from '../../../base/url.js'
import { messageOf } from '../../../base/errors.js'
import type { ArchiveEntry, CaptureOptions } from './capture.js'
import { type FolderEntry, type LeftEntry, whyLeft } from './list-records.js'

/** Bytes at the start of a file in which HTTrack says where it is from. */
const HEAD_BYTES = 2048

/** Files and folders of the programs themselves, which are no pages. */
const OWN_FILES = /^(?:hts-(?:cache|log\.txt)|cookies\.txt|fade\.gif|backblue\.gif)$/
/** Ending of the file that wget keeps as it was received, beside that with other links. */
const AS_RECEIVED = '.orig'
/** Names of hosts, and of hosts with a port. */
const HOST = /^(?:[^.:+]+(?:\.[^.:+]+)+|localhost)(?::\d+)?$/i

/** Returns the name of a folder as that of a host: where a file system allows no colon, wget writes `host+port`, and HTTrack `host_port`. */
const withColon = (name: string): string => name.replace(/[+_](\d+)$/, ':$1')

const isHost = (name: string): boolean => HOST.test(withColon(name)) && isUrl(`http://${withColon(name)}`)

/**
 * Reads the pages of a folder that `wget --mirror` or HTTrack has written: the path of a file is its URL, unless HTTrack says in the file where
 * it is from. The time is that of the file, which wget sets to `Last-Modified`.
 */
export async function* readMirror(
  folder: string,
  scheme: 'http' | 'https',
  options: CaptureOptions,
): AsyncGenerator<ArchiveEntry, void, undefined> {
  const top = await readdir(folder, { withFileTypes: true })
  // The folder of a host may be given, and not the one that it is in.
  const given = resolve(folder)
  const base =
    !top.some((one) => one.isDirectory() && isHost(one.name)) && isHost(basename(given)) ? dirname(given) : given
  // The page that HTTrack has made itself, as the start of all sites.
  const ownStart = top.some(({ name }) => name === 'hts-cache') ? join(folder, 'index.html') : undefined
  for await (const { path, why } of listFiles(folder)) {
    if (path === ownStart) continue
    const place = { file: path }
    if (why !== undefined) yield { broken: why, place }
    if (why !== undefined) continue
    try {
      const name = relative(base, resolve(path))
      const url = toUrl(name.endsWith(AS_RECEIVED) ? name.slice(0, -AS_RECEIVED.length) : name, scheme)
      const entry = await readMirrored(path, url, options)
      if (entry) yield entry
    } catch (error) {
      yield { broken: messageOf(error), place }
    }
  }
}

/** Lists the files of a folder, in the order of their names, and with a reason what is not read: links, which could lead out of it, and the like. */
async function* listFiles(
  folder: string,
): AsyncGenerator<LeftEntry | { readonly path: string; readonly why?: undefined }, void, undefined> {
  const entries: FolderEntry[] = []
  try {
    for await (const entry of await opendir(folder)) if (!OWN_FILES.test(entry.name)) entries.push(entry)
  } catch (error) {
    yield { path: folder, why: `The folder cannot be read: ${messageOf(error)}` }
  }
  entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  const names = new Set(entries.filter((entry) => entry.isFile()).map(({ name }) => name))
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isFile() && names.has(`${entry.name}${AS_RECEIVED}`)) continue
    if (entry.isDirectory()) yield* listFiles(path)
    else yield entry.isFile() ? { path } : { path, why: whyLeft(entry) }
  }
}

/** Returns the URL of a file by its path: `example.com/docs/index.html` is `https://example.com/docs/`. */
export function toUrl(path: string, scheme: 'http' | 'https'): string | undefined {
  const [host = '', ...parts] = path.split(sep)
  const origin = `${scheme}://${withColon(host)}`
  if (!isHost(host) || parts.length === 0) return undefined
  const file = parts.at(-1) ?? ''
  // A query is behind `?`, or behind `@` on Windows; `--adjust-extension` adds `.html` to it.
  const mark = file.search(/[?@]/)
  const hasQuery = mark !== -1 && (file[mark] === '?' || file.includes('=', mark))
  const name = hasQuery ? file.slice(0, mark) : file
  const search = hasQuery ? `?${file.slice(mark + 1).replace(/\.html$/, '')}` : ''
  const segments = [...parts.slice(0, -1), name === 'index.html' ? '' : name]
  return `${origin}/${segments.map(toSegment).join('/')}${search}`
}

/** Returns the name of a file as a URL has it. wget leaves bytes escaped that no file system allows. */
const toSegment = (name: string): string =>
  encodeURI(name)
    .replaceAll('?', '%3F')
    .replaceAll('#', '%23')
    .replaceAll(/%25([\da-f]{2})/gi, '%$1')

async function readMirrored(
  path: string,
  fromPath: string | undefined,
  options: CaptureOptions,
): Promise<ArchiveEntry | undefined> {
  const place = { file: path }
  const { size, mtimeMs } = await stat(path)
  const head = await readStart(path)
  const mirrored = readMirrorNote(head)
  const noted = mirrored && withScheme(mirrored.address)
  const url = noted !== undefined && /^https?:/i.test(noted) && isUrl(noted) ? noted : fromPath
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

/** Types of files by their extension; the type of others is told from their bytes. */
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html',
  htm: 'text/html',
  pdf: 'application/pdf',
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
  const [name = ''] = basename(path, AS_RECEIVED).split('?', 1)
  const extension = /\.([a-z\d]+)$/i.exec(name)?.[1]?.toLowerCase() ?? ''
  return ownValue(TYPES, extension)
}
