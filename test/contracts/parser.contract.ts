import { expect, it } from 'vitest'
import { TrawlError } from '../../src/errors.js'
import type { ParseInput, Parser } from '../../src/parse/parser.js'
import { parsePlan } from '../parse/pages.js'

/** What every parser must do, shown on a file that it reads. */
export function parserContract(parser: Parser, mediaType: string, body: Uint8Array): void {
  const input: ParseInput = { url: 'https://site.test/file', body, contentType: mediaType }

  it('accepts its media type', () => {
    expect(parser.accepts(mediaType, body)).toBe(true)
  })

  it('leaves to others what is not its own', () => {
    expect(parser.accepts('application/x-nobody-knows', body)).toBe(false)
    expect(parser.accepts('', body)).toBe(false)
  })

  it('gives a whole page: its address, its text and a tree with a body', () => {
    const page = parser.parse(input, parsePlan)
    expect(page.url).toBe(input.url)
    expect(page.baseUrl).toBe(input.url)
    expect(page.text.length).toBeGreaterThan(0)
    expect(page.$('html > head').length).toBe(1)
    expect(page.$('html > body').text().trim()).not.toBe('')
    expect(page.warnings).toEqual([])
  })

  it('leaves the bytes as they were', () => {
    const before = body.slice()
    parser.parse(input, parsePlan)
    expect(body).toEqual(before)
  })

  it('reads an empty file', () => {
    const page = parser.parse({ ...input, body: new Uint8Array() }, parsePlan)
    expect(page.$('body').text()).toBe('')
  })

  it('reads anything, or says that it cannot', () => {
    for (const strange of [
      new Uint8Array([0, 255, 254, 10]),
      new TextEncoder().encode('<<<\0>>> {"'),
      new Uint8Array(5000),
    ]) {
      try {
        expect(parser.parse({ ...input, body: strange }, parsePlan).url).toBe(input.url)
      } catch (error) {
        expect(error).toBeInstanceOf(TrawlError)
        expect((error as TrawlError).code).toBe('SCRAPE_UNSUPPORTED_FILE_ERROR')
      }
    }
  })
}
