import { createContext, runInContext } from 'node:vm'
import { expect, it } from 'vitest'
import { PIECE_LENGTH, readPageHtml } from '../../../src/features/browser/render/read-page-html.js'
import type { FrameDocument } from '../../../src/features/browser/page/frame-tree.js'
import type { IsolatedWorld } from '../../../src/features/browser/browser-page.js'

const url = 'http://a.example/'
const NO_LIMIT = 1e9
const options = { url, maxLength: NO_LIMIT, contentType: undefined }

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
  const call: IsolatedWorld['call'] = async (run, question) => {
    const made = runInContext(`(${String(run)})(${JSON.stringify(question)})`, globals) as never
    answers.push(made)
    return made
  }
  const world: IsolatedWorld = { evaluate: async () => undefined, call, act: call }
  const navigate = (): void => void (globals = open())
  return { world, answers, navigate, isKept: () => 'keptHtml' in globals && globals['keptHtml'] !== undefined }
}

const read = (world: IsolatedWorld, more: { maxLength?: number } = {}) =>
  readPageHtml({ world, openFrames: () => undefined }, { ...options, ...more })
const readHtml = async (world: IsolatedWorld): Promise<string> => (await read(world)).pieces.join('')

/** Reads a page whose main frame is this one. */
async function readFramed(main: FrameDocument, lost = 0) {
  const { world } = openWorld('')
  const tree = { main, lost, close: () => undefined }
  const { pieces, lostFrames } = await readPageHtml({ world, openFrames: async () => tree }, options)
  return { html: pieces.join(''), lostFrames }
}

const shown = { objectId: '1', width: 300, height: 300 }
const frame = (more: Partial<FrameDocument>): FrameDocument => ({
  children: [],
  findElement: async () => shown,
  serialize: async () => '',
  readKept: async () => '',
  ...more,
})

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
  await expect(read(world, { maxLength: PIECE_LENGTH + 1 })).rejects.toMatchObject({
    code: 'SCRAPE_DECOMPRESSED_TOO_LARGE',
  })
  expect(answers).toEqual([undefined])
})

it('fails where the document is replaced between two pieces', async () => {
  const { world, answers, navigate } = openWorld('x'.repeat(PIECE_LENGTH * 3))
  const replaced: IsolatedWorld = {
    ...world,
    async call(run, question) {
      if (answers.length === 2) navigate()
      return await world.call(run, question)
    },
  }
  expect(await read(replaced).catch(String)).toBe('Error: The page navigated while it was read')
})

it.each<[string, unknown]>([
  ['an object', { a: 'x' }],
  ['an object with a length', { length: 5 }],
  ['nothing', undefined],
  ['a number', 1],
  ['a text that is longer than a piece', 'x'.repeat(PIECE_LENGTH + 1)],
])('refuses a page of which a piece is %s', async (_what, piece) => {
  const main = frame({ serialize: async () => ({ isLong: true }), readKept: async () => piece })
  await expect(readFramed(main)).rejects.toMatchObject({ code: 'SCRAPE_BROWSER_ERROR' })
})

it.each<[string, unknown]>([
  ['an object', { length: 9e7 }],
  ['null', null],
  ['a text that is longer than a piece', 'x'.repeat(PIECE_LENGTH + 1)],
])('refuses a page that is %s', async (_what, answer) => {
  await expect(readFramed(frame({ serialize: async () => answer }))).rejects.toMatchObject({
    code: 'SCRAPE_BROWSER_ERROR',
  })
})

it.each<[string, Partial<FrameDocument>]>([
  ['fails', { serialize: () => Promise.reject(new Error('gone')) }],
  ['has something else than HTML', { serialize: async () => ({ length: 5 }) }],
  ['is too long', { serialize: async () => undefined }],
])('counts a frame that %s', async (_what, broken) => {
  const main = frame({
    children: [frame(broken), frame({ serialize: async () => '<p>In the frame</p>' })],
    serialize: async (_question, marked) => `<h1>Page</h1>${marked.map(({ mark }) => mark).join('')}`,
  })
  expect(await readFramed(main)).toEqual({ html: '<h1>Page</h1><p>In the frame</p>', lostFrames: 1 })
})

it('counts frames beyond the maximum, and no frame that is empty, small or not shown', async () => {
  const full = Array.from({ length: 22 }, () => frame({ serialize: async () => '<p>f</p>' }))
  const [hidden, small] = [frame({}), frame({})]
  const main = frame({
    children: [hidden, small, ...full, frame({})],
    findElement: async (child) => (child === hidden ? undefined : child === small ? { ...shown, height: 1 } : shown),
    serialize: async (_question, marked) => marked.map(({ mark }) => mark).join(''),
  })
  expect(await readFramed(main)).toEqual({ html: '<p>f</p>'.repeat(20), lostFrames: 3 })
  expect((await readFramed(frame({ children: [frame({})] }), 1)).lostFrames).toBe(1)
})

it.each([
  ['within a piece', 100],
  ['across the end of a piece', PIECE_LENGTH - 10],
  ['at the end of a piece', PIECE_LENGTH - 36],
  ['at the start of a piece', PIECE_LENGTH],
])('puts a frame in place of its mark %s', async (_where, offset) => {
  const after = 'y'.repeat(PIECE_LENGTH)
  let html = ''
  const main = frame({
    children: [frame({ serialize: async () => '<p>In the frame</p>' })],
    async serialize(_question, marked) {
      html = 'x'.repeat(offset) + String(marked[0]?.mark) + after
      return { isLong: true }
    },
    readKept: async ({ from, maxLength }) => html.slice(from, from + maxLength),
  })
  expect((await readFramed(main)).html === `${'x'.repeat(offset)}<p>In the frame</p>${after}`).toBe(true)
})

it('puts 20 frames in place of their marks, and keeps what begins like a mark', async () => {
  let marks: string[] = []
  const main = frame({
    children: Array.from({ length: 20 }, (_, at) => frame({ serialize: async () => `<p>${at}</p>` })),
    async serialize(_question, marked) {
      marks = marked.map(({ mark }) => mark)
      return `😀${marks.join('')}${marks[0]?.slice(0, 36)}`
    },
  })
  const all = Array.from({ length: 20 }, (_, at) => `<p>${at}</p>`).join('')
  expect((await readFramed(main)).html).toBe(`😀${all}${marks[0]?.slice(0, 36)}`)
})
