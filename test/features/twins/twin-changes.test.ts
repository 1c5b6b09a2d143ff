import { expect, it } from 'vitest'
import { compareTwin } from '../../../src/features/twins/compare-twin.js'
import { readTwinFacts } from './twin-facts.js'

const PAGE = 'https://docs.example/guide'

const pages = [
  '# A b\n\nfoo *b* `c d` and [l](https://d.x/z) x\n\n- x\n  - y z\n\n    more\n- q\n\n1. a\n2. b\n\n```sh\nls -l\n\n  x\n```\n\n> quote **s** t',
  '- a | b\n- c\n\n| `x\\|y` | **k** |\n| --- | --- |\n| ![z](https://d.x/p.png) | <https://d.x/q> |\n\n> ```js\n> a\n> \n>   b\n> ```\n>\n> t',
  'a\n\nb c\n\n- k\n\n  ```\n  z\n  ```\n\n> - i\n> - j\n\n***\n\n~~no~~ yes\n\n## H\n\nend \\* of 2 \\<b> & c\\_d',
]
const signs =
  '*|_|`|#|-|>|~|[|]|(|)|](|!|<|\\|&| |  |    |1. |- |a|$|"|```|\t|=|---|\n|\n\n|\n- |\n> |\n  |&amp;|:|``|**'.split(
    '|',
  )

/** Returns numbers that are the same in each run. */
function createNumbers(): (below: number) => number {
  let state = 2_463_534_242
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

it('a twin with changed signs is taken only where another reader of Markdown sees no difference', () => {
  const number = createNumbers()
  let taken = 0
  for (let round = 0; round < 6000; round++) {
    const page = pages[round % pages.length] ?? ''
    let twin = page
    for (let change = number(3); change >= 0; change--) {
      const at = number(twin.length)
      const added = number(4) > 0 ? (signs[number(signs.length)] ?? '') : ''
      twin = twin.slice(0, at) + added + twin.slice(at + number(3))
    }
    const body = new TextEncoder().encode(twin)
    const verdict = compareTwin({ url: PAGE, pageUrl: PAGE, body, markdown: page, about: [] })
    if (!('markdown' in verdict) || twin === page) continue
    taken += 1
    expect(readTwinFacts(verdict.markdown, PAGE), JSON.stringify(twin)).toEqual(readTwinFacts(page, PAGE))
  }
  expect(taken).toBeGreaterThan(100)
})
