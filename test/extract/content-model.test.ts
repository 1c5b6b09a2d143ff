import { describe, expect, it } from 'vitest'
import contentModel from '../../src/extract/main-content/content-model.json' with { type: 'json' }
import { buildContextFeatures } from '../../src/extract/main-content/context-features.js'
import { buildFeatures } from '../../src/extract/features/build-features.js'
import { namesPut } from '../../src/extract/features/feature-vector.js'
import { readMetadata } from '../../src/extract/structured-data/metadata.js'
import { readBlocks } from '../../src/extract/blocks/read-blocks.js'
import { findNeverShown } from '../../src/extract/visibility/visibility.js'
import { parseHtml } from '../parse/pages.js'

describe('the content model', () => {
  it('names the features that are built, in their order', () => {
    const page = parseHtml('<p>A block of text.</p>')
    const [body] = page.tree.$('body')
    if (body === undefined) throw new Error('the page has no body')
    const read = readBlocks(body, findNeverShown(body))
    const metadata = readMetadata(page)
    const features = buildFeatures({ page, metadata, read, kind: 'other', verdictOf: () => 1, nameWeights: new Map() })
    expect(read.blocks.flatMap((block) => namesPut((put) => features.read(block, put)))).toEqual(contentModel.features)
    const context = buildContextFeatures(read, new Float64Array([0.5]))
    expect(read.blocks.flatMap((block) => namesPut((put) => context.read(block, put)))).toEqual(
      contentModel.contextFeatures,
    )
  })

  it('has only complete trees, with one leaf more than questions', () => {
    for (const { features, values } of [...contentModel.firstPass.trees, ...contentModel.secondPass.trees]) {
      expect(values).toHaveLength(features.length)
      expect(features.filter((feature) => feature === -1)).toHaveLength((features.length + 1) / 2)
    }
  })
})
