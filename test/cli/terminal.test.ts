import { PassThrough, Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { printDuration, printProgress } from '../../src/cli/terminal/progress.js'
import { isReaderGone, Terminal } from '../../src/cli/terminal/terminal.js'

const open = (isTTY: boolean) => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY, columns: 20 })
const read = (stream: PassThrough): string => String(stream.read() ?? '')

describe('Terminal', () => {
  it('removes control characters from pages on a terminal, but not in a file', async () => {
    const text = 'a\u001b]0;title\u0007\tb\u009b31m\nc\r\u202ed\u2066\u200f'
    const [screen, file] = [open(true), open(false)]
    await new Terminal(screen, open(true)).print(text)
    await new Terminal(file, open(true)).print(text)
    expect(read(screen)).toBe('a]0;title\tb31m\ncd')
    expect(read(file)).toBe(text)
  })

  it('prints a line for people without anything that controls a terminal, also into a pipe', async () => {
    const [pipe, err] = [open(false), open(false)]
    const terminal = new Terminal(pipe, err)
    const text = 'a\u001b[2Jb\u009bc\nd\te\r\u2028f\u202eg\u2066h\u200fi\u0085j\u007fk é 👩‍👩‍👧'
    await terminal.printLine(text)
    terminal.report(text)
    const line = 'a[2Jbc d e fghi jk é 👩‍👩‍👧\n'
    expect([read(pipe), read(err)]).toEqual([line, line])
  })

  it('takes 0 columns and 0 rows as an unknown size', () => {
    const err = Object.assign(open(true), { columns: 0, rows: 0 })
    const terminal = new Terminal(Object.assign(open(true), { columns: 0 }), err)
    expect(terminal.size).toEqual({ width: 80, height: 24 })
    terminal.showView(['one'])
    terminal.showView(['two'])
    expect(read(err)).not.toContain('Infinity')
  })

  it('breaks a message of a terminal between words, and leaves one in a pipe as it is', () => {
    const [screen, pipe] = [open(true), open(false)]
    for (const err of [screen, pipe])
      new Terminal(open(true), err).report('  one two three four https://example.com/long/path five')
    expect(read(screen)).toBe('  one two three\n    four\n    https://example.com/long/path\n    five\n')
    expect(read(pipe)).toBe('  one two three four https://example.com/long/path five\n')
  })

  it('prints each message on one line', () => {
    const err = open(false)
    new Terminal(open(false), err).report('one\ntwo\u001b[2J')
    expect(read(err)).toBe('one two[2J\n')
  })

  it('keeps the status on one line, and clears it before a message', () => {
    const err = open(true)
    const terminal = new Terminal(open(false), err)
    terminal.showStatus('x'.repeat(50))
    expect(read(err)).toContain('x'.repeat(19))
    terminal.report('message')
    terminal.report('another')
    expect(read(err)).toBe('\u001b[1G\u001b[0Kmessage\nanother\n')
  })

  it('shows a status only on a terminal that pages are not printed to', () => {
    const canShow = (out: boolean, err: boolean, printsPages: boolean): boolean =>
      new Terminal(open(out), open(err)).canShowStatus(printsPages)
    expect(canShow(false, true, true)).toBe(true)
    expect(canShow(true, true, false)).toBe(true)
    expect(canShow(true, true, true)).toBe(false)
    expect(canShow(true, false, false)).toBe(false)
  })

  it('waits for a slow reader', async () => {
    const taken: (() => void)[] = []
    const slow = new Writable({ write: (_chunk, _encoding, done) => void taken.push(done) })
    let isPrinted = false
    const printed = new Terminal(slow, open(false)).print('page').then(() => (isPrinted = true))
    await new Promise(setImmediate)
    expect(isPrinted).toBe(false)
    taken[0]?.()
    await printed
  })

  it('reports that the reader has closed the stream', async () => {
    const gone = new Writable({
      write: (_chunk, _encoding, done) => done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })),
    })
    const error: unknown = await new Terminal(gone, open(false)).print('page').catch((thrown: unknown) => thrown)
    expect(isReaderGone(error)).toBe(true)
    expect(isReaderGone(new Error('disk full'))).toBe(false)
  })
})

describe('printProgress', () => {
  const progress = { completed: 30, failed: 2, skipped: 5, queued: 60, active: 10 }

  it('prints a bar, counts, rate and time', () => {
    expect(printProgress(progress, Infinity, 10_000)).toBe(
      '[######--------------]  30 done  70 queued  2 failed  5 skipped  3.0 pages/s  10.0 s',
    )
  })

  it('accounts for the limit of a crawl', () => {
    expect(printProgress(progress, 40, 10_000)).toContain('[###############-----]')
    expect(printProgress(progress, 30, 10_000)).toContain('[####################]')
  })

  it('starts at zero', () => {
    const nothing = { completed: 0, failed: 0, skipped: 0, queued: 0, active: 0 }
    expect(printProgress(nothing, Infinity, 0)).toContain('[--------------------]  0 done')
  })

  it.each([
    [900, '0.9 s'],
    [59_999, '60.0 s'],
    [60_000, '1:00'],
    [188_000, '3:08'],
    [3_788_000, '1:03:08'],
  ])('formats %d milliseconds as %s', (elapsedMs, text) => {
    expect(printDuration(elapsedMs)).toBe(text)
  })
})
