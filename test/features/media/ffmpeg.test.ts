import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { toMp3, type MediaBytes } from '../../../src/features/media/ffmpeg.js'
import { identifyMedia } from '../../../src/features/media/identify-media.js'
import { isRunning, useFakePrograms } from './fake-program.js'
import { makeMovie, makeWav } from '../../site/make-media.js'

const wav: MediaBytes = { bytes: makeWav(), mediaType: 'audio/wav' }
const never = new AbortController().signal
const limits = { maxBytes: 1_000_000, timeoutMs: 30_000 }

const programs = useFakePrograms()

/** Waits for an effect of a program of this machine. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(20)
}

describe('toMp3', () => {
  it('runs ffmpeg with the bytes in a pipe, an explicit demuxer, and no other access', async () => {
    const program = await programs.make('printf "%s\\n" "$@" > $here/args; env > $here/env; pwd; cat')
    const made = await toMp3(wav, { program, ...limits }, never)
    expect(made.failure).toBeUndefined()
    const printed = 'bytes' in made ? Buffer.from(made.bytes) : Buffer.alloc(0)
    expect(printed.subarray(printed.indexOf('RIFF')).equals(makeWav())).toBe(true)
    const args = (await programs.read('args')).trim().split('\n')
    const [whitelist, , demuxer] = args.slice(args.indexOf('-protocol_whitelist') + 1)
    expect([whitelist, demuxer]).toEqual(['pipe', 'wav'])
    expect(args.slice(args.indexOf('-i'), args.indexOf('-i') + 2)).toEqual(['-i', 'pipe:0'])
    expect(args.at(-1)).toBe('pipe:1')
    const names = (await programs.read('env'))
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0] ?? '')
    expect(names).toContain('PATH')
    // Variables that a shell sets itself do not count.
    expect(names.filter((name) => !['PATH', 'LC_ALL', 'PWD', 'OLDPWD', 'SHLVL', '_'].includes(name))).toEqual([])
  })

  it.each([
    ['crashes', 'cat > /dev/null; echo "moov atom not found" >&2; exit 1', 'broken', 'moov atom not found'],
    ['is killed', 'kill -SEGV $$', 'broken', 'ffmpeg cannot decode it'],
    ['does not read', 'exec 0<&-; echo "no" >&2; exit 2', 'broken', 'no'],
    [
      'finds no sound',
      'cat > /dev/null; echo "Stream map \'0:a:0\' matches no streams." >&2; exit 1',
      'silent',
      'no audio',
    ],
    ['writes nothing', 'cat > /dev/null', 'silent', 'no audio'],
    ['writes no MP3', 'echo "Unknown encoder \'libmp3lame\'" >&2; exit 1', 'missing', 'libmp3lame'],
    ['writes without end', 'yes', 'large', '1000000 bytes'],
    ['complains without end', 'yes >&2', 'late', '500 ms'],
    ['hangs', 'sleep 1000', 'late', '500 ms'],
  ])('reports a program that %s as a failure', async (_, script, failure, why) => {
    const program = await programs.make(script)
    const made = await toMp3(wav, { program, ...limits, ...(failure === 'late' && { timeoutMs: 500 }) }, never)
    expect(made).toMatchObject({ failure, why: expect.stringContaining(why) })
  })

  it('reports a missing program as a failure', async () => {
    for (const program of ['/nowhere/ffmpeg', 'no-such-program-anywhere', '/']) {
      expect(await toMp3(wav, { program, ...limits }, never)).toMatchObject({ failure: 'missing' })
    }
  })

  it('kills the program and its child processes when it hangs, or leaves some running', async () => {
    const hanging = await programs.make('sleep 1000 & echo $! > $here/child; echo $$ > $here/self; wait')
    expect(await toMp3(wav, { program: hanging, ...limits, timeoutMs: 1000 }, never)).toMatchObject({ failure: 'late' })
    for (const name of ['child', 'self']) {
      const pid = Number(await programs.read(name))
      expect(pid).toBeGreaterThan(1)
      await until(async () => !(await isRunning(pid)))
    }
    // It keeps the pipes open.
    const leaving = await programs.make('cat > /dev/null; sleep 1000 & echo $! > $here/left; printf sound')
    expect(await toMp3(wav, { program: leaving, ...limits }, never)).toEqual({ bytes: Buffer.from('sound') })
    await until(async () => !(await isRunning(Number(await programs.read('left')))))
  })

  it('kills the program when the page ends', async () => {
    const page = new AbortController()
    const program = await programs.make('echo $$ > $here/self; exec sleep 1000')
    const making = toMp3(wav, { program, ...limits }, page.signal)
    const pid = async (): Promise<number> => Number(await programs.read('self').catch(() => '0'))
    await until(async () => (await pid()) > 0)
    page.abort(new Error('the page is over'))
    await expect(making).rejects.toThrow('the page is over')
    const self = await pid()
    await until(async () => !(await isRunning(self)))
    await expect(toMp3(wav, { program, ...limits }, page.signal)).rejects.toThrow('the page is over')
  })
})

const hasFfmpeg = spawnSync('ffmpeg', ['-version'], { stdio: 'ignore' }).status === 0

describe.skipIf(!hasFfmpeg)('the real ffmpeg (skipped where there is none)', () => {
  const run = (file: MediaBytes) => toMp3(file, { program: 'ffmpeg', ...limits }, never)

  it('converts audio, and the audio of a video wherever its index is', async () => {
    const film = (indexFirst: boolean): MediaBytes => ({
      bytes: makeMovie({ tracks: ['vide', 'soun'], brand: 'isom', indexFirst }),
      mediaType: 'video/mp4',
    })
    const [sound, first, last] = [await run(wav), await run(film(true)), await run(film(false))]
    expect(identifyMedia('bytes' in sound ? sound.bytes : Buffer.alloc(0))).toBe('audio/mpeg')
    expect(last).toEqual(first)
    expect(first).toEqual(sound)
  })

  it('writes a constant bit rate, from which players compute the length', async () => {
    const made = await run({ bytes: makeWav(4), mediaType: 'audio/wav' })
    expect('bytes' in made ? Math.round(made.bytes.length / 8000) : made).toBe(4)
  })

  it('reports a video without audio', async () => {
    expect(await run({ bytes: makeMovie({ tracks: ['vide'] }), mediaType: 'video/quicktime' })).toMatchObject({
      failure: 'silent',
    })
  })

  it('reads nothing but its pipe, whatever URLs the bytes contain', async () => {
    const list = Buffer.from('#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n')
    const concat = Buffer.from('ffconcat version 1.0\nfile /etc/passwd\n')
    for (const bytes of [list, concat]) {
      for (const mediaType of ['audio/wav', 'audio/aac', 'video/mp4', 'video/mp2t', 'audio/mpeg'] as const) {
        expect((await run({ bytes, mediaType })).failure).toMatch(/^(?:broken|silent)$/)
      }
    }
  })
})
