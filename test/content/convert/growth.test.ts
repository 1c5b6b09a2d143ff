import { describe, expect, it } from 'vitest'
import { chunkMarkdown } from '../../../src/content/convert/split/chunk-markdown.js'
import { cutMarkdown } from '../../../src/content/convert/split/cut-markdown.js'

const shapes: Record<string, (size: number) => string> = {
  words: (size) => 'word '.repeat(size),
  'one word': (size) => 'wordword'.repeat(size),
  headings: (size) => '# a\n'.repeat(size),
  sections: (size) => '# a\n\n## b\n\nc\n\n'.repeat(size),
  'lead-ins': (size) => 'a:\n\n'.repeat(size),
  'items of a list': (size) => '- a\n  b\n\n'.repeat(size),
  'markers in a line': (size) => `${'- '.repeat(size)}a`,
  'quotes in quotes': (size) => '> '.repeat(size),
  rows: (size) => `| a | b |\n| --- | --- |\n${'| c | d |\n'.repeat(size)}`,
  columns: (size) => `|${'a|'.repeat(size)}\n|${'-|'.repeat(size)}\n|${'b|'.repeat(size)}`,
  'spaces under a table’s header': (size) => `a|b\n-|${' '.repeat(10 * size)}x`,
  'lines of code': (size) => `\`\`\`\n${'x\n'.repeat(size)}`,
  fences: (size) => '```a\n'.repeat(size),
  'opened brackets': (size) => '['.repeat(size),
  'opened links': (size) => '[a]('.repeat(size),
  'links in links': (size) => `${'['.repeat(size)}a${'](/b)'.repeat(size)}`,
  'long links': (size) => `[${'a'.repeat(400)}](/b)`.repeat(size / 10),
  'opened titles': (size) => '[a](b "'.repeat(size),
  'opened labels': (size) => '[a][b '.repeat(size),
  'parentheses in URLs': (size) => '[a](()()'.repeat(size),
  backticks: (size) => '` `` ```'.repeat(size),
  stars: (size) => '*a '.repeat(size),
  'uses of one definition': (size) => `[a]: /${'x'.repeat(100)}\n\n${'[a] '.repeat(size)}`,
  'uses of a definition as long as the text': (size) => `[a]: /${'x'.repeat(size)}\n\n${'[a] '.repeat(size)}`,
  definitions: (size) => Array.from({ length: size }, (_, at) => `[a${at}]: /x\n\n[a${at}]\n\n`).join(''),
}

/** Measures processor time, so that other load does not count. */
function cost(markdown: string): number {
  const runs = Array.from({ length: 2 }, () => {
    const before = process.cpuUsage()
    chunkMarkdown(markdown, 100)
    chunkMarkdown(markdown, 1_000_000)
    cutMarkdown(markdown, 100)
    cutMarkdown(markdown, Math.ceil(markdown.length / 8))
    const { user, system } = process.cpuUsage(before)
    return user + system
  })
  return Math.min(...runs)
}

describe('cutting Markdown takes linear time', () => {
  it.each(Object.entries(shapes))('%s', (_, make) => {
    cost(make(250))
    const small = cost(make(500))
    const large = cost(make(8000))
    // For 16 times the text, linear time gives 16 and quadratic time 256. The bound leaves space for start-up time and
    // noise.
    expect(large / small).toBeLessThan(80)
  })
})
