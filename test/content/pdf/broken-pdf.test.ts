import { describe, expect, it } from 'vitest'
import { createEngine } from '../../../src/index.js'
import { digestFile } from '../../../src/content/digest/digest.js'
import { digestPlan } from '../digest/plans.js'
import { lines, makePdf } from './make-pdf.js'

it('text with infinite coordinates is left out', async () => {
  const far = '9'.repeat(400)
  const drawing = ['a', 'b', 'c', 'd', 'e', 'f'].map(
    (text) => `BT /F0 10 Tf 1 0 0 1 ${far} ${far} Tm (${text} far away) Tj ET`,
  )
  const body = makePdf([{ pieces: lines(['A line.'], { x: 72, y: 100 }), drawing: drawing.join('\n') }])
  const made = await digestFile({ url: 'https://a.test/x.pdf', body }, digestPlan())
  expect(made.fields.markdown).toBe('A line.')
})

it('the other pages of a PDF file are read if some in the middle are broken', async () => {
  await using engine = createEngine({ threads: 1 })
  const whole = Buffer.from(
    makePdf([1, 2, 3, 4].map((page) => ({ pieces: lines([`Page ${page}.`], { x: 72, y: 100 }) }))),
  )
  let nth = 0
  const broken = whole.toString('latin1').replace(/\/Type \/Page(?= )/g, (type) => {
    nth += 1
    return nth === 2 || nth === 3 ? '/Type )Page' : type
  })
  const { markdown, warning } = await engine.parse({ body: Buffer.from(broken, 'latin1'), url: 'https://a.test/x.pdf' })
  expect(markdown).toContain('Page 1.')
  expect(warning).toMatch(/could not be read|damaged/)
})

it('a PDF file whose end is missing has a warning, even if all of its pages are read', async () => {
  const body = makePdf([1, 2].map((page) => ({ pieces: lines([`Page ${page} has a line.`], { x: 72, y: 100 }) })))
  const read = (part: Uint8Array) => digestFile({ url: 'https://a.test/x.pdf', body: part }, digestPlan())
  expect((await read(body)).warnings).toEqual([])
  for (const cut of [12, 25, 200])
    expect((await read(body.subarray(0, body.length - cut))).warnings).toEqual([
      'The PDF file is damaged or cut off: 2 pages of it were found.',
    ])
})

describe('text in fonts that do not say which characters they show', () => {
  const words = ['The harbour has two lights, which are seen from 20 miles.', 'The second one is green.']
  const unmapped = (y: number) => lines(words, { x: 72, y, font: 'Unmapped' })
  const readFile = (...made: Parameters<typeof makePdf>) =>
    digestFile({ url: 'https://a.test/x.pdf', body: makePdf(...made) }, digestPlan())
  const read = (...pages: Parameters<typeof makePdf>[0]) => readFile(pages)

  it('is left out with a warning', async () => {
    const { fields, warnings } = await read(
      { pieces: lines(words, { x: 72, y: 100 }) },
      { pieces: [...lines(['A mapped line of text.'], { x: 72, y: 100 }), ...unmapped(140)] },
      { pieces: lines(words, { x: 72, y: 100 }) },
    )
    expect(fields.markdown).toBe([words.join(' '), 'A mapped line of text.', words.join(' ')].join('\n\n'))
    expect(warnings).toEqual([
      '1 page of the PDF file (2) has text in fonts that do not say which characters they show: it is left out.',
    ])
  })

  it.each([
    ['Chinese', 'Ϩጓᮨ㘫ឮᱝₑౖᩧआ̈́⩺ल౞⮲㏽≼㐁Ჲ঺⹬ш⩍≩Ȣ䃦่ఫფጠ㏽ݤ჈δ䪭ᱍ⮲ࣿᆃᝆ⪓嶍Ꭴ͂ៃړ๕'],
    ['Japanese', 'Ϩጓⴓ㘫ɯឮ㶁ɰ̈́⩺͛ɯ㉺⌶ỹ䕎ɩ⹬ш⩍≩ʓืɉɥɥɃʋɿɚȢ่ɐɯఫɍ䪥ᱍ⮲ɫ⮨ᆃ᝔⪓ʓや჈ɘȡന'],
  ])('is refused if it is %s, whose numbers of glyphs are scattered over all scripts', async (_language, text) => {
    await expect(read({ pieces: lines([text], { x: 72, y: 100, font: 'Unnamed' }) })).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
    })
  })

  it('is refused if most pages have no other text', async () => {
    await expect(read({ pieces: unmapped(100) })).rejects.toMatchObject({
      code: 'SCRAPE_PDF_OCR_REQUIRED',
      message: expect.stringContaining('text only in fonts that do not say which characters they show'),
    })
  })

  it.each([
    ['last', [0, 1]],
    ['first', [1, 0]],
  ])('is left out alone if other such text is readable, and its page is the %s one', async (_name, order) => {
    const readable = lines(['Ships see the lights of the harbour at night.'], { x: 72, y: 100, font: 'Unnamed' })
    const pages = [{ pieces: readable }, { pieces: [...readable, ...unmapped(140)] }]
    const { fields, warnings } = await read(...order.flatMap((index) => pages[index] ?? []))
    expect(fields.markdown?.match(/\w.*\w\./g)).toEqual(readable.flatMap(({ text }) => [text, text]))
    expect(warnings).toEqual([
      `1 page of the PDF file (${order.indexOf(1) + 1}) has text in fonts that do not say which characters they show: it is left out.`,
    ])
  })

  const title = (text: string) => lines([text], { x: 72, y: 60, font: 'Unmapped' })

  it('is left out of a page where it is only a word, if a later page shows that it is garbled', async () => {
    const { fields, warnings } = await read(
      { pieces: [...title('Contents'), ...lines(words, { x: 72, y: 100 })] },
      { pieces: lines(words, { x: 72, y: 100 }) },
      { pieces: [...unmapped(60), ...lines(words, { x: 72, y: 100 })] },
    )
    expect(fields.markdown).toBe([words, words, words].map((text) => text.join(' ')).join('\n\n'))
    expect(warnings).toEqual([
      '2 pages of the PDF file (1, 3) have text in fonts that do not say which characters they show: it is left out.',
    ])
  })

  it('is kept with a warning if it is so little that nothing shows whether it is garbled', async () => {
    const { fields, warnings } = await read({ pieces: [...title('Contents'), ...lines(words, { x: 72, y: 100 })] })
    expect(fields.markdown).toMatch(/&RQWHQWV[^]*The harbour/)
    expect(warnings).toEqual([
      '1 page of the PDF file (1) has words in fonts that do not say which characters they show: they may be wrong.',
    ])
  })

  it('is left out of every page, if each page has fonts of its own', async () => {
    const pages = Array.from({ length: 40 }, () => ({ pieces: [...lines(words, { x: 72, y: 100 }), ...unmapped(140)] }))
    const { fields, warnings } = await readFile(pages, { hasOwnFonts: true })
    expect(fields.markdown?.split('The harbour has')).toHaveLength(41)
    expect(fields.markdown).not.toContain('KDUERXU')
    expect(warnings).toEqual([expect.stringMatching(/^40 pages .* it is left out\.$/)])
  })

  it('does not make a page count as read in part if a later page is', async () => {
    const { warnings } = await read(
      { pieces: [...title('Contents'), ...lines(words, { x: 72, y: 100 })] },
      { drawing: 'BT /F0 10 Tf 1 0 0 1 72 700 Tm (ab) Tj 0 20 Td (cd) Tj ET '.repeat(30_000) },
    )
    expect(warnings.find((warning) => warning.includes('too much'))).toBe(
      '1 page of the PDF file (2) has too much on it, and was read in part.',
    )
  })
})
