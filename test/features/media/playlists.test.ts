import { describe, expect, it } from 'vitest'
import { createEngine, memoryCache } from '../../../src/index.js'
import { useFakePrograms } from './fake-program.js'
import { faultOf, file, files, readUri, shows } from '../../site/media-pages.js'
import { useEngineSite, type Pages } from '../../site/engine-site.js'

const on = useEngineSite()
const programs = useFakePrograms()

/** A piece of a transport stream, filled with a letter. */
const piece = (letter: string): Buffer => Buffer.from(`G${letter.repeat(187)}`.repeat(4), 'latin1')

const list = (...lines: readonly string[]): Pages[string] =>
  file(Buffer.from(['#EXTM3U', ...lines].join('\n')), 'audio/x-mpegurl')
const pieces = (...names: readonly string[]): Pages[string] =>
  list(...names.flatMap((name) => ['#EXTINF:6,', name]), '#EXT-X-ENDLIST')

const pages: Pages = {
  ...files,
  '/page': shows('<video><source src="/main.m3u8" type="application/vnd.apple.mpegurl"></video>'),
  '/main.m3u8': list('#EXT-X-STREAM-INF:BANDWIDTH=9', 'high/list.m3u8', '#EXT-X-STREAM-INF:BANDWIDTH=1', '/low.m3u8'),
  '/high/list.m3u8': pieces('a.ts', 'b.ts', 'c.ts'),
  '/low.m3u8': pieces('high/c.ts'),
  '/high/a.ts': file(piece('a')),
  '/high/b.ts': file(piece('b')),
  '/high/c.ts': file(piece('c')),
}

/** A site whose page shows this playlist. */
const open = (playlist: Pages[string], config = {}) =>
  on.open(
    { ...pages, '/list.m3u8': playlist, '/': shows('<video src="/list.m3u8"></video>') },
    { ffmpeg: false, ...config },
  )

describe('a segmented video', () => {
  it('is downloaded at the highest bit rate, and concatenated', async () => {
    await on.open(pages, { ffmpeg: false })
    const { video } = await on.engine.scrape(on.site.url('/page'), { formats: ['video'] })
    expect(readUri(video)).toEqual({ type: 'video/mp2t', bytes: Buffer.concat([piece('a'), piece('b'), piece('c')]) })
  })

  it('gives its audio at the lowest bit rate, also when the response itself is the playlist', async () => {
    const ffmpeg = await programs.make(`cat > $here/input; printf 'ID3\\004\\000\\000\\000\\000\\000\\000made'`)
    await on.open(pages, { ffmpeg })
    for (const path of ['/page', '/main.m3u8']) {
      const { audio } = await on.engine.scrape(on.site.url(path), { formats: ['audio'] })
      expect(readUri(audio).type).toBe('audio/mpeg')
      expect(await programs.read('input')).toBe(piece('c').toString('latin1'))
    }
  })

  it.each([
    ['names a file of the machine', list('file:///etc/passwd', '#EXT-X-ENDLIST'), 'neither http nor https'],
    ['is live', list('/high/a.ts'), 'live stream'],
    ['lacks a piece', pieces('/high/a.ts', '/nowhere.ts'), 'a segment was answered with status 404'],
    ['leads to itself', list('#EXT-X-STREAM-INF:BANDWIDTH=9', '/list.m3u8'), 'nested more than once'],
    ['has pieces that are pages', pieces('/page'), 'neither audio nor video'],
    [
      'has more pieces than any film',
      pieces(...Array.from({ length: 3001 }, (_, at) => `/${at}.ts`)),
      'more than 3000',
    ],
  ])('is refused for a playlist that %s', async (_, playlist, message) => {
    await open(playlist)
    expect(await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['video'] }))).toEqual({
      code: 'SCRAPE_VIDEO_UNSUPPORTED_URL',
      message: expect.stringContaining(message),
    })
  })

  it('has the size limit of a single file, and the same rules for each segment', async () => {
    const cache = memoryCache()
    await open(pieces(...Array.from({ length: 40 }, () => '/high/a.ts')), { cache, limits: { bodyBytes: 10_000 } })
    expect(await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['video'] }))).toMatchObject({
      message: expect.stringContaining('larger than `limits.bodyBytes` (10000 bytes)'),
    })
    expect(on.site.requests.filter(({ path }) => path === '/high/a.ts').length).toBeLessThan(20)
    // The playlist is the page, and is there already: its pieces stand where no stranger may send anybody.
    await on.engine.scrape(on.site.url('/low.m3u8'), { formats: [], parsers: [] })
    await using guarded = createEngine({ cache, threads: 0, ffmpeg: false, retry: { maxRetries: 0 } })
    const asking = guarded.scrape(on.site.url('/low.m3u8'), { formats: ['video'] })
    expect(await faultOf(asking)).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
  })
})
