import { describe, expect, it } from 'vitest'
import { checkScrapeOptions } from '../../../src/kernel/options/check.js'
import { issuesOf } from '../../kernel/options/issues-of.js'
import { useEngineSite } from '../../site/engine-site.js'
import type { Handler } from '../../site/exchange.js'
import { engine, plan } from '../plan-with-features.js'

const on = useEngineSite()

const file =
  (body: Uint8Array, type: string): Handler =>
  ({ response }) =>
    response.writeHead(200, { 'content-type': type }).end(body)

const png = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89', 'latin1')

describe('rawBase64', () => {
  it.each([
    ['a picture', png, 'image/png'],
    ['a page', Buffer.from('<p>é</p>'), 'text/html'],
    ['nothing', Buffer.alloc(0), 'text/html'],
  ])('is the body as it was received: %s', async (_, body, type) => {
    await on.open({ '/file': file(body, type) })
    const document = await on.engine.scrape(on.site.url('/file'), { formats: ['rawBase64'] })
    expect(document.rawBase64).toBe(body.toString('base64'))
    expect(Object.keys(document).toSorted()).toEqual(expect.arrayContaining(['metadata', 'rawBase64']))
    expect(document).not.toHaveProperty('markdown')
  })

  it('must be the only format', () => {
    expect(issuesOf(() => checkScrapeOptions({ formats: ['markdown', 'rawBase64'] }, engine))).toEqual({
      'formats.1': '`rawBase64` must be the only format',
    })
  })

  it('is of a fresh page, whose file is not parsed', () => {
    expect(plan({ formats: ['rawBase64'] }).cache).toMatchObject({ read: false, write: true })
    expect(plan({ formats: ['rawBase64'] }).digest.parse).toMatchObject({ asBase64: 'all' })
    const formats = [{ type: 'rawBase64' }]
    expect(plan({ formats, parsers: ['pdf'] }).digest.parse).toMatchObject({ asBase64: 'all' })
  })
})
