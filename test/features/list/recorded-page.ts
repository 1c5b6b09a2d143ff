import type { EngineInternals } from '../../../src/kernel/engine/feature.js'
import type { ListContext } from '../../../src/features/list/whole/read-further-page.js'
import { createListTasks } from '../../../src/features/list/whole/list-tasks.js'
import type { readAnswers } from '../../../src/features/list/whole/read-answers.js'
import type { ObtainedPage } from '../../../src/kernel/page/obtain-page.js'
import type { PageContext } from '../../../src/kernel/page/page-context.js'
import { PageRequests } from '../../../src/kernel/page/page-requests.js'

/** The list of a page, whose tasks run in this thread. */
export function openList(context: PageContext, signal: AbortSignal): ListContext {
  const task: EngineInternals['task'] = async (_, input, here) => here(input)
  const pageTask: EngineInternals['pageTask'] = async (_, page, here) => here(page)
  const requests = new PageRequests({ context, obtained: {} as ObtainedPage, signal })
  return {
    plan: context.plan,
    maxRows: 1000,
    deadline: { signal },
    requests,
    tasks: createListTasks({ task, pageTask }),
  }
}

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
