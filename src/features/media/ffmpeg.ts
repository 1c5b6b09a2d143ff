import { mediaTypes, type MediaType } from '../../base/media/media-types.js'
import { putIndexFirst } from './put-index-first.js'
import { runProgram } from './run-program.js'

/** An audio or video file in memory. */
export interface MediaBytes {
  readonly bytes: Uint8Array
  readonly mediaType: MediaType
}

/** Result of a conversion: the MP3, or the reason why there is none. */
export type Conversion =
  | { readonly bytes: Uint8Array; readonly failure?: undefined }
  | { readonly failure: 'missing' | 'unwanted' | 'silent' | 'broken' | 'late' | 'large'; readonly why: string }

export interface FfmpegOptions {
  /** Path or name of the program. */
  readonly program: string
  /** Maximum size of the output. Bytes. */
  readonly maxBytes: number
  /** Milliseconds. */
  readonly timeoutMs: number
}

/**
 * Constant bit rate: the header of an MP3 with a variable rate, which states its length, is written last, and a pipe
 * cannot be rewritten. Players misjudged the length by up to a fifth. Sample rates below 16,000 Hz get half of it.
 */
const BIT_RATE = '128k'
/** Maximum size of one allocation of ffmpeg. Bytes. */
const MAX_ALLOCATED = String(256 * 1024 * 1024)

/**
 * Converts the first audio track of a file to MP3 with ffmpeg. ffmpeg reads a pipe, writes a pipe, and may open no file
 * and no URL, whatever the bytes refer to. The demuxer is named explicitly, so that the bytes cannot pass for a
 * playlist.
 *
 * @throws the reason of the signal
 */
export async function toMp3(file: MediaBytes, options: FfmpegOptions, signal: AbortSignal): Promise<Conversion> {
  const { program, maxBytes, timeoutMs } = options
  const { demuxer } = mediaTypes[file.mediaType]
  const input = demuxer === 'mov' ? putIndexFirst(file.bytes) : file.bytes
  const ended = await runProgram({ program, args: argumentsFor(demuxer), input, maxBytes, timeoutMs }, signal)
  if (ended.end === 'done') {
    return ended.bytes.length > 0 ? { bytes: ended.bytes } : { failure: 'silent', why: NO_AUDIO }
  }
  if (ended.end === 'late') return { failure: 'late', why: `ffmpeg took longer than ${timeoutMs} ms` }
  if (ended.end === 'large') return { failure: 'large', why: `as MP3 it is larger than ${maxBytes} bytes` }
  const why = lastLine(ended.stderr)
  if (ended.end === 'missing') return { failure: 'missing', why: `\`${program}\` cannot be started (${why})` }
  if (/Unknown encoder/.test(ended.stderr))
    return { failure: 'missing', why: `\`${program}\` cannot encode MP3 (${why})` }
  if (/matches no streams|does not contain any stream/.test(ended.stderr)) return { failure: 'silent', why: NO_AUDIO }
  return { failure: 'broken', why: `ffmpeg cannot decode it${why === '' ? '' : ` (${why})`}` }
}

const NO_AUDIO = 'it contains no audio'
const LIMITS = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-max_alloc', MAX_ALLOCATED, '-threads', '1']
const AUDIO_ONLY = ['-vn', '-sn', '-dn']
const FIRST_AUDIO_TRACK = ['-map', '0:a:0', '-map_metadata', '-1', '-map_chapters', '-1', '-threads', '1']
const AS_MP3 = ['-c:a', 'libmp3lame', '-b:a', BIT_RATE, '-f', 'mp3', 'pipe:1']

const argumentsFor = (demuxer: string): string[] => [
  ...LIMITS,
  '-protocol_whitelist',
  'pipe',
  '-f',
  demuxer,
  ...AUDIO_ONLY,
  '-i',
  'pipe:0',
  ...FIRST_AUDIO_TRACK,
  ...AS_MP3,
]

/** Last line of the program's messages. It may quote bytes of a stranger, so it is shortened and reduced to ASCII. */
const lastLine = (stderr: string): string =>
  (stderr.trim().split('\n').at(-1) ?? '').replace(/[^\x20-\x7e]+/g, ' ').slice(0, 200)
