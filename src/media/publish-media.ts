import { createHash } from 'node:crypto'
import { messageOf, TrawlError } from '../errors.js'
import { mediaTypes } from './media-types.js'
import type { MediaFile, MediaSink } from './media.js'

/** Sound and films up to this stand in a document where no sink takes them. Bytes. */
export const MAX_DATA_BYTES = 8 * 1024 * 1024

/** A file that is in the caller's hands. */
export interface PublishedMedia {
  /** What the sink gave, or a `data:` URI. */
  readonly url: string
  /** Why it is no URL of the sink's. */
  readonly warning?: string
}

const traits = {
  'image/png': { ending: 'png' },
  'image/jpeg': { ending: 'jpg' },
  'application/pdf': { ending: 'pdf' },
  ...mediaTypes,
} satisfies Record<MediaFile['mediaType'], { ending: string }>

/**
 * Hands a file to the sink; without one, or when it fails, the file is its own URL.
 *
 * @throws TrawlError `SCRAPE_MEDIA_NOT_KEPT` for sound or a film that is too large for that; for nothing else
 */
export async function publishMedia(
  made: Omit<MediaFile, 'name'>,
  sink: MediaSink | undefined,
  signal: AbortSignal,
): Promise<PublishedMedia> {
  if (!sink) {
    refuseLarge(made, 'give the engine `media`, a folder or a function that keeps it')
    return { url: toDataUri(made) }
  }
  const hash = createHash('sha256').update(made.bytes).digest('hex').slice(0, 32)
  try {
    const url: unknown = await untilUp(
      sink({ ...made, name: `${hash}.${traits[made.mediaType].ending}` }, signal),
      signal,
    )
    if (typeof url === 'string' && url !== '') return { url }
    throw new TypeError(`it gave ${url === '' ? 'an empty string' : typeof url} where a URL is expected`)
  } catch (error) {
    const trouble = messageOf(error)
    refuseLarge(made, `the \`media\` sink did not take it: ${trouble}`)
    const warning = `The \`media\` sink did not take a ${made.kind}, which is given as data: ${trouble}.`
    return { url: toDataUri(made), warning }
  }
}

function refuseLarge({ kind, bytes, pageUrl }: Omit<MediaFile, 'name'>, what: string): void {
  if (kind === 'screenshot' || kind === 'pdf' || bytes.length <= MAX_DATA_BYTES) return
  const message = `\`${kind}\` has ${bytes.length} bytes, and no more than ${MAX_DATA_BYTES} stand in a document: ${what}`
  throw new TrawlError('SCRAPE_MEDIA_NOT_KEPT', message, { url: pageUrl })
}

const toDataUri = ({ mediaType, bytes }: Omit<MediaFile, 'name'>): string =>
  `data:${mediaType};base64,${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')}`

function untilUp<T>(work: T | Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const stop = (): void => reject(new Error("the page's time was up"))
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void Promise.resolve(work)
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
