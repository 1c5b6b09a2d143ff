import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { createEngine, type ExtractedMedia, memoryCache, type MediaFile } from '../../../src/index.js'
import { useFakePrograms } from './fake-program.js'
import { makeMp3 } from '../../site/make-media.js'
import { faultOf, file, files, film, mp3, readUri, shows } from '../../site/media-pages.js'
import { useEngineSite, type Pages } from '../../site/engine-site.js'
import { sendChunks } from '../../site/exchange.js'

const on = useEngineSite()
const programs = useFakePrograms()

describe('format `video`', () => {
  it('returns the videos that the page shows, in their original format', async () => {
    const body =
      '<video src="/film.mp4"></video><video src="/nowhere.mp4"></video><video><source src="/page.mp3"><source src="/other.mp4"></video>'
    await on.open({ ...files, '/': shows(body) }, { ffmpeg: false })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['video'] })
    expect(readUri(page.video)).toEqual({ type: 'video/mp4', bytes: film })
    expect(page.videos).toHaveLength(2)
    expect(page.videos[0]?.url).toBe(page.video)
    expect(page.warning).toContain('/nowhere.mp4: it was answered with status 404')
    expect(page.metadata.creditsUsed).toBe(5)
  })

  it('returns one video with its audio when the page is about one', async () => {
    const ffmpeg = await programs.make(`cat > /dev/null; printf 'ID3\\004\\000\\000\\000\\000\\000\\000made'`)
    await on.open({ ...files, '/': shows('<video src="/film.mp4"></video>') }, { ffmpeg })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['video', 'audio'] })
    expect(readUri(page.video).bytes.equals(film)).toBe(true)
    expect(readUri(page.audio).type).toBe('audio/mpeg')
    expect(page.videos).toHaveLength(1)
    expect(page.metadata.creditsUsed).toBe(9)
  })

  it('says of each what the page states, in the player and in structured data', async () => {
    const described = {
      '@type': 'VideoObject',
      name: 'Bells  of the harbour',
      thumbnailUrl: '/bells.jpg',
      duration: 'PT1H2M3.5S',
      contentUrl: '/film.mp4',
    }
    const body = `<script type="application/ld+json">${JSON.stringify(described)}</script>
      <video src="/film.mp4" width="640" height="360px" poster="/poster.jpg"></video>
      <video src="/other.mp4" title="The tide" width="100%" poster="javascript:alert(1)"></video>`
    await on.open({ ...files, '/': shows(body) })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['video'] })
    const each = {
      kind: 'file',
      provider: '127.0.0.1',
      mimeType: 'video/mp4',
      url: expect.stringMatching(/^data:/) as string,
    }
    expect(page.videos).toEqual([
      {
        ...each,
        sourceURL: on.site.url('/film.mp4'),
        title: 'Bells of the harbour',
        thumbnail: on.site.url('/poster.jpg'),
        duration: 3723.5,
        width: 640,
        height: 360,
      },
      { ...each, sourceURL: on.site.url('/other.mp4'), title: 'The tide' },
    ])
  })

  it('fails a page without a video, and ignores audio', async () => {
    await on.open({ ...files, '/': shows('<audio src="/bells.mp3"></audio>') })
    for (const path of ['/', '/bells.mp3']) {
      expect(await faultOf(on.engine.scrape(on.site.url(path), { formats: ['video'] }))).toMatchObject({
        code: 'SCRAPE_VIDEO_UNSUPPORTED_URL',
      })
    }
  })

  it('returns at most eight videos, and no more than fit into the document', async () => {
    const players = Array.from({ length: 10 }, (_, at) => `<video src="/film.mp4?${at}"></video>`).join('')
    const large = Array.from({ length: 3 }, (_, at) => `<video src="/large.mp4?${at}"></video>`).join('')
    const bytes = Buffer.concat([film, Buffer.alloc(5 * 1024 * 1024)])
    const numbered: Pages[string] = ({ response, url }) =>
      response.end(Buffer.concat([url.pathname === '/large.mp4' ? bytes : film, Buffer.from(url.search)]))
    await on.open({ '/film.mp4': numbered, '/large.mp4': numbered, '/': shows(players), '/large': shows(large) })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['video'] })
    expect(page.videos).toHaveLength(8)
    expect(page.warning).toContain('The page shows 10 videos: only 8 are returned.')
    const some = await on.engine.scrape(on.site.url('/large'), { formats: ['video'] })
    expect(some.videos).toHaveLength(1)
    expect(some.warning).toContain('2 more videos do not fit into the document')
  })
})

describe('an audio or video file', () => {
  it('is passed to the sink under a name derived from its content', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'trawl-audio-'))
    try {
      await on.open({ ...files, '/': shows('<video src="/film.mp4"></video>') }, { media: folder })
      const { video } = await on.engine.scrape(on.site.url('/'), { formats: ['video'] })
      expect(await readdir(folder)).toEqual([expect.stringMatching(/^[0-9a-f]{32}\.mp4$/)])
      expect((await readFile(fileURLToPath(video))).equals(film)).toBe(true)
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('is inlined in the document up to 8 MiB, and requires a sink beyond that', async () => {
    const large = makeMp3(20_200)
    const taken: MediaFile[] = []
    let isFull = false
    const media = (one: MediaFile): string => {
      if (isFull) throw new Error('the disk is full')
      return `https://media.test/${taken.push(one)}`
    }
    await on.open({ '/a.mp3': file(large), '/b.mp3': file(mp3) }, { ffmpeg: false })
    const scraping = on.engine.scrape(on.site.url('/a.mp3'), { formats: ['audio'] })
    expect(await faultOf(scraping)).toMatchObject({
      code: 'SCRAPE_MEDIA_NOT_KEPT',
      message: expect.stringContaining('set the engine option `media`'),
    })
    await using sinking = createEngine({ allowPrivateNetworks: true, threads: 0, media, ffmpeg: false })
    expect((await sinking.scrape(on.site.url('/a.mp3'), { formats: ['audio'] })).audio).toBe('https://media.test/1')
    expect(taken).toMatchObject([{ kind: 'audio', mediaType: 'audio/mpeg', pageUrl: on.site.url('/a.mp3') }])
    isFull = true
    const small = await sinking.scrape(on.site.url('/b.mp3'), { formats: ['audio'] })
    expect(readUri(small.audio).bytes.equals(mp3)).toBe(true)
    expect(small.warning).toContain('the disk is full')
    expect(await faultOf(sinking.scrape(on.site.url('/a.mp3'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_MEDIA_NOT_KEPT',
    })
  })

  it('is requested with the page’s headers on its own host only, and with a referrer as in a browser', async () => {
    await on.open({
      ...files,
      '/': ({ response }) =>
        response.end(
          shows(`<audio><source src="${on.site.url('/denied.mp3', 'localhost')}"><source src="/bells.mp3"></audio>`),
        ),
    })
    const headers = { authorization: 'Bearer secret' }
    await on.engine.scrape(`${on.site.url('/')}?q=1`, { formats: ['audio'], headers })
    const asked = (path: string) => on.site.requests.find((request) => request.path === path)?.headers
    expect(asked('/bells.mp3')).toMatchObject({ ...headers, referer: `${on.site.url('/')}?q=1`, accept: '*/*' })
    expect(asked('/denied.mp3')).not.toHaveProperty('authorization')
    expect(asked('/denied.mp3')).toMatchObject({ referer: `${on.site.origin}/` })
  })

  it('is fetched under the same rules for addresses, sizes and time as a page', async () => {
    const cache = memoryCache()
    await on.open(
      {
        ...files,
        '/': shows('<audio src="/bells.mp3"></audio>'),
        '/endless': shows('<audio src="/endless.mp3"></audio>'),
        '/drip': shows('<audio src="/slow-body?intervalMs=50&bytes=100000"></audio>'),
        '/endless.mp3': ({ response }) => {
          sendChunks({ response } as Parameters<typeof sendChunks>[0], endlessly())
        },
      },
      { cache, ffmpeg: false, retry: { maxRetries: 0 }, limits: { wireBytes: 100_000 } },
    )
    await on.engine.scrape(on.site.url('/'), { formats: ['markdown'] })
    // The page is there already; where it stands is no place for strangers.
    await using guarded = createEngine({ cache, threads: 0, retry: { maxRetries: 0 } })
    const before = on.site.requests.length
    expect(await faultOf(guarded.scrape(on.site.url('/'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_ADDRESS_REFUSED',
    })
    expect(on.site.requests).toHaveLength(before)
    expect(await faultOf(on.engine.scrape(on.site.url('/endless'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_BODY_TOO_LARGE',
      message: expect.stringContaining('limits.wireBytes'),
    })
    const late = on.engine.scrape(on.site.url('/drip'), { formats: ['audio'], timeout: 1500 })
    expect(await faultOf(late)).toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })

  it('is requested a limited number of times, however many sources a page names', async () => {
    const players = Array.from({ length: 1000 }, (_, at) => `<audio><source src="/no/${at}.mp3"></audio>`).join('')
    await on.open({ '/': shows(players) }, { ffmpeg: false })
    expect(await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_AUDIO_UNSUPPORTED_URL',
    })
    expect(on.site.requests.filter(({ path }) => path.startsWith('/no/'))).toHaveLength(12)
  })

  it('is not searched for after three oversized downloads', async () => {
    const players = Array.from({ length: 10 }, (_, at) => `<audio src="/endless.mp3?${at}"></audio>`).join('')
    const endless: Pages[string] = (exchange) => sendChunks(exchange, endlessly())
    const limits = { wireBytes: 100_000, bodyBytes: 100_000 }
    await on.open({ '/endless.mp3': endless, '/': shows(players) }, { ffmpeg: false, limits })
    expect(await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_BODY_TOO_LARGE',
    })
    expect(on.site.requests.filter(({ path }) => path.startsWith('/endless'))).toHaveLength(3)
  })

  it('is refused when no request may be sent or nothing may be stored', async () => {
    await on.open(files, { media: () => 'x', ffmpeg: false })
    const url = on.site.url('/')
    expect(await faultOf(on.engine.scrape(url, { formats: ['audio'], lockdown: true }))).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('formats[0]: `audio` downloads what the page shows'),
    })
    expect(() => on.engine.batchScrape({ urls: [url], formats: ['video'], zeroDataRetention: true })).toThrow(
      'formats[0]: `video` is stored by',
    )
    const parsed = on.engine.parse({ body: shows('<audio src="/bells.mp3"></audio>'), url }, { formats: ['audio'] })
    expect(await faultOf(parsed)).toMatchObject({
      message: expect.stringContaining('nothing may be downloaded for'),
    })
    const data = `<audio src="data:audio/mpeg;base64,${mp3.toString('base64')}"></audio>`
    expect((await on.engine.parse({ body: shows(data), url }, { formats: ['audio'] })).audio).toBe('x')
    expect((await on.engine.parse({ body: mp3, url }, { formats: ['audio'] })).audio).toBe('x')
    expect(on.site.requests).toEqual([])
  })
})

describe('the engine’s mediaExtractor', () => {
  const open = (mediaExtractor: () => Promise<unknown>, pages: Pages = {}) =>
    on.open(
      { ...files, '/': shows('<iframe src="https://films.test/embed/1"></iframe>'), ...pages },
      {
        ffmpeg: false,
        retry: { maxRetries: 0 },
        mediaExtractor: mediaExtractor as () => Promise<ExtractedMedia | undefined>,
      },
    )

  it('finds files that the markup does not name, as a URL or as bytes', async () => {
    const answers: unknown[] = []
    await open(async () => answers.shift())
    answers.push({ url: on.site.url('/film.mp4'), headers: { 'x-token': 'a' } }, { bytes: mp3 })
    const url = on.site.url('/')
    expect(readUri((await on.engine.scrape(url, { formats: ['video'] })).video).bytes.equals(film)).toBe(true)
    expect(on.site.requests.at(-1)?.headers).toMatchObject({ 'x-token': 'a' })
    expect(readUri((await on.engine.scrape(url, { formats: ['audio'] })).audio).bytes.equals(mp3)).toBe(true)
  })

  it('cannot make the engine fetch a refused address', async () => {
    const cache = memoryCache()
    await on.open({ ...files, '/': shows('') }, { cache })
    await on.engine.scrape(on.site.url('/'))
    const before = on.site.requests.length
    const mediaExtractor = async (): Promise<ExtractedMedia> => ({ url: on.site.url('/film.mp4') })
    await using guarded = createEngine({ cache, threads: 0, retry: { maxRetries: 0 }, mediaExtractor })
    const asking = guarded.scrape(on.site.url('/'), { formats: ['video'] })
    expect(await faultOf(asking)).toMatchObject({ code: 'SCRAPE_ADDRESS_REFUSED' })
    expect(on.site.requests).toHaveLength(before)
  })

  it('is not called when the page embeds a file itself', async () => {
    await open(async () => Promise.reject(new Error('asked')), { '/own': shows('<audio src="/bells.mp3"></audio>') })
    expect((await on.engine.scrape(on.site.url('/own'), { formats: ['audio'] })).audio).toMatch(/^data:/)
  })

  it.each([
    ['knows no such page', undefined, 'SCRAPE_VIDEO_UNSUPPORTED_URL', 'does not support it'],
    [
      'gives what is no film',
      { bytes: Buffer.from('<html>') },
      'SCRAPE_VIDEO_UNSUPPORTED_URL',
      'neither audio nor video',
    ],
    ['gives sound', { bytes: mp3 }, 'SCRAPE_VIDEO_UNSUPPORTED_URL', ''],
    ['gives a file of the machine', { url: 'file:///etc/passwd' }, 'UNKNOWN_ERROR', 'http or https'],
    ['gives nonsense', 'https://films.test/1.mp4', 'UNKNOWN_ERROR', 'neither an object nor undefined'],
  ])('fails the page when it %s', async (_, answer, code, message) => {
    await open(async () => answer)
    const fault = await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['video'] }))
    expect(fault).toEqual({ code, message: expect.stringContaining(message) })
  })

  it('fails the page when it throws, and is aborted with the page', async () => {
    await open(async () => Promise.reject(new Error('no luck')))
    const scrape = (timeout: number) => faultOf(on.engine.scrape(on.site.url('/'), { formats: ['video'], timeout }))
    expect(await scrape(5000)).toEqual({
      code: 'UNKNOWN_ERROR',
      message: "The engine's `mediaExtractor` failed: no luck",
    })
    await using hanging = createEngine({
      allowPrivateNetworks: true,
      threads: 0,
      mediaExtractor: () => new Promise(() => undefined),
    })
    const late = hanging.scrape(on.site.url('/'), { formats: ['video'], timeout: 1000 })
    expect(await faultOf(late)).toMatchObject({ code: 'SCRAPE_TIMEOUT' })
  })
})

function* endlessly(): Generator<Uint8Array> {
  for (;;) yield makeMp3(16)
}
