import type { readAnswers } from '../../../src/kernel/page/list/read-answers.js'

/** Entries of an API. */
export const entries = (from: number): { id: number; name: string }[] =>
  Array.from({ length: 10 }, (_, at) => ({ id: from + at, name: `Deck lamp ${from + at}` }))

/** A page of a public site whose scripts have asked this host for entries. */
export function recordPage(host: string): Parameters<typeof readAnswers>[1] {
  const answers = [0, 10].map((from) => ({
    url: `http://${host}/api?offset=${from}`,
    headers: {},
    text: JSON.stringify({ items: entries(from) }),
  }))
  const items = [...entries(0), ...entries(10)].map(({ id, name }) => ({
    title: name,
    url: `http://public.test/lists/entry/${id}`,
  }))
  const keys = items.map(({ url }) => url)
  const fields = [
    { name: 'title', type: 'text' as const, source: 'role' as const, share: 1 },
    { name: 'url', type: 'url' as const, source: 'role' as const, share: 1 },
  ]
  const template = { container: 'ul', entry: 'li', columns: [], key: 'field url' }
  return { url: 'http://public.test/lamps', answers, list: { items, keys, fields, template } }
}
