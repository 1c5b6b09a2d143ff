import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { identifyMedia } from '../../../src/features/media/identify-media.js'
import { isRunning, useFakePrograms } from './fake-program.js'
import { makeWav } from '../../site/make-media.js'
import { faultOf, files, mp3, readUri, shows } from '../../site/media-pages.js'
import { useEngineSite } from '../../site/engine-site.js'

const on = useEngineSite()
const programs = useFakePrograms()

const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0

describe('format `audio`', () => {
  it('returns the MP3 that the page embeds unchanged, and costs 4 credits', async () => {
    await on.open({ ...files, '/': shows('<audio controls><source src="/bells.mp3"></audio>') }, { ffmpeg: false })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['markdown', 'audio'] })
    expect(readUri(page.audio)).toEqual({ type: 'audio/mpeg', bytes: mp3 })
    expect(page.markdown).toContain('rung at the tide')
    expect(page.metadata.creditsUsed).toBe(5)
    expect(page).not.toHaveProperty('warning')
  })

  it('returns the response itself when it is audio, also with other formats', async () => {
    await on.open(files, { ffmpeg: false })
    const page = await on.engine.scrape(on.site.url('/bells.mp3'), { formats: ['markdown', { type: 'audio' }] })
    expect(readUri(page.audio).bytes.equals(mp3)).toBe(true)
    expect(page.markdown).toBe('')
    await expect(on.engine.scrape(on.site.url('/bells.mp3'))).rejects.toMatchObject({
      code: 'SCRAPE_UNSUPPORTED_FILE_ERROR',
    })
  })

  it('converts other audio, and the audio of a video, to MP3', async () => {
    const ffmpeg = await programs.make(`cat > $here/input; printf 'ID3\\004\\000\\000\\000\\000\\000\\000made'`)
    await on.open(
      { ...files, '/': shows('<audio src="/bells.wav"></audio>'), '/film': shows('<video src="/film.mp4">') },
      { ffmpeg },
    )
    const sound = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
    expect(readUri(sound.audio)).toMatchObject({ type: 'audio/mpeg', bytes: expect.objectContaining({ length: 14 }) })
    const shown = await on.engine.scrape(on.site.url('/film'), { formats: ['audio'] })
    expect(readUri(shown.audio).type).toBe('audio/mpeg')
    expect((await programs.read('input')).length).toBeGreaterThan(100)
  })

  it.skipIf(!hasFfmpeg)('makes them with the real ffmpeg (skipped where there is none)', async () => {
    await on.open({ ...files, '/': shows('<video controls src="/film.mp4"></video>') })
    const { audio } = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
    expect(identifyMedia(readUri(audio).bytes)).toBe('audio/mpeg')
  })

  it('returns audio in its format without ffmpeg, and reports that the audio of a video needs it', async () => {
    await on.open(
      { ...files, '/': shows('<audio src="/bells.wav"></audio>'), '/film': shows('<video src="/film.mp4">') },
      { ffmpeg: false },
    )
    const { audio } = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
    expect(readUri(audio)).toEqual({ type: 'audio/wav', bytes: makeWav() })
    expect(await faultOf(on.engine.scrape(on.site.url('/film'), { formats: ['audio'] }))).toMatchObject({
      code: 'SCRAPE_AUDIO_FFMPEG_REQUIRED',
      message: expect.stringContaining('`ffmpeg` is false'),
    })
  })

  it('prefers the audio of the page’s main video to that of a player outside the content', async () => {
    const ffmpeg = await programs.make(`cat > /dev/null; printf 'ID3\\004\\000\\000\\000\\000\\000\\000made'`)
    const ring = shows('<video src="/film.mp4"></video>').replace(
      '</body>',
      '<footer hidden><audio src="/bells.mp3"></audio></footer></body>',
    )
    await on.open({ ...files, '/': ring }, { ffmpeg })
    expect(
      readUri((await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })).audio).bytes.toString(),
    ).toContain('made')
  })

  it('stops with the engine, and so does ffmpeg', async () => {
    const ffmpeg = await programs.make('echo $$ > $here/self; exec sleep 1000')
    await on.open({ ...files, '/': shows('<audio src="/bells.wav"></audio>') }, { ffmpeg })
    const fault = faultOf(on.engine.scrape(on.site.url('/'), { formats: ['audio'] }))
    const self = async (): Promise<number> => Number(await programs.read('self').catch(() => '0'))
    while ((await self()) === 0) await sleep(20)
    await on.engine.close()
    expect(await fault).toMatchObject({ code: 'ENGINE_CLOSED' })
    while (await isRunning(await self())) await sleep(20)
  })

  it('warns about audio that is not converted because ffmpeg is missing', async () => {
    await on.open({ ...files, '/': shows('<audio src="/bells.wav"></audio>') }, { ffmpeg: '/nowhere/ffmpeg' })
    const page = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
    expect(readUri(page.audio).type).toBe('audio/wav')
    expect(page.warning).toContain(
      '`audio` is in its original format instead of MP3: `/nowhere/ffmpeg` cannot be started',
    )
  })

  it('tries the next source when one gives no audio', async () => {
    const sources = ['/denied.mp3', '/page.mp3', '/bells.mp3'].map((src) => `<source src="${src}">`).join('')
    await on.open({ ...files, '/': shows(`<audio>${sources}</audio>`) }, { ffmpeg: false })
    const { audio } = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
    expect(readUri(audio).bytes.equals(mp3)).toBe(true)
  })

  it.each([
    ['nothing to hear', '<p>Silence.</p>', 'SCRAPE_AUDIO_UNSUPPORTED_URL', 'mediaExtractor'],
    ['a page as sound', '<audio src="/page.mp3"></audio>', 'SCRAPE_AUDIO_UNSUPPORTED_URL', 'neither audio nor video'],
    ['a drawing as sound', '<audio src="/drawing.mp3">', 'SCRAPE_AUDIO_UNSUPPORTED_URL', 'neither audio nor video'],
    [
      'sound that is gone',
      '<audio src="/nowhere.mp3">',
      'SCRAPE_AUDIO_UNSUPPORTED_URL',
      'it was answered with status 404',
    ],
    [
      'sound behind a login',
      '<audio src="/denied.mp3">',
      'SCRAPE_MEDIA_ACCESS_DENIED',
      'it was answered with status 403',
    ],
    ['a site that fails', '<audio src="/broken.mp3">', 'SCRAPE_SITE_ERROR', 'it was answered with status 500'],
    ['a file of the machine', '<audio src="file:///etc/passwd">', 'SCRAPE_AUDIO_UNSUPPORTED_URL', 'no audio'],
  ])('fails the page for %s', async (_, body, code, message) => {
    await on.open({ ...files, '/': shows(body) }, { ffmpeg: false, retry: { maxRetries: 0 } })
    const fault = await faultOf(on.engine.scrape(on.site.url('/'), { formats: ['markdown', 'audio'] }))
    expect(fault).toEqual({ code, message: expect.stringContaining(message) })
  })

  it('fails one page of a job without affecting others; an error page is a document with a warning', async () => {
    await on.open({ ...files, '/a': shows('<audio src="/bells.mp3"></audio>'), '/b': shows('') }, { ffmpeg: false })
    const urls = ['/a', '/b', '/status/404'].map((path) => on.site.url(path))
    const job = on.engine.batchScrape({ urls, formats: ['audio'] })
    const { completed, data } = await job.finished()
    expect(completed).toBe(2)
    expect((await job.errors()).errors).toMatchObject([
      { url: on.site.url('/b'), code: 'SCRAPE_AUDIO_UNSUPPORTED_URL' },
    ])
    expect(data.find(({ metadata }) => metadata.statusCode === 404)?.warning).toBe(
      'There is no `audio`: the page was answered with status 404.',
    )
  })

  it('finds the audio in a cached page again, and downloads it again', async () => {
    await on.open({ ...files, '/': shows('<audio src="/bells.mp3"></audio>') }, { ffmpeg: false })
    for (const state of ['miss', 'hit']) {
      const page = await on.engine.scrape(on.site.url('/'), { formats: ['audio'] })
      expect(page.metadata.cacheState).toBe(state)
      expect(readUri(page.audio).bytes.equals(mp3)).toBe(true)
    }
    expect(on.site.requests.map(({ path }) => path).filter((path) => path !== '/robots.txt')).toEqual([
      '/',
      '/bells.mp3',
      '/bells.mp3',
    ])
  })
})
