import { describe, expect, it } from 'vitest'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { makePdf, type Piece } from './make-pdf.js'

const columns = [72, 220, 360]
const row = (texts: readonly string[], y: number, font: 'Times-Roman' | 'Times-Bold'): Piece[] =>
  texts.flatMap((text, at) => (text === '' ? [] : [{ text, x: columns[at] ?? 0, y, font }]))

async function read(head: readonly (readonly string[])[], pitch: number): Promise<string | undefined> {
  const body = [
    ['Hull', '31', '44'],
    ['Wick', '12', '13'],
    ['Faro', '21', '22'],
  ]
  const start = 100 + head.length * pitch + 8
  const pieces = [
    ...head.flatMap((texts, at) => row(texts, 100 + at * pitch, 'Times-Bold')),
    ...body.flatMap((texts, at) => row(texts, start + at * 20, 'Times-Roman')),
  ]
  const input = { url: 'https://site.test/file.pdf', body: makePdf([{ pieces }]), contentType: 'application/pdf' }
  return (await digestFile(input, digestPlan())).fields.markdown?.trim()
}

const rows = '| Hull | 31 | 44 |\n| Wick | 12 | 13 |\n| Faro | 21 | 22 |'

describe('a head without ruling lines whose names go on in the next line', () => {
  it('is one row, if its lines are closer than the rows', async () => {
    const head = [
      ['Name of the', 'Boats in', 'Casks of'],
      ['port', 'winter', 'oil'],
    ]
    expect(await read(head, 12)).toBe(
      `| Name of the port | Boats in winter | Casks of oil |\n| --- | --- | --- |\n${rows}`,
    )
  })

  it('may have three lines, and names of fewer', async () => {
    const head = [
      ['Name', 'Number of', 'Casks'],
      ['', 'boats in', 'of oil'],
      ['', 'winter', ''],
    ]
    expect(await read(head, 12)).toBe(
      `| Name | Number of boats in winter | Casks of oil |\n| --- | --- | --- |\n${rows}`,
    )
  })

  it('has rows of its own, if they are as far from each other as those of the table', async () => {
    const head = [
      ['Port', 'Boats', 'Casks'],
      ['Name', 'Winter', 'Oil'],
    ]
    expect(await read(head, 20)).toBe(
      `| Port | Boats | Casks |\n| --- | --- | --- |\n| **Name** | **Winter** | **Oil** |\n${rows}`,
    )
  })
})
