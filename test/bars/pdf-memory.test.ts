import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { lines, makePdf } from '../content/pdf/make-pdf.js'

/** What the process may hold of memory in all, with the engine in it. Bytes. */
const BAR = 500_000_000
const folder = mkdtempSync(join(tmpdir(), 'pdf-memory-'))
afterAll(() => rmSync(folder, { recursive: true }))

/**
 * Reads a file in a process of its own, as it is built. Its peak is what the system counted since the program began:
 * `resourceUsage().maxRSS` begins with the peak of the process that forked it, which is this test with the whole made
 * file in it.
 */
const reader = `
  import { readFileSync } from 'node:fs'
  import { monitorEventLoopDelay } from 'node:perf_hooks'
  const [path, index] = process.argv.slice(1)
  const { createEngine } = await import(index)
  const peakBytes = () => {
    const counted = process.platform === 'linux' && /VmHWM:\\s*(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))
    return 1024 * (counted ? Number(counted[1]) : process.resourceUsage().maxRSS)
  }
  const engine = createEngine({ threads: 1, fileTimeoutMs: 300_000 })
  const delay = monitorEventLoopDelay({ resolution: 5 })
  delay.enable()
  const startedMs = performance.now()
  const { metadata, markdown } = await engine.parse({ body: readFileSync(path), url: 'https://a.test/x.pdf' }, {
    timeout: 300_000,
    parsers: [{ type: 'pdf', maxPages: 2000 }],
  })
  const seconds = (performance.now() - startedMs) / 1000
  delay.disable()
  await engine.close()
  console.log(JSON.stringify({
    pages: metadata.numPages,
    characters: markdown.length,
    bytes: peakBytes(),
    pagesPerSecond: Math.round(metadata.numPages / seconds),
    longestDelayMs: Math.round(delay.max / 1e6),
  }))
`

interface Reading {
  readonly pages: number
  readonly characters: number
  readonly bytes: number
}

function read(path: string): Reading {
  const index = new URL('../../dist/index.js', import.meta.url).href
  const printed = execFileSync(process.execPath, ['--input-type=module', '-e', reader, path, index], {
    encoding: 'utf8',
  })
  console.log(printed.trim())
  return JSON.parse(printed) as Reading
}

const WORDS = 'pier harbour lantern signal keeper weather northern island ferry timetable anchor quiet morning'.split(
  ' ',
)
const sentence = (page: number, line: number): string =>
  Array.from({ length: 12 }, (_, at) => WORDS[(page * 7 + line * 5 + at * 3) % WORDS.length]).join(' ')

test('reads a made file of 2,000 full pages within 500 MB', { timeout: 600_000 }, () => {
  const path = join(folder, 'made.pdf')
  const pages = Array.from({ length: 2000 }, (_page, page) => ({
    pieces: [
      { text: `${page + 1} A Section`, x: 72, y: 80, size: 14, font: 'Times-Bold' as const },
      ...lines(
        Array.from({ length: 50 }, (_, line) => sentence(page, line)),
        { x: 72, y: 110 },
      ),
    ],
  }))
  writeFileSync(path, makePdf(pages))
  const { pages: count, characters, bytes } = read(path)
  expect(count).toBe(2000)
  expect(characters).toBeGreaterThan(5_000_000)
  expect(bytes).toBeLessThan(BAR)
})

const manual = join(process.env['PDF_ROOT'] ?? '/usr/share', 'R/doc/manual/fullrefman.pdf')
const why = existsSync(manual) ? '' : ' (skipped: install r-doc-pdf)'
test.skipIf(why !== '')(`reads 2,000 pages of a manual within 500 MB${why}`, { timeout: 600_000 }, () => {
  const { pages, bytes } = read(manual)
  expect(pages).toBe(2000)
  expect(bytes).toBeLessThan(BAR)
})
