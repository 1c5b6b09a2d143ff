import { mediaTypes, type MediaType } from './media-types.js'
import { putIndexFirst } from './put-index-first.js'
import { runProgram } from './run-program.js'

/** Sound, or a film, in memory. */
export interface MediaBytes {
  readonly bytes: Uint8Array
  readonly mediaType: MediaType
}

/** What was made of a file: sound, or why there is none. */
export type Conversion =
  | { readonly bytes: Uint8Array; readonly trouble?: undefined }
  | { readonly trouble: 'missing' | 'unwanted' | 'silent' | 'broken' | 'late' | 'large'; readonly why: string }

export interface FfmpegOptions {
  /** A path, or a name. */
  readonly program: string
  /** The most that comes out. Bytes. */
  readonly maxBytes: number
  /** Milliseconds. */
  readonly timeoutMs: number
}

/**
 * The same for every second, in bits: what a pipe has taken cannot be changed, and so the length of MP3 with a rate that varies would
 * be told nowhere. Players were off by up to a fifth. What is sampled less than 16,000 times a second has half of it.
 */
const BIT_RATE = '128k'
/** Of one thing that a file asks memory for. Bytes. */
const MAX_ALLOCATED = String(256 * 1024 * 1024)

/**
 * Makes an MP3 of the first sound track of a file, with the program ffmpeg. It reads a pipe and writes a pipe, and may open nothing
 * else: no file, no address, whatever the bytes refer to. What reads them is named, so that they cannot pass for a playlist.
 *
 * @throws the signal's reason
 */
export async function toMp3(file: MediaBytes, options: FfmpegOptions, signal: AbortSignal): Promise<Conversion> {
  const { program, maxBytes, timeoutMs } = options
  const { demuxer } = mediaTypes[file.mediaType]
  const input = demuxer === 'mov' ? putIndexFirst(file.bytes) : file.bytes
  const ended = await runProgram({ program, args: argumentsFor(demuxer), input, maxBytes, timeoutMs }, signal)
  if (ended.end === 'done') {
    return ended.bytes.length > 0 ? { bytes: ended.bytes } : { trouble: 'silent', why: 'there is no sound in it' }
  }
  if (ended.end === 'late') return { trouble: 'late', why: `ffmpeg took longer than ${timeoutMs} ms` }
  if (ended.end === 'large') return { trouble: 'large', why: `as MP3 it is larger than ${maxBytes} bytes` }
  const why = lastLine(ended.said)
  if (ended.end === 'missing') return { trouble: 'missing', why: `\`${program}\` cannot be started (${why})` }
  if (/Unknown encoder/.test(ended.said)) return { trouble: 'missing', why: `\`${program}\` writes no MP3 (${why})` }
  if (/matches no streams|does not contain any stream/.test(ended.said))
    return { trouble: 'silent', why: 'there is no sound in it' }
  return { trouble: 'broken', why: `ffmpeg cannot read it${why === '' ? '' : ` (${why})`}` }
}

const BOUNDS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-max_alloc', MAX_ALLOCATED, '-threads', '1']
const SOUND_ALONE = ['-vn', '-sn', '-dn']
const FIRST_SOUND = ['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '-1', '-threads', '1']
const AS_MP3 = ['-c:a', 'libmp3lame', '-b:a', BIT_RATE, '-f', 'mp3', 'pipe:1']

const argumentsFor = (demuxer: string): string[] => [
  ...BOUNDS,
  '-protocol_whitelist',
  'pipe',
  '-f',
  demuxer,
  ...SOUND_ALONE,
  '-i',
  'pipe:0',
  ...FIRST_SOUND,
  ...AS_MP3,
]

/** Said by a program about bytes that a stranger wrote: short, and in one line. */
const lastLine = (said: string): string =>
  (said.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)
