import { expect, it } from 'vitest'
import { describePage } from '../../../src/features/watch/describe-page.js'

type Arguments = Parameters<typeof describePage>

/** Describes a page whose comparison takes too long, with the address and the text of each check. */
async function visit(checks: readonly { url: string; markdown: string }[]): Promise<string[]> {
  let known: unknown
  const told: string[] = []
  for (const { url, markdown } of checks) {
    const document = { markdown, metadata: { statusCode: 200, url } } as unknown as Arguments[0]
    const tools = { judge: async () => undefined, now: () => 1000, closing: new AbortController().signal }
    const context = { plan: { fields: [], data: [] }, known, isFirst: true, tools } as unknown as Arguments[1]
    const { finding, facts, markdown: kept } = await describePage(document, context)
    known = {
      facts: JSON.stringify({ ...facts, target: url, check: 1, status: finding.status }),
      markdown: kept,
    }
    told.push(`${finding.status} ${finding.meaningful}${finding.warning === undefined ? '' : ' warned'}`)
  }
  return told.slice(1)
}

it('takes another query for no move, and learns an address that changes at each check', async () => {
  const page = (path: string) => ({ url: `https://example.com/${path}`, markdown: 'Text' })
  expect(await visit([page('a?s=1'), page('a?s=2'), page('a#top')])).toEqual(['same false', 'same false'])
  expect(await visit(['a', 'b', 'c', 'd', 'e'].map(page))).toEqual([
    'moved true',
    'moved true',
    'moved true',
    'same false',
  ])
})

it('warns of texts that could not be compared, and asks no comparison for equal ones', async () => {
  const page = (markdown: string) => ({ url: 'https://example.com/', markdown })
  expect(await visit([page('a'), page('a'), page('b')])).toEqual(['same false', 'changed true warned'])
})
