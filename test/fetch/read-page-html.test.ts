import { createContext, runInContext } from 'node:vm'
import type { Page } from 'playwright'
import { expect, it } from 'vitest'
import { PIECE_LENGTH, readPageHtml } from '../../src/fetch/browser/read-page-html.js'
import type { IsolatedWorld } from '../../src/fetch/browser-page/isolated-world.js'
import { isNavigation } from '../../src/fetch/browser-page/browser-errors.js'

const url = 'http://a.example/'
const NO_LIMIT = 1e9
const page = { mainFrame: () => ({ childFrames: () => [] }) } as unknown as Page

/** A world in which the functions for pages run as they do in a browser, on a document of this HTML. */
function openWorld(outerHTML: string) {
  const document = { baseURI: url, doctype: null, documentElement: { outerHTML }, querySelectorAll: () => [] }
  const open = () => {
    const globals = createContext({ document })
    globals['window'] = globals
    return globals
  }
  let globals = open()
  const answers: unknown[] = []
  const world: IsolatedWorld = {
    async call(run, question) {
      const made = runInContext(`(${String(run)})(${JSON.stringify(question)})`, globals) as never
      answers.push(made)
      return made
    },
  }
  const navigate = (): void => void (globals = open())
  return { world, answers, navigate, isKept: () => 'keptHtml' in globals && globals['keptHtml'] !== undefined }
}

const readHtml = async (world: IsolatedWorld): Promise<string> =>
  (await readPageHtml(page, world, { url, maxLength: NO_LIMIT, contentType: undefined })).join('')

it('reads a short document in one message', async () => {
  const { world, answers, isKept } = openWorld('x'.repeat(PIECE_LENGTH))
  expect(await readHtml(world)).toHaveLength(PIECE_LENGTH)
  expect(answers).toHaveLength(1)
  expect(isKept()).toBe(false)
})

it.each([
  ['letters', 'abc'],
  ['surrogate pairs', '😀'],
  ['surrogate pairs at odd offsets', 'x😀😀'],
])('reads a long document of %s in pieces, and releases it', async (_what, text) => {
  const html = text.repeat(Math.ceil((PIECE_LENGTH * 2.5) / text.length))
  const { world, answers, isKept } = openWorld(html)
  expect((await readHtml(world)) === html).toBe(true)
  const pieces = answers.slice(1) as string[]
  expect(pieces).toHaveLength(3)
  expect(
    pieces.filter((piece) => /^[\udc00-\udfff]|[\ud800-\udbff]$/.test(piece) || piece.length > PIECE_LENGTH),
  ).toEqual([])
  expect(isKept()).toBe(false)
})

it('reads a document whose last piece is a whole one', async () => {
  const { world, isKept } = openWorld('x'.repeat(PIECE_LENGTH * 2))
  expect(await readHtml(world)).toHaveLength(PIECE_LENGTH * 2)
  expect(isKept()).toBe(false)
})

it('refuses a document that is too long, without a second message', async () => {
  const { world, answers } = openWorld('x'.repeat(PIECE_LENGTH * 2))
  const reading = readPageHtml(page, world, { url, maxLength: PIECE_LENGTH + 1, contentType: undefined })
  await expect(reading).rejects.toMatchObject({ code: 'SCRAPE_DECOMPRESSED_TOO_LARGE' })
  expect(answers).toEqual([undefined])
})

it('fails as on a navigation where the document is replaced between two pieces', async () => {
  const { world, answers, navigate } = openWorld('x'.repeat(PIECE_LENGTH * 3))
  const replaced: IsolatedWorld = {
    async call(run, question) {
      if (answers.length === 2) navigate()
      return await world.call(run, question)
    },
  }
  const failure: unknown = await readPageHtml(page, replaced, {
    url,
    maxLength: NO_LIMIT,
    contentType: undefined,
  }).catch(String)
  expect(failure).toBe('Error: The page navigated while it was read')
  expect(isNavigation(new Error(String(failure)))).toBe(true)
})

it.each([
  ['within a piece', 100],
  ['across the end of a piece', PIECE_LENGTH - 10],
  ['at the end of a piece', PIECE_LENGTH - 36],
  ['at the start of a piece', PIECE_LENGTH],
])('puts a frame in place of its mark %s', async (_where, offset) => {
  const after = 'y'.repeat(PIECE_LENGTH)
  const child = {
    childFrames: () => [],
    frameElement: async () => ({ boundingBox: async () => ({ width: 300, height: 300 }) }),
    url: () => `${url}frame`,
    evaluate: async () => '<p>In the frame</p>',
  }
  let html = ''
  const main = {
    childFrames: () => [child],
    async evaluate(_run: unknown, { frames }: { frames: { mark: string }[] }) {
      html = 'x'.repeat(offset) + String(frames[0]?.mark) + after
      return {}
    },
    evaluateHandle: async () => ({
      evaluate: async (_run: unknown, { from, maxLength }: { from: number; maxLength: number }) =>
        html.slice(from, from + maxLength),
      dispose: async () => undefined,
    }),
  }
  const framed = { mainFrame: () => main } as unknown as Page
  const { world } = openWorld('')
  const pieces = await readPageHtml(framed, world, { url, maxLength: NO_LIMIT, contentType: undefined })
  expect(pieces.join('') === `${'x'.repeat(offset)}<p>In the frame</p>${after}`).toBe(true)
})

it('puts 20 frames in place of their marks, and keeps what begins like a mark', async () => {
  const inside = (at: number) => ({
    childFrames: () => [],
    frameElement: async () => ({ boundingBox: async () => ({ width: 300, height: 300 }) }),
    url: () => `${url}${at}`,
    evaluate: async () => `<p>${at}</p>`,
  })
  let marks: string[] = []
  const main = {
    childFrames: () => Array.from({ length: 20 }, (_, at) => inside(at)),
    async evaluate(_run: unknown, { frames }: { frames: { mark: string }[] }) {
      marks = frames.map(({ mark }) => mark)
      return `😀${marks.join('')}${marks[0]?.slice(0, 36)}`
    },
  }
  const { world } = openWorld('')
  const framed = { mainFrame: () => main } as unknown as Page
  const pieces = await readPageHtml(framed, world, { url, maxLength: NO_LIMIT, contentType: undefined })
  const all = Array.from({ length: 20 }, (_, at) => `<p>${at}</p>`).join('')
  expect(pieces.join('')).toBe(`😀${all}${marks[0]?.slice(0, 36)}`)
})
