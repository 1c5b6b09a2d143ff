import { expect, test } from 'vitest'
import { parseModule } from './modules.js'
import { anchorsOf, referencesResolve } from './references.js'

const root = new URL('../..', import.meta.url).pathname
const judge = (text: string): string[] =>
  referencesResolve(root, new Set(['Engine']))(parseModule('some/file.ts', text))

test.each([
  '/** A page. @see https://example.com/ */',
  '/** A page. @see RFC 9110 section 8.8 @internal */',
  '/** A page. @see docs/compatibility/fetching.md#cache */',
  '/** A page. @see {@link Engine.credits}, docs/compatibility/fetching.md#credits */',
])('a reference may be %s', (comment) => expect(judge(comment)).toEqual([]))

test.each([
  ['/** A page. @see the notes */', 'write a URL'],
  ['/** A page. @see {@link Nobody.name} */', 'nothing in src/ is called Nobody'],
  ['/** A page. @see docs/nowhere.md */', 'no file docs/nowhere.md'],
  ['/** A page. @see docs/compatibility.md#nowhere */', 'no heading for #nowhere'],
  ['/** A page. @see https://example.com/, docs/compatibility.md#nowhere */', 'no heading for #nowhere'],
  ['// As in behaviour 5.6.', 'not in the repository'],
])('a reference may not be %s', (comment, fault) => expect(judge(comment)).toEqual([expect.stringContaining(fault)]))

test('anchors are those that GitHub makes of headings', () => {
  const markdown = '# Robots.txt\n\n```sh\n# not a heading\n```\n\n## Version 1\n\n## Version 1\n\n### `maxAge`\n'
  expect([...anchorsOf(markdown)]).toEqual(['robotstxt', 'version-1', 'version-1-1', 'maxage'])
})
