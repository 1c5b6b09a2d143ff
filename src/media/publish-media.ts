import { createHash } from 'node:crypto'
import type { MediaFile, MediaSink } from './media.js'

/** A file that is in the caller's hands. */
export interface PublishedMedia {
  /** What the sink gave, or a `data:` URI. */
  readonly url: string
  /** Why it is no URL of the sink's. */
  readonly warning?: string
}

const endings: Readonly<Record<MediaFile['mediaType'], string>> = {
  'image/png': 'png',
  'image/jpeg': 'jpg',
  'application/pdf': 'pdf',
}

/** Hands a file to the sink; without one, or when it fails, the file is its own URL. Never rejects. */
export async function publishMedia(
  made: Omit<MediaFile, 'name'>,
  sink: MediaSink | undefined,
  signal: AbortSignal,
): Promise<PublishedMedia> {
  if (!sink) return { url: toDataUri(made) }
  const hash = createHash('sha256').update(made.bytes).digest('hex').slice(0, 32)
  try {
    const url: unknown = await untilUp(sink({ ...made, name: `${hash}.${endings[made.mediaType]}` }, signal), signal)
    if (typeof url === 'string' && url !== '') return { url }
    throw new TypeError(`it gave ${url === '' ? 'an empty string' : typeof url} where a URL is expected`)
  } catch (error) {
    const trouble = error instanceof Error ? error.message : String(error)
    const warning = `The \`media\` sink did not take a ${made.kind}, which is given as data: ${trouble}.`
    return { url: toDataUri(made), warning }
  }
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
