import type { PageAnswer } from '../../src/features/machines/pages/page-task.js'
import { makePage } from '../ledger/make-page.js'

/** Links of a page to pages below it. One more is refused. */
const BELOW = 9
/** Links of a page to pages that are known already, as those of a menu are. */
const KNOWN = 20

/** Makes the answer for one page of an endless site from that of another page: with a text, links and fingerprint of its own. */
export function writeAnswer(model: PageAnswer, url: string): PageAnswer {
  if (model.kind !== 'page') throw new Error(`the page that answers are made from has ended with ${model.kind}`)
  const { origin, pathname } = new URL(url)
  const page = Number(pathname.slice('/p/'.length))
  const { document, fingerprint } = model.page
  const markdown = makePage(page, 0)
    .replace(/^.*<\/h1>|<\/?\w+>/g, '')
    .trim()
  const random = makeRandom(page)
  const link = (path: string): { url: string; text: string } => ({ url: `${origin}${path}`, text: path.slice(1) })
  const known = Array.from({ length: KNOWN }, (_, nth) => link(`/p/${Math.max(0, Math.floor(page / BELOW) - nth)}`))
  const below = Array.from({ length: BELOW }, (_, nth) => link(`/p/${page * BELOW + nth + 1}`))
  const hex = (length: number): string => Array.from({ length }, () => Math.floor(random() * 16).toString(16)).join('')
  return {
    ...model,
    page: {
      ...model.page,
      document: {
        ...document,
        markdown,
        metadata: { ...document.metadata, title: `Page ${page}`, url, sourceURL: url, scrapeId: crypto.randomUUID() },
      },
      links: [...known, ...below, link(`/refused/${page}`)],
      fingerprint: fingerprint && {
        ...fingerprint,
        exact: hex(16),
        outline: hex(16),
        wording: hex(16),
        similarity: hex(52),
        samples: fingerprint.samples.map(() => Math.floor(random() * 2 ** 32)),
      },
    },
  }
}

/** A sequence of numbers from 0 to 1, the same one for each seed. */
function makeRandom(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1) >>> 0
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}
