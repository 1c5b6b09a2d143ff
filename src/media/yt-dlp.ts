import { isObject } from '../collections/is-object.js'
import { aNumber, aText, aTime, checkOptions, type Rule } from '../runtime/check-options.js'
import { TrawlError } from '../errors.js'
import { Semaphore } from '../concurrency/semaphore.js'
import type { ExtractedMedia, MediaExtractor } from './media-extractor.js'
import { runProgram } from './run-program.js'
import { parseJson } from '../text/parse-json.js'

/** How the program is called. */
export interface YtDlpOptions {
  /** The program, by its own path, or by its name in the system's folders. @default 'yt-dlp' */
  readonly executablePath?: string
  /** The proxy that it asks sites through, e.g. `socks5://127.0.0.1:1080`. @default none, whatever the engine's `proxies` are */
  readonly proxy?: string
  /** How long it may look for one page's file. Milliseconds. @default 60000 */
  readonly timeoutMs?: number
  /** How many of it may run at once. From 1. @default 2 */
  readonly maxConcurrency?: number
}

const RULES: Readonly<Record<keyof YtDlpOptions, Rule>> = {
  executablePath: aText('the name or the path of a program'),
  proxy: { allowed: 'the URL of a proxy', takes: (value) => typeof value === 'string' && URL.canParse(value) },
  timeoutMs: aTime,
  maxConcurrency: aNumber('processes', 1, 1000),
}

/** What it says of a page has every format of a film in it, and every language of its captions. */
const MAX_BYTES = 16 * 1024 * 1024

/** The first film of a page, told and not downloaded, with nothing read or written on this machine. */
const TELL_ONLY = [
  '--ignore-config',
  '--no-cache-dir',
  '--no-playlist',
  '--playlist-items',
  '1',
  '--no-warnings',
  '--quiet',
  '--skip-download',
  '--dump-single-json',
]

/** One file by HTTP, else a playlist of its pieces; sound by itself where there is such a file, a film with its sound in it. */
const FORMATS = {
  audio:
    "bestaudio[protocol~='^https?$']/best[protocol~='^https?$']/bestaudio[protocol^=m3u8]/worst[protocol^=m3u8][acodec!=none]",
  video: "best[protocol~='^https?$']/best[protocol^=m3u8]",
} as const

/**
 * Finds the sound and the films of hosting sites with the program yt-dlp of this machine, one process for each page, with no shell
 * between. It only tells where the file is: that is downloaded by trawl, by the engine's own rules about addresses and sizes.
 *
 * What it asks a site to find that out it asks by itself: these requests go by no rule of trawl's.
 *
 * @throws TypeError for options that are not allowed
 * @example
 * const engine = createEngine({ mediaExtractor: ytDlp() })
 */
export function ytDlp(options: YtDlpOptions = {}): MediaExtractor {
  checkOptions('ytDlp', options, RULES)
  const { executablePath = 'yt-dlp', proxy, timeoutMs = 60_000, maxConcurrency = 2 } = options
  const places = new Semaphore(maxConcurrency)
  return async ({ url, kind }, signal) => {
    const through = proxy === undefined ? [] : ['--proxy', proxy]
    const args = [...TELL_ONLY, ...through, '--format', FORMATS[kind], '--', url]
    const run = { program: executablePath, args, maxBytes: MAX_BYTES, timeoutMs }
    await places.take(signal)
    const ended = await runProgram(run, signal).finally(() => places.give())
    if (ended.end === 'done') return readAnswer(new TextDecoder().decode(ended.bytes))
    if (ended.end === 'missing') throw new Error(`\`${executablePath}\` cannot be started (${ended.said})`)
    if (ended.end === 'late') throw new Error(`\`${executablePath}\` took longer than ${timeoutMs} ms`)
    if (ended.end === 'large') throw new Error(`\`${executablePath}\` said more than ${MAX_BYTES} bytes`)
    return judgeFault(ended.said, url)
  }
}

/** Where it says the file is. Of a list, in its first entry. */
function readAnswer(text: string): ExtractedMedia | undefined {
  const answer: unknown = parseJson(text)
  const entries = isObject(answer) ? answer['entries'] : undefined
  const item: unknown = Array.isArray(entries) ? entries[0] : answer
  if (!isObject(item)) return undefined
  const { url, http_headers: headers } = item
  if (typeof url !== 'string') return undefined
  const own = Object.entries(isObject(headers) ? headers : {}).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^[\w-]+$/.test(name) ? [[name, value]] : [],
  )
  return { url, headers: Object.fromEntries(own) }
}

const UNKNOWN = /Unsupported URL|no video (?:formats )?found|Requested format is not available|There.s no video/i
const DENIED = /\b(?:log ?in|sign in|logged|private|members?[- ]only|premium|age|geo|country|HTTP Error 40[13])\b/i

function judgeFault(said: string, url: string): undefined {
  // It may quote its proxy.
  const bare = said.replace(/\/\/[^/@\s]*@/g, '//')
  const fault = bare.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
  if (UNKNOWN.test(said)) return undefined
  if (DENIED.test(fault)) throw new TrawlError('SCRAPE_MEDIA_ACCESS_DENIED', `yt-dlp was not let in: ${fault}`, { url })
  throw new Error(`yt-dlp found nothing: ${fault || 'it does not say why'}`)
}
