import { isObject } from '../../base/collections/is-object.js'
import {
  anyString,
  numberInRange,
  nonEmptyString,
  timerMs,
  checkOptions,
  type Rule,
} from '../../base/runtime/check-options.js'
import { TrawlError } from '../../base/errors.js'
import { Semaphore } from '../../base/concurrency/semaphore.js'
import type { ExtractedMedia, MediaExtractor } from './media-extractor.js'
import { runProgram } from './run-program.js'
import { parseJson } from '../../base/text/parse-json.js'

/** Options of `ytDlp`. */
export interface YtDlpOptions {
  /** Path of the program, or its name in the system's folders. @default 'yt-dlp' */
  readonly executablePath?: string
  /**
   * Proxy for its requests, for example `socks5://127.0.0.1:1080`.
   *
   * @default none, whatever the engine's `proxies` are
   */
  readonly proxy?: string
  /** Maximum time for one page. Milliseconds. @default 60000 */
  readonly timeoutMs?: number
  /** Maximum concurrent processes. From 1. @default 2 */
  readonly maxConcurrency?: number
}

const RULES: Readonly<Record<keyof YtDlpOptions, Rule>> = {
  executablePath: nonEmptyString('the name or the path of a program'),
  proxy: anyString,
  timeoutMs: timerMs,
  maxConcurrency: numberInRange('processes', 1),
}

/** Maximum size of its output, which lists every format of a video and every language of its captions. Bytes. */
const MAX_BYTES = 16 * 1024 * 1024

/** Describes the first video of a page without downloading it, and without reading or writing files on this machine. */
const DESCRIBE_ONLY = [
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

/**
 * A single file over HTTP, otherwise an HLS playlist; for audio a separate file if there is one, for video a format
 * that includes its audio.
 */
const FORMATS = {
  audio:
    "bestaudio[protocol~='^https?$']/best[protocol~='^https?$']/bestaudio[protocol^=m3u8]/worst[protocol^=m3u8][acodec!=none]",
  video: "best[protocol~='^https?$']/best[protocol^=m3u8]",
} as const

/**
 * Finds the audio and video of hosting sites with the program yt-dlp on this machine, one process per page, without a
 * shell. It returns only the URL of the file, which trawl downloads under the engine's own rules for addresses and
 * sizes.
 *
 * The requests that yt-dlp itself sends to find the URL are not subject to trawl's rules.
 *
 * @throws TypeError for options that are not allowed
 * @example
 * const engine = createEngine({ mediaExtractor: ytDlp() })
 */
export function ytDlp(options: YtDlpOptions = {}): MediaExtractor {
  checkOptions('ytDlp', options, RULES)
  const { executablePath = 'yt-dlp', proxy, timeoutMs = 60_000, maxConcurrency = 2 } = options
  const semaphore = new Semaphore(maxConcurrency)
  return async ({ url, kind }, signal) => {
    const proxyFlags = proxy === undefined ? [] : ['--proxy', proxy]
    const args = [...DESCRIBE_ONLY, ...proxyFlags, '--format', FORMATS[kind], '--', url]
    const run = { program: executablePath, args, maxBytes: MAX_BYTES, timeoutMs }
    await semaphore.acquire(signal)
    const ended = await runProgram(run, signal).finally(() => semaphore.release())
    if (ended.end === 'done') return readAnswer(new TextDecoder().decode(ended.bytes))
    if (ended.end === 'missing') throw new Error(`\`${executablePath}\` cannot be started (${ended.stderr})`)
    if (ended.end === 'late') throw new Error(`\`${executablePath}\` took longer than ${timeoutMs} ms`)
    if (ended.end === 'large') throw new Error(`the output of \`${executablePath}\` is larger than ${MAX_BYTES} bytes`)
    return throwFault(ended.stderr, url)
  }
}

/** Reads the URL of the file; of a list, that of the first entry. */
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

function throwFault(stderr: string, url: string): undefined {
  // The messages may quote a proxy URL with credentials.
  const bare = stderr.replace(/\/\/[^/@\s]*@/g, '//')
  const fault = bare.trim().split('\n').at(-1)?.slice(0, 300) ?? ''
  if (UNKNOWN.test(stderr)) return undefined
  if (DENIED.test(fault))
    throw new TrawlError('SCRAPE_MEDIA_ACCESS_DENIED', `yt-dlp was denied access: ${fault}`, { url })
  throw new Error(`yt-dlp found nothing: ${fault || 'it gave no reason'}`)
}
