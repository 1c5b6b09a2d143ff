import { describe, expect, it } from 'vitest'
import { contentModel } from '../../src/extract/main-content/content-model.js'
import { readContext } from '../../src/extract/main-content/context-evidence.js'
import { buildFeatures } from '../../src/extract/features/build-features.js'
import { namesPut } from '../../src/extract/features/feature-vector.js'
import { readMetadata } from '../../src/extract/structured-data/metadata.js'
import { readBlocks } from '../../src/extract/blocks/read-blocks.js'
import { isNeverShown } from '../../src/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

describe('the content model', () => {
  it('asks for the evidence that is gathered, in its order', () => {
    const page = parseHtml('<p>A block of text.</p>')
    const [body] = page.$('body')
    if (body === undefined) throw new Error('the page has no body')
    const read = readBlocks(body, isNeverShown)
    const metadata = readMetadata(page)
    const evidence = buildFeatures({ page, metadata, read, kind: 'other', verdictOf: () => 1, nameWeights: new Map() })
    expect(read.blocks.flatMap((block) => namesPut((put) => evidence.read(block, put)))).toEqual(
      contentModel.evidence.split(' '),
    )
    const context = readContext(read, new Float64Array([0.5]))
    expect(read.blocks.flatMap((block) => namesPut((put) => context.read(block, put)))).toEqual(
      contentModel.context.split(' '),
    )
  })

  it('has only whole trees: one answer more than questions', () => {
    for (const tree of [...contentModel.first.trees, ...contentModel.second.trees]) {
      const tokens = tree.split(' ')
      expect(tokens.filter((token) => token.startsWith('='))).toHaveLength((tokens.length + 1) / 2)
    }
  })
})
