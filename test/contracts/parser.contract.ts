import { expect, it } from 'vitest'
import { TrawlError } from '../../src/base/errors.js'
import type { FileParser, ParserInput, ParsedPage, Parser } from '../../src/content/parse/parser.js'
import { parsePlan } from '../content/parse/pages.js'

/** What every parser must do, shown on a file that it reads. */
export function parserContract(parser: Parser | FileParser, mediaType: string, body: Uint8Array): void {
  const isSlow = 'parseFile' in parser
  const read = async (given: ParserInput): Promise<ParsedPage> =>
    'parseFile' in parser ? await parser.parseFile(given, parsePlan) : parser.parse(given, parsePlan)
  const input: ParserInput = { url: 'https://site.test/file', body, contentType: mediaType }

  it('accepts its media type', () => {
    expect(parser.accepts(mediaType, body)).toBe(true)
  })

  it('leaves to others what is not its own', () => {
    expect(parser.accepts('application/x-nobody-knows', body)).toBe(false)
    expect(parser.accepts('', body)).toBe(false)
  })

  it('gives a whole page: its address, its text and a tree with a body', async () => {
    const page = await read(input)
    expect(page.url).toBe(input.url)
    expect(page.baseUrl).toBe(input.url)
    expect(page.text.length).toBeGreaterThan(0)
    expect(page.tree.$('html > head').length).toBe(1)
    expect(page.tree.$('html > body').text().trim()).not.toBe('')
    expect(page.warnings).toEqual([])
  })

  it('leaves the bytes as they were', async () => {
    const before = body.slice()
    await read(input)
    expect(body).toEqual(before)
  })

  it(isSlow ? 'says that an empty file is broken' : 'reads an empty file', async () => {
    const empty = read({ ...input, body: new Uint8Array() })
    if (isSlow) await expect(empty).rejects.toMatchObject({ code: 'SCRAPE_FILE_BROKEN' })
    else expect((await empty).tree.$('body').text()).toBe('')
  })

  it('reads anything, or says that it cannot', async () => {
    for (const strange of [
      new Uint8Array([0, 255, 254, 10]),
      new TextEncoder().encode('<<<\0>>> {"'),
      new Uint8Array(5000),
    ]) {
      try {
        expect((await read({ ...input, body: strange })).url).toBe(input.url)
      } catch (error) {
        expect(error).toBeInstanceOf(TrawlError)
        expect(['SCRAPE_UNSUPPORTED_FILE_ERROR', 'SCRAPE_FILE_BROKEN']).toContain((error as TrawlError).code)
      }
    }
  })
}
