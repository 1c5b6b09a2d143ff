import { expect, it } from 'vitest'
import { listScripts } from '../../src/content/embedded-data/list-scripts.js'
import type { PageData, Payload } from '../../src/content/embedded-data/payload.js'
import { readData } from '../../src/content/hydration/read-data.js'

const read = (payload: Payload, html: string): readonly PageData[] => payload.read({ html, scripts: listScripts(html) })

/** What every reader of data in pages must do, shown on a page that has what it reads. */
export function payloadContract(payload: Payload, html: string, sentence: string): void {
  it('finds the text', () => {
    const found = read(payload, html)
    expect(found.map(({ value }) => readData(value).html).join('\n')).toContain(sentence)
    for (const { source } of found) expect(source).toMatch(/^[\w:./-]+$/)
  })

  it('finds nothing where there is none', () => {
    expect(read(payload, '')).toEqual([])
    expect(read(payload, `<p>${sentence}</p><script>track("page")</script><script src="a.js"></script>`)).toEqual([])
  })

  it('leaves out what is cut off, wherever that is', () => {
    for (let length = 0; length < html.length; length += 7) {
      for (const { value } of read(payload, html.slice(0, length))) readData(value)
    }
  })

  it('leaves out what is no JSON, and runs none of it', () => {
    const broken = html.replaceAll('{', '{ [globalThis.harmed = 1]: 1,').replaceAll('[', '[,')
    for (const { value } of read(payload, broken)) readData(value)
    expect(globalThis).not.toHaveProperty('harmed')
  })

  it('takes pages made to exhaust it in linear time', () => {
    const startedAtMs = performance.now()
    const deep = '['.repeat(200_000)
    for (const hostile of [
      html.repeat(500),
      html.replaceAll(sentence, deep),
      html.replaceAll('"', '"'.repeat(20_000)),
    ]) {
      for (const { value } of read(payload, hostile)) readData(value)
    }
    // A busy machine takes a second or two; quadratic time would be minutes.
    expect(performance.now() - startedAtMs).toBeLessThan(20_000)
  })
}
