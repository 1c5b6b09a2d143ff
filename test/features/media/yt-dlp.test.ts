import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { ytDlp } from '../../../src/features/media/yt-dlp.js'
import { startSite } from '../../site/site.js'
import { useFakePrograms } from './fake-program.js'
import { file, film, shows } from '../../site/media-pages.js'

const programs = useFakePrograms()
const never = new AbortController().signal
const question = { url: 'https://films.test/watch?v=1&x=$(id)', kind: 'video', mostBytes: 1000 } as const

/** Calls the extractor with this script as yt-dlp. */
const ask = async (script: string, options: Parameters<typeof ytDlp>[0] = {}) =>
  ytDlp({ executablePath: await programs.make(script), ...options })(question, never)

describe('yt-dlp', () => {
  it('asks for the URL of a video without downloading it, with the page’s URL last and after --', async () => {
    const answer = { url: 'https://cdn.test/film.mp4', http_headers: { 'User-Agent': 'x', 'Bad name': 'y', n: 1 } }
    const found = await ask(`printf '%s\\n' "$@" > $here/args; echo '${JSON.stringify(answer)}'`, {
      proxy: 'http://127.0.0.1:1',
    })
    expect(found).toEqual({ url: answer.url, headers: { 'User-Agent': 'x' } })
    const args = (await programs.read('args')).trim().split('\n')
    expect(args.slice(-2)).toEqual(['--', question.url])
    expect(args).toEqual(expect.arrayContaining(['--ignore-config', '--no-cache-dir', '--skip-download', '--proxy']))
  })

  it('reads the first entry of a list, and ignores invalid output', async () => {
    expect(await ask(`echo '{"entries":[{"url":"https://cdn.test/1"},{"url":"https://cdn.test/2"}]}'`)).toMatchObject({
      url: 'https://cdn.test/1',
    })
    expect(await ask(`echo '{"entries":[]}'`)).toBeUndefined()
    expect(await ask(`echo 'null'`)).toBeUndefined()
    await expect(ask('echo hello')).rejects.toThrow('JSON')
  })

  it.each([
    ['does not support the page', 'echo "ERROR: Unsupported URL: x" >&2; exit 1', undefined],
    [
      'is denied access',
      'echo "ERROR: [x] 1: Private video. Sign in if you may see it" >&2; exit 1',
      /was denied access/,
    ],
    ['fails', 'echo "ERROR: it broke" >&2; exit 1', /found nothing: ERROR: it broke/],
    ['gives no reason', 'exit 3', /gave no reason/],
    ['hangs', 'sleep 1000', /longer than 400 ms/],
    ['writes endless output', 'yes', /is larger than/],
  ])('rejects, or finds nothing, when the program %s', async (_, script, fault) => {
    const asking = ask(script, fault?.source.includes('400') ? { timeoutMs: 400 } : {})
    if (fault) await expect(asking).rejects.toThrow(fault)
    else expect(await asking).toBeUndefined()
  })

  it('rejects when the program is missing', async () => {
    await expect(ytDlp({ executablePath: '/nowhere/yt-dlp' })(question, never)).rejects.toThrow('cannot be started')
  })

  it('reports denied access with its own code', async () => {
    await expect(ask('echo "ERROR: HTTP Error 403: Forbidden" >&2; exit 1')).rejects.toMatchObject({
      code: 'SCRAPE_MEDIA_ACCESS_DENIED',
    })
  })
})

const hasYtDlp = spawnSync('yt-dlp', ['--version'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasYtDlp)('the real yt-dlp (skipped where there is none)', () => {
  it('is compatible with the arguments', async () => {
    await using site = await startSite({
      pages: {
        '/': shows('<video src="/film.mp4"></video>'),
        '/silent': shows(''),
        '/film.mp4': file(film, 'video/mp4'),
      },
    })
    const find = (path: string, kind: 'audio' | 'video') =>
      ytDlp()({ url: site.url(path), kind, mostBytes: 1000 }, never)
    expect(await find('/', 'video')).toMatchObject({ url: site.url('/film.mp4') })
    expect(await find('/silent', 'video')).toBeUndefined()
  }, 60_000)
})
