import { describe, expect, it } from 'vitest'
import { createEngine, type Document } from '../../../src/index.js'
import { makeXlsx } from '../office/make-zip.js'
import { sampleFiles } from '../parse/sample-files.js'

const engine = createEngine({ threads: 0 })

const read = (body: string | Uint8Array, contentType: string): Promise<Document> =>
  engine.parse({ url: 'https://site.test/files/file', body, contentType }, { trace: true })

describe('the fidelity of a file', () => {
  it.each([...sampleFiles])('is 1 if all of it is in the content: %s', async (_, { body, mediaType }) => {
    const { fidelity, trace } = await read(body, mediaType)
    expect(fidelity?.visibleWords).toBeGreaterThan(0)
    expect(fidelity?.words).toBe(1)
    expect(trace).toEqual([])
  })

  it('counts hidden sheets as missing, and the trace lists them', async () => {
    const cell = (text: string): string => `<c r="A1" t="inlineStr"><is><t>${text}</t></is></c>`
    const sheet = (text: string): string => `<sheetData><row r="1">${cell(text)}</row></sheetData>`
    const body = makeXlsx({ Open: sheet('two words'), '!Closed': sheet('four words that are hidden') })
    const { fidelity, trace } = await read(body, 'application/zip')
    expect(fidelity).toMatchObject({ visibleWords: 9, words: 0.333 })
    expect(trace?.map(({ text, reason }) => `${text} ${reason}`)).toEqual([
      'Closed four words that are hidden is a hidden sheet',
    ])
  })

  it('is absent if a part of the file is longer than can be read', async () => {
    const rows = Array.from({ length: 2500 }, (_, at) => `${at},value`)
    const { fidelity, warning } = await read(rows.join('\n'), 'text/csv')
    expect(fidelity).toBeUndefined()
    expect(warning).toMatch(/left out/)
  })
})
