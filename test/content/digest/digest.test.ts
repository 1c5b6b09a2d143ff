import { expect, it } from 'vitest'
import { digest } from '../../../src/content/digest/digest.js'
import { bytes, pageUrl } from '../parse/pages.js'
import { digestPlan } from './plans.js'

const read = (html: string, formats: Parameters<typeof digestPlan>[0], url = pageUrl) =>
  digest({ url, body: bytes(html), contentType: 'text/html' }, { ...digestPlan(formats), fingerprint: true })

const page = (word: string): string =>
  `<title>t</title><main><h1>a</h1>${'<p>The same sentence again and again.</p>'.repeat(60)}<p>${word.repeat(40)}</p></main>`

it('warns about the part that a token budget cuts from the Markdown', () => {
  const { warnings } = read(page('x '), { formats: [{ type: 'markdown', maxTokens: 100 }] })
  expect(warnings).toEqual([
    expect.stringMatching(/^The Markdown is cut at 100 tokens: about \d+ more are left out\.$/),
  ])
})

it('fingerprints the whole content, whatever Markdown options the plan has', () => {
  const cut = { formats: [{ type: 'markdown' as const, maxTokens: 100 }] }
  const one = read(page('one '), cut)
  expect(one.fields.markdown?.slice(0, 100)).toBe(read(page('two '), cut).fields.markdown?.slice(0, 100))
  expect(one.fingerprint?.exact).not.toBe(read(page('two '), cut).fingerprint?.exact)
  const front = { formats: [{ type: 'markdown' as const, frontMatter: true }] }
  const there = read(page('one '), front, 'https://site.test/there')
  expect(there.fields.markdown).toContain('/there')
  expect(there.fingerprint?.exact).toBe(read(page('one '), front).fingerprint?.exact)
})
