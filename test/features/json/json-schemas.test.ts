import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { article, useModelSite } from '../../site/model-site.js'

const on = useModelSite()

describe('a schema from a stranger', () => {
  it.each<[string, object, RegExp]>([
    [
      'a type that is none',
      { type: 'nonsense' },
      /`\/properties\/name` has a `type` that is not a JSON type: "nonsense"/,
    ],
    ['a pattern that is not linear', { pattern: '(?<=a)b' }, /`\(\?<=a\)b`: look-around is not supported/],
  ])('is refused at the call for %s', async (_, name, message) => {
    await using engine = createEngine()
    const formats = [{ type: 'json', mode: 'structured', schema: { properties: { name } } }] as const
    const parsed = engine.parse({ body: 'x', url: 'https://books.test/' }, { formats })
    await expect(parsed).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    await expect(parsed).rejects.toThrow(message)
    const scrapeOptions = { formats: ['extract' as const], extract: { schema: { properties: { name } } } }
    expect(() => engine.v1.crawl({ url: 'https://books.test/', scrapeOptions })).toThrow(message)
  })

  it('cannot block the process by a pattern, whatever the page contains', async () => {
    await on.open({ '/': article('<p>A page.</p>') }, () => ({ says: { title: `${'a'.repeat(4000)}!` } }))
    const schema = { type: 'object', properties: { title: { type: 'string', pattern: '^(a+)+$' } } }
    const document = await on.engine.scrape(on.site.url('/'), { formats: [{ type: 'json', schema }] })
    expect(document.warning).toContain('/title: does not match the pattern ^(a+)+$')
  })
})
