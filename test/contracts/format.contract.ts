import { expect, it } from 'vitest'
import { z } from 'zod'
import type { Format } from '../../src/content/convert/format.js'
import { extractHtml } from '../content/extract/contents.js'

const settings = { removeBase64Images: true }

const samples = [
  '<title>t</title><h1>Hello</h1><p>A <a href="/x">link</a> and <img src="i.png" alt="an image">.</p>',
  '<p>',
  '',
  '<table><tr><td><ul><li><pre>x</pre></table>',
]

/** What every format made from the page alone must do. `options` is an item of `formats` that asks for it. */
export function formatContract<Options extends { type: string }>(
  format: Format<Options, object>,
  options: Options,
): void {
  it('is named by its type', () => {
    expect(format.type).toBe(options.type)
  })

  it('describes the options that its item may carry beside its type', () => {
    const { type, ...rest } = options
    const schema = z.strictObject(format.options?.(z) ?? {})
    expect(schema.safeParse(rest).success).toBe(true)
    expect(schema.safeParse({ ...rest, unknown: type }).success).toBe(false)
  })

  it('fills the same fields for every page, with plain data', () => {
    const names = samples.map((html) => {
      const fields = format.convert(extractHtml(html), options, settings)
      expect(structuredClone(fields)).toEqual(fields)
      return Object.keys(fields)
    })
    expect(new Set(names.map(String)).size).toBe(1)
    expect(names[0]?.length).toBeGreaterThan(0)
  })

  it('leaves the content as it was, and gives the same again', () => {
    for (const html of samples) {
      const content = extractHtml(html)
      const before = content.tree.$.html()
      const first = format.convert(content, options, settings)
      expect(format.convert(content, options, settings)).toEqual(first)
      expect(content.tree.$.html()).toBe(before)
      expect(content.page.tree.$.html()).toBe(extractHtml(html).page.tree.$.html())
    }
  })
}
