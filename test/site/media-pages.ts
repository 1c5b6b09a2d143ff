import type { Pages } from './engine-site.js'
import { htmlPage } from './exchange.js'
import { makeMovie, makeMp3, makeWav } from './make-media.js'

/** A file with this content type. */
export const file =
  (bytes: Uint8Array, type = 'application/octet-stream', status = 200): Pages[string] =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': type }).end(bytes)

export const mp3 = makeMp3()
export const film = makeMovie({ tracks: ['vide', 'soun'], brand: 'isom', indexFirst: false })

/** Audio and video files, and files that only claim to be. */
export const files: Pages = {
  '/bells.mp3': file(mp3, 'audio/mpeg'),
  '/bells.wav': file(makeWav(), 'audio/wav'),
  '/film.mp4': file(film, 'video/mp4'),
  '/other.mp4': file(makeMovie({ tracks: ['vide'], brand: 'isom' }), 'video/mp4'),
  '/page.mp3': file(Buffer.from(htmlPage('No sound')), 'audio/mpeg'),
  '/drawing.mp3': file(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'audio/mpeg'),
  '/denied.mp3': file(Buffer.alloc(0), 'audio/mpeg', 403),
  '/broken.mp3': file(Buffer.alloc(0), 'audio/mpeg', 500),
}

/** A page with this markup below its text. */
export const shows = (body: string): string =>
  htmlPage('Bells', `<p>The bells of the harbour, rung at the tide.</p>${body}`)

/** Content and type of a `data:` URI. */
export function readUri(uri = ''): { type: string; bytes: Buffer } {
  const [, type = '', data = ''] = /^data:([^;]+);base64,(.*)$/s.exec(uri) ?? []
  return { type, bytes: Buffer.from(data, 'base64') }
}

/** Error of a failing scrape. */
export const faultOf = async (scraping: Promise<unknown>): Promise<{ code: string; message: string }> =>
  scraping.then(
    () => ({ code: 'none', message: '' }),
    ({ code, message }: { code: string; message: string }) => ({ code, message }),
  )
