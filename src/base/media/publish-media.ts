import type { MadeFile, UnnamedFile } from './media.js'
import { createHash } from 'node:crypto'
import { messageOf, TrawlError } from '../errors.js'
import { untilAborted } from '../concurrency/until-aborted.js'
import { mediaTypes } from './media-types.js'
import type { MediaSink } from './media.js'

/** Maximum size of audio, video and originals inlined as a `data:` URI. Bytes. */
export const MAX_DATA_BYTES = 8 * 1024 * 1024

/** A published file. */
export interface PublishedMedia {
  /** URL from the sink, or a `data:` URI. */
  readonly url: string
  /** Reason why the sink failed. */
  readonly warning?: string
}

const traits = {
  'image/png': { ending: 'png' },
  'image/jpeg': { ending: 'jpg' },
  'application/pdf': { ending: 'pdf' },
  ...mediaTypes,
} satisfies Record<MadeFile['mediaType'], { ending: string }>

/**
 * Hands a file to the sink. Without a sink, or when it fails, the file becomes a `data:` URI.
 *
 * @throws TrawlError `SCRAPE_MEDIA_NOT_KEPT` for audio, video and originals too large for a `data:` URI
 */
export async function publishMedia(
  made: UnnamedFile,
  sink: MediaSink | undefined,
  signal: AbortSignal,
): Promise<PublishedMedia> {
  if (!sink) {
    throwIfTooLarge(made, 'set the engine option `media` to a folder or a function that stores it')
    return { url: toDataUri(made) }
  }
  const hash = createHash('sha256').update(made.bytes).digest('hex').slice(0, 32)
  const { ending } = made.kind === 'original' ? made : traits[made.mediaType]
  try {
    const url: unknown = await untilTimeIsUp(sink({ ...made, name: `${hash}.${ending}` }, signal), signal)
    if (typeof url === 'string' && url !== '') return { url }
    throw new TypeError(`it returned ${url === '' ? 'an empty string' : typeof url} instead of a URL`)
  } catch (error) {
    const reason = messageOf(error)
    throwIfTooLarge(made, `the \`media\` sink failed: ${reason}`)
    const warning = `The \`media\` sink failed for a ${made.kind}, which was inlined as a data URI: ${reason}.`
    return { url: toDataUri(made), warning }
  }
}

function throwIfTooLarge({ kind, bytes, pageUrl }: UnnamedFile, advice: string): void {
  if (kind === 'screenshot' || kind === 'pdf' || bytes.length <= MAX_DATA_BYTES) return
  const message = `The ${kind} has ${bytes.length} bytes, and at most ${MAX_DATA_BYTES} can be inlined in a document: ${advice}`
  throw new TrawlError('SCRAPE_MEDIA_NOT_KEPT', message, { url: pageUrl })
}

const toDataUri = ({ mediaType, bytes }: UnnamedFile): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`

const untilTimeIsUp = <T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> =>
  untilAborted(Promise.resolve(work), signal).catch((error: unknown) => {
    throw signal.aborted && error === signal.reason ? new Error("the page's time ran out") : error
  })
