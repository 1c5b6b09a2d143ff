import { Semaphore } from '../../base/concurrency/semaphore.js'
import { untilAborted } from '../../base/concurrency/until-aborted.js'
import { toTrawlError, TrawlError } from '../../base/errors.js'
import { parseUrl } from '../../base/url.js'
import type { MediaKind } from '../../base/media/media-types.js'
import type { EngineInternals } from '../../kernel/engine/feature.js'
import type { EnrichTools, PageFiles } from '../../kernel/enrich/format.js'
import type { FetchedPage } from '../../kernel/fetch/fetched-page.js'
import { countSpareCores } from '../../kernel/plan/plan-engine.js'
import { type Conversion, type FfmpegOptions, type MediaBytes, toMp3 } from './ffmpeg.js'
import type { ExtractedMedia, MediaExtractor } from './media-extractor.js'
import { DEFAULT_FFMPEG } from './media-options.js'

/** Tools of an engine for the audio and video of its pages. */
export interface MediaTools {
  /** Options of ffmpeg and the limit of its processes; undefined if it must not be used. */
  readonly ffmpeg: (FfmpegOptions & { readonly places: Semaphore }) | undefined
  /** The `mediaExtractor` of the engine's configuration. */
  readonly extractor: MediaExtractor | undefined
}

/** Access to the audio and video files of one page, within the page's time. After that, everything throws the reason of `signal`. */
export interface PageMedia extends PageFiles {
  /** Converts the audio track of a file to MP3. */
  toMp3(file: MediaBytes): Promise<Conversion>
  /** Calls the host's `mediaExtractor`; undefined when there is none. @throws TrawlError */
  readonly extract?: (kind: MediaKind) => Promise<ExtractedMedia | undefined>
}

/** Tools of the formats, with the access to audio and video. */
export interface MediaSources {
  readonly inputs: EnrichTools['inputs']
  readonly media: PageMedia
}

/** Opens the tools of an engine for audio and video. */
export function openMediaTools({ settings }: EngineInternals): MediaTools {
  const { ffmpeg: program = DEFAULT_FFMPEG, mediaExtractor: extractor, limits, fileTimeoutMs } = settings
  if (program === false) return { ffmpeg: undefined, extractor }
  const places = new Semaphore(countSpareCores())
  return { ffmpeg: { program, maxBytes: limits.bodyBytes, timeoutMs: fileTimeoutMs, places }, extractor }
}

/** Opens the access to the audio and video of one page. */
export function openPageMedia(
  { url }: FetchedPage,
  { files, inputs }: EnrichTools,
  { ffmpeg, extractor }: MediaTools,
): MediaSources {
  const { signal, maxBytes } = files
  const media: PageMedia = {
    ...files,
    async toMp3(file) {
      if (!ffmpeg) return { failure: 'unwanted', why: "the engine's `ffmpeg` is false" }
      await ffmpeg.places.acquire(signal)
      try {
        return await toMp3(file, ffmpeg, signal)
      } finally {
        ffmpeg.places.release()
      }
    },
    extract:
      files.download && extractor
        ? (kind) => extract(extractor, { url, kind, mostBytes: maxBytes }, signal)
        : undefined,
  }
  return { media, inputs }
}

async function extract(
  extractor: MediaExtractor,
  question: Parameters<MediaExtractor>[0],
  signal: AbortSignal,
): ReturnType<MediaExtractor> {
  const { url, mostBytes } = question
  try {
    const answer = await untilAborted(
      Promise.resolve().then(() => extractor(question, signal)),
      signal,
    )
    checkAnswer(answer, mostBytes)
    return answer
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof TrawlError) throw error
    const message = `The engine's \`mediaExtractor\` failed: ${toTrawlError(error).message}`
    throw new TrawlError('UNKNOWN_ERROR', message, { url, cause: error })
  }
}

/** Checks the result of the host's own function, which may be anything. */
function checkAnswer(answer: unknown, maxBytes: number): void {
  if (answer === undefined) return
  if (typeof answer !== 'object' || answer === null) throw new TypeError('it returned neither an object nor undefined')
  if ('bytes' in answer && answer.bytes instanceof Uint8Array) {
    if (answer.bytes.length > maxBytes) throw new RangeError(`it returned more than ${maxBytes} bytes`)
    return
  }
  const url = 'url' in answer && typeof answer.url === 'string' ? parseUrl(answer.url) : undefined
  if (!url || !/^https?:$/.test(url.protocol))
    throw new TypeError('it returned neither `bytes` nor an http or https `url`')
}
