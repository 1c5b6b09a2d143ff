import { messageOf } from '../../../base/errors.js'
import type { MessagePort } from 'node:worker_threads'
import type { Ocr, PagePicture } from '../../ocr/ocr.js'

/** Answer for an image: its text, or the message of the error. */
type Reading = { readonly text: string } | { readonly fault: string }

/** Channel from a worker thread to the engine's OCR function. Functions cannot be sent to a worker. */
interface OcrChannel {
  /** The worker's end. */
  readonly port: MessagePort
  close(): void
}

/** Opens a channel: `ocr` reads the images that the worker sends, one after another. */
export function openOcrChannel(ocr: Ocr, signal: AbortSignal): OcrChannel {
  const { port1: own, port2: port } = new MessageChannel() as unknown as { port1: MessagePort; port2: MessagePort }
  own.on('message', (picture: PagePicture) => {
    void ocr(picture, signal)
      .then(
        (text): Reading => ({ text }),
        (fault: unknown): Reading => ({ fault: messageOf(fault) }),
      )
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of a worker thread has none
      .then((reading) => own.postMessage(reading))
  })
  return { port, close: () => own.close() }
}

/**
 * Creates the function with which a worker requests the text of an image. Only one request may be open at a time. Pages
 * are read one after another, so that this is the case.
 */
export const requestOcr =
  (port: MessagePort) =>
  (picture: PagePicture): Promise<string> =>
    new Promise((resolve, reject) => {
      port.once('message', (reading: Reading) => {
        if ('text' in reading) resolve(reading.text)
        else reject(new Error(reading.fault))
      })
      port.postMessage(picture, [picture.bytes.buffer as ArrayBuffer])
    })
