import * as fc from 'fast-check'

/** A generated page of Markdown with every kind of block, in which each word is unique. */
export interface MadePage {
  readonly markdown: string
  readonly words: readonly string[]
  /** Code blocks, which must be found whole if they fit in a chunk. */
  readonly codes: readonly string[]
}

type Block = { readonly kind: string; readonly sizes: readonly number[]; readonly level: number }

const blocks: fc.Arbitrary<Block[]> = fc.array(
  fc.record({
    kind: fc.constantFrom('heading', 'text', 'code', 'table', 'list', 'nested', 'quote', 'lead'),
    sizes: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 12 }),
    level: fc.integer({ min: 1, max: 4 }),
  }),
  { maxLength: 25 },
)

/** Generates random pages. */
export const madePages: fc.Arbitrary<MadePage> = blocks.map((made) => {
  const words: string[] = []
  const codes: string[] = []
  const next = (count: number): string =>
    Array.from({ length: count }, () => {
      words.push(`w${words.length}x`)
      return words.at(-1)
    }).join(' ')
  const written = made.map(({ kind, sizes, level }) => {
    const lines = (write: (count: number) => string): string => sizes.map(write).join('\n')
    if (kind === 'heading') return `${'#'.repeat(level)} ${next(2)}`
    if (kind === 'lead') return `${next(3)}:`
    if (kind === 'code') {
      codes.push(`\`\`\`js\n${lines(next)}\n\`\`\``)
      return codes.at(-1)
    }
    if (kind === 'table') return `| a | b |\n| --- | --- |\n${lines((count) => `| ${next(count)} | **${next(1)}** |`)}`
    if (kind === 'list') return lines((count) => `- ${next(count)}`)
    if (kind === 'nested') return lines((count) => `1. ${next(count)}\n   - ${next(2)}\n   - [${next(2)}](/x)`)
    if (kind === 'quote') return lines((count) => `> ${next(count)}\n>`).replace(/\n>$/, '')
    return `${next(sizes[0] ?? 1)}. **${next(2)}** [${next(3)}](/x "t") \`${next(2)}\`.`
  })
  return { markdown: written.join('\n\n'), words, codes }
})

/** Returns the words of a text that {@link madePages} generated, in order. */
export const wordsIn = (text: string): string[] => text.match(/w\d+x/g) ?? []
