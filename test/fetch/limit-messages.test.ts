import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { MAX_ANSWER, MessageFilter } from '../../src/fetch/browser-process/limit-messages.js'
import { startSite, type Site } from '../site/site.js'
import { openBrowser } from './open-browser.js'
import { textOf } from './open-fetcher.js'

describe('messages of a browser', () => {
  const filterOf = (chunks: readonly string[]): { messages: string[]; refused: number } => {
    const forwarded: Uint8Array[] = []
    let refused = 0
    const filter = new MessageFilter({
      forward: (bytes) => forwarded.push(bytes),
      refuseAnswer: () => (refused += 1),
      maxEvent: 20,
      maxAnswer: 40,
    })
    for (const chunk of chunks) filter.push(Buffer.from(chunk))
    return { messages: Buffer.concat(forwarded).toString().split('\0'), refused }
  }

  it.each([
    ['several in one chunk', ['{"method":1}\0{"id":1}\0{"id":2}\0']],
    ['in the midst of chunks', ['{"meth', 'od":1}\0{', '"id":1}', '\0{"id":2}\0']],
    ['one byte at a time', Array.from('{"method":1}\0{"id":1}\0{"id":2}\0')],
  ])('forwards them in their order, where chunks hold %s', (_, chunks) => {
    expect(filterOf(chunks)).toEqual({ messages: ['{"method":1}', '{"id":1}', '{"id":2}', ''], refused: 0 })
  })

  it.each([
    ['one chunk', [`{"id":1}\0{"method":"${'x'.repeat(30)}"}\0{"id":2}\0`]],
    ['many chunks', Array.from(`{"id":1}\0{"method":"${'x'.repeat(30)}"}\0{"id":2}\0`)],
  ])('leaves out an event that is too large, in %s, and nothing beside it', (_, chunks) => {
    expect(filterOf(chunks)).toEqual({ messages: ['{"id":1}', '{"id":2}', ''], refused: 0 })
  })

  it('stops at an answer that is too large, which its caller would wait for', () => {
    const large = `{"id":2,"result":"${'x'.repeat(30)}"}\0`
    expect(filterOf([`{"id":1,"result":"0123456789"}\0${large}{"id":3}\0`, '{"id":4}\0'])).toEqual({
      messages: ['{"id":1,"result":"0123456789"}', ''],
      refused: 1,
    })
  })
})

describe('pages whose scripts make messages larger than a string can be', () => {
  // A control character takes six bytes in JSON.
  const large = `'\\x00'.repeat(${Math.ceil((2 * MAX_ANSWER) / 6)})`
  const page = (script: string): string =>
    `<!doctype html><title>Large</title><h1>Large</h1><p>The text of the page.</p>${script}`
  const browser = openBrowser()
  let site: Site
  beforeAll(async () => {
    site = await startSite({
      pages: {
        '/console': page(`<script>console.log(${large})</script>`),
        '/frame': page(`<iframe sandbox="allow-scripts" srcdoc="<script>console.log(${large})</script>"></iframe>`),
        '/post': page(`<script>fetch('/', { method: 'POST', body: ${large} }).catch(() => {})</script>`),
      },
    })
  })
  afterAll(async () => {
    await browser.close()
    await site.close()
  })

  // Without the limit, Playwright throws outside of every call, which ends the host process.
  it.each(['/console', '/frame', '/post'])('reads %s', { timeout: 120_000 }, async (path) => {
    // The browser makes some 500 MB of text, which takes 25 s on a slow machine.
    const got = await browser.get(site.url(path), { timeoutMs: 110_000 }, AbortSignal.timeout(110_000))
    expect(textOf(got)).toContain('The text of the page.')
  })
})
